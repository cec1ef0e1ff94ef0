// race: safe — the old version is freed when no reader is left that could have seen it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int readers;

static int *version(int n) {
  int *p = malloc(sizeof *p);
  if (!p) exit(1);
  *p = n;
  return p;
}

static void *reader(void *arg) {
  atomic_fetch_add(&readers, 1);
  *(int *)arg = *atomic_load(&current);
  atomic_fetch_sub(&readers, 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  atomic_store(&current, version(1));
  pthread_create(&a, NULL, reader, &x);
  pthread_create(&b, NULL, reader, &y);
  int *old = atomic_exchange(&current, version(2));
  while (atomic_load(&readers) > 0) {}
  free(old);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y > 4;
}
