/* The log. `lock` guards the stream and the number of lines. A message is made before the
 * lock is taken, so that a thread waits only for the others' output and not for their
 * formatting. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LINE_MAX_BYTES = 512 };

static const char *const names[] = {"error", "notice", "info", "debug"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;        /* guarded by lock */
static unsigned long lines; /* guarded by lock */
static LogLevel threshold;  /* a race: set and read without the lock */

bool log_level_of(const char *name, unsigned *ret) {
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      *ret = i;
      return true;
    }
  }
  return false;
}

static FILE *open_stream(const char *file) {
  return *file ? fopen(file, "ae") : stderr;
}

static void close_stream(FILE *old) {
  if (old && old != stderr) fclose(old);
}

bool log_open(const char *file, LogLevel level) {
  stream = open_stream(file);
  threshold = level;
  return stream != NULL;
}

bool log_reopen(const char *file) {
  FILE *fresh = open_stream(file);
  if (!fresh) return false;
  pthread_mutex_lock(&lock);
  close_stream(stream);
  stream = fresh;
  pthread_mutex_unlock(&lock);
  return true;
}

void log_set_level(LogLevel level) {
  threshold = level;
}

static void write_line(const char *time_text, LogLevel level, unsigned request,
                       const char *text) {
  pthread_mutex_lock(&lock);
  if (stream) {
    fprintf(stream, "%s %-6s", time_text, names[level]);
    if (request != LOG_SERVER) fprintf(stream, " [%u]", request);
    fprintf(stream, " %s\n", text);
    fflush(stream);
    lines++;
  }
  pthread_mutex_unlock(&lock);
}

void log_message(LogLevel level, unsigned request, const char *format, ...) {
  if (level > threshold) return;
  char text[LINE_MAX_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  char time_text[32] = "";
  time_t now = time(NULL);
  struct tm broken;
  if (localtime_r(&now, &broken))
    strftime(time_text, sizeof time_text, "%Y-%m-%d %H:%M:%S", &broken);
  write_line(time_text, level, request, text);
}

unsigned long log_lines(void) {
  pthread_mutex_lock(&lock);
  unsigned long result = lines;
  pthread_mutex_unlock(&lock);
  return result;
}

void log_close(void) {
  pthread_mutex_lock(&lock);
  close_stream(stream);
  stream = NULL;
  pthread_mutex_unlock(&lock);
}
