/* safe: each job is done once. */
#include <pthread.h>
#include <assert.h>
#define J 4
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int next, done[J];
static void *w(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    int k = next;
    if (k < J) next++;
    pthread_mutex_unlock(&m);
    if (k >= J) return 0;
    pthread_mutex_lock(&m);
    done[k]++;
    assert(done[k] == 1);
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
