// assert: safe; race: safe — the invariant is broken and mended inside one critical section
#include <assert.h>
#include <pthread.h>

static int left = 10, right;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *arg) {
  pthread_mutex_lock(&lock);
  left--;
  right++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, move, NULL);
  pthread_mutex_lock(&lock);
  assert(left + right == 10);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
