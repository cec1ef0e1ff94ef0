// race: safe — each thread counts first, then starts its successor and waits for it
#include <pthread.h>

static int value;

static void *link(void *arg) {
  long left = (long)arg;
  pthread_t t;
  if (left == 0) return NULL;
  value++;
  pthread_create(&t, NULL, link, (void *)(left - 1));
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  link((void *)3L);
  return value - 3;
}
