// race: safe — the id is copied before the variable is used for the next thread
#include <pthread.h>

static int value, other;

static void *first(void *arg) {
  value = 1;
  return arg;
}

static void *second(void *arg) {
  other = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_t kept = t;
  pthread_create(&t, NULL, second, NULL);
  pthread_join(t, NULL);
  pthread_join(kept, NULL);
  return value + other - 3;
}
