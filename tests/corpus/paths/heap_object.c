// race: safe — a heap object with its own lock, reached by two threads
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
  pthread_t a, b;
  struct Counter *c = counter_new();
  pthread_create(&a, NULL, bump, c);
  pthread_create(&b, NULL, bump, c);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int n = c->n;
  pthread_mutex_destroy(&c->lock);
  free(c);
  return n - 2;
}
