// race: safe — a thread works on its parent's stack while the parent waits for it
#include <pthread.h>

static void *fill(void *arg) {
  int *cells = arg;
  for (int i = 0; i < 4; i++) cells[i] = i;
  return NULL;
}

static int sum_of_four(void) {
  int cells[4] = {0};
  pthread_t t;
  pthread_create(&t, NULL, fill, cells);
  pthread_join(t, NULL);
  return cells[0] + cells[1] + cells[2] + cells[3];
}

static void *caller(void *arg) {
  *(int *)arg = sum_of_four();
  return NULL;
}

int main(void) {
  pthread_t t;
  int x = 0;
  pthread_create(&t, NULL, caller, &x);
  int y = sum_of_four();
  pthread_join(t, NULL);
  return x - y;
}
