/* Which level, and candidates from where. See horn.h.
 *
 * Comparisons cost little and are tried at all levels first. Then the oracle is asked, over integers where
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
} Prover;

static void tell(const Prover *x, const Horn *h, const char *how, const char *outcome) {
  if (!x->tell) return;
  Str text = {0};
  str_addf(&text, "level %u: %u tuples, %u clauses, %s: %s", h->level, h->predicates.len,
           h->chc.clauses.len, how, outcome);
  x->tell(x->q->user, str_text(&text));
  str_free(&text);
}

static bool is_over(const Prover *x) {
  const SolveLimit *l = &x->q->limit;
  return (l->stop && *l->stop) || clock_now() >= l->deadline;
}

/* With all threads there are, or with as many as are affordable. */
static uint32_t highest_level(const HornQuestion *q) {
  uint32_t kinds = q->model->kinds.len;
  Horn any = {.model = q->model};
  for (uint32_t i = 0; i < kinds; i++)
    if (!horn_is_once(&any, i)) return ANY_NUMBER;
  return kinds < HORN_LEVELS ? kinds : HORN_LEVELS;
}

/* ---- candidates ---- */

static bool filter(Prover *x, Horn *h, const char *how, const SolveLimit *limit) {
  HornOutcome outcome = horn_filter(h, limit);
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
  return filter(x, h, "comparisons", &x->q->limit);
}

static uint32_t add_parts(Horn *h, const ChcParts *parts) {
  uint32_t added = 0;
  for (uint32_t i = 0; i < h->predicates.len; i++)
    for (uint32_t k = 0; k < parts[i].list.len; k++)
      added += horn_add_candidate(h, i, parts[i].list.data[k]);
  return added;
}

/* False: it gave nothing, or not enough. A level that is refuted is given up. */
static bool try_oracle(Prover *x, uint32_t level, ChcSort sort) {
  static const char *const words[] = {[CHC_NUMBERS] = "integers",
                                      [CHC_WRAPS] = "integers that wrap",
                                      [CHC_BITS] = "bits"};
  Horn *h = x->systems[level];
  bool proved = false;
  if (!h) return false;
  ChcParts *parts = mem_alloc_zero((h->predicates.len + 1) * sizeof *parts);
  double now = clock_now();
  SolveLimit limit = x->q->limit;
  limit.deadline = now + (limit.deadline - now) / 3;
  switch (chc_solve(&h->chc, sort, &limit, parts)) {
  case CHC_SOLVED:
    tell(x, h, words[sort], "solved");
    if (add_parts(h, parts)) proved = filter(x, h, words[sort], &x->q->limit);
    break;
  case CHC_REFUTED:
    tell(x, h, words[sort], "refuted");
    horn_free(h);
    x->systems[level] = NULL;
    break;
  case CHC_UNKNOWN: tell(x, h, words[sort], "no answer"); break;
  case CHC_NO_PLACE: tell(x, h, words[sort], "there is no oracle"); break;
  }
  for (uint32_t i = 0; h && x->systems[level] && i < h->predicates.len; i++)
    vec_free(&parts[i].list);
  mem_free(parts);
  return proved;
}

Horn *horn_prove(const HornQuestion *q, HornTell *told, const char **ret_why) {
  Prover x = {.q = q, .tell = told};
  uint32_t top = highest_level(q), proved = 0;
  for (uint32_t level = 1; level <= top && !proved && !is_over(&x); level++)
    if (try_atoms(&x, level)) proved = level;
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
