/* All schedules at once: proofs, and errors that rounds do not reach. See kiss.h.
 *
 * These questions are dear. They take turns with those about rounds, and get as much time: an error
 * that needs a loop to turn ten times is found by rounds while a proof still tries to reach the end of
 * the loop. What was too little once is tried again when there is twice as much. */
#include "engine/kiss/search_internal.h"

#include "base/mem.h"

enum { MORE_EFFORT = 8 };
/* Seconds that they get in any case. */
static const double GRANT = 0.2;

bool search_may_prove(const KissRequest *q) {
  return q->pending == UINT32_MAX && !q->rounds;
}

/* The proof is about more than the interpreter does: not every schedule can be followed. */
static bool see_violation(void *user, const SeqProgram *seq,
                          const KissSchedule *schedule) {
  return targets_follow(user, seq, schedule);
}

static void prove(Search *s) {
  const KissRequest *r = s->request;
  if (s->no_proof || !r->question_count) return;
  KissProofRequest request = {.program = r->program,
                              .flow = r->flow,
                              .shared = r->shared_whole,
                              .questions = r->questions,
                              .question_count = r->question_count,
                              .deadline = s->deadline,
                              .stop = r->stop,
                              .log = r->log,
                              .violated = see_violation,
                              .user = s};
  KissProof proof;
  bool *proved = mem_alloc_zero((r->question_count + 1) * sizeof *proved);
  uint32_t *list = mem_alloc_zero((r->question_count + 1) * sizeof *list), n = 0;
  ProveEnd end = kiss_prove(&request, s->effort * MORE_EFFORT, &s->proof_more, &proof,
                            proved, &s->report->no_proof);
  s->no_proof = end != PROVE_LATER;
  for (uint32_t i = 0; i < r->question_count; i++) {
    if (!proved[i]) continue;
    list[n++] = r->questions[i].obligation;
    targets_drop_proved(s, &r->questions[i]);
  }
  if (n) r->proved(r->user, &proof, list, n);
  mem_free(proved);
  mem_free(list);
}

/* Proofs first: where there is one, there is nothing to find. */
static void ask(Search *s) {
  prove(s);
  if (!search_has_open(s) || search_is_over(s)) return;
  s->all = true;
  search_level(s);
  s->all = s->request->all;
}

void search_all(Search *s) {
  double now = clock_now(), most = s->spent - s->spent_on_all + GRANT;
  if (!s->request->all && most < 2 * s->last_try) return;
  if (!s->request->all && s->deadline > now + most) s->deadline = now + most;
  ask(s);
  double took = clock_now() - now;
  s->spent_on_all += took;
  s->last_try = search_is_over(s) ? took : 0;
  s->deadline = s->request->deadline;
}

void search_all_to_the_end(Search *s) {
  while (!s->no_proof && s->request->question_count && search_has_open(s) &&
         !search_is_over(s)) {
    prove(s);
    s->effort *= MORE_EFFORT;
  }
}
