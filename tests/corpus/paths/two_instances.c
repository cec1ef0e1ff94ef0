// race: safe — own data under the own lock, shared data under the common lock
#include <pthread.h>

struct Worker {
  pthread_mutex_t lock;
  int jobs;
};

static int total;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static struct Worker workers[2] = {{PTHREAD_MUTEX_INITIALIZER, 0},
                                   {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *run(void *arg) {
  struct Worker *self = arg;
  pthread_mutex_lock(&self->lock);
  self->jobs++;
  pthread_mutex_unlock(&self->lock);
  pthread_mutex_lock(&total_lock);
  total++;
  pthread_mutex_unlock(&total_lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, &workers[0]);
  pthread_create(&b, NULL, run, &workers[1]);
  pthread_mutex_lock(&workers[0].lock);
  int seen = workers[0].jobs;
  pthread_mutex_unlock(&workers[0].lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total - 2 + (seen > 1);
}
