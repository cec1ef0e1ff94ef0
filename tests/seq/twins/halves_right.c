// Each thread has its half.
#include <pthread.h>

static int table[4];

static void *fill(void *arg) {
  int *from = arg;
  from[0] = 1;
  from[1] = 2;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fill, table);
  pthread_create(&b, NULL, fill, table + 2);
  return 0;
}
