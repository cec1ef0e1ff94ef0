// race: unsafe lines 12 20 — the statistics are reset under the read lock without the mutex
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
  pthread_rwlock_rdlock(&lock);
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
