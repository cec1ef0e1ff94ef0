// kiss 0: race holds
// kiss 1: race holds
// The mended one: the reader takes the lock, too.
#include <pthread.h>
#include <stdlib.h>

enum state { NOT_STARTED, STARTED, REMOVED };

struct extension {
  pthread_mutex_t lock;
  enum state pnp_state;
  int requests;
};

static void set_state(struct extension *e, enum state next) {
  pthread_mutex_lock(&e->lock);
  e->pnp_state = next;
  pthread_mutex_unlock(&e->lock);
}

static void *dispatch_pnp(void *argument) {
  set_state(argument, STARTED);
  return NULL;
}

static int dispatch_power(struct extension *e) {
  pthread_mutex_lock(&e->lock);
  if (e->pnp_state != REMOVED) e->requests++;
  pthread_mutex_unlock(&e->lock);
  return 0;
}

int main(void) {
  pthread_t t;
  struct extension *e = calloc(1, sizeof *e);
  if (!e) return 1;
  pthread_mutex_init(&e->lock, NULL);
  pthread_create(&t, NULL, dispatch_pnp, e);
  return dispatch_power(e);
}
