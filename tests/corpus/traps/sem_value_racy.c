// race: unsafe lines 9 17 — the value of a semaphore is put where another thread reads
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static int count;

static void *work(void *arg) {
  sem_getvalue(&items, &count);
  return arg;
}

int main(void) {
  pthread_t a;
  sem_init(&items, 0, 1);
  pthread_create(&a, NULL, work, NULL);
  int seen = count;
  pthread_join(a, NULL);
  return seen;
}
