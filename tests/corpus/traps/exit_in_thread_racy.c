// race: unsafe lines 8 20 — a thread ends the program: its destructor runs beside main
#include <pthread.h>
#include <stdlib.h>

static int count;

__attribute__((destructor)) static void report(void) {
  count = -1;
}

static void *work(void *arg) {
  (void)arg;
  exit(0);
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  for (;;) {
    count++;
  }
}
