/* Compressions of explicit systems.
 *
 * In: a system. Out: one with the same traces, failures and divergences.
 *
 * - sbisim, strong bisimulation: states whose labels lead to the same classes are merged.
 *   Partition refinement by signatures until the number of classes is stable.
 * - tau loops: states on one circle of internal steps are merged (they can reach each
 *   other silently, so they have the same failures); a loop stays as the divergence.
 * - diamond: tau loops, then bisimulation.
 * - normal: the deterministic form, one state per set of states that a trace may lead to,
 *   with an internal step to each minimal set of acceptances. */
#include "csp/machine.h"
#include "csp/norm.h"

#include <stdlib.h>
#include <string.h>

/* Edges that a refinement may look at. A long chain splits off one class per round, so
 * that its cost is quadratic, and nothing is gained at the end: such a system stays as it
 * is, which is as right as a smaller one. */
enum { SBISIM_WORK = 20000000 };

/* The system in which every state is replaced by its class; class of state 0 is 0. */
static CspLts *quotient(Csp *csp, const CspLts *lts, uint32_t *class, uint32_t classes,
                        bool drop_loops, const bool *loops) {
  CspLtsBuilder b = {.csp = csp};
  uint32_t *order = mem_alloc((classes + 1) * sizeof *order); /* class → new number + 1 */
  uint32_t *members = mem_alloc((classes + 1) * sizeof *members);
  uint32_t *next = mem_alloc((lts->states + 1) * sizeof *next);
  uint32_t count = 0;
  memset(order, 0, (classes + 1) * sizeof *order);
  memset(members, 0, (classes + 1) * sizeof *members);
  for (uint32_t s = lts->states; s-- > 0;) {
    next[s] = members[class[s]];
    members[class[s]] = s + 1;
  }
  uint32_t *by_number = mem_alloc((classes + 1) * sizeof *by_number);
  for (uint32_t s = 0; s < lts->states; s++)
    if (!order[class[s]]) {
      by_number[count] = class[s];
      order[class[s]] = ++count;
    }
  for (uint32_t n = 0; n < count; n++) {
    csp_lts_begin_state(&b);
    for (uint32_t s = members[by_number[n]]; s; s = next[s - 1])
      for (uint32_t k = lts->first[s - 1]; k < lts->first[s]; k++) {
        uint32_t target = order[class[lts->edges[k].target]] - 1;
        bool silent_loop = lts->edges[k].label == EVENT_TAU && target == n;
        if (!drop_loops || !silent_loop || loops[by_number[n]])
          csp_lts_edge(&b, lts->edges[k].label, target);
      }
  }
  mem_free(order);
  mem_free(members);
  mem_free(next);
  mem_free(by_number);
  return csp_lts_finish(&b);
}

/* ---- strong bisimulation ----------------------------------------------------------- */

static int compare_words(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* The signature of a state: its class and the set of (label, class of target). */
static size_t signature(const CspLts *lts, const uint32_t *class, uint32_t s,
                        uint64_t *words) {
  size_t n = 0;
  bool sorted = true; /* as they are by label: mostly all is in order already */
  for (uint32_t k = lts->first[s]; k < lts->first[s + 1]; k++) {
    words[1 + n++] = (uint64_t)lts->edges[k].label << 32 | class[lts->edges[k].target];
    sorted &= n < 2 || words[n - 1] <= words[n];
  }
  if (!sorted) qsort(words + 1, n, sizeof *words, compare_words);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || words[kept] != words[1 + i]) words[1 + kept++] = words[1 + i];
  words[0] = class[s];
  return kept + 1;
}

