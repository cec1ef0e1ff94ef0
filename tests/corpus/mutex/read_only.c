// race: safe — a table that is written before the threads exist and only read by them
#include <pthread.h>

static int square[8];
static int sum[2];

static void *add_up(void *arg) {
  int *out = arg;
  for (int i = 0; i < 8; i++) *out += square[i];
  return NULL;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 8; i++) square[i] = i * i;
  pthread_create(&a, NULL, add_up, &sum[0]);
  pthread_create(&b, NULL, add_up, &sum[1]);
  int first = square[0];
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum[0] - sum[1] + first;
}
