// race: unsafe lines 8 13 — two pointers with different names point to the same integer
#include <pthread.h>

static int number;
static int *mine = &number, *yours = &number;

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
  pthread_create(&a, NULL, use_mine, NULL);
  pthread_create(&b, NULL, use_yours, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return number == 0;
}
