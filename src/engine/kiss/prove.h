/* Proofs about all schedules of a bounded program, and their checker.
 *
 * If the unwound threads are the whole program (nothing is cut off, nothing is left out) and no
 * schedule of them violates an obligation, then it holds. A proof says to which bounds the program is
 * to be unwound; that is all there is to it. The checker unwinds it once more, writes down all
 * schedules by a formula of its own and asks the other solver.
 *
 * What the two have in common is the unwinder and what single steps do. */
#ifndef HEDDLE_ENGINE_KISS_PROVE_H
#define HEDDLE_ENGINE_KISS_PROVE_H

#include "base/log.h"
#include "engine/seq/seq.h"
#include "verdict/obligation.h"

struct KissSchedule; /* engine/kiss/kiss.h */

enum { KISS_MOST_LOOPS = 64 };

/* An obligation: no two accesses of these edges race; or this assertion holds; or, if `stuck`, nobody
 * waits for ever, here or anywhere. */
typedef struct {
  uint32_t obligation; /* index in Obligations.list */
  bool race, stuck;
  const EdgeId *edges;
  uint32_t edge_count;
} KissQuestion;

typedef struct {
  const Program *program;
  const Flow *flow;
  const Obligations *obligations;
  Arena *arena; /* for what questions point to */
} KissSubject;

/* False: it is none that the events could answer. */
bool kiss_question_of(const KissSubject *subject, uint32_t obligation,
                      KissQuestion *ret_question);

/* How far the program is unwound. */
typedef struct KissProof {
  uint32_t turns, sure_turns, depth, threads, events;
  uint32_t loop_count;
  struct {
    uint64_t loop, times; /* as SeqBounds.more has them */
  } loops[KISS_MOST_LOOPS];
} KissProof;

typedef struct {
  const Program *program;
  const Flow *flow;
  const uint8_t *shared; /* seq_shared_whole */
  const KissQuestion *questions;
  uint32_t question_count;
  double deadline;
  const volatile int *stop; /* or NULL */
  const Log *log;           /* or NULL */
  /* Or NULL: called with a schedule that violates a question. True: it is one of the program. */
  bool (*violated)(void *user, const SeqProgram *seq,
                   const struct KissSchedule *schedule);
  void *user;
} KissProofRequest;

typedef enum {
  PROVE_NOTHING,  /* it cannot be done: *ret_obstacle */
  PROVE_LATER,    /* too hard for the effort */
  PROVE_ANSWERED, /* all questions have their answers */
} ProveEnd;

/* Why there is no proof. */
typedef struct {
  const char *text; /* or NULL */
  EdgeId edge;      /* at which step, or 0 */
} ProveObstacle;

/* Looks for a proof; `more` has the bounds of loops, which grow on the way. ret_proved[i]: there is one
 * of question i. */
ProveEnd kiss_prove(const KissProofRequest *request, uint64_t effort, Map *more,
                    KissProof *ret_proof, bool *ret_proved, ProveObstacle *ret_obstacle);

/* The checker (judge.c). In a child of its own: it makes a solver. */
typedef enum { JUDGE_REJECTED, JUDGE_ACCEPTED, JUDGE_STOPPED } Judgement;
Judgement kiss_judge(const KissProofRequest *request, const KissProof *proof,
                     const char **ret_why);
/* The same in a child that is made for it. *ret_why in the arena. */
Judgement kiss_judge_apart(const KissProofRequest *request, const KissProof *proof,
                           Arena *arena, const char **ret_why);

#endif
