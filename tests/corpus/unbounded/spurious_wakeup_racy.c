// race: unsafe lines 15 26 — a wait that nobody repeats may end before the data is there
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *consume(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return data ? &data : NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, consume, NULL);
  }
  pthread_t last;
  pthread_create(&last, NULL, consume, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock), data = 1;
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&ready);
  pthread_mutex_unlock(&lock);
  return 0;
}
