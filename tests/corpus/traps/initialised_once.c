// race: safe — a mutex is made while other threads run, but before those that use it
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *idle(void *unused) {
  return unused;
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, 0, idle, 0);
  pthread_mutex_init(&lock, 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_mutex_destroy(&lock);
  pthread_join(c, 0);
  return value > 2;
}
