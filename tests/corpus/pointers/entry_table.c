// race: safe — the entry functions of the threads come from a table
#include <pthread.h>

static int reads, writes;

static void *do_read(void *arg) {
  reads++;
  return arg;
}

static void *do_write(void *arg) {
  writes++;
  return arg;
}

static void *(*const entries[])(void *) = {do_read, do_write};

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, entries[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return reads + writes - 2;
}
