// race: safe; assert: safe — an atomic function inside of an atomic section does not end it
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int count;

static void __VERIFIER_atomic_add(void) {
  count++;
}

static void *add_two(void *arg) {
  (void)arg;
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_add();
  count--;
  __VERIFIER_atomic_add();
  __VERIFIER_atomic_add();
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, add_two, NULL);
  __VERIFIER_atomic_begin();
  int seen = count;
  __VERIFIER_atomic_end();
  assert(seen % 2 == 0);
  pthread_join(t, NULL);
  return 0;
}
