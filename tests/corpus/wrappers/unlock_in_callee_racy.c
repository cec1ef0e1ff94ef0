// race: unsafe lines 15 — the caller does not see that the function it calls has unlocked
#include <pthread.h>

static int value, version;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void commit(void) {
  version++;
  pthread_mutex_unlock(&lock);
}

static void *change(void *arg) {
  pthread_mutex_lock(&lock);
  commit();
  value += *(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, change, &one);
  pthread_create(&b, NULL, change, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value + version > 5;
}
