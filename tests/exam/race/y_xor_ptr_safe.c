/* safe: the lock is held by both. */
#include <pthread.h>
#include <stdint.h>
uintptr_t key = 0x5a5a; uintptr_t hid; int obj; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *a) {
  int *p = (int *)(hid ^ key);
  pthread_mutex_lock(&m);
  *p = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  hid = (uintptr_t)&obj ^ key;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  obj = 2;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
