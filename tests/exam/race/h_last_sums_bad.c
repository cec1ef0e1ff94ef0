/* bad: who comes second adds up all parts. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int n; int part[3], sum;
static void *w(void *a) {
  int id = (int)(long)a;
  part[id] = id + 1;
  if (atomic_fetch_add(&n, 1) == 1)
    for (int i = 0; i < 3; i++) sum += part[i];
  return 0;
}
int main(void) { pthread_t t; for (long i = 0; i < 3; i++) pthread_create(&t, 0, w, (void *)i); pthread_exit(0); }
