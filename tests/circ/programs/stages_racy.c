/* race: unsafe */
/* There are two of the second kind. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int x;
static atomic_int lock;

static void *first(void *arg) {
  while (1) {
    if (atomic_load(&lock) == 0) {
      x++;
      atomic_store(&lock, 1);
    }
  }
  return arg;
}

static void *second(void *arg) {
  while (1) {
    if (atomic_load(&lock) == 1) {
      x++;
      atomic_store(&lock, 0);
    }
  }
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, second, NULL);
  return 0;
}
