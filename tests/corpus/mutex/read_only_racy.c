// race: unsafe lines 9 17 — the main thread goes on filling a table that a thread already reads
#include <pthread.h>

static int square[8];
static int sum;

static void *add_up(void *arg) {
  int *out = arg;
  for (int i = 0; i < 8; i++) *out += square[i];
  return NULL;
}

int main(void) {
  pthread_t a;
  for (int i = 0; i < 4; i++) square[i] = i * i;
  pthread_create(&a, NULL, add_up, &sum);
  for (int i = 4; i < 8; i++) square[i] = i * i;
  pthread_join(a, NULL);
  return sum == 0;
}
