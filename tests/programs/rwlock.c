/* Read-write locks: many readers together, writers alone, try results, a table read while
   changed. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { READERS = 3, WRITERS = 2, ROUNDS = 30, CELLS = 4 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, other;
static int cells[CELLS];

/* All cells are equal whenever no writer is inside. */
static void *reader(void *arg) {
  int *torn = arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_rwlock_rdlock(&lock);
    for (int k = 1; k < CELLS; k++) *torn += cells[k] != cells[0];
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_rwlock_wrlock(&lock);
    for (int k = 0; k < CELLS; k++) cells[k]++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static const char *name(int e) {
  return e == 0 ? "ok" : e == EBUSY ? "EBUSY" : e == EDEADLK ? "EDEADLK" : "other";
}

static void *tries(void *arg) {
  int *r = arg;
  r[0] = pthread_rwlock_tryrdlock(&other);
  if (r[0] == 0) pthread_rwlock_unlock(&other);
  r[1] = pthread_rwlock_trywrlock(&other);
  if (r[1] == 0) pthread_rwlock_unlock(&other);
  return NULL;
}

static void other_tries(void) {
  int r[2];
  pthread_t t;
  pthread_create(&t, NULL, tries, r);
  pthread_join(t, NULL);
  printf("%s %s\n", name(r[0]), name(r[1]));
}

int main(void) {
  pthread_t r[READERS], w[WRITERS];
  int torn[READERS] = {0};
  for (int i = 0; i < READERS; i++) pthread_create(&r[i], NULL, reader, &torn[i]);
  for (int i = 0; i < WRITERS; i++) pthread_create(&w[i], NULL, writer, NULL);
  int bad = 0;
  for (int i = 0; i < READERS; i++) {
    pthread_join(r[i], NULL);
    bad += torn[i];
  }
  for (int i = 0; i < WRITERS; i++) pthread_join(w[i], NULL);
  printf("%d %d\n", bad, cells[CELLS - 1]);

  pthread_rwlock_init(&other, NULL);
  other_tries();
  pthread_rwlock_rdlock(&other);
  pthread_rwlock_rdlock(&other);
  other_tries();
  pthread_rwlock_unlock(&other);
  other_tries();
  pthread_rwlock_unlock(&other);
  pthread_rwlock_wrlock(&other);
  other_tries();
  printf("%s %s\n", name(pthread_rwlock_tryrdlock(&other)),
         name(pthread_rwlock_trywrlock(&other)));
  pthread_rwlock_unlock(&other);
  printf("%d\n", pthread_rwlock_destroy(&other));
  return 0;
}
