/* Every way from a listed location to the next ones, and whether the listed steps allow it. See
 * context_internal.h.
 *
 * A thread stands at a stop. Stops are where local states are listed; and in any case where the thread
 * begins, before each step outside of sections that others can notice, where a section begins,
 * before what may wait, and before what may end the thread in the middle of a way (an assumption).
 * Between two stops nobody else needs to move: all that a thread does there but its first step is seen
 * by nobody, or is inside of a section. So a way from stop to stop is one step of the whole. A way that
 * comes back to a location without a stop is none that is listed.
 *
 * Each way is a formula over the values before it. It is contradictory, or each of its solutions is
 * allowed by a listed step: from the local state, with the values of groups that the step names before
 * and behind, with all other groups as before, to the local state, starting these threads. */
#include "proof/modular.h"

#include <assert.h>

enum { DEEPEST = 5000 };

static uint64_t place(uint32_t kind, uint32_t location) {
  return (uint64_t)kind << 32 | location;
}

uint32_t context_first_state(const Context *x, uint32_t kind, uint32_t location) {
  return (uint32_t)map_find(&x->first_state, place(kind, location), 0) - 1;
}

/* ---- stops ---- */

/* The only step from there has a condition: if it is not met, what was done before has happened all the same. */
static bool has_one_way(const Context *x, const Automaton *a, uint32_t location) {
  const AutoLocation *at = vec_at(&a->locations, location);
  if (at->step_count != 1) return false;
  const Edge *e = program_edge(x->p, a->steps.data[at->first_step].edge);
  bool conditional = e->op == OP_ASSUME || e->op == OP_ASSERT;
  return conditional && !(program_expr(x->p, e->a)->kind == EXPR_CONST &&
                          program_expr(x->p, e->a)->value);
}

static bool must_stop(const Context *x, const Automaton *a, uint32_t location) {
  const AutoLocation *at = vec_at(&a->locations, location);
  if (location == a->start || (!at->depth && has_one_way(x, a, location))) return true;
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = &a->steps.data[at->first_step + i];
    bool enters = s->to && a->locations.data[s->to].depth > 0;
    if (op_has(program_edge(x->p, s->edge)->op, OP_BLOCKS)) return true;
    if (!at->depth && (s->visible || enters)) return true;
  }
  return false;
}

static bool is_stop(const Context *x, uint32_t location) {
  return context_first_state(x, x->kind, location) != CONTEXT_ENDED ||
         must_stop(x, x->a, location);
}

/* ---- walking ---- */

static void walk(Context *x, const ContextPath *path, uint32_t location) {
  const AutoLocation *at = vec_at(&x->a->locations, location);
  if (context_is_over(x)) return;
  if (x->depth >= DEEPEST) {
    context_open(x, "a way from one stop to the next is too long");
    return;
  }
  assert(!x->on_path[location]); /* where a way comes back to it stops */
  x->on_path[location] = 1;
  x->depth++;
  for (uint32_t i = 0; i < at->step_count && !x->result->why; i++)
    context_step(x, path, &x->a->steps.data[at->first_step + i]);
  x->depth--;
  x->on_path[location] = 0;
}

static void ask(Context *x, const ContextPath *path, uint32_t to, EdgeId edge) {
  if (x->modular)
    modular_way(x, path, to, edge);
  else
    context_ask(x, path, to, edge);
}

void context_goes(Context *x, ContextPath *path, const AutoStep *step, ContextGoes how) {
  bool can_be = !term_is_false(x->t, path->guard) && !x->result->why;
  bool ends = how == GOES_ENDS || (how == GOES_ON && !step->to);
  bool stops = how == GOES_STAYS || ends ||
               (how == GOES_ON && (is_stop(x, step->to) || x->on_path[step->to]));
  if (can_be && stops) context_count(x, path, ends, step->edge);
  if (can_be && how == GOES_STAYS && step->from != x->entry)
    context_reject(x, "a thread waits where it is not listed (line %u)",
                   context_line(x, step->edge));
  else if (can_be && how == GOES_STAYS)
    ask(x, path, x->entry, step->edge);
  else if (can_be && ends)
    ask(x, path, 0, step->edge);
  else if (can_be && how == GOES_ON && stops)
    ask(x, path, step->to, step->edge);
  else if (can_be && how == GOES_ON)
    walk(x, path, step->to);
  context_path_free(path);
}

/* ---- all of it ---- */

static void index_lists(Context *x) {
  uint32_t n = x->c.states.len;
  x->next_state = mem_alloc((n + 1) * sizeof(uint32_t));
  x->first_step = mem_alloc((n + 1) * sizeof(uint32_t));
  x->first_next = mem_alloc((n + 1) * sizeof(uint32_t));
  x->next_step = mem_alloc((x->c.steps.len + 1) * sizeof(uint32_t));
  x->next_next = mem_alloc((x->c.nexts.len + 1) * sizeof(uint32_t));
  for (uint32_t i = n; i-- > 0;) {
    const ContextState *s = &x->c.states.data[i];
    if (!s->members.count) { /* who stands for others moves as one of them */
      uint64_t *first = map_at(&x->first_state, place(s->kind, s->location));
      x->next_state[i] = (uint32_t)*first - 1;
      *first = i + 1;
    }
    x->first_step[i] = x->first_next[i] = CONTEXT_ENDED;
  }
  for (uint32_t i = x->c.steps.len; i-- > 0;) {
    assert(x->c.steps.data[i].from < n);
    uint32_t *first = &x->first_step[x->c.steps.data[i].from];
    x->next_step[i] = *first;
    *first = i;
  }
  for (uint32_t i = x->c.nexts.len; i-- > 0;) {
    assert(x->c.nexts.data[i].state < n);
    uint32_t *first = &x->first_next[x->c.nexts.data[i].state];
    x->next_next[i] = *first;
    *first = i;
  }
}

static void check_from(Context *x, uint32_t kind, uint32_t location) {
  ContextPath path = {.guard = term_bool(x->t, true)};
  x->kind = kind;
  x->entry = location;
  x->a = &x->automata->kinds.data[x->c.kinds.data[kind].automaton];
  x->on_path = mem_alloc_zero(x->a->locations.len + 1);
  walk(x, &path, location);
  assert(!x->depth);
  mem_free(x->on_path);
}

bool context_check_blocks(Context *x) {
  if (!context_check_members(x)) return false;
  index_lists(x);
  context_index_apart(x);
  if (!context_check_counters(x)) return false;
  if (x->modular && x->counters.len)
    return context_reject(x, "an invariant about tuples counts no threads");
  if (x->modular ? !modular_check_begin(x) : !context_check_begin(x)) return false;
  context_assume_known(x);
  context_assume_ids(x);
  for (uint32_t i = 0; i < x->first_state.len && !x->result->why; i++) {
    uint64_t key = x->first_state.entries[i].key;
    check_from(x, (uint32_t)(key >> 32), (uint32_t)key);
  }
  return !x->result->why && context_check_apart(x);
}
