// race: unsafe lines 8 16 — the result is read before the join
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
  int seen = result;
  pthread_join(t, NULL);
  return seen > result;
}
