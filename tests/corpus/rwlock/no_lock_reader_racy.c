// race: unsafe lines 9 21 — one reader thinks that reading needs no lock
#include <pthread.h>

static int limit = 5;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *set(void *arg) {
  pthread_rwlock_wrlock(&lock);
  limit = *(int *)arg;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static int polite(void) {
  pthread_rwlock_rdlock(&lock);
  int result = limit;
  pthread_rwlock_unlock(&lock);
  return result;
}

static int hasty(void) { return limit; }

int main(void) {
  pthread_t t;
  int nine = 9;
  pthread_create(&t, NULL, set, &nine);
  int sum = polite() + hasty();
  pthread_join(t, NULL);
  return sum < 10;
}
