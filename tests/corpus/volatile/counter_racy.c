// race: unsafe lines 7 — increments of a volatile counter are not atomic
#include <pthread.h>

static volatile int counter;

static void *count(void *arg) {
  for (int i = 0; i < 3; i++) counter++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter > 6;
}
