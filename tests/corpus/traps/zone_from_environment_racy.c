// race: unsafe lines 10 15 — mktime looks for TZ in the environment
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *converter(void *unused) {
  (void)unused;
  struct tm parts = {.tm_year = 100};
  mktime(&parts);
  return 0;
}

static void *setter(void *unused) {
  setenv("HEDDLE_TRAP", "1", 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, converter, 0);
  pthread_create(&b, 0, setter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
