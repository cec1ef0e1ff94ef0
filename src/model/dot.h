/* The control flow automata as a Graphviz graph: one cluster per function, operations that
 * concern other threads in colour. `dot -Tsvg` draws it. */
#ifndef HEDDLE_MODEL_DOT_H
#define HEDDLE_MODEL_DOT_H

#include "model/print.h"

/* `function` restricts the drawing to the functions of this name (NULL: all). Returns how
 * many were drawn. The program must be valid. */
uint32_t program_dot(const Program *program, const char *function, TextSink *sink,
                     void *user);

#endif
