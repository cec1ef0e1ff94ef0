/* Atomic sections: one inside of the other, with calls, with loops, as functions, left by a return. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int state, count, turn[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int __VERIFIER_atomic_take(void) {
  if (state) return 0;
  state = 1;
  return 1;
}

static void bump(int by) {
  __VERIFIER_atomic_begin();
  count += by;
  __VERIFIER_atomic_end();
}

static void fill(void) {
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++) turn[i]++;
  bump(1);
  __VERIFIER_atomic_end();
}

static void guarded(void) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  __VERIFIER_atomic_end();
}

static void *work(void *arg) {
  int waits = 0;
  while (waits < 3 && !__VERIFIER_atomic_take()) waits++;
  fill();
  guarded();
  __VERIFIER_atomic_begin();
  state = 0;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return count - 4;
}
