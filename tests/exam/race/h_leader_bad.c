/* bad: the others wait for the first's arrival only. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int came, ready; int conf;
static void *w(void *a) {
  if (atomic_exchange(&came, 1) == 0) { conf = 5; atomic_store(&ready, 1); }
  else while (!atomic_load(&came)) ;
  int v = conf; (void)v;
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