CspLts *csp_lts_sbisim(Csp *csp, const CspLts *lts) {
  uint32_t n = lts->states, classes = 1, widest = 0;
  uint32_t *class = mem_alloc_zero((n + 1) * sizeof *class);
  uint32_t *fresh = mem_alloc_zero((n + 1) * sizeof *fresh);
  for (uint32_t s = 0; s < n; s++)
    if (lts->first[s + 1] - lts->first[s] > widest)
      widest = lts->first[s + 1] - lts->first[s];
  uint64_t *words = mem_alloc((widest + 2) * sizeof *words);
  bool stable = false;
  for (uint64_t work = 0; !stable && work < SBISIM_WORK; work += lts->first[n] + n) {
    StrMap seen = {0};
    for (uint32_t s = 0; s < n; s++) {
      size_t length = signature(lts, class, s, words);
      uint64_t *slot = strmap_at(&seen, (const char *)words, length * sizeof *words);
      if (!*slot) *slot = seen.len;
      fresh[s] = (uint32_t)*slot - 1;
    }
    uint32_t count = seen.len;
    strmap_free(&seen);
    uint32_t *swap = class;
    class = fresh;
    fresh = swap;
    stable = count == classes || count == n; /* no class can be split any more */
    classes = count;
  }
  CspLts *result = !stable || classes == n
                       ? (CspLts *)lts
                       : quotient(csp, lts, class, classes, false, NULL);
  mem_free(class);
  mem_free(fresh);
  mem_free(words);
  return result;
}

/* ---- circles of internal steps ----------------------------------------------------- */

typedef struct {
  const CspLts *lts;
  uint32_t *index, *low, *class;
  VEC(uint32_t) stack;
  VEC(uint64_t) work; /* state and next edge */
  uint32_t counter, classes;
} Tarjan;

static void close_class(Tarjan *t, uint32_t root) {
  uint32_t member;
  do {
    member = vec_pop(&t->stack);
    t->class[member] = t->classes;
  } while (member != root);
  t->classes++;
}

static void enter(Tarjan *t, uint32_t s) {
  t->index[s] = t->low[s] = ++t->counter;
  vec_push(&t->stack, s);
  vec_push(&t->work, (uint64_t)s << 32 | t->lts->first[s]);
}

/* Tarjan's algorithm on the internal steps, without recursion. */
static void visit(Tarjan *t, uint32_t start) {
  enter(t, start);
  while (t->work.len) {
    uint64_t *top = vec_last(&t->work);
    uint32_t s = (uint32_t)(*top >> 32), k = (uint32_t)*top;
    if (k < t->lts->first[s + 1] && t->lts->edges[k].label == EVENT_TAU) {
      uint32_t to = t->lts->edges[k].target;
      ++*top;
      if (!t->index[to])
        enter(t, to);
      else if (t->class[to] == UINT32_MAX && t->index[to] < t->low[s])
        t->low[s] = t->index[to];
      continue;
    }
    vec_pop(&t->work);
    if (t->low[s] == t->index[s]) close_class(t, s);
    if (t->work.len) {
      uint32_t parent = (uint32_t)(*vec_last(&t->work) >> 32);
      if (t->low[s] < t->low[parent]) t->low[parent] = t->low[s];
    }
  }
}

CspLts *csp_lts_tau_loops(Csp *csp, const CspLts *lts) {
  Tarjan t = {.lts = lts};
  t.index = mem_alloc_zero((lts->states + 1) * sizeof *t.index);
  t.low = mem_alloc_zero((lts->states + 1) * sizeof *t.low);
  t.class = mem_alloc((lts->states + 1) * sizeof *t.class);
  memset(t.class, 0xff, (lts->states + 1) * sizeof *t.class);
  for (uint32_t s = 0; s < lts->states; s++)
    if (!t.index[s]) visit(&t, s);
  bool *loops = mem_alloc_zero(t.classes + 1);
  for (uint32_t s = 0; s < lts->states; s++)
    for (uint32_t k = lts->first[s]; k < lts->first[s + 1]; k++)
      if (lts->edges[k].label == EVENT_TAU && t.class[lts->edges[k].target] == t.class[s])
        loops[t.class[s]] = true;
  CspLts *result = quotient(csp, lts, t.class, t.classes, true, loops);
  mem_free(t.index);
  mem_free(t.low);
  mem_free(t.class);
  mem_free(loops);
  vec_free(&t.stack);
  vec_free(&t.work);
  return result;
}

