/* bad: the loop looks at stop without the lock. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct job { int in, out; struct job *next; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct job *jobs; int stop;
static void *worker(void *a) {
  while (!stop) {
    pthread_mutex_lock(&m);
    while (!jobs && !stop) pthread_cond_wait(&c, &m);
    if (stop) { pthread_mutex_unlock(&m); return 0; }
    struct job *j = jobs; jobs = j->next;
    pthread_mutex_unlock(&m);
    j->out = j->in * 2;
    free(j);
  }
  return 0;
}
static void submit(int k) {
  struct job *j = malloc(sizeof *j);
  if (!j) return;
  j->in = k;
  pthread_mutex_lock(&m); j->next = jobs; jobs = j; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, worker, 0); pthread_create(&t[1], 0, worker, 0);
  while (__VERIFIER_nondet_int()) submit(__VERIFIER_nondet_int());
  pthread_mutex_lock(&m); stop = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return 0;
}
