// deadlock: unsafe — 256 sets of locks may be held where one more is taken
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock3 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock4 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock5 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock6 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock7 = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int has0 = __VERIFIER_nondet_int() != 0;
  if (has0) pthread_mutex_lock(&lock0);
  int has1 = __VERIFIER_nondet_int() != 0;
  if (has1) pthread_mutex_lock(&lock1);
  int has2 = __VERIFIER_nondet_int() != 0;
  if (has2) pthread_mutex_lock(&lock2);
  int has3 = __VERIFIER_nondet_int() != 0;
  if (has3) pthread_mutex_lock(&lock3);
  int has4 = __VERIFIER_nondet_int() != 0;
  if (has4) pthread_mutex_lock(&lock4);
  int has5 = __VERIFIER_nondet_int() != 0;
  if (has5) pthread_mutex_lock(&lock5);
  int has6 = __VERIFIER_nondet_int() != 0;
  if (has6) pthread_mutex_lock(&lock6);
  int has7 = __VERIFIER_nondet_int() != 0;
  if (has7) pthread_mutex_lock(&lock7);
  pthread_mutex_lock(&last);
  pthread_mutex_unlock(&last);
  if (has7) pthread_mutex_unlock(&lock7);
  if (has6) pthread_mutex_unlock(&lock6);
  if (has5) pthread_mutex_unlock(&lock5);
  if (has4) pthread_mutex_unlock(&lock4);
  if (has3) pthread_mutex_unlock(&lock3);
  if (has2) pthread_mutex_unlock(&lock2);
  if (has1) pthread_mutex_unlock(&lock1);
  if (has0) pthread_mutex_unlock(&lock0);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_mutex_lock(&last);
  pthread_mutex_lock(&lock3);
  pthread_mutex_unlock(&lock3);
  pthread_mutex_unlock(&last);
  pthread_join(a, NULL);
  return 0;
}
