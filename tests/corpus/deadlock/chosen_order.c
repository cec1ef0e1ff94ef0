// deadlock: safe — a setting decides the order, and it is the same for both threads
#include <pthread.h>

static int reverse;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_t *first = reverse ? &b : &a, *second = reverse ? &a : &b;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t, u;
  (void)argv;
  reverse = argc > 1;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
