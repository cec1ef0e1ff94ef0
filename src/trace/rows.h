/* The line table of a program: which code belongs to which place of its source, by the
 * debug information in its file. */
#ifndef HEDDLE_TRACE_ROWS_H
#define HEDDLE_TRACE_ROWS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* Code from this address on, up to the next row. */
typedef struct {
  uint64_t address; /* as in the file */
  const char *file; /* NULL: no place; in the arena */
  uint32_t line, column;
} Row;

typedef VEC(Row) Rows;

/* Fills *ret_rows, sorted (vec_free). False: the file cannot be read, or has no such
 * table. */
bool rows_read(const char *path, Arena *arena, Rows *ret_rows);

#endif
