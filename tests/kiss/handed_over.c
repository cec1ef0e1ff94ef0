// all: assert fails
// Values go through a buffer of one place, a lock and a condition.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static unsigned full, item, sum;

static void *producer(void *unused) {
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    item = __VERIFIER_nondet_uint();
    full = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&c, &m);
    sum = sum * 1000 + item;
    full = 0;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  }
  assert(sum != 987654);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, producer, NULL);
  pthread_create(&y, NULL, consumer, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
