// race: unsafe lines 17 28 — the field that should stay constant is changed by a late command
#include <pthread.h>
#include <stdatomic.h>

struct Server {
  pthread_mutex_t lock;
  int clients;
  atomic_int requests;
  int port;
};

static struct Server server = {.lock = PTHREAD_MUTEX_INITIALIZER, .port = 69};

static void *serve(void *arg) {
  struct Server *s = arg;
  atomic_fetch_add(&s->requests, 1);
  if (s->port != 69) return NULL;
  pthread_mutex_lock(&s->lock);
  s->clients++;
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, serve, &server);
  pthread_mutex_lock(&server.lock);
  server.port = 6969;
  pthread_mutex_unlock(&server.lock);
  pthread_join(a, NULL);
  return server.clients > 1;
}
