// race: safe — the lock is taken once threads are there, any number of them
#include <pthread.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool multithreaded;
static int counter;
static void bump(void) {
  if (multithreaded) pthread_mutex_lock(&m);
  counter++;
  if (multithreaded) pthread_mutex_unlock(&m);
}
void *thr(void *p) {
  (void)p;
  bump();
  return 0;
}
int main(void) {
  pthread_t a;
  bump();
  multithreaded = true;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) pthread_create(&a, 0, thr, 0);
  bump();
  return 0;
}
