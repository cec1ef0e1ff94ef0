// race: unsafe lines 9 17 — the owner of a slot passes it on to a thread of its own
#include <pthread.h>

#define N 2
static int slot[N];

static void *helper(void *arg) {
  int *cell = arg;
  *cell += 1;
  return NULL;
}

static void *owner(void *arg) {
  pthread_t t;
  int *cell = arg;
  pthread_create(&t, NULL, helper, cell);
  *cell += 10;
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, owner, &slot[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > 11;
}
