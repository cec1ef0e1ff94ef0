// Of many boxes one is given to two threads.
#include <pthread.h>
#include <stdlib.h>

struct box {
  int n;
};

static void *work(void *arg) {
  struct box *box = arg;
  box->n = box->n + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  struct box *boxes[3];
  for (int i = 0; i < 3; i++) boxes[i] = malloc(sizeof(struct box));
  for (int i = 0; i < 3; i++) pthread_create(&thread, NULL, work, boxes[i / 2]);
  return 0;
}
