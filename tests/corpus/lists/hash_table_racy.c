// race: unsafe lines 12 — the bucket's lock is chosen by a different hash than the bucket
#include <pthread.h>

#define BUCKETS 2
static int value[BUCKETS];
static pthread_mutex_t lock[BUCKETS] = {PTHREAD_MUTEX_INITIALIZER,
                                        PTHREAD_MUTEX_INITIALIZER};

static void add(unsigned key, int n) {
  pthread_mutex_t *m = &lock[key / 2 % BUCKETS];
  pthread_mutex_lock(m);
  value[key % BUCKETS] += n;
  pthread_mutex_unlock(m);
}

static void *user(void *arg) {
  add(*(unsigned *)arg, 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  unsigned zero = 0, two = 2;
  pthread_create(&a, NULL, user, &zero);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value[0] > 2;
}
