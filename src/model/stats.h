/* The model in numbers, for `heddle model --stats`, benchmarks and results. */
#ifndef HEDDLE_MODEL_STATS_H
#define HEDDLE_MODEL_STATS_H

#include "base/json.h"
#include "model/program.h"

/* STAT(field, text): every number, in the order in which it is shown. */
#define PROGRAM_STATS(STAT)                                                              \
  STAT(files, "source files")                                                            \
  STAT(lines, "source lines with code")                                                  \
  STAT(functions_defined, "functions with a body")                                       \
  STAT(functions_library, "library functions with a rule")                               \
  STAT(functions_unknown, "functions without body or rule")                              \
  STAT(globals, "global objects")                                                        \
  STAT(literals, "literals")                                                             \
  STAT(externals, "external objects")                                                    \
  STAT(thread_locals, "thread-local objects")                                            \
  STAT(stack_objects, "stack objects")                                                   \
  STAT(heap_sites, "heap allocation sites")                                              \
  STAT(library_objects, "library objects")                                               \
  STAT(variables, "local variables")                                                     \
  STAT(temporaries, "temporaries")                                                       \
  STAT(nodes, "nodes")                                                                   \
  STAT(edges, "edges")                                                                   \
  STAT(accesses, "memory accesses")                                                      \
  STAT(atomics, "atomic accesses")                                                       \
  STAT(sync_operations, "synchronisation operations")                                    \
  STAT(calls, "calls")                                                                   \
  STAT(indirect_calls, "calls through pointers")                                         \
  STAT(expressions, "expressions")                                                       \
  STAT(types, "types")                                                                   \
  STAT(thread_templates, "kinds of threads")                                             \
  STAT(assumptions, "assumptions")                                                       \
  STAT(bytes, "bytes of the model")

typedef struct {
#define STAT(field, text) uint64_t field;
  PROGRAM_STATS(STAT)
#undef STAT
  uint64_t by_op[OP_COUNT];
} ProgramStats;

void program_stats(const Program *program, ProgramStats *ret_stats);

/* As a table for people, with the operations that occur. */
void program_stats_print(const ProgramStats *stats, Str *out);
/* As one JSON object: the fields above and "operations" with one number for each that
 * occurs. The caller has written the key, if any. */
void program_stats_json(const ProgramStats *stats, JsonWriter *json);

#endif
