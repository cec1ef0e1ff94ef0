// race: unsafe lines 12 30 32; deadlock: safe — what either caller of a function passes counts, whatever context comes first
#include <pthread.h>
#include <stddef.h>

typedef struct {
  const int *at;
} Box;

static int one, two;

static void read_into(int *result, const int *counter) {
  *result = *counter;
}

static void *worker(void *unused) {
  int first, second;
  Box a, b;
  Box *volatile to_a = &a, *volatile to_b = &b;
  to_a->at = &one;
  to_b->at = &two;
  read_into(&first, a.at);
  read_into(&second, b.at);
  return first + second < 0 ? NULL : unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  /* read by way of the first box */
  one = 5;
  /* and of the second */
  two = 6;
  pthread_join(t, NULL);
  return 0;
}
