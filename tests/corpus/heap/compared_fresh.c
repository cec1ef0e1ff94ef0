// race: safe — a new block is compared with an old address before it is handed over
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *kept;
static int changes;

static void *keep(void *arg) {
  (void)arg;
  int *made = malloc(sizeof *made);
  if (!made) return NULL;
  *made = 1;
  pthread_mutex_lock(&m);
  if (made != kept) changes++;
  kept = made;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, keep, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return changes > 2;
}
