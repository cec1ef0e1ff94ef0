// race: unsafe lines 19 29 — a field is filled after the object was published
#include <pthread.h>
#include <stdlib.h>

struct Config {
  int port, limit;
};

static struct Config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *loader(void *arg) {
  struct Config *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->port = 69;
  pthread_mutex_lock(&lock);
  config = c;
  pthread_mutex_unlock(&lock);
  c->limit = 10;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, loader, NULL);
  pthread_mutex_lock(&lock);
  struct Config *c = config;
  pthread_mutex_unlock(&lock);
  int limit = c ? c->limit : 10;
  pthread_join(t, NULL);
  free(config);
  return limit > 10;
}
