// race: safe; deadlock: safe — a future: whoever asks waits until the value is there
#include <pthread.h>
#include <stdlib.h>

struct Future {
  pthread_mutex_t lock;
  pthread_cond_t there;
  int done, value;
};

static void *compute(void *arg) {
  struct Future *f = arg;
  int value = 6 * 7;
  pthread_mutex_lock(&f->lock);
  f->value = value;
  f->done = 1;
  pthread_cond_broadcast(&f->there);
  pthread_mutex_unlock(&f->lock);
  return NULL;
}

static int get(struct Future *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->done) pthread_cond_wait(&f->there, &f->lock);
  pthread_mutex_unlock(&f->lock);
  return f->value;
}

int main(void) {
  pthread_t t;
  struct Future *f = calloc(1, sizeof *f);
  if (!f) return 1;
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->there, NULL);
  pthread_create(&t, NULL, compute, f);
  int value = get(f);
  pthread_join(t, NULL);
  free(f);
  return value - 42;
}
