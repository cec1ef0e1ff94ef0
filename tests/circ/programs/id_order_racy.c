/* race: unknown */
/* Which of two ids is the smaller number nobody knows: no run shows it, but it is not safe. */
#include <pthread.h>

static int x;

static void *writer(void *arg) {
  (void)arg;
  x = 2;
  return 0;
}

int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, 0, writer, 0)) return 1;
  b = pthread_self();
  if ((unsigned long)a < (unsigned long)b) x = 1;
  pthread_join(a, 0);
  return 0;
}
