// race: unsafe lines 10 15 — setenv may move the environment that another thread walks through
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char **first;

static void *walker(void *unused) {
  first = __environ;
  return unused;
}

static void *setter(void *unused) {
  setenv("HEDDLE_TRAP", "1", 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, walker, 0);
  pthread_create(&b, 0, setter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return environ == 0 && first == 0;
}
