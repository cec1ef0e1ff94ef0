// race: safe — a stream is memory that the program does not know, and no place for the id of a thread
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_t thread;
static int number;

static void say_list(FILE *to, const char *format, va_list list) {
  char text[100];
  vsnprintf(text, sizeof text, format, list);
  fputs(text, to);
  fflush(to);
}

static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_list(stdout, format, list);
  va_end(list);
}

static void *count(void *argument) {
  number++;
  return argument;
}

int main(void) {
  if (pthread_create(&thread, NULL, count, NULL)) return 1;
  say("%d\n", 5);
  pthread_join(thread, NULL);
  number = 5;
  return 0;
}
