// race: unsafe lines 26 33 — one operation goes without the lock
#include <pthread.h>
typedef struct {
  pthread_mutex_t m;
} spinlock_t;
static void spin_lock(spinlock_t *l) {
  pthread_mutex_lock(&l->m);
}
static void spin_unlock(spinlock_t *l) {
  pthread_mutex_unlock(&l->m);
}
extern int __VERIFIER_nondet_int(void);
struct net_device {
  int irq;
  void *priv;
};
struct priv {
  spinlock_t lock;
  unsigned long stats;
  int up;
};
static struct priv the_priv;
static struct net_device the_dev;
static int dev_open(struct net_device *d) {
  struct priv *p = d->priv;
  p->up = 1;
  return 0;
}
static void *irq_handler(void *arg) {
  struct net_device *d = arg;
  struct priv *p = d->priv;
  spin_lock(&p->lock);
  if (p->up) p->stats++;
  spin_unlock(&p->lock);
  return 0;
}
static void *entry_ops(void *arg) {
  struct net_device *d = arg;
  while (__VERIFIER_nondet_int()) dev_open(d);
  return 0;
}
int main(void) {
  pthread_t a, b;
  the_dev.priv = &the_priv;
  pthread_mutex_init(&the_priv.lock.m, 0);
  pthread_create(&a, 0, irq_handler, &the_dev);
  pthread_create(&b, 0, entry_ops, &the_dev);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return (int)the_priv.stats;
}
