// race: unsafe lines 7 — one function writes for two threads, and both may pass a pointer to the same variable
#include <pthread.h>

static int left_a, left_b, right_a;

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
    int *own = i & 1 ? &right_a : &left_b;
    put(own, i);
  }
  pthread_join(thread, NULL);
  return left_a + left_b + right_a < 0;
}
