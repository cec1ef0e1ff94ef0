/* A manager of resources, some of which exclude each other. Faulty: it forgets to look whether
 * the other one of such a pair is granted. */
#include <pthread.h>
#include <unistd.h>

typedef struct Resource {
  struct Resource *enemy;
  int granted;
} Resource;

static Resource camera, antenna;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void conflict(Resource *a, Resource *b) {
  a->enemy = b;
  b->enemy = a;
}

int request(Resource *r) {
  pthread_mutex_lock(&lock);
#ifdef RIGHT
  int granted = !r->granted && !(r->enemy && r->enemy->granted);
#else
  int granted = !r->granted;
#endif
  if (granted) r->granted = 1;
  pthread_mutex_unlock(&lock);
  return granted;
}

void rescind(Resource *r) {
  (void)r;
}

void cancel(Resource *r) {
  pthread_mutex_lock(&lock);
  r->granted = 0;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *argument) {
  usleep(20000);
  if (request(&antenna)) {
    rescind(&antenna);
    cancel(&antenna);
  }
  return argument;
}

int main(void) {
  pthread_t t;
  conflict(&camera, &antenna);
  pthread_create(&t, NULL, worker, NULL);
  if (request(&camera)) cancel(&camera);
  pthread_join(t, NULL);
  return 0;
}
