// race: safe; deadlock: safe — every round creates four threads into the same array and joins them all
#include <pthread.h>

enum { THREADS = 4 };
static int total[THREADS];

static void *work(void *arg) {
  int *mine = arg;
  ++*mine;
  return NULL;
}

int main(void) {
  pthread_t ids[THREADS];
  int sum = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < THREADS; i++)
      if (pthread_create(&ids[i], NULL, work, &total[i]) != 0) return 1;
    for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  }
  for (int i = 0; i < THREADS; i++) sum += total[i];
  return sum == 3 * THREADS ? 0 : 1;
}
