// race: unsafe lines 21 30 — the creator reads the heap object without its lock
#include <pthread.h>
#include <stdlib.h>

struct Counter {
  pthread_mutex_t lock;
  int n;
};

static struct Counter *counter_new(void) {
  struct Counter *c = malloc(sizeof *c);
  if (!c) exit(1);
  pthread_mutex_init(&c->lock, NULL);
  c->n = 0;
  return c;
}

static void *bump(void *arg) {
  struct Counter *c = arg;
  pthread_mutex_lock(&c->lock);
  c->n++;
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

int main(void) {
  pthread_t a;
  struct Counter *c = counter_new();
  pthread_create(&a, NULL, bump, c);
  int early = c->n;
  pthread_join(a, NULL);
  int n = c->n;
  free(c);
  return n - 1 + (early > 1);
}
