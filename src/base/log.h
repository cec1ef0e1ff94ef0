/* A leveled log that libraries write to and only the command line prints.
 *
 * A library gets a `const Log *` from its caller and hands text up through it; where the
 * text goes is the business of the sink. NULL is a log that drops everything. The Log and
 * what its sink needs are owned by whoever set it up. */
#ifndef HEDDLE_BASE_LOG_H
#define HEDDLE_BASE_LOG_H

#include <stdbool.h>

typedef enum {
  LOG_ERROR,   /* something failed that the run survives */
  LOG_WARNING, /* the user should know, the result stands */
  LOG_INFO,    /* what is being done: --verbose */
  LOG_DEBUG,   /* how it is done: --verbose twice */
} LogLevel;

/* Receives one message without a line break at its end. The text dies after the call. */
typedef void LogSink(void *user, LogLevel level, const char *text);

typedef struct {
  LogSink *sink;
  void *user;     /* handed to the sink as it is */
  LogLevel level; /* messages above this level are dropped before they are formatted */
} Log;

/* True when a message of this level would reach the sink; guards costly preparation. */
bool log_enabled(const Log *log, LogLevel level);

/* Formats and hands up one message. Trailing line breaks are cut off. */
void log_put(const Log *log, LogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "error", "warning", "info" or "debug". */
const char *log_level_name(LogLevel level);

#endif
