/* Partial order reduction by stubborn sets.
 *
 * In: a machine and the moves of a state. Out: a part of the moves that is enough.
 *
 * A set of rules T is closed when
 *   - for a rule of T that is enabled, every rule that one of its components could take
 *     part in from its present state is in T;
 *   - for a rule of T that is not enabled, there is a component that does not offer its
 *     part, and every rule that this component could take part in is in T.
 * Rules outside T then neither disturb nor need the enabled rules of T: whatever is done
 * without T first, an enabled rule of T stays enabled and may be moved to the front. So
 * every deadlock stays reachable. When all enabled rules of T are internal, the trace
 * does not change by that either, and every stable state stays reachable with its trace:
 * traces and failures are preserved, provided that no move is put off for ever, for which
 * the search expands fully wherever the reduced moves lead to nothing new (Valmari; the
 * component-wise closure is that of systems of communicating processes). */
#include "csp/search.h"

#include <stdlib.h>
#include <string.h>

typedef struct CspReducer {
  const CspMachine *m;
  bool only_internal;
  /* Per component and state: the rules that it offers its part of. */
  uint32_t **first; /* component → state + 1 entries */
  uint32_t **rules; /* component → rules */
  uint32_t *rule_stamp, *component_stamp, *enabled_stamp;
  uint32_t stamp, enabled_round;
  VEC(uint32_t) work;
} CspReducer;

typedef VEC(uint64_t) Uses; /* column above, rule below */

static int compare_uses(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

static void list_offers(CspReducer *r, uint32_t number, Uses *uses) {
  const CspComponent *c = &r->m->components.data[number];
  VEC(uint32_t) rules = {0};
  uint32_t *begin = mem_alloc_zero((c->label_count + 2) * sizeof *begin);
  if (uses->len) qsort(uses->data, uses->len, sizeof *uses->data, compare_uses);
  for (uint32_t k = 0; k < uses->len; k++) begin[(uses->data[k] >> 32) + 1] = k + 1;
  for (uint32_t k = 1; k <= c->label_count; k++)
    if (begin[k] < begin[k - 1]) begin[k] = begin[k - 1];
  r->first[number] = mem_alloc((c->lts->states + 1) * sizeof **r->first);
  for (uint32_t s = 0; s < c->lts->states; s++) {
    r->first[number][s] = rules.len;
    for (uint32_t row = c->row_first[s]; row < c->row_first[s + 1]; row++)
      for (uint32_t k = begin[c->rows[row].column]; k < begin[c->rows[row].column + 1]; k++)
        vec_push(&rules, (uint32_t)uses->data[k]);
  }
  r->first[number][c->lts->states] = rules.len;
  r->rules[number] = rules.data;
  mem_free(begin);
}

CspReducer *csp_reducer_new(const CspMachine *m, bool only_internal) {
  CspReducer *r = mem_alloc_zero(sizeof *r);
  uint32_t n = m->components.len;
  r->m = m;
  r->only_internal = only_internal;
  r->first = mem_alloc_zero((n + 1) * sizeof *r->first);
  r->rules = mem_alloc_zero((n + 1) * sizeof *r->rules);
  r->rule_stamp = mem_alloc_zero((m->rules.len + 1) * sizeof *r->rule_stamp);
  r->enabled_stamp = mem_alloc_zero((m->rules.len + 1) * sizeof *r->enabled_stamp);
  r->component_stamp = mem_alloc_zero((n + 1) * sizeof *r->component_stamp);
  Uses *uses = mem_alloc_zero((n + 1) * sizeof *uses);
  for (uint32_t i = 0; i < m->rules.len; i++)
    for (int k = -1; k < (int)m->fast[i].count; k++)
      vec_push(&uses[m->fast[i].others[k].component],
               (uint64_t)m->fast[i].others[k].label << 32 | i);
  for (uint32_t c = 0; c < n; c++) {
    list_offers(r, c, &uses[c]);
    vec_free(&uses[c]);
  }
  mem_free(uses);
  return r;
}

void csp_reducer_free(CspReducer *r) {
  if (!r) return;
  for (uint32_t c = 0; c < r->m->components.len; c++) {
    mem_free(r->first[c]);
    mem_free(r->rules[c]);
  }
  mem_free(r->first);
  mem_free(r->rules);
  mem_free(r->rule_stamp);
  mem_free(r->enabled_stamp);
  mem_free(r->component_stamp);
  vec_free(&r->work);
  mem_free(r);
}

static void add_rule(CspReducer *r, uint32_t rule) {
  if (r->rule_stamp[rule] == r->stamp) return;
  r->rule_stamp[rule] = r->stamp;
  vec_push(&r->work, rule);
}

static void add_component(CspReducer *r, const CspMoves *moves, uint32_t c) {
  if (r->component_stamp[c] == r->stamp) return;
  r->component_stamp[c] = r->stamp;
  uint32_t s = moves->current[c];
  for (uint32_t k = r->first[c][s]; k < r->first[c][s + 1]; k++)
    add_rule(r, r->rules[c][k]);
}

static bool offers(const CspReducer *r, const CspMoves *moves, const CspFastPart *part) {
  const CspComponent *c = &r->m->components.data[part->component];
  return csp_component_move(c, moves->current[part->component], part->label) != 0;
}

/* Closes the set around `seed`; false as soon as it holds an enabled visible rule that
 * must not be in it. */
static bool close_around(CspReducer *r, const CspMoves *moves, uint32_t seed) {
  r->stamp++;
  vec_clear(&r->work);
  add_rule(r, seed);
  while (r->work.len) {
    uint32_t rule = vec_pop(&r->work);
    const CspFastRule *fast = &r->m->fast[rule];
    if (r->enabled_stamp[rule] == r->enabled_round) {
      if (r->only_internal && fast->event != EVENT_TAU) return false;
      for (int k = -1; k < (int)fast->count; k++)
        add_component(r, moves, fast->others[k].component);
      continue;
    }
    /* A component that is in the set already costs nothing more. */
    const CspFastPart *blocker = NULL;
    for (int k = -1; k < (int)fast->count; k++) {
      const CspFastPart *part = &fast->others[k];
      if (offers(r, moves, part)) continue;
      blocker = part;
      if (r->component_stamp[part->component] == r->stamp) break;
    }
    assert(blocker);
    add_component(r, moves, blocker->component);
  }
  return true;
}

bool csp_reduce(CspReducer *r, const CspMoves *moves, bool *keep) {
  uint32_t best = moves->count, best_seed = UINT32_MAX;
  if (moves->count < 2) return false;
  r->enabled_round++;
  for (uint32_t i = 0; i < moves->count; i++)
    r->enabled_stamp[moves->rules[i]] = r->enabled_round;
  for (uint32_t i = 0; i < moves->count; i++) {
    if (i > 0 && moves->rules[i] == moves->rules[i - 1]) continue;
    if (r->only_internal && moves->events[i] != EVENT_TAU) continue;
    if (!close_around(r, moves, moves->rules[i])) continue;
    uint32_t size = 0;
    for (uint32_t k = 0; k < moves->count; k++)
      size += r->rule_stamp[moves->rules[k]] == r->stamp;
    if (size < best) {
      best = size;
      best_seed = moves->rules[i];
    }
    if (size == 1) break;
  }
  if (best_seed == UINT32_MAX) return false;
  close_around(r, moves, best_seed);
  for (uint32_t k = 0; k < moves->count; k++)
    keep[k] = r->rule_stamp[moves->rules[k]] == r->stamp;
  return true;
}
