// race: safe — locks behind two pointers, any number of threads
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct locks {
  pthread_mutex_t a, b;
};
struct ctx {
  struct locks *l;
  int *pa, *pb;
};
static int A, Bv;
void *thr(void *p) {
  struct ctx *c = p;
  pthread_mutex_lock(&c->l->a);
  (*c->pa)++;
  pthread_mutex_unlock(&c->l->a);
  pthread_mutex_lock(&c->l->b);
  (*c->pb)++;
  pthread_mutex_unlock(&c->l->b);
  return 0;
}
int main(void) {
  struct ctx *c = malloc(sizeof *c);
  c->l = malloc(sizeof *c->l);
  c->pa = &A;
  c->pb = &Bv;
  pthread_mutex_init(&c->l->a, 0);
  pthread_mutex_init(&c->l->b, 0);
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, 0, thr, c);
    pthread_detach(t);
  }
  pthread_exit(0);
}
