// race: safe — one function writes for two threads, each passes pointers to variables of its own
#include <pthread.h>

static int left_a, left_b, right_a, right_b;

static void put(int *to, int value) {
  *to = value;
}

static void *worker(void *argument) {
  for (int i = 0; i < 4; i++) {
    int *own = i & 1 ? &left_a : &left_b;
    put(own, i);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < 4; i++) {
    int *own = i & 1 ? &right_a : &right_b;
    put(own, i);
  }
  pthread_join(thread, NULL);
  return left_a + left_b + right_a + right_b == 10 ? 0 : 1;
}
