// race: safe — any number of readers polls the flag
#include <stdlib.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
_Bool ready = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;
void *thread(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  while (!ready) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  int x = data;
  return (void *)(long)x;
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) pthread_create(&t, NULL, &thread, NULL);
  data = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
