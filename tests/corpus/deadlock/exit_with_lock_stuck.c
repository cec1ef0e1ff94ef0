// deadlock: unsafe — pthread_exit deep inside a critical section
#include <pthread.h>

static int errors;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check(int n) {
  if (n < 0) pthread_exit(NULL);
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  check(*(int *)arg);
  errors++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int good = 1, bad = -1;
  pthread_create(&t, NULL, work, &bad);
  pthread_create(&u, NULL, work, &good);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
