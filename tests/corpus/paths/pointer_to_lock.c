// race: safe — two structures point to the same lock
#include <pthread.h>

struct Part {
  pthread_mutex_t *lock;
  int *total;
};

static int total;
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  struct Part *part = arg;
  pthread_mutex_lock(part->lock);
  *part->total += 1;
  pthread_mutex_unlock(part->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct Part x = {&shared, &total}, y = {&shared, &total};
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total - 2;
}
