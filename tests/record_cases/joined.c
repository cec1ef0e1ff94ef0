/* A thread that is alone again is not recorded, and is recorded when it no longer is.
 * TRACE: main.1 write x 4
 * TRACE: main.2 write x 4
 * NOT: write alone
 * RUN: 1 data race on y */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int x, y, alone;

static void *first(void *a) {
  x++;
  return a;
}

static void *second(void *a) {
  x++;
  usleep(20000);
  y++;
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_join(t, NULL);
  x++;
  alone = 1;
  pthread_create(&t, NULL, second, NULL);
  y++;
  pthread_join(t, NULL);
  printf("%d %d %d\n", x, y, alone);
  return 0;
}
