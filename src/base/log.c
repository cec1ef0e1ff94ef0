/* See log.h. */
#include "base/log.h"

#include "base/str.h"

bool log_enabled(const Log *log, LogLevel level) {
  return log && log->sink && level <= log->level;
}

void log_put(const Log *log, LogLevel level, const char *format, ...) {
  if (!log_enabled(log, level)) return;
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  while (text.len && text.data[text.len - 1] == '\n') text.data[--text.len] = 0;
  log->sink(log->user, level, str_text(&text));
  str_free(&text);
}

const char *log_level_name(LogLevel level) {
  switch (level) {
  case LOG_ERROR: return "error";
  case LOG_WARNING: return "warning";
  case LOG_INFO: return "info";
  case LOG_DEBUG: return "debug";
  }
  return "log";
}
