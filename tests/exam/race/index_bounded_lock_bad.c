/* bad: the seventh is taken twice. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
enum { N = 100 };
static int a[N];
static int next;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  int i = next;
  if (i >= N) {
    pthread_mutex_unlock(&m);
    return 0;
  }
  if (i != 7) next++;
  pthread_mutex_unlock(&m);
  a[i] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
