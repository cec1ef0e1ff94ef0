// race: unsafe lines 7 11 — a destructor runs beside a thread that nobody joined
#include <pthread.h>

static int count;

__attribute__((destructor)) static void report(void) {
  count = 0;
}

static void *work(void *arg) {
  count++;
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  return 0;
}
