// race: unsafe lines 11 16 — a member of an atomic structure is read by a plain pointer
#include <pthread.h>
#include <stdatomic.h>

typedef struct { int a, b; } Two;

static _Atomic(Two) both;

static void *one(void *arg) {
  Two new = {1, 2};
  atomic_store(&both, new);
  return arg;
}

static void *two(void *arg) {
  return ((Two *)&both)->b ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
