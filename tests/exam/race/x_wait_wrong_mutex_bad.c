/* bad: x belongs to m2, which the wait gives back. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x, go;
static void wait_go(void) { while (!go) pthread_cond_wait(&c, &m2); }
static void *a(void *p) {
  pthread_mutex_lock(&m2);
  int *q = &x;
  pthread_mutex_unlock(&m2);
  *q = 1;
  pthread_mutex_lock(&m2);
  wait_go();
  pthread_mutex_unlock(&m2);
  return 0;
}
static void *b(void *p) {
  pthread_mutex_lock(&m2); go = 1; 
  x = 3;
  pthread_cond_signal(&c); pthread_mutex_unlock(&m2);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
