// race: safe — two pointers that point to different integers when the threads run
#include <pthread.h>

static int first, second;
static int *mine = &first, *yours = &first;

static void *use_mine(void *arg) {
  *mine = 1;
  return arg;
}

static void *use_yours(void *arg) {
  *yours = 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  yours = &second;
  pthread_create(&a, NULL, use_mine, NULL);
  pthread_create(&b, NULL, use_yours, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return first + second - 3;
}
