// race: unsafe lines 9 — each thread gets its own element but clears two of them
#include <pthread.h>
#include <string.h>

#define N 3
static int slot[N + 1];

static void *clear(void *arg) {
  memset(arg, 1, 2 * sizeof(int));
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, clear, &slot[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] == 0;
}
