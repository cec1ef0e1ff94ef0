/* bad: it is read again behind the lock, and may have changed. */
#include <pthread.h>
#include <stdatomic.h>
#define N 4
struct { pthread_mutex_t m; int v; } tab[N]; atomic_uint cur;
static void *w(void *p) {
  unsigned i = atomic_load(&cur) % N;
  pthread_mutex_lock(&tab[i].m);
  tab[atomic_load(&cur) % N].v++;
  pthread_mutex_unlock(&tab[i].m);
  atomic_fetch_add(&cur, 1u);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < N; i++) pthread_mutex_init(&tab[i].m, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
