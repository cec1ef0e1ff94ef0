// deadlock: safe — of its two locks each thread takes the lower one first
#include <pthread.h>
pthread_mutex_t l[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                        PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void *thr(void *p) {
  long i = (long)p, k = (i + 1) % 4;
  long lo = i < k ? i : k, hi = i < k ? k : i;
  pthread_mutex_lock(&l[lo]);
  pthread_mutex_lock(&l[hi]);
  pthread_mutex_unlock(&l[hi]);
  pthread_mutex_unlock(&l[lo]);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, thr, (void *)i);
  for (long i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
