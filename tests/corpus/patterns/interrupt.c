// race: safe — a handler and the operations of a device under one lock
#include <pthread.h>
typedef struct {
  pthread_mutex_t m;
} spinlock_t;
static void spin_lock_init(spinlock_t *l) {
  pthread_mutex_init(&l->m, 0);
}
static void spin_lock(spinlock_t *l) {
  pthread_mutex_lock(&l->m);
}
static void spin_unlock(spinlock_t *l) {
  pthread_mutex_unlock(&l->m);
}
#define spin_lock_irqsave(l, f)                                                          \
  do {                                                                                   \
    (f) = 0;                                                                             \
    spin_lock(l);                                                                        \
  } while (0)
#define spin_unlock_irqrestore(l, f)                                                     \
  do {                                                                                   \
    (void)(f);                                                                           \
    spin_unlock(l);                                                                      \
  } while (0)
extern int __VERIFIER_nondet_int(void);
struct net_device {
  int irq;
  void *priv;
  int opened;
};
struct priv {
  spinlock_t lock;
  unsigned long stats;
  int up;
  struct net_device *dev;
};
static struct priv the_priv;
static struct net_device the_dev;
struct ops {
  int (*open)(struct net_device *);
  int (*stop)(struct net_device *);
  int (*xmit)(struct net_device *, int);
};
static int dev_open(struct net_device *d) {
  struct priv *p = d->priv;
  unsigned long fl;
  spin_lock_irqsave(&p->lock, fl);
  p->up = 1;
  spin_unlock_irqrestore(&p->lock, fl);
  return 0;
}
static int dev_stop(struct net_device *d) {
  struct priv *p = d->priv;
  unsigned long fl;
  spin_lock_irqsave(&p->lock, fl);
  p->up = 0;
  spin_unlock_irqrestore(&p->lock, fl);
  return 0;
}
static int dev_xmit(struct net_device *d, int n) {
  struct priv *p = d->priv;
  unsigned long fl;
  int r = -1;
  spin_lock_irqsave(&p->lock, fl);
  if (!p->up) goto out;
  p->stats += n;
  r = 0;
out:
  spin_unlock_irqrestore(&p->lock, fl);
  return r;
}
static const struct ops the_ops = {dev_open, dev_stop, dev_xmit};
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
  const struct ops *o = &the_ops;
  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
    case 0: o->open(d); break;
    case 1: o->stop(d); break;
    case 2: o->xmit(d, __VERIFIER_nondet_int()); break;
    default: break;
    }
  }
  return 0;
}
static int probe(void) {
  struct net_device *d = &the_dev;
  d->priv = &the_priv;
  spin_lock_init(&the_priv.lock);
  the_priv.dev = d;
  the_priv.stats = 0;
  return __VERIFIER_nondet_int();
}
int main(void) {
  pthread_t a, b;
  if (probe()) return 0;
  pthread_create(&a, 0, irq_handler, &the_dev);
  pthread_create(&b, 0, entry_ops, &the_dev);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return (int)the_priv.stats;
}
