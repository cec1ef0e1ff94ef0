// race: unsafe lines 19 31 — the lock belongs to the object of another choice
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell {
  int datum;
  pthread_mutex_t m;
} A, B;
struct cell *get_a(void) {
  if (__VERIFIER_nondet_int())
    return &A;
  else
    return &B;
}
void *t_fun(void *arg) {
  (void)arg;
  struct cell *p = get_a();
  pthread_mutex_lock(&p->m);
  p->datum++;
  pthread_mutex_unlock(&p->m);
  return NULL;
}
int main(void) {
  pthread_mutex_init(&A.m, NULL);
  pthread_mutex_init(&B.m, NULL);
  pthread_t t[20];
  for (int i = 0; i < 20; i++) pthread_create(&t[i], NULL, t_fun, NULL);
  struct cell *p = get_a();
  struct cell *q = get_a();
  pthread_mutex_lock(&p->m);
  q->datum++;
  pthread_mutex_unlock(&p->m);
  return 0;
}
