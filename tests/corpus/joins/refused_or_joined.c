// race: safe — who could not create the thread has nobody to join: either way it is alone at the end
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int ticks;
} Device;

static void *tick(void *arg) {
  Device *d = arg;
  pthread_mutex_lock(&d->lock);
  d->ticks++;
  pthread_mutex_unlock(&d->lock);
  return NULL;
}

static int probe(void) {
  pthread_t timer;
  Device *d = calloc(1, sizeof *d);
  if (!d) return 1;
  pthread_mutex_init(&d->lock, NULL);
  int refused = pthread_create(&timer, NULL, tick, d);
  if (refused) goto out;
  pthread_join(timer, NULL);
out:
  d->ticks = 0;
  pthread_mutex_destroy(&d->lock);
  free(d);
  return refused;
}

int main(void) { return probe() || probe(); }
