/* bad: a worker announces its end before its write. */
#include <pthread.h>
#include <stdatomic.h>
#define N 3
atomic_int done; int res[N];
static void *w(void *p) {
  int id = (int)(long)p;
  atomic_fetch_add(&done, 1);
  res[id] = id;
  return 0;
}
int main(void) {
  pthread_t t; int s = 0;
  for (long i = 0; i < N; i++) { pthread_create(&t, 0, w, (void *)i); pthread_detach(t); }
  while (atomic_load(&done) < N) ;
  for (int i = 0; i < N; i++) s += res[i];
  return s;
}
