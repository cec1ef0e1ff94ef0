// race: unsafe lines 16 22 — the same object seen as two structures that begin alike
#include <pthread.h>
#include <stdlib.h>

struct Base {
  int kind, count;
};

struct Derived {
  struct Base base;
  int more;
};

static void *as_base(void *arg) {
  struct Base *b = arg;
  b->count++;
  return NULL;
}

static void *as_derived(void *arg) {
  struct Derived *d = arg;
  d->base.count++;
  d->more = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct Derived *d = calloc(1, sizeof *d);
  if (!d) return 1;
  pthread_create(&a, NULL, as_base, d);
  pthread_create(&b, NULL, as_derived, d);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(d);
  return 0;
}
