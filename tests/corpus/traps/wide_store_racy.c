// race: unsafe lines 11 16 — one store of eight bytes covers the neighbour of the field it is meant for
#include <pthread.h>
#include <string.h>

static struct {
  int left, right;
} pair;

static void *set_both(void *arg) {
  long long wide = 0x0000000200000001;
  memcpy(&pair, &wide, sizeof wide);
  return arg;
}

static void *set_right(void *arg) {
  pair.right = 3;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_both, NULL);
  pthread_create(&b, NULL, set_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return pair.left - 1;
}
