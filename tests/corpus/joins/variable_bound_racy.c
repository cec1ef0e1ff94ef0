// race: unsafe lines 9 19 — fewer threads are joined than were made when the bound changes in between
#include <pthread.h>

static int total, limit = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < limit; i++) pthread_create(&t[i], NULL, add, NULL);
  limit--;
  for (int i = 0; i < limit; i++) pthread_join(t[i], NULL);
  return total > 3;
}
