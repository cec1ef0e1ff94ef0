// race: safe — each thread is given a number; its result is read when it was joined
#include <pthread.h>
static long results[100];
static pthread_t ids[100];

static void *worker(void *argument) {
  results[(long)argument] = 1;
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (long i = 0; i < count; i++) pthread_create(&ids[i], NULL, worker, (void *)i);
  long sum = 0;
  for (long i = 0; i < count; i++) {
    pthread_join(ids[i], NULL);
    sum += results[i];
  }
  return sum != 3;
}
