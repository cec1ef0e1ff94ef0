/* See err.h. */
#include "base/err.h"

#include "base/mem.h"

static bool set(Err *err, ErrKind kind, const char *file, int line, int column,
                const char *remedy, const char *format, va_list args) {
  if (!err || err->kind != ERR_NONE) return false;
  Str message = {0};
  str_vaddf(&message, format, args);
  *err = (Err){.kind = kind,
               .file = file ? str_dup(file) : NULL,
               .line = line,
               .column = column,
               .message = str_take(&message),
               .remedy = remedy ? str_dup(remedy) : NULL};
  return false;
}

bool err_set(Err *err, ErrKind kind, const char *file, int line, int column,
             const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(err, kind, file, line, column, remedy, format, args);
  va_end(args);
  return false;
}

bool err_input(Err *err, const char *file, const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(err, ERR_INPUT, file, 0, 0, remedy, format, args);
  va_end(args);
  return false;
}

void err_free(Err *err) {
  mem_free(err->file);
  mem_free(err->message);
  mem_free(err->remedy);
  *err = (Err){0};
}

/* File names may hold anything: line breaks would split the line, escapes would reach the
 * terminal. */
static void add_on_one_line(Str *out, const char *text) {
  for (; *text; text++) {
    bool blank = *text == '\n' || *text == '\r' || *text == '\t';
    bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
    str_add_char(out, blank ? ' ' : control ? '?' : *text);
  }
}

void err_format(const Err *err, Str *out) {
  if (err->file) {
    add_on_one_line(out, err->file);
    if (err->line > 0) str_addf(out, ":%d", err->line);
    if (err->line > 0 && err->column > 0) str_addf(out, ":%d", err->column);
    str_add(out, ": ");
  }
  add_on_one_line(out, err->message ? err->message : "unknown error");
  if (err->remedy) {
    str_add(out, "; ");
    add_on_one_line(out, err->remedy);
  }
}

int err_exit_code(const Err *err) {
  switch (err->kind) {
  case ERR_NONE: return 0;
  case ERR_INPUT: return 3;
  case ERR_LIMIT:
  case ERR_INTERNAL: return 4;
  }
  return 4;
}
