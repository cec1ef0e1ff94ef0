// race: safe; assert: safe — who gets the lock is
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *unused) {
  if (!pthread_mutex_trylock(&m)) {
    x++;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x <= 2);
  return 0;
}
