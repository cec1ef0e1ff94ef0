// race: unsafe lines 9 — two threads end one list
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

static va_list shared;

static void *work(void *arg) {
  va_end(shared);
  return arg;
}

static void begin(int count, ...) {
  va_start(shared, count);
}

int main(void) {
  pthread_t a, b;
  begin(1, 2);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
