/* The checker of proofs by contexts: accepts a certificate (docs/certificate.md) that two accesses
 * never race, or that an assertion never fails, for any number of threads; or says what is wrong.
 *
 * It shares no code with the engine that finds such proofs, and asks another solver (Z3, in a
 * child process). Blocks are translated anew, path by path, from the automata of the threads
 * (analysis/automaton.h), which are made anew on a slice that is made anew; slice_check and
 * automaton_check decide on both. For each block there is one question: is there a way through
 * it, from values that a listed local state stands for, that no listed step allows? The net is made
 * anew from the lists, its targets are derived from the accesses themselves, and net/check.h
 * decides on the evidence.
 *
 * Whatever the certificate does not name is any value. What it relies on is told to the caller: the
 * objects that must be free of races. */
#ifndef HEDDLE_PROOF_CONTEXT_H
#define HEDDLE_PROOF_CONTEXT_H

#include "analysis/pointsto.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum {
  CONTEXT_REJECTED, /* it does not follow, or is no certificate */
  CONTEXT_OPEN,     /* not decided: the time, or a limit of the checker */
  CONTEXT_ACCEPTED,
} ContextVerdict;

typedef enum {
  ABOUT_NOTHING,
  ABOUT_RACE,      /* no two accesses to these bytes race */
  ABOUT_ASSERTION, /* it never fails */
  ABOUT_ELSEWHERE, /* no access is to memory that nobody knows */
} ContextAbout;

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const char *text; /* the certificate */
  size_t length;
  double deadline;          /* by clock_now */
  const volatile int *stop; /* or NULL */
} ContextQuestion;

typedef struct {
  ContextVerdict verdict;
  char *why; /* of REJECTED and OPEN: one line; owned */
  /* What it is about, as the certificate says: of ACCEPTED this is what was proved. */
  ContextAbout about;
  AObject object;
  uint64_t from, to;
  EdgeId edge;
  VEC(ObjectId) conditions; /* objects that must be free of races, ascending */
  uint32_t states, steps, paths, questions;
} ContextResult;

void context_check(const ContextQuestion *question, ContextResult *ret_result);
void context_result_free(ContextResult *result);

#endif
