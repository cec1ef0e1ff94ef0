// race: unsafe lines 13 — lock[j] is released while lock[i] is thought to be held, and j is i
#include <pthread.h>

static int value;
static pthread_mutex_t lock[2];

static void *work(void *arg) {
  int *pick = arg;
  int i = pick[0], j = pick[1];
  pthread_mutex_lock(&lock[i]);
  if (i != j) pthread_mutex_lock(&lock[j]);
  pthread_mutex_unlock(&lock[j]);
  value++;
  if (i != j) pthread_mutex_unlock(&lock[i]);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int pick[2] = {0, 0};
  for (int i = 0; i < 2; i++) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&t, NULL, work, pick);
  pthread_create(&u, NULL, work, pick);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return value > 2;
}
