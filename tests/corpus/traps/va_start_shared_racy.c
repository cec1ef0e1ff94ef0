// race: unsafe lines 10 — two threads begin to walk their arguments with one list
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

static va_list list;

/* The line of va_start is what races: nothing else touches the list. */
static void begin(int count, ...) {
  va_start(list, count);
}

static void *work(void *arg) {
  begin(1, 2);
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
