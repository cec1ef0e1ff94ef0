/* bad: the writer waits for the other writer only. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int r, wflag, data;
static void *rd(void *a) {
  pthread_mutex_lock(&m);
  while (wflag) pthread_cond_wait(&c, &m);
  r++;
  pthread_mutex_unlock(&m);
  int v = data; (void)v;
  pthread_mutex_lock(&m);
  r--; if (r == 0) pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *wr(void *a) {
  pthread_mutex_lock(&m);
  while (wflag) pthread_cond_wait(&c, &m);
  wflag = 1;
  pthread_mutex_unlock(&m);
  data++;
  pthread_mutex_lock(&m);
  wflag = 0; pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) { if (__VERIFIER_nondet_int()) pthread_create(&t, 0, rd, 0); else pthread_create(&t, 0, wr, 0); } }
