// race: unsafe lines 21 — one loop over all elements, of its two callbacks one runs in two threads without a lock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cells[4] = {1, 2, 3, 4};
static int total, largest;

static void each(void (*visit)(int)) {
  void (*call)(int) = visit;
  for (int i = 0; i < 4; i++) call(cells[i]);
}

static void add(int value) {
  pthread_mutex_lock(&lock);
  total += value;
  pthread_mutex_unlock(&lock);
}

static void compare(int value) {
  if (value > largest) largest = value;
}

static void *adder(void *arg) {
  each(add), each(compare);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, adder, NULL);
  pthread_create(&b, NULL, adder, NULL);
  each(compare);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return total + largest - 24;
}
