/* Errors that name the file, the place and the remedy.
 *
 * A function that can fail takes an `Err *` as its last argument and returns false (or NULL)
 * after filling it. Nothing below cli/ prints. A zero Err means that nothing went wrong. */
#ifndef HEDDLE_BASE_ERR_H
#define HEDDLE_BASE_ERR_H

#include "base/str.h"

#include <stdbool.h>

typedef enum {
  ERR_NONE,
  ERR_INPUT,    /* bad usage or bad input: exit code 3 */
  ERR_LIMIT,    /* time or memory ran out: exit code 4 */
  ERR_INTERNAL, /* a defect of heddle or of a tool it runs: exit code 4 */
} ErrKind;

typedef struct {
  ErrKind kind;
  char *file;       /* or NULL; owned, as are the texts below */
  int line, column; /* 0 when there is no such place */
  char *message;
  char *remedy; /* what the user can do, or NULL */
} Err;

/* Fills `err` (unless it is already filled: the first cause wins) and returns false, so that
 * `return err_set(...)` reads well. `err` may be NULL when the caller does not care. */
bool err_set(Err *err, ErrKind kind, const char *file, int line, int column,
             const char *remedy, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* The same for input errors without a place inside the file (or without a file). */
bool err_input(Err *err, const char *file, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void err_free(Err *err);

/* One line without the newline: "FILE:LINE:COLUMN: message; remedy". Line breaks inside the
 * parts become spaces. */
void err_format(const Err *err, Str *out);

/* 3 or 4 as in the table of exit codes, 0 for ERR_NONE. */
int err_exit_code(const Err *err);

#endif
