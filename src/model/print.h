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

/* ---- the pieces, for reports and drawings ------------------------------------------ */

/* Knows the names that tell locals and objects of the same name apart (x, x.2). Making
 * one takes time linear in the program; the program must outlive it. */
typedef struct Printer Printer;
Printer *printer_new(const Program *program);
void printer_free(Printer *printer); /* accepts NULL */

/* Each appends to `out`, on one line and without its end. An expression is C-like text;
 * parts that are too large for one line appear as #N, and printer_parts writes them. */
void printer_expr(Printer *printer, ExprId expr, Str *out);
void printer_edge(Printer *printer, EdgeId edge, Str *out);
void printer_local(Printer *printer, LocalId local, Str *out);
void printer_object(Printer *printer, ObjectId object, Str *out);
/* A type as C writes it, around `name` (which may be ""). */
void printer_type(Printer *printer, TypeId type, const char *name, Str *out);
/* "file:line:column", or as much of it as is known. */
void printer_place(Printer *printer, LocId loc, Str *out);
/* What the texts since the last call left out: one line "#N = …" for each, with `indent`
 * spaces before and a line break after. */
void printer_parts(Printer *printer, int indent, Str *out);

#endif
