// race: safe — the same function runs as several threads, each with its own array slot
#include <pthread.h>

#define N 3
static int slot[N];

static void *fill(void *arg) {
  long i = (long)arg;
  for (int k = 0; k < 4; k++) slot[i] += k;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, fill, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] + slot[1] + slot[2] - 18;
}
