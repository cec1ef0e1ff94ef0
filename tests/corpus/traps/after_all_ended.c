// race: safe — the program ends with its last thread: what runs at exit comes after all of them
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
  pthread_exit(NULL);
}
