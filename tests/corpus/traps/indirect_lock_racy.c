// race: unsafe lines 16 — the pointer to the lock function may be a dummy, and once it is
#include <pthread.h>

typedef int (*LockFunction)(pthread_mutex_t *);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int dummy(pthread_mutex_t *m) { return m == NULL; }

static void *work(void *arg) {
  int real = *(int *)arg;
  LockFunction take = real ? pthread_mutex_lock : dummy;
  LockFunction give = real ? pthread_mutex_unlock : dummy;
  take(&lock);
  value++;
  give(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int yes = 1, no = 0;
  pthread_create(&a, NULL, work, &yes);
  pthread_create(&b, NULL, work, &no);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
