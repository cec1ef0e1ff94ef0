/* Slices: the part of a program that can influence a question.
 *
 * In: the edges that the question is about, accesses that may race or assertions that may fail.
 * Out: which edges stay, which locals and which objects have values that matter. What is cut does
 * nothing any more: a cut branch goes either way, a cut assignment, store or call is a step
 * without effect. So a slice has every execution of the program, as far as the question is
 * concerned, and perhaps more: what is excluded for the slice is excluded for the program.
 *
 * That nothing which was cut writes what is kept is the whole argument; slice_check decides it
 * anew, by other code (slice_check.c), for every slice that is used.
 *
 * All synchronisation stays, and so does what decides whether it is come to: slices are smaller
 * than the program by its data, not by its threads. Only atomic sections in which nothing stays
 * that others can notice are cut, as a whole: then nobody can tell whether they are sections. They must not be used for questions about
 * waiting for ever, where more executions prove less. */
#ifndef HEDDLE_ANALYSIS_SLICE_H
#define HEDDLE_ANALYSIS_SLICE_H

#include "analysis/sharing.h"
#include "base/str.h"

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const Sharing *sharing;
  const uint8_t *visible;   /* by EdgeId: what the question is about */
  const volatile int *stop; /* or NULL */
} SliceQuestion;

typedef struct {
  uint8_t *edges;                  /* by EdgeId: kept */
  uint8_t *locals;                 /* by LocalId: the value matters */
  uint8_t *objects;                /* by key (touch.h): the contents matter */
  uint8_t *results;                /* by FuncId: what it returns matters */
  uint32_t edge_count, kept_count; /* of functions that can run */
} Slice;

/* What the slicer and its checker agree on: these stay, whatever the question is. */
bool slice_always_keeps(const SliceQuestion *question, EdgeId edge);

/* NULL: stopped. */
Slice *slice_new(const SliceQuestion *question);
void slice_free(Slice *slice);

/* Is the slice closed: does it keep everything that is visible, all synchronisation, and all that
 * writes what it keeps? False after adding to `why`. Shares nothing with slice_new but the meaning
 * of operations. */
bool slice_check(const SliceQuestion *question, const Slice *slice, Str *why);

/* The program with all that was cut made a step without effect. Tables other than the edges are
 * borrowed; release with slice_view_free. Edges keep their numbers. */
void slice_view(const Program *program, const Slice *slice, Program *ret_view);
void slice_view_free(Program *view);

#endif
