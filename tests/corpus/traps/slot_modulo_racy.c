// race: unsafe lines 9 — more threads than elements: the index is taken modulo
#include <pthread.h>

#define N 4
static int slot[2];

static void *fill(void *arg) {
  long i = (long)arg;
  slot[i % 2] += 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, fill, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 2;
}
