/* bad: odd ones the other way. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) {
  if ((long)p & 1) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t[10];
  if (n < 0 || n > 10) return 0;
  for (long i = 0; i < n; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  return 0;
}
