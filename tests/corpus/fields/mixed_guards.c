// race: safe — in one structure: a guarded, an atomic, a constant and an unshared field
#include <pthread.h>
#include <stdatomic.h>

struct Server {
  pthread_mutex_t lock;
  int clients;
  atomic_int requests;
  int port;
  int main_only;
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
  pthread_t a, b;
  pthread_create(&a, NULL, serve, &server);
  pthread_create(&b, NULL, serve, &server);
  server.main_only = server.port;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return server.clients + server.requests + server.main_only - 73;
}
