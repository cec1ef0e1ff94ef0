// The box is freed when the thread has ended.
#include <pthread.h>
#include <stdlib.h>

struct box {
  int n, m;
};

static void *work(void *arg) {
  struct box *box = arg;
  box->n = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  struct box *box = malloc(sizeof *box);
  pthread_create(&thread, NULL, work, box);
  pthread_join(thread, NULL);
  free(box);
  return 0;
}
