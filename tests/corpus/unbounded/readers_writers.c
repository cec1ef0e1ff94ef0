// race: safe — any number of readers, any number of writers, one read-write lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int table;
static int version;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_it(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&lock);
  int sum = table + version;
  pthread_rwlock_unlock(&lock);
  return sum ? &table : NULL;
}

static void *write_it(void *arg) {
  (void)arg;
  pthread_rwlock_wrlock(&lock);
  table = version + 1;
  version++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, __VERIFIER_nondet_int() ? read_it : write_it, NULL);
  }
  return 0;
}
