// race: safe — each thread takes the next element by p++ on an atomic pointer
#include <pthread.h>
#include <stdatomic.h>

static int list[2];
static _Atomic(int *) next = list;

static void *work(void *arg) {
  int *mine = next++;
  *mine = 1;
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  work(NULL);
  pthread_join(a, NULL);
  return 0;
}
