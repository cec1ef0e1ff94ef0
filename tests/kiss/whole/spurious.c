// assert: open — a wait may end for no reason
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int r;
static void *work(void *unused) {
  pthread_mutex_lock(&m);
  r = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, work, NULL);
  pthread_cond_wait(&c, &m);
  assert(r == 1);
  pthread_mutex_unlock(&m);
  return 0;
}
