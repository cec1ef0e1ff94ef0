/* bad: the sum is not 78. */
#include <pthread.h>
#include <assert.h>
#define N 12
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int sum;
static void *w(void *p) { pthread_mutex_lock(&m); sum += (int)(long)p; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(sum == 78);
  return 0;
}
