// race: unsafe lines 13 20 — what the call that ends the program reads, others may write
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int go;
static char name[16] = "start";

static void *first(void *unused) {
  atomic_store(&go, 1);
  if (atomic_load(&go))
    errx(1, "%s is bad", name);
  return unused;
}

static void *second(void *unused) {
  while (atomic_load(&go) == 0) {
  }
  memset(name, 'a', 4);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
