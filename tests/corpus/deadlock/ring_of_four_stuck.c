// deadlock: unsafe — four threads, each takes its lock and then its neighbour's
#include <pthread.h>
pthread_mutex_t l[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                        PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void *thr(void *p) {
  long i = (long)p;
  pthread_mutex_lock(&l[i]);
  pthread_mutex_lock(&l[(i + 1) % 4]);
  pthread_mutex_unlock(&l[(i + 1) % 4]);
  pthread_mutex_unlock(&l[i]);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, thr, (void *)i);
  for (long i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
