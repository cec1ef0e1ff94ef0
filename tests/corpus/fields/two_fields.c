// race: safe — two threads, two fields of the same structure
#include <pthread.h>

struct Pair {
  int left;
  int right;
};

static struct Pair pair;

static void *go_left(void *arg) {
  for (int i = 0; i < 3; i++) pair.left++;
  return arg;
}

static void *go_right(void *arg) {
  for (int i = 0; i < 3; i++) pair.right++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, go_left, NULL);
  pthread_create(&b, NULL, go_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return pair.left - pair.right;
}
