// race: unsafe lines 19 29; assert: unsafe — the section ends before its last atomic function and what stands beside it
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
  __VERIFIER_atomic_end();
  count--;
  __VERIFIER_atomic_add();
  __VERIFIER_atomic_add();
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
