// race: unsafe lines 10 21 — the main thread goes on when only one of two threads is done
#include <pthread.h>
#include <stdatomic.h>

static int part[2];
static atomic_int ended;

static void *work(void *arg) {
  int i = *(int *)arg;
  part[i] = i + 1;
  atomic_fetch_add(&ended, 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, work, &zero);
  pthread_create(&b, NULL, work, &one);
  while (atomic_load(&ended) < 1) {}
  int sum = part[0] + part[1];
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum > 3;
}
