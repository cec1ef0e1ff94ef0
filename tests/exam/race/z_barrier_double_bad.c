/* bad: the parity is that of k / 2. */
#include <pthread.h>
pthread_barrier_t b; int a[2][2];
static void *w(void *p) {
  int id = (int)(long)p, s = 0;
  for (int k = 0; k < 4; k++) {
    int q = (k / 2) & 1;
    a[q][id] = k;
    pthread_barrier_wait(&b);
    s += a[q][1 - id];
  }
  return (void *)(long)s;
}
int main(void) { pthread_t s, t; pthread_barrier_init(&b, 0, 2); pthread_create(&s, 0, w, (void *)0L); pthread_create(&t, 0, w, (void *)1L); pthread_join(s, 0); pthread_join(t, 0); return 0; }
