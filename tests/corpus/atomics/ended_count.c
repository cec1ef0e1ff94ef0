// race: safe — an atomic counter tells that both threads are done
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
  while (atomic_load(&ended) < 2) {}
  int sum = part[0] + part[1];
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum - 3;
}
