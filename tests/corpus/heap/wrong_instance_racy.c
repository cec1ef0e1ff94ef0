// race: unsafe lines 21 28 — two objects from one place: the lock of the first, the data of the second
#include <pthread.h>
#include <stdlib.h>

struct Object {
  pthread_mutex_t lock;
  int value;
};

static struct Object *x, *y;

static struct Object *make(void) {
  struct Object *o = calloc(1, sizeof *o);
  if (!o) exit(1);
  pthread_mutex_init(&o->lock, NULL);
  return o;
}

static void *right(void *arg) {
  pthread_mutex_lock(&y->lock);
  y->value++;
  pthread_mutex_unlock(&y->lock);
  return arg;
}

static void *wrong(void *arg) {
  pthread_mutex_lock(&x->lock);
  y->value++;
  pthread_mutex_unlock(&x->lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  x = make();
  y = make();
  pthread_create(&a, NULL, right, NULL);
  pthread_create(&b, NULL, wrong, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return y->value > 2;
}
