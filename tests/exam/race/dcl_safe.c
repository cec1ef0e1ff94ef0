/* safe: the flag is released after the data, acquired before it is read. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready; int *conf; int value; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void) {
  if (!atomic_load_explicit(&ready, memory_order_acquire)) {
    pthread_mutex_lock(&m);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      value = 42; conf = &value;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&m);
  }
  return *conf;
}
static void *w(void *a) { get(); return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
