/* The model as text that a person can follow: objects, functions, threads, assumptions.
 *
 * One edge a line, in the words of the source where it has some, with the place in the
 * right column. docs/model.md explains the notation with an example. */
#ifndef HEDDLE_MODEL_PRINT_H
#define HEDDLE_MODEL_PRINT_H

#include "base/str.h"
#include "model/program.h"

#include <stdbool.h>

/* Where text goes, piece by piece; json_to_str and json_to_outfile (base/json.h) fit. */
typedef void TextSink(void *user, const char *bytes, size_t length);

typedef struct {
  const char *function; /* print only the functions of this name; NULL: everything */
  bool no_places;       /* leave out the column of places */
} PrintOptions;

/* Returns how many functions were printed (0: the name in `options` fits none). `options`
 * may be NULL. The program must be valid (model/validate.h). */
uint32_t program_print(const Program *program, const PrintOptions *options,
                       TextSink *sink, void *user);

/* The pieces, for reports: an expression as C-like text, an edge as one line without its
 * place, a type as C writes it. */
void print_expr(const Program *program, ExprId expr, Str *out);
void print_edge(const Program *program, EdgeId edge, Str *out);
void print_type(const Program *program, TypeId type, Str *out);

#endif
