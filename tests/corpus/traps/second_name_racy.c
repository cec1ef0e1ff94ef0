// race: unsafe lines 8 13 — two names in the program, one object for the linker
#include <pthread.h>

int counter;
extern int tally __attribute__((alias("counter")));

static void *by_first_name(void *arg) {
  counter++;
  return arg;
}

static void *by_second_name(void *arg) {
  tally++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, by_first_name, NULL);
  pthread_create(&b, NULL, by_second_name, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter > 2;
}
