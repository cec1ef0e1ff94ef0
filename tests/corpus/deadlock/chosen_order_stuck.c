// deadlock: unsafe — the argument decides the order, and the threads get different ones
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int reverse = *(int *)arg;
  pthread_mutex_t *first = reverse ? &b : &a, *second = reverse ? &a : &b;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int no = 0, yes = 1;
  pthread_create(&t, NULL, work, &no);
  pthread_create(&u, NULL, work, &yes);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
