// all: race
// Testing and setting are two steps: the state does not keep five threads apart.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 5 };
static atomic_int state;
static int x;

static void *work(void *unused) {
  int old = state;
  if (old == 0) state = 1;
  if (old == 0) {
    x++;
    state = 0;
  }
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
