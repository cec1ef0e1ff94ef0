// race: unsafe lines 9 14 — the writer of the middle phase is joined too late
#include <pthread.h>

#define N 3
static int config = 1;
static int seen[N];

static void *reader(void *arg) {
  *(int *)arg = config;
  return NULL;
}

static void *writer(void *arg) {
  config++;
  return arg;
}

static void read_all(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, reader, &seen[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
}

int main(void) {
  pthread_t w;
  read_all();
  pthread_create(&w, NULL, writer, NULL);
  read_all();
  pthread_join(w, NULL);
  return seen[0] + seen[N - 1] > 4;
}
