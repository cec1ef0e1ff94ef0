/* It waits for one variable and reads what was published by another. */
#include "small.h"

int data;
atomic_int first, second;
static void *work(void *a) {
  atomic_store_explicit(&first, 1, memory_order_release);
  data = 1;
  atomic_store_explicit(&second, 1, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  while (!atomic_load_explicit(RACY ? &first : &second, memory_order_acquire)) {
  }
  data++;
  finish(t);
  return 0;
}
