// race: safe — an object is filled first and published under the lock
#include <pthread.h>
#include <stdlib.h>

struct Config {
  int port, limit;
};

static struct Config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *loader(void *arg) {
  struct Config *c = malloc(sizeof *c);
  if (!c) return NULL;
  c->port = 69;
  c->limit = 10;
  pthread_mutex_lock(&lock);
  config = c;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, loader, NULL);
  pthread_mutex_lock(&lock);
  struct Config *c = config;
  pthread_mutex_unlock(&lock);
  int port = c ? c->port : 69;
  pthread_join(t, NULL);
  free(config);
  return port - 69;
}
