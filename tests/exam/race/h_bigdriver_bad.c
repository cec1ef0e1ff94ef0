/* bad: ioctl RESET clears the ring's index under the mutex alone, the interrupt uses the spinlock. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
typedef struct { pthread_mutex_t m; } mutex; typedef struct { atomic_int v; } spinlock_t;
static void mlock(mutex *l) { pthread_mutex_lock(&l->m); } static void munlock(mutex *l) { pthread_mutex_unlock(&l->m); }
static void slock(spinlock_t *l) { while (atomic_exchange_explicit(&l->v, 1, memory_order_acquire)) ; }
static void sunlock(spinlock_t *l) { atomic_store_explicit(&l->v, 0, memory_order_release); }
#define RING 16
struct dev { mutex mx; spinlock_t sl; int users; unsigned head, tail; int ring[RING]; atomic_int stats; int mode; };
static struct dev *the;
static int dopen(struct dev *d) { mlock(&d->mx); d->users++; munlock(&d->mx); return 0; }
static void dclose(struct dev *d) { mlock(&d->mx); d->users--; munlock(&d->mx); }
static int dread(struct dev *d) { int v = -1; slock(&d->sl); if (d->head != d->tail) v = d->ring[d->tail++ % RING]; sunlock(&d->sl); return v; }
static int dioctl(struct dev *d, int cmd, int arg) {
  int r = 0;
  mlock(&d->mx);
  switch (cmd) {
  case 1: d->mode = arg; break;
  case 2: r = d->mode; break;
  case 3:
    d->head = d->tail = 0;
    break;
  default: r = -1;
  }
  munlock(&d->mx);
  return r;
}
static void *irq(void *p) { struct dev *d = p; slock(&d->sl); if (d->head - d->tail < RING) d->ring[d->head++ % RING] = 1; sunlock(&d->sl); atomic_fetch_add(&d->stats, 1); return 0; }
static void *user(void *p) {
  struct dev *d = p;
  dopen(d);
  while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) dread(d); else dioctl(d, __VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }
  dclose(d);
  return 0;
}
int main(void) {
  pthread_t t;
  the = calloc(1, sizeof *the);
  if (!the) return 1;
  pthread_mutex_init(&the->mx.m, 0);
  while (1) { pthread_create(&t, 0, irq, the); pthread_create(&t, 0, user, the); }
}
