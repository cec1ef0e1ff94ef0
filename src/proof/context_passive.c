/* Threads that look on while another moves. See context_internal.h.
 *
 * A local state may be about shared variables, too. A step of another thread that changes them must say
 * what becomes of the threads in that state (it shakes them), or it must stay true of them. A local state
 * may stand for one of several others: from it there is a silent step to each of them, so a thread
 * there can do what they can. */
#include "proof/context_internal.h"

/* ---- local states that stand for others ---- */

static bool is_silent(const ContextStep *s, uint32_t from, uint32_t to) {
  return s->from == from && s->to == to && !s->touches.count && !s->spawns.count &&
         !s->shakes.count;
}

static bool has_silent(const Context *x, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < x->c.steps.len; i++)
    if (is_silent(&x->c.steps.data[i], from, to)) return true;
  return false;
}

/* It comes to what each of its members comes to. */
static void add_nexts(Context *x, uint32_t state, uint32_t member) {
  uint32_t count = x->c.nexts.len;
  for (uint32_t i = 0; i < count; i++) {
    ContextNext n = x->c.nexts.data[i];
    if (n.state != member) continue;
    n.state = state;
    vec_push(&x->c.nexts, n);
  }
}

bool context_check_members(Context *x) {
  for (uint32_t s = 0; s < x->c.states.len; s++) {
    ContextRow row = x->c.states.data[s].members;
    if (row.count && x->c.states.data[s].atomic)
      return context_reject(x, "local state %u stands for others inside of a section", s);
    for (uint32_t i = 0; i < row.count; i++) {
      uint32_t member = x->c.numbers.data[row.first + i];
      if (!has_silent(x, s, member))
        return context_reject(x, "local state %u does not lead to what it stands for", s);
      add_nexts(x, s, member);
    }
  }
  return true;
}

/* ---- what steps make of them ---- */

/* Names for the variables of a thread of the kind that does not move. */
static ContextAfter *passive_of(Context *x, uint32_t kind) {
  if (!x->passive) x->passive = mem_alloc_zero((x->c.kinds.len + 1) * sizeof *x->passive);
  ContextAfter *p = &x->passive[kind];
  if (p->behind) return p;
  context_after_new(x, p);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    bool own = v->what == IS_LOCAL || v->what == IS_OWN;
    if (own && v->kind == kind) map_put(&p->with, v->now, context_any(x, v->bits));
  }
  return p;
}

/* The same thread behind the step: its own variables are as before. */
static void passive_behind(Context *x, uint32_t kind, const ContextAfter *after,
                           ContextAfter *ret) {
  const ContextAfter *before = passive_of(x, kind);
  context_after_new(x, ret);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    bool own = v->what == IS_LOCAL || v->what == IS_OWN;
    uint64_t value =
        map_find(own && v->kind == kind ? &before->with : &after->with, v->now, 0);
    if (value && (!own || v->kind == kind)) map_put(&ret->with, v->now, value);
  }
}

static uint32_t shaken_to(const Context *x, const ContextStep *s, uint32_t state) {
  for (uint32_t i = 0; i < s->shakes.count; i++) {
    const ContextShake *k = &x->c.shakes.data[s->shakes.first + i];
    if (k->from == state) return k->to;
  }
  return state;
}

static bool is_mixed(const Context *x, uint32_t state) {
  const ContextState *s = &x->c.states.data[state];
  for (uint32_t i = 0; i < s->literals.count; i++)
    if (x->c.predicates.data[x->c.literals.data[s->literals.first + i].predicate].shared)
      return true;
  for (uint32_t i = 0; i < s->members.count; i++)
    if (is_mixed(x, x->c.numbers.data[s->members.first + i])) return true;
  return false;
}

/* A thread in an atomic local state does not look on: nobody else moves. */
static bool looks_on(const Context *x, uint32_t state) {
  const ContextState *s = &x->c.states.data[state];
  return !s->atomic && !(s->kind == x->kind && x->c.kinds.data[x->kind].once);
}

Term context_passive_wrong(Context *x, uint32_t step, Term allowed,
                           const ContextAfter *after) {
  const ContextStep *s = &x->c.steps.data[step];
  Term wrong = term_bool(x->t, false), nowhere = wrong;
  for (uint32_t kind = 0; kind < x->c.kinds.len; kind++) {
    ContextAfter *before = passive_of(x, kind), behind;
    Term both = context_count_of_two(x, x->kind, kind, &before->with);
    passive_behind(x, kind, after, &behind);
    for (uint32_t i = 0; i < x->c.states.len; i++) {
      uint32_t to = shaken_to(x, s, i);
      if (x->c.states.data[i].kind != kind || !looks_on(x, i)) continue;
      if (to == i && !is_mixed(x, i)) continue;
      if (to != CONTEXT_ENDED &&
          (x->c.states.data[to].kind != kind ||
           x->c.states.data[to].location != x->c.states.data[i].location)) {
        context_reject(x, "step %u takes other threads elsewhere", step);
        continue;
      }
      Term was = term_and(x->t, context_state_holds(x, i, before), both);
      Term is = to == CONTEXT_ENDED ? nowhere : context_state_holds(x, to, &behind);
      wrong = term_or(x->t, wrong, term_and(x->t, was, term_not(x->t, is)));
    }
    context_after_free(&behind);
  }
  return term_and(x->t, allowed, wrong);
}
