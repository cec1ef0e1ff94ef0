/* safe: the destructor takes the lock. */
#include <pthread.h>
pthread_key_t k; int count; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void dtor(void *p) {
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
}
static void *w(void *p) { pthread_setspecific(k, &count); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_key_create(&k, dtor);
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return count;
}
