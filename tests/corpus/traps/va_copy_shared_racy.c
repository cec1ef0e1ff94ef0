// race: unsafe lines 11 — two threads copy their arguments to one list
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

static va_list shared;

static void keep(int count, ...) {
  va_list own;
  va_start(own, count);
  va_copy(shared, own);
  va_end(own);
}

static void *work(void *arg) {
  keep(1, 2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
