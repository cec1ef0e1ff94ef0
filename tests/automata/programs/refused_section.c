/* A section that is begun on one way only. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int flag, value;

static void *work(void *arg) {
  if (arg) __VERIFIER_atomic_begin();
  value++;
  if (arg) __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, &flag);
  work(NULL);
  pthread_join(a, NULL);
  return 0;
}
