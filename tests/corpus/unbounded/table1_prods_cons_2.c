// race: safe — producers and consumers that take the lock anew for each item
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int buffer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg) {
  (void)arg;
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&empty, &lock);
    buffer = __VERIFIER_nondet_int();
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *consume(void *arg) {
  (void)arg;
  int value = 0;
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&full, &lock);
    value += buffer;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&lock);
  }
  return value ? &buffer : NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, produce, NULL);
    pthread_create(&id, NULL, consume, NULL);
  }
  return 0;
}
