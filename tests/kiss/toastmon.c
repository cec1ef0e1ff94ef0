// kiss 0: race pnp_state
// kiss 1: race pnp_state
// The shape of the paper's figure 6: a state is written under its lock and read without it.
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
  if (e->pnp_state == REMOVED) return -1;
  pthread_mutex_lock(&e->lock);
  e->requests++;
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
