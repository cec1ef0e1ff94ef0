// race: unsafe lines 14 22 — qsort moves pointers around; the two threads meet in one of the cells
#include <pthread.h>
#include <stdlib.h>

static int two = 2, one = 1;
static int *order[2] = {&two, &one};

static int compare(const void *a, const void *b) {
  return **(int *const *)a - **(int *const *)b;
}

static void *bump(void *arg) {
  int *smallest = order[0];
  *smallest += 10;
  return arg;
}

int main(void) {
  pthread_t t;
  qsort(order, 2, sizeof order[0], compare);
  pthread_create(&t, NULL, bump, NULL);
  one += 5;
  pthread_join(t, NULL);
  return two - 2;
}
