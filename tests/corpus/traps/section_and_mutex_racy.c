// race: unsafe lines 12 19 — one thread uses an atomic section, the other a mutex
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *in_section(void *arg) {
  __VERIFIER_atomic_begin();
  value++;
  __VERIFIER_atomic_end();
  return arg;
}

static void *with_mutex(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, in_section, NULL);
  pthread_create(&b, NULL, with_mutex, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
