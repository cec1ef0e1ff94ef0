/* safe: each thread has its own counter; only the lock protects total. */
#include <pthread.h>
static __thread int mine; int *leak; int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) {
  for (int i = 0; i < 5; i++) mine++;
  pthread_mutex_lock(&m);
  total += mine;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
