// race: unsafe lines 12 25; deadlock: safe — what vsnprintf reads through its list is written meanwhile
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char name[16] = "nobody";

static void format(char *to, int room, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  /* the list leads to name */
  vsnprintf(to, (size_t)room, text, arguments);
  va_end(arguments);
}

static void *reader(void *unused) {
  char line[64];
  format(line, sizeof line, "%s", name);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  name[0] = 's';
  pthread_join(t, NULL);
  return 0;
}
