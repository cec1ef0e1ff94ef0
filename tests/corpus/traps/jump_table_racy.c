// race: unsafe lines 13 — the address of a label decides, and it leads past the lock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, way = 1;

static void *one(void *arg) {
  static void *const to[] = {&&locked, &&open};
  goto *to[way];
locked:
  pthread_mutex_lock(&lock), x++, pthread_mutex_unlock(&lock);
  return arg;
open: x--;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, one, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
