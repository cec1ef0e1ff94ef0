/* A race between memcpy and a store is found by the part that both touch.
 * RUN: 1 data race on record */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct { char name[24]; int number; } record, copy;
volatile size_t all = sizeof record;

static void *worker(void *a) {
  usleep(20000);
  memcpy(&copy, &record, all);
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  record.number = 1;
  pthread_join(t, NULL);
  printf("%d\n", copy.number <= 1); /* the race decides which */
  return 0;
}
