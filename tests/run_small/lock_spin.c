/* A spin lock around the write, and none around the read. */
#include "small.h"

pthread_spinlock_t s;
int value;
static void *work(void *a) {
  for (int i = 0; i < 10; i++) {
    pthread_spin_lock(&s);
    value++;
    pthread_spin_unlock(&s);
  }
  return a;
}
int main(void) {
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_t t = start(work, NULL);
  if (!RACY) pthread_spin_lock(&s);
  int seen = value;
  if (!RACY) pthread_spin_unlock(&s);
  finish(t);
  return seen > 10;
}
