/* What the library writes through a list of arguments is written by the call that has the list. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int parsed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void parse(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsscanf(text, format, list);
  va_end(list);
}

static void *work(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    parse("7", "%d", &parsed);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return parsed - 7;
}
