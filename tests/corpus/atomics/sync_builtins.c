// race: safe — the older __sync builtins as a spin lock
#include <pthread.h>

static int taken, value;

static void *bump(void *arg) {
  while (__sync_lock_test_and_set(&taken, 1)) {}
  value += 1;
  __sync_lock_release(&taken);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
