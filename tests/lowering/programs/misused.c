/* What is undefined ends a run: each run does one of these. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier, unmade;
static pthread_spinlock_t spin;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *arrives(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}
static void *ends(void *arg) {
  return arg;
}

static void join_twice(int detach) {
  pthread_t t;
  pthread_create(&t, NULL, ends, NULL);
  if (detach)
    pthread_detach(t);
  else
    pthread_join(t, NULL);
  pthread_join(t, NULL);
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  switch (__VERIFIER_nondet_int() & 15) {
  case 0: pthread_mutex_unlock(&lock); break;
  case 1: pthread_rwlock_unlock(&rw); break;
  case 2: pthread_spin_unlock(&spin); break;
  case 3: pthread_cond_wait(&cond, &lock); break;
  case 4:
    pthread_create(&t, NULL, waits, NULL);
    pthread_cond_destroy(&cond);
    break;
  case 5: pthread_barrier_wait(&unmade); break;
  case 6:
    pthread_create(&t, NULL, arrives, NULL);
    pthread_barrier_destroy(&barrier);
    break;
  case 7: join_twice(1); break;
  case 8: join_twice(0); break;
  default: break;
  }
  return 0;
}
