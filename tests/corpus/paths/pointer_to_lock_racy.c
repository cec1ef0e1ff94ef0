// race: unsafe lines 16 — two structures share the data but point to different locks
#include <pthread.h>

struct Part {
  pthread_mutex_t *lock;
  int *total;
};

static int total;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  struct Part *part = arg;
  pthread_mutex_lock(part->lock);
  *part->total += 1;
  pthread_mutex_unlock(part->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct Part x = {&one, &total}, y = {&other, &total};
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total > 2;
}
