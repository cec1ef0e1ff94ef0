// race: unsafe lines 7 18 — the numbers run against the ids
#include <pthread.h>
static long results[100];
static pthread_t ids[100];

static void *worker(void *argument) {
  results[(long)argument] = 1;
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (long i = 0; i < count; i++)
    pthread_create(&ids[i], NULL, worker, (void *)(count - 1 - i));
  long sum = 0;
  for (long i = 0; i < count; i++) {
    pthread_join(ids[i], NULL);
    sum += results[i];
  }
  return sum != 3;
}
