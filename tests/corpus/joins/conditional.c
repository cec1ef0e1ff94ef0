// race: safe — the join and the access after it stand under the same condition
#include <pthread.h>
#include <stdbool.h>

static int value;

static void *work(void *arg) {
  value += 3;
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t t;
  bool parallel = argc > 1;
  if (parallel) pthread_create(&t, NULL, work, NULL);
  else work(NULL);
  if (parallel) pthread_join(t, NULL);
  value++;
  return value - 4;
}
