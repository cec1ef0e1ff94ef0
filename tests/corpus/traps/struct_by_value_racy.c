// race: unsafe lines 18 30 — the pointer travels inside a structure that is passed and returned by value
#include <pthread.h>

struct Handle {
  int *cell;
  int kind;
};

static int value;
static struct Handle shared_handle;

static struct Handle wrap(int *cell) {
  struct Handle h = {cell, 1};
  return h;
}

static void set(struct Handle h, int x) {
  *h.cell = x;
}

static void *work(void *arg) {
  set(shared_handle, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  shared_handle = wrap(&value);
  pthread_create(&t, NULL, work, NULL);
  value = 2;
  pthread_join(t, NULL);
  return value == 0;
}
