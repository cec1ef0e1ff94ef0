/* bad: the second barrier is missing, so one thread's second phase meets another's first of the next turn. */
#include <pthread.h>
pthread_barrier_t b; int a[2];
static void *w(void *p) {
  int id = (int)(long)p;
  for (int k = 0; k < 3; k++) {
    a[id] = k;
    pthread_barrier_wait(&b);
    int s = a[1 - id]; (void)s;
  }
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&x, 0, w, (void *)0L); pthread_create(&y, 0, w, (void *)1L);
  pthread_join(x, 0); pthread_join(y, 0);
  return 0;
}
