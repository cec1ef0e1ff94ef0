// race: safe — a structure travels by value and is published by a flag
#include <pthread.h>
#include <stdatomic.h>
struct pt {
  long x, y, z;
};
static struct pt shared;
static atomic_int ready;
static struct pt make(long a) {
  struct pt p = {a, a + 1, a + 2};
  return p;
}
static long norm(struct pt p) {
  return p.x + p.y + p.z;
}
void *thr(void *a) {
  (void)a;
  shared = make(3);
  atomic_store(&ready, 1);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, thr, 0);
  while (!atomic_load(&ready)) {
  }
  return (int)norm(shared);
}
