/* bad: test and decrement are two steps. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int tokens = 2, held;
static void *w(void *p) {
  int t = atomic_load(&tokens);
  if (t <= 0) return 0;
  atomic_fetch_sub(&tokens, 1);
  int h = atomic_fetch_add(&held, 1);
  assert(h < 2);
  atomic_fetch_sub(&held, 1);
  atomic_fetch_add(&tokens, 1);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
