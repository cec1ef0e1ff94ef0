/* bad: the reader keeps the old address beyond the lock. */
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int *v; int cap;
static void *grow(void *q) {
  pthread_mutex_lock(&m);
  int *n = realloc(v, (cap + 4) * sizeof *n);
  if (n) { v = n; v[0] = cap; cap += 4; }
  pthread_mutex_unlock(&m);
  return 0;
}
static void *get(void *q) {
  pthread_mutex_lock(&m);
  int *p = v;
  pthread_mutex_unlock(&m);
  int r = p ? p[0] : 0;
  return (void *)(long)r;
}
int main(void) { pthread_t s, t, u; pthread_create(&s, 0, grow, 0); pthread_create(&u, 0, grow, 0); pthread_create(&t, 0, get, 0); pthread_join(s, 0); pthread_join(u, 0); pthread_join(t, 0); return 0; }
