/* The sequential program of KISS: a concurrent program as a sequential C program that runs a large
 * part of its schedules, for checkers that know nothing of threads (Qadeer and Wu, PLDI 2004).
 *
 * In: a model. Out: one C file, complete in itself. Each function with a body becomes a C function;
 * a thread is a block of frames on the one stack, started by schedule() and given up by `raise`;
 * operations of synchronisation are generated from their rows (model/lower.h). If a run of the
 * file reaches its error, some execution of the concurrent program has that error; the other way
 * round holds for balanced schedules only. docs/seq.md describes the file. */
#ifndef HEDDLE_SEQC_SEQC_H
#define HEDDLE_SEQC_SEQC_H

#include "base/err.h"
#include "base/str.h"
#include "model/program.h"

typedef struct {
  const char *race; /* the distinguished location; NULL: assertions are asked about */
  unsigned max;     /* how many threads may wait in ts for their start */
} SeqcOptions;

/* Appends the file to `out`. False after filling `err`: something cannot be translated, or the
 * location is not known. */
bool seqc_write(const Program *program, const SeqcOptions *options, Str *out, Err *err);

#endif
