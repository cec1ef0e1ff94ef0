/* safe: nobody leaves the barrier before all have come. */
#include <pthread.h>
#define N 3
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int came; int slot[N], sums[N];
static void barrier(void) {
  pthread_mutex_lock(&m);
  came++;
  pthread_cond_broadcast(&c);
  while (came < N) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
static void *w(void *a) {
  int id = (int)(long)a;
  slot[id] = id * id;
  barrier();
  for (int i = 0; i < N; i++) sums[id] += slot[i];
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return sums[0];
}
