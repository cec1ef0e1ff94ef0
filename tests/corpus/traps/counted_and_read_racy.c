// race: unsafe lines 7 14 — a counter that is counted atomically is read plainly
#include <pthread.h>
#include <semaphore.h>

static int count, seen;
static void *work(void *arg) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  seen = count;
  return 0;
}
