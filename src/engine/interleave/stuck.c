/* See stuck.h.
 *
 * Hope spreads backwards. A thread that does not wait for an event has it (what it waits
 * for else is the business of stuck_circle), and so has every thread where the program
 * can end. A thread that waits has it if some step leads to a state where it has it. Of a
 * state in which only one thread was moved (partial-order reduction) nothing is known but
 * its steps; its threads have the hope that they have behind them. */
#include "engine/interleave/stuck.h"

#include <string.h>

void stuck_free(StuckGraph *g) {
  vec_free(&g->states);
  vec_free(&g->steps);
}

void stuck_add_state(StuckGraph *g) {
  vec_push(&g->states, (StuckState){0});
}

void stuck_settle(StuckGraph *g, uint32_t state, uint64_t waiting, EdgeId edge) {
  StuckState *s = vec_at(&g->states, state);
  s->settled = true;
  s->waiting = waiting;
  s->hopeful |= ~waiting;
  s->edge = edge;
}

void stuck_add_end(StuckGraph *g, uint32_t state) {
  vec_at(&g->states, state)->hopeful = UINT64_MAX;
}

void stuck_add_step(StuckGraph *g, uint32_t from, uint32_t to, uint64_t kept) {
  if (from != to) vec_push(&g->steps, (StuckStep){from, to, kept});
}

/* The set of threads of `to`, as threads of `from`. Those that are gone need no hope. */
static uint64_t map_back(uint64_t set, uint64_t kept) {
  if (!(kept & (kept + 1))) return set | ~kept;
  uint64_t mapped = ~kept;
  for (unsigned i = 0; kept; kept &= kept - 1, i++)
    if (set >> i & 1) mapped |= kept & ~(kept - 1);
  return mapped;
}

/* For each state the steps into it: first[s] … first[s + 1]. */
static uint32_t *sort_steps(const StuckGraph *g, uint64_t *first) {
  uint32_t *order = mem_alloc((g->steps.len + UINT64_C(1)) * sizeof *order);
  for (uint32_t i = 0; i < g->steps.len; i++) first[g->steps.data[i].to + 1]++;
  for (uint32_t s = 0; s < g->states.len; s++) first[s + 1] += first[s];
  uint64_t *at = mem_alloc((g->states.len + UINT64_C(1)) * sizeof *at);
  memcpy(at, first, (g->states.len + UINT64_C(1)) * sizeof *at);
  for (uint32_t i = 0; i < g->steps.len; i++) order[at[g->steps.data[i].to]++] = i;
  mem_free(at);
  return order;
}

static void spread(StuckGraph *g) {
  uint64_t *first = mem_alloc_zero((g->states.len + UINT64_C(2)) * sizeof *first);
  uint32_t *order = sort_steps(g, first);
  VEC(uint32_t) work = {0};
  for (uint32_t s = 0; s < g->states.len; s++)
    if (g->states.data[s].hopeful) vec_push(&work, s);
  while (work.len) {
    uint32_t to = vec_pop(&work);
    for (uint64_t i = first[to]; i < first[to + 1]; i++) {
      const StuckStep *step = &g->steps.data[order[i]];
      StuckState *from = &g->states.data[step->from];
      uint64_t hopeful = from->hopeful | map_back(g->states.data[to].hopeful, step->kept);
      if (hopeful == from->hopeful) continue;
      from->hopeful = hopeful;
      vec_push(&work, step->from);
    }
  }
  vec_free(&work);
  mem_free(order);
  mem_free(first);
}

bool stuck_has_hope(StuckGraph *g, EdgeId *ret_edge, uint32_t *ret_state) {
  spread(g);
  for (uint32_t i = 0; i < g->states.len; i++) {
    const StuckState *s = &g->states.data[i];
    if (!s->settled || !(s->waiting & ~s->hopeful)) continue;
    *ret_edge = s->edge;
    *ret_state = i;
    return false;
  }
  return true;
}

uint64_t stuck_circle(const Wait waits[IL_MAX_THREADS], uint64_t ended) {
  uint64_t circle = 0;
  for (uint32_t t = 0; t < IL_MAX_THREADS; t++)
    if (waits[t].holders || waits[t].gone) circle |= UINT64_C(1) << t;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t set = circle; set; set &= set - 1) {
      uint32_t t = (uint32_t)__builtin_ctzll(set);
      if (waits[t].gone || (waits[t].holders & (circle | ended))) continue;
      circle &= ~(UINT64_C(1) << t);
      changed = true;
    }
  }
  return circle;
}
