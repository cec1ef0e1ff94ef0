/* Which level, and candidates from where. See horn.h.
 *
 * Comparisons cost little and are tried at all levels first, then comparisons under conditions. Then the oracle is asked, over integers where
 * nothing wraps, where what wraps is exact, and over bits: what it says are more candidates. Where it finds a
 * derivation of the error, a level is too weak, and the next one is tried. */
#include "engine/circ/horn.h"

#include "base/clock.h"

enum { ANY_NUMBER = 2 }; /* the highest level for any number of threads */

typedef struct {
  const HornQuestion *q;
  HornTell *tell;
  Horn *systems[HORN_LEVELS + 1]; /* by level; NULL: too large, or of no use */
  bool large;
  double since; /* when it was told the last time */
} Prover;

static void tell(Prover *x, const Horn *h, const char *how, const char *outcome) {
  if (!x->tell) return;
  Str text = {0};
  double now = clock_now();
  str_addf(&text, "level %u: %u tuples, %u clauses, %s: %s, %.1f s", h->level,
           h->predicates.len, h->chc.clauses.len, how, outcome, now - x->since);
  x->since = now;
  x->tell(x->q->user, str_text(&text));
  str_free(&text);
}

static bool is_over(const Prover *x) {
  const SolveLimit *l = &x->q->limit;
  return (l->stop && *l->stop) || clock_now() >= l->deadline;
}

/* With all threads there are, or with as many as are affordable; but those that do nothing need no place. */
static uint32_t highest_level(const HornQuestion *q) {
  uint32_t count = 0;
  Horn any = {.model = q->model};
  horn_find_matters(&any);
  for (uint32_t i = 0; i < q->model->kinds.len; i++)
    if (!horn_is_aloof(&any, i)) count += horn_is_once(&any, i) ? 1 : ANY_NUMBER;
  map_free(&any.matters);
  for (uint32_t i = 0; i < q->model->kinds.len && count > ANY_NUMBER; i++)
    if (!horn_is_once(&any, i)) return ANY_NUMBER;
  return !count ? 1 : count < HORN_LEVELS ? count : HORN_LEVELS;
}

/* ---- candidates ---- */

static bool filter(Prover *x, Horn *h, const char *how) {
  /* What is left of earlier candidates is inductive, so that there only new ones can fail; most of the
   * cost is in dropping the many that never hold. */
  HornOutcome outcome = horn_filter(h, HORN_DROPPED_STAYS, &x->q->limit);
  if (outcome == HORN_TOO_WEAK && h->filtered)
    outcome = horn_filter(h, HORN_DROPPED_AGAIN, &x->q->limit);
  h->filtered = true;
  tell(x, h, how,
       outcome == HORN_PROVED     ? "proved"
       : outcome == HORN_TOO_WEAK ? "too weak"
                                  : "no time");
  return outcome == HORN_PROVED;
}

static bool try_atoms(Prover *x, uint32_t level) {
  HornQuestion q = *x->q;
  q.level = level;
  Horn *h = x->systems[level] = horn_new(&q);
  if (!h) {
    x->large = true;
    return false;
  }
  horn_add_atoms(h);
  return filter(x, h, "comparisons");
}

static bool try_sums(Prover *x, uint32_t level) {
  Horn *h = x->systems[level];
  return h && horn_add_sums(h, &x->q->limit) && filter(x, h, "sums");
}

static bool try_conditional(Prover *x, uint32_t level) {
  Horn *h = x->systems[level];
  if (!h) return false;
  horn_add_conditional(h);
  return filter(x, h, "comparisons under conditions");
}

/* False: it gave nothing, or not enough. A level that is refuted is given up. */
static bool try_oracle(Prover *x, uint32_t level, ChcSort sort) {
  static const char *const words[] = {[CHC_NUMBERS] = "integers",
                                      [CHC_WRAPS] = "integers that wrap",
                                      [CHC_BITS] = "bits"};
  Horn *h = x->systems[level];
  bool proved = false;
  uint32_t added;
  if (!h) return false;
  double now = clock_now();
  SolveLimit limit = x->q->limit;
  limit.deadline = now + (limit.deadline - now) / 3;
  switch (horn_ask_oracle(h, sort, &limit, &added)) {
  case CHC_SOLVED:
    tell(x, h, words[sort], "solved");
    if (added) proved = filter(x, h, words[sort]);
    break;
  case CHC_REFUTED:
    tell(x, h, words[sort], "refuted");
    horn_free(h);
    x->systems[level] = NULL;
    break;
  case CHC_UNKNOWN: tell(x, h, words[sort], "no answer"); break;
  case CHC_NO_PLACE: tell(x, h, words[sort], "there is no oracle"); break;
  }
  return proved;
}

Horn *horn_prove(const HornQuestion *q, HornTell *told, const char **ret_why) {
  Prover x = {.q = q, .tell = told, .since = clock_now()};
  uint32_t top = highest_level(q), proved = 0;
  for (uint32_t level = 1; level <= top && !proved && !is_over(&x); level++)
    if (try_atoms(&x, level) || try_sums(&x, level)) proved = level;
  for (uint32_t level = 1; level <= top && !proved && !is_over(&x); level++)
    if (try_conditional(&x, level)) proved = level;
  for (ChcSort sort = CHC_NUMBERS; sort <= CHC_BITS && !proved; sort++)
    for (uint32_t level = 1; level <= top && !proved && !is_over(&x); level++)
      if (try_oracle(&x, level, sort)) proved = level;
  Horn *proof = NULL;
  for (uint32_t level = 1; level <= top; level++)
    if (level == proved)
      proof = x.systems[level];
    else
      horn_free(x.systems[level]);
  *ret_why = is_over(&x) ? "the time was over"
             : x.large   ? "there are too many tuples of places"
                         : "no invariant about few threads at a time was found";
  return proof;
}