CspLts *csp_lts_diamond(Csp *csp, const CspLts *lts) {
  return csp_lts_sbisim(csp, csp_lts_tau_loops(csp, lts));
}

/* ---- chasing ----------------------------------------------------------------------- */

/* Where the first internal step of each state leads in the end: a stable state, or a
 * state of a circle, which then keeps a loop of its own. */
static uint32_t chase_from(const CspLts *lts, uint32_t state, uint32_t *seen,
                           uint32_t round) {
  while (seen[state] != round) {
    seen[state] = round;
    uint32_t k = lts->first[state];
    if (k == lts->first[state + 1] || lts->edges[k].label != EVENT_TAU) return state;
    state = lts->edges[k].target;
  }
  return state;
}

/* Internal steps are followed at once, one of them where there are several; what the
 * others lead to is lost, so that this changes the meaning unless the script knows
 * better. */
CspLts *csp_lts_chase(Csp *csp, const CspLts *lts) {
  CspLtsBuilder b = {.csp = csp};
  uint32_t *number = mem_alloc_zero((lts->states + 1) * sizeof *number); /* + 1 */
  uint32_t *seen = mem_alloc_zero((lts->states + 1) * sizeof *seen), round = 0;
  VEC(uint32_t) queue = {0};
  vec_push(&queue, chase_from(lts, 0, seen, ++round));
  number[queue.data[0]] = 1;
  for (uint32_t at = 0; at < queue.len; at++) {
    uint32_t s = queue.data[at];
    csp_lts_begin_state(&b);
    for (uint32_t k = lts->first[s]; k < lts->first[s + 1]; k++) {
      const CspEdge *e = &lts->edges[k];
      bool internal = e->label == EVENT_TAU;
      uint32_t to = internal ? s : chase_from(lts, e->target, seen, ++round);
      if (!number[to]) {
        vec_push(&queue, to);
        number[to] = queue.len;
      }
      csp_lts_edge(&b, e->label, number[to] - 1);
      if (internal) break;
    }
  }
  mem_free(number);
  mem_free(seen);
  vec_free(&queue);
  return csp_lts_finish(&b);
}

/* ---- priorities -------------------------------------------------------------------- */

CspLts *csp_lts_prioritise(Csp *csp, const CspLts *lts, const CspTerm *term) {
  CspLtsBuilder b = {.csp = csp};
  for (uint32_t s = 0; s < lts->states; s++) {
    uint32_t best = UINT32_MAX;
    csp_lts_begin_state(&b);
    for (uint32_t k = lts->first[s]; k < lts->first[s + 1]; k++) {
      uint32_t rank = lts->edges[k].label == LABEL_DONE
                          ? UINT32_MAX
                          : csp_priority_of(term, lts->edges[k].label);
      if (rank < best) best = rank;
    }
    for (uint32_t k = lts->first[s]; k < lts->first[s + 1]; k++) {
      uint32_t label = lts->edges[k].label;
      uint32_t rank = label == LABEL_DONE ? UINT32_MAX : csp_priority_of(term, label);
      if (rank == UINT32_MAX || rank <= best)
        csp_lts_edge(&b, label, lts->edges[k].target);
    }
  }
  return csp_lts_finish(&b);
}

CspLts *csp_lts_compress(Csp *csp, const CspLts *lts, CspCompression how) {
  switch (how) {
  case COMPRESS_SBISIM: return csp_lts_sbisim(csp, lts);
  case COMPRESS_TAU_LOOP: return csp_lts_tau_loops(csp, lts);
  case COMPRESS_DIAMOND: return csp_lts_diamond(csp, lts);
  case COMPRESS_NORMAL: return csp_lts_normal(csp, lts);
  case COMPRESS_CHASE: return csp_lts_chase(csp, lts);
  default: return (CspLts *)lts;
  }
}
