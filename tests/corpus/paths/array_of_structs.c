// race: safe — slot[i].lock guards slot[i].value, the index comes from the caller
#include <pthread.h>

struct Slot {
  pthread_mutex_t lock;
  int value;
};

static struct Slot slot[3];

static void add(int i, int n) {
  struct Slot *s = &slot[i];
  pthread_mutex_lock(&s->lock);
  s->value += n;
  pthread_mutex_unlock(&s->lock);
}

static void *up(void *arg) {
  for (int i = 0; i < 3; i++) add(i, 1);
  return arg;
}

static void *down(void *arg) {
  for (int i = 2; i >= 0; i--) add(i, -1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 3; i++) pthread_mutex_init(&slot[i].lock, NULL);
  pthread_create(&a, NULL, up, NULL);
  pthread_create(&b, NULL, down, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return slot[0].value + slot[1].value + slot[2].value;
}
