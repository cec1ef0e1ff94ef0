// race: unsafe lines 7 — the same entry stands in the table twice
#include <pthread.h>

static int reads;

static void *do_read(void *arg) {
  reads++;
  return arg;
}

static void *(*const entries[])(void *) = {do_read, do_read};

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, entries[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return reads > 2;
}
