/* bad: top is tested under one hold of the lock and used under the next. */
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
    int some = top > 0;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (some) {
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
