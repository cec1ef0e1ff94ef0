/* Shared by the parts of the validator (validate.c, validate_expr.c, validate_edge.c);
 * nobody else includes it. The parts run in the order of the rules, each trusting the
 * ones before. */
#ifndef HEDDLE_MODEL_VALIDATE_PARTS_H
#define HEDDLE_MODEL_VALIDATE_PARTS_H

#include "base/err.h"
#include "model/program.h"

#include <stdbool.h>

typedef struct {
  const Program *program;
  Err *err;
  FuncId *local_owner; /* by local: the function it belongs to */
  FuncId *expr_owner;  /* by expression: the function whose frame it needs, or 0 */
  uint8_t *expr_fixed; /* by expression: the same address or number for the whole run */
  uint8_t *framed;     /* by object: listed as a frame object */
  /* Ranges that are walked must not be shared, or a broken file could cost quadratic
   * time. */
  uint64_t relocs_seen, args_seen;
} Check;

/* All of these fill the error with "the program model breaks rule RULE: …" and return
 * false. `fail_at` names an entry of a table, `fail_function` a function, `fail_edge` an
 * edge, its function and its place in the source. */
bool fail_at(Check *check, const char *rule, const char *table, uint64_t entry,
             const char *format, ...) __attribute__((format(printf, 5, 6)));
bool fail_function(Check *check, const char *rule, FuncId f, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool fail_edge(Check *check, const char *rule, EdgeId e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether `count` elements from `first` on lie inside a table of `length`. */
static inline bool range_inside(uint64_t first, uint64_t count, uint64_t length) {
  return count <= length && first <= length - count;
}

/* 0, or an index of the vector. */
#define id_inside(vector, id) ((id) == 0 || (id) < (vector)->len)

/* A width that values of this sort can have. */
bool width_fits_sort(uint8_t sort, uint32_t bits);

bool check_exprs(Check *check);                    /* rules X */
bool check_edge(Check *check, FuncId f, EdgeId e); /* rules E */

#endif
