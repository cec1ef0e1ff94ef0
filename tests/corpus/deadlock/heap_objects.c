// deadlock: safe — a chain of heap objects from one place, always locked towards its end
#include <pthread.h>
#include <stdlib.h>

struct Object {
  pthread_mutex_t lock;
  struct Object *next;
};

static struct Object *make(struct Object *next) {
  struct Object *o = calloc(1, sizeof *o);
  if (!o) exit(1);
  pthread_mutex_init(&o->lock, NULL);
  o->next = next;
  return o;
}

static void *meet(void *arg) {
  struct Object *self = arg;
  pthread_mutex_lock(&self->lock);
  pthread_mutex_lock(&self->next->lock);
  pthread_mutex_unlock(&self->next->lock);
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  struct Object *z = make(NULL), *y = make(z), *x = make(y);
  pthread_create(&t, NULL, meet, x);
  pthread_create(&u, NULL, meet, y);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
