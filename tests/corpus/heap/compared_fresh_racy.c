// race: unsafe lines 15 18 — a new block is written after it was handed over
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *kept;
static int changes;

static void *keep(void *arg) {
  (void)arg;
  int *made = malloc(sizeof *made);
  if (!made) return NULL;
  pthread_mutex_lock(&m);
  if (made != kept) changes++;
  if (kept) *kept = 2;
  kept = made;
  pthread_mutex_unlock(&m);
  *made = 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, keep, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return changes > 2;
}
