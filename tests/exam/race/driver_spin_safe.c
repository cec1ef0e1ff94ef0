/* safe: all of dev's fields are used under its spinlock. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
typedef struct { atomic_int v; } spinlock_t;
static void spin_lock(spinlock_t *l) { while (atomic_exchange(&l->v, 1)) ; }
static void spin_unlock(spinlock_t *l) { atomic_store(&l->v, 0); }
struct dev { spinlock_t lock; int open; int pending; } d;
static int dev_open(struct dev *v) { int r = -1; spin_lock(&v->lock); if (!v->open) { v->open = 1; r = 0; } spin_unlock(&v->lock); return r; }
static void dev_close(struct dev *v) { spin_lock(&v->lock); v->open = 0; v->pending = 0; spin_unlock(&v->lock); }
static void dev_io(struct dev *v) { spin_lock(&v->lock); if (v->open) v->pending++; spin_unlock(&v->lock); }
static void *irq(void *p) {
  struct dev *v = p;
  spin_lock(&v->lock);
  if (v->pending) v->pending--;
  spin_unlock(&v->lock);
  return 0;
}
static void *user(void *p) {
  if (dev_open(&d)) return 0;
  while (__VERIFIER_nondet_int()) dev_io(&d);
  dev_close(&d);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) { if (__VERIFIER_nondet_int()) pthread_create(&t, 0, irq, &d); else pthread_create(&t, 0, user, 0); }
}
