// race: unsafe lines 12 17 — the whole structure is copied while one field is written
#include <pthread.h>

struct Pair {
  int left;
  int right;
};

static struct Pair pair, copy;

static void *go_left(void *arg) {
  for (int i = 0; i < 3; i++) pair.left++;
  return arg;
}

static void *snapshot(void *arg) {
  copy = pair;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, go_left, NULL);
  pthread_create(&b, NULL, snapshot, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return copy.left > 3;
}
