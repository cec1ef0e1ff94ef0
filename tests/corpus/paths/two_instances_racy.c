// race: unsafe lines 17 — shared data guarded by the lock of whichever object is at hand
#include <pthread.h>

struct Worker {
  pthread_mutex_t lock;
  int jobs;
};

static int total;
static struct Worker workers[2] = {{PTHREAD_MUTEX_INITIALIZER, 0},
                                   {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *run(void *arg) {
  struct Worker *self = arg;
  pthread_mutex_lock(&self->lock);
  self->jobs++;
  total++;
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, &workers[0]);
  pthread_create(&b, NULL, run, &workers[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total > 2;
}
