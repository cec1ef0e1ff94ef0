// race: unsafe lines 6 — without a place tmpnam writes one text for all threads
#include <pthread.h>
#include <stdio.h>

static void *name(void *arg) {
  return tmpnam(NULL) ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, name, NULL);
  pthread_create(&b, NULL, name, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
