/* race: unsafe */
/* A thread looks at the object when it has given back its reference. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int references = 1;
static int object;

static void give_back(void) {
  if (atomic_fetch_sub(&references, 1) == 1) object = 0;
}

static void *user(void *arg) {
  give_back();
  int seen = object;
  (void)seen;
  return arg;
}

int main(void) {
  pthread_t t;
  object = 1;
  int left = __VERIFIER_nondet_int();
  while (left--) {
    atomic_fetch_add(&references, 1);
    pthread_create(&t, 0, user, 0);
    if (!__VERIFIER_nondet_int()) {
      give_back();
      return 0;
    }
    atomic_fetch_add(&references, 1);
    pthread_create(&t, 0, user, 0);
  }
  give_back();
  return 0;
}
