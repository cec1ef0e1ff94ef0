// race: safe; deadlock: safe — what vsnprintf reads through its list is guarded
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[16] = "nobody";

static void format(char *to, int room, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  pthread_mutex_lock(&lock);
  vsnprintf(to, (size_t)room, text, arguments);
  pthread_mutex_unlock(&lock);
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
  pthread_mutex_lock(&lock);
  name[0] = 's';
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
