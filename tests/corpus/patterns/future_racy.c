// race: unsafe lines 18 33 — a future whose owner frees it as soon as the value is there
#include <pthread.h>
#include <stdlib.h>

struct Future {
  pthread_mutex_t lock;
  pthread_cond_t there;
  int done, value, readers;
};

static void *compute(void *arg) {
  struct Future *f = arg;
  pthread_mutex_lock(&f->lock);
  f->value = 6 * 7;
  f->done = 1;
  pthread_cond_broadcast(&f->there);
  pthread_mutex_unlock(&f->lock);
  f->readers = 0;
  return NULL;
}

int main(void) {
  pthread_t t;
  struct Future *f = calloc(1, sizeof *f);
  if (!f) return 1;
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->there, NULL);
  pthread_create(&t, NULL, compute, f);
  pthread_mutex_lock(&f->lock);
  while (!f->done) pthread_cond_wait(&f->there, &f->lock);
  int value = f->value;
  pthread_mutex_unlock(&f->lock);
  free(f);
  pthread_join(t, NULL);
  return value - 42;
}
