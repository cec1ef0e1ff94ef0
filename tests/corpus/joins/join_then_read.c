// race: safe; deadlock: safe — the result is read after the join
#include <pthread.h>

static int result;

static void *compute(void *arg) {
  (void)arg;
  result = 6 * 7;
  return NULL;
}

int main(void) {
  pthread_t t;
  result = 0;
  pthread_create(&t, NULL, compute, NULL);
  pthread_join(t, NULL);
  return result - 42;
}
