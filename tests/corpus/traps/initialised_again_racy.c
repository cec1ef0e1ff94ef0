// race: unsafe lines 8 9 10 11 — every thread initialises the mutex that is to keep the others out
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *work(void *unused) {
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return value > 2;
}
