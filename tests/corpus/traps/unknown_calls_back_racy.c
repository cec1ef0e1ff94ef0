// race: unsafe lines 6 9 — a function without body or rule calls back what it was given
#include <pthread.h>

static int x;
void each(void (*callback)(int)); /* of some library */
static void add(int n) { x += n; }
static void *worker(void *argument) { each(add); return argument; }

static void count(void) { x++; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  count();
  pthread_join(thread, 0);
  return x;
}
