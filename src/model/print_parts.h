/* Shared by the parts of the printer (print*.c) and by dot.c; nobody else includes it. */
#ifndef HEDDLE_MODEL_PRINT_PARTS_H
#define HEDDLE_MODEL_PRINT_PARTS_H

#include "base/map.h"
#include "model/print.h"

struct Printer {
  const Program *program;
  uint8_t *read;           /* by local: some expression of some edge reads it */
  uint32_t *local_number;  /* variables: 0, or n of "x.n"; temporaries: n of "tn" */
  uint32_t *object_number; /* 0, or n of "x.n" */
  VEC(ExprId) parts;       /* expressions shown as #N, in order of appearance */
  uint32_t parts_done;     /* so many of them are written */
  Map part_numbers;        /* ExprId to N */
  bool plain_names;        /* leave out the .n for a moment */
  int nesting;             /* attempts under way to name memory, one inside the other */
};

/* How strongly an operator binds, as in C; a text of lower strength gets parentheses. */
typedef enum {
  BIND_NONE,
  BIND_TERNARY,
  BIND_LOR,
  BIND_LAND,
  BIND_OR,
  BIND_XOR,
  BIND_AND,
  BIND_EQUAL,
  BIND_COMPARE,
  BIND_SHIFT,
  BIND_ADD,
  BIND_MUL,
  BIND_UNARY,
  BIND_POSTFIX,
} Binding;

/* An expression as an operand of something that binds as strongly as `context`. */
void printer_operand(Printer *printer, ExprId expr, Binding context, Str *out);

/* The memory at `address` in the source's words, if types explain it; else nothing is
 * written and the answer is false. */
bool printer_named_memory(Printer *printer, ExprId address, uint32_t size,
                          Binding context, Str *out);
/* The memory at address `expr`: conn->queue.head, a[i], *p. `size` is how many bytes are
 * accessed (0: unknown). */
void printer_memory(Printer *printer, ExprId address, uint32_t size, Binding context,
                    Str *out);
/* The same where the front knows the source's words: they are used, unless the address
 * says the same more exactly (which i of several, the index as a value of the model). */
void printer_place_named(Printer *printer, ExprId address, uint32_t size,
                         const char *path, Str *out);
/* The constant of a switch's case, as a character where `value` is one. */
void printer_case(Printer *printer, ExprId value, ExprId constant, Str *out);
/* False for temporaries of the translation and of the compiler. */
bool is_source_variable(const Program *program, const Local *local);

/* The initial value of an object read as `type` (usually its own), at most about `limit`
 * characters. */
void printer_initial(Printer *printer, ObjectId object, TypeId type, size_t limit,
                     Str *out);
/* A string literal's text in quotes, shortened to about `limit` characters. */
void printer_literal(Printer *printer, ObjectId object, size_t limit, Str *out);

/* All edges that leave a node, as one or more lines. Each line is handed to `line`. */
typedef void PrintLine(void *user, EdgeId edge, const char *text);
void printer_node(Printer *printer, NodeId node, NodeId next, PrintLine *line,
                  void *user);
/* The number by which a node is shown inside its function. */
uint32_t printer_node_number(const Printer *printer, NodeId node);

#endif
