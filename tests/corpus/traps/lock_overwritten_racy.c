// race: unsafe lines 9 10 11 16 — a mutex that is overwritten is free, whoever holds it
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *reset(void *unused) {
  lock = unlocked;
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_create(&c, 0, reset, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return value > 2;
}
