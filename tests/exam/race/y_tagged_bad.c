/* bad: the tag is not looked at. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
atomic_uintptr_t g; int obj;
static void *w(void *a) {
  uintptr_t o = atomic_fetch_or(&g, 1);
  int *p = (int *)(o & ~(uintptr_t)1);
  ++*p;
  return 0;
}
int main(void) { pthread_t s, t; atomic_store(&g, (uintptr_t)&obj); pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
