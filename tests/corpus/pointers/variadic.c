// race: safe; deadlock: safe — the address is passed through a variable argument list, and awaited
#include <pthread.h>
#include <stdarg.h>

static int value;

static void set_all(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++) *va_arg(list, int *) = i;
  va_end(list);
}

static void *work(void *arg) {
  int mine;
  set_all(2, &mine, &value);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  value += 5;
  return value != 6;
}
