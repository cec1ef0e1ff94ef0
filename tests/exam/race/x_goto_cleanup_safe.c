/* safe: goto chain as in drivers; the timer is stopped (joined) before the memory is freed. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dev { pthread_mutex_t m; int ticks; };
static void *timer(void *p) { struct dev *d = p; pthread_mutex_lock(&d->m); d->ticks++; pthread_mutex_unlock(&d->m); return 0; }
static int probe(void) {
  pthread_t t; int err = -1;
  struct dev *d = calloc(1, sizeof *d);
  if (!d) return -1;
  pthread_mutex_init(&d->m, 0);
  if (pthread_create(&t, 0, timer, d)) goto free_dev;
  if (__VERIFIER_nondet_int() < 0) goto stop;
  err = 0;
stop:
  pthread_join(t, 0);
free_dev:
  free(d);
  return err;
}
int main(void) { probe(); probe(); return 0; }
