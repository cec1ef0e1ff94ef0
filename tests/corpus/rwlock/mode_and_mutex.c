// race: safe — under the read lock a mutex guards the statistics
#include <pthread.h>

static int table[4], lookups;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;

static int look_up(int i) {
  pthread_rwlock_rdlock(&lock);
  int result = table[i];
  pthread_mutex_lock(&stats);
  lookups++;
  pthread_mutex_unlock(&stats);
  pthread_rwlock_unlock(&lock);
  return result;
}

static void reset(void) {
  pthread_rwlock_wrlock(&lock);
  for (int i = 0; i < 4; i++) table[i] = i;
  lookups = 0;
  pthread_rwlock_unlock(&lock);
}

static void *user(void *arg) {
  *(int *)arg = look_up(2);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  reset();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return lookups > 2;
}
