// race: unsafe lines 10 25; deadlock: safe — vsscanf stores through its list what another thread reads
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int number;

static void scan(const char *text, ...) {
  va_list arguments;
  va_start(arguments, text); vsscanf("7", text, arguments);
  va_end(arguments);
}

static void *reader(void *unused) {
  scan("%d", &number);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, NULL, reader, NULL);
  seen = 0;
  /* zero or seven */
  seen += number;
  pthread_join(t, NULL);
  return seen != 0 && seen != 7;
}
