// deadlock: unsafe — two heap objects from one place, locked in both orders
#include <pthread.h>
#include <stdlib.h>

struct Object {
  pthread_mutex_t lock;
  struct Object *partner;
};

static struct Object *make(void) {
  struct Object *o = calloc(1, sizeof *o);
  if (!o) exit(1);
  pthread_mutex_init(&o->lock, NULL);
  return o;
}

static void *meet(void *arg) {
  struct Object *self = arg;
  pthread_mutex_lock(&self->lock);
  pthread_mutex_lock(&self->partner->lock);
  pthread_mutex_unlock(&self->partner->lock);
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  struct Object *x = make(), *y = make();
  x->partner = y;
  y->partner = x;
  pthread_create(&t, NULL, meet, x);
  pthread_create(&u, NULL, meet, y);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
