// race: open — who finds the lock taken is not behind the one that has it
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *unused) {
  if (pthread_mutex_trylock(&m)) {
    x = 2;
    return unused;
  }
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, work, NULL);
  x = 3;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
