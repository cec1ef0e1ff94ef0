/* Chasing: internal rules that are followed at once, in every state.
 *
 * In: a machine some of whose internal rules belong to a chased operand. Out: states in
 * which none of them is possible any more. So the states of the operand are never listed;
 * only those are met that the rest of the machine leads to.
 *
 * A rule can become possible only when one of its components moves, so that after a move
 * only the chased rules of the moved components are looked at, and then those of the
 * components that these move. Where several rules or targets are possible the first one
 * is taken; what the others lead to is lost.
 *
 * Invariant: a state that was settled has no chased rule, unless they go round for ever.
 * Then the state where the circle was noticed stays as it is, its chased rules are moves
 * like others, and whoever asks sees that it diverges. */
#include "csp/machine_chase.h"

#include "csp/pool.h"

#include <string.h>

struct CspChase {
  uint32_t *first; /* per component, into rules */
  uint32_t *rules; /* the chased rules that the component has a part in */
};

/* What one thread needs. */
struct CspChaser {
  const CspMachine *m;
  uint32_t *current; /* state per component */
  uint32_t *queue;   /* components whose rules are to be looked at */
  bool *queued;
  uint32_t head, count;
  uint32_t *marker; /* a state met before, to notice circles */
};

/* ---- the index --------------------------------------------------------------------- */

void csp_chase_finish(CspMachine *m) {
  uint32_t n = m->components.len, parts = 0;
  for (uint32_t r = 0; r < m->rules.len; r++)
    if (m->rules.data[r].chased) parts += m->rules.data[r].count;
  if (!parts) return;
  CspChase *chase = m->chase = mem_alloc_zero(sizeof *chase);
  chase->first = mem_alloc_zero((n + 2) * sizeof *chase->first);
  chase->rules = mem_alloc(parts * sizeof *chase->rules);
  for (uint32_t r = 0; r < m->rules.len; r++)
    for (uint32_t k = 0; m->rules.data[r].chased && k < m->rules.data[r].count; k++)
      chase->first[m->rules.data[r].parts[k].component + 2]++;
  for (uint32_t i = 0; i < n; i++) chase->first[i + 2] += chase->first[i + 1];
  for (uint32_t r = 0; r < m->rules.len; r++)
    for (uint32_t k = 0; m->rules.data[r].chased && k < m->rules.data[r].count; k++)
      chase->rules[chase->first[m->rules.data[r].parts[k].component + 1]++] = r;
}

void csp_chase_free(CspChase *chase) {
  if (!chase) return;
  mem_free(chase->first);
  mem_free(chase->rules);
  mem_free(chase);
}

CspChaser *csp_chaser_new(const CspMachine *m) {
  CspChaser *c = csp_lines_new(sizeof *c);
  uint32_t n = m->components.len + 1;
  c->m = m;
  c->current = csp_lines_new(n * sizeof *c->current);
  c->marker = csp_lines_new(n * sizeof *c->marker);
  c->queue = csp_lines_new(n * sizeof *c->queue);
  c->queued = csp_lines_new(n * sizeof *c->queued);
  return c;
}

void csp_chaser_free(CspChaser *c) {
  if (!c) return;
  csp_lines_free(c->current);
  csp_lines_free(c->marker);
  csp_lines_free(c->queue);
  csp_lines_free(c->queued);
  csp_lines_free(c);
}

/* ---- settling ---------------------------------------------------------------------- */

static void look_at(CspChaser *c, uint32_t component) {
  uint32_t n = c->m->components.len;
  if (c->queued[component]) return;
  c->queued[component] = true;
  c->queue[(c->head + c->count++) % n] = component;
}

static uint32_t move_of(const CspChaser *c, const CspFastPart *part) {
  return csp_component_move(&c->m->components.data[part->component],
                            c->current[part->component], part->label);
}

static bool fire_first(CspChaser *c, uint32_t r) {
  const CspMachine *m = c->m;
  const CspFastRule *rule = &m->fast[r];
  for (int k = -1; k < (int)rule->count; k++)
    if (!move_of(c, &rule->others[k])) return false;
  for (int k = -1; k < (int)rule->count; k++) {
    uint32_t component = rule->others[k].component, move = move_of(c, &rule->others[k]);
    uint32_t to = move & MOVE_MANY ? m->targets[(move & ~MOVE_MANY) + 1] : move - 1;
    c->current[component] = to;
    look_at(c, component);
  }
  return true;
}

/* Follows chased rules until nothing is left to look at; false: they go in a circle. */
static bool run(CspChaser *c, CspRuleVec *taken) {
  const CspChase *chase = c->m->chase;
  uint32_t n = c->m->components.len;
  uint64_t steps = 0, power = 64;
  memcpy(c->marker, c->current, n * sizeof *c->marker);
  while (c->count) {
    uint32_t component = c->queue[c->head];
    c->head = (c->head + 1) % n;
    c->count--;
    c->queued[component] = false;
    for (uint32_t k = chase->first[component]; k < chase->first[component + 1]; k++) {
      if (!fire_first(c, chase->rules[k])) continue;
      if (taken) vec_push(taken, chase->rules[k]);
      if (memcmp(c->marker, c->current, n * sizeof *c->marker) == 0) return false;
      if (++steps == power) {
        memcpy(c->marker, c->current, n * sizeof *c->marker);
        power *= 2;
      }
      k--; /* it may be possible once more */
    }
  }
  return true;
}

void csp_chase_settle(CspChaser *c, uint64_t *state, uint32_t rule, CspRuleVec *taken) {
  const CspMachine *m = c->m;
  uint32_t n = m->components.len;
  csp_machine_unpack(m, state, c->current);
  if (rule == UINT32_MAX)
    for (uint32_t i = 0; i < n; i++) look_at(c, i);
  else
    for (int k = -1; k < (int)m->fast[rule].count; k++)
      look_at(c, m->fast[rule].others[k].component);
  if (!run(c, taken)) {
    while (c->count) {
      c->queued[c->queue[c->head]] = false;
      c->head = (c->head + 1) % n;
      c->count--;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const CspComponent *component = &m->components.data[i];
    uint64_t *word = &state[component->word];
    *word = (*word & ~(component->mask << component->shift)) | (uint64_t)c->current[i]
                                                                   << component->shift;
  }
}

void csp_chase_start(const CspMachine *m, CspRuleVec *taken) {
  CspChaser *chaser = csp_chaser_new(m);
  uint64_t *state = mem_alloc_zero(m->words * sizeof *state);
  csp_chase_settle(chaser, state, UINT32_MAX, taken);
  mem_free(state);
  csp_chaser_free(chaser);
}
