// assert: unsafe; race: safe — the second of any number of threads is not the first
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int busy, visits;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  if (!busy) {
    busy = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(busy == 1);
    busy = 0;
    assert(visits == 0);
    visits = 1;
  }
  pthread_mutex_unlock(&m);
  return p;
}
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < argc * 10; i++) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
  }
  return 0;
}
