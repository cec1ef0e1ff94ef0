// race: unsafe lines 16 26 — the old version is freed at once, though a reader may still use it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;

static int *version(int n) {
  int *p = malloc(sizeof *p);
  if (!p) exit(1);
  *p = n;
  return p;
}

static void *reader(void *arg) {
  *(int *)arg = *atomic_load(&current);
  return NULL;
}

int main(void) {
  pthread_t t;
  int x;
  atomic_store(&current, version(1));
  pthread_create(&t, NULL, reader, &x);
  int *old = atomic_exchange(&current, version(2));
  free(old);
  pthread_join(t, NULL);
  return x > 2;
}
