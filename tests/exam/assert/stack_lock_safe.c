/* safe: push and pop under one lock; pop only when top > 0 is seen under the same lock. */
#include <pthread.h>
#include <assert.h>
#define MAX 10
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int top;
static void *push(void *p) {
  for (int i = 0; i < MAX; i++) { pthread_mutex_lock(&m); if (top < MAX) top++; pthread_mutex_unlock(&m); }
  return 0;
}
static void *pop(void *p) {
  for (int i = 0; i < MAX; i++) {
    pthread_mutex_lock(&m);
    if (top > 0) {
      assert(top > 0);
      top--;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, push, 0); pthread_create(&b, 0, pop, 0); pthread_create(&c, 0, pop, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
  return 0;
}
