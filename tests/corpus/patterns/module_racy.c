// race: unsafe lines 14 31 32 — the module writes before it joins
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <pthread.h>
#include <stdlib.h>
#define ldv_assert(X)                                                                    \
  if (!(X)) abort();
pthread_t t1, t2;
pthread_mutex_t mutex;
int pdev;
void *thread1(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pdev = 6;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int module_init(void) {
  pthread_mutex_init(&mutex, NULL);
  pdev = 1;
  ldv_assert(pdev == 1);
  if (__VERIFIER_nondet_int()) {
    pthread_create(&t1, NULL, thread1, NULL);
    return 0;
  }
  pdev = 3;
  return -1;
}
void module_exit(void) {
  void *status;
  pdev = 4;
  ldv_assert(pdev == 4);
  pthread_join(t1, &status);
  pthread_mutex_destroy(&mutex);
  pdev = 5;
}
int main(void) {
  if (module_init() != 0) goto module_exit;
  module_exit();
module_exit:
  return 0;
}
