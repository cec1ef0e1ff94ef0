// race: unsafe lines 11 — each thread starts its successor and goes on beside it
#include <pthread.h>

static int value;

static void *link(void *arg) {
  long left = (long)arg;
  pthread_t t;
  if (left == 0) return NULL;
  pthread_create(&t, NULL, link, (void *)(left - 1));
  value++;
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  link((void *)3L);
  return value > 3;
}
