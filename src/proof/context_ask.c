/* The questions to the solver about ways from stop to stop. See context_block.c. */
#include "proof/modular.h"

#include "base/clock.h"

#include <assert.h>

enum { MOST_PATHS = 400000, CHUNK = 48 };

/* ---- questions ---- */

bool context_is_over(Context *x) {
  if (x->result->why) return true;
  if ((x->q->stop && *x->q->stop) || clock_now() > x->q->deadline)
    context_open(x, "the time was over before the proof was checked");
  return x->result->why;
}

bool context_never(Context *x, Term guard, Term bad) {
  Term both[] = {guard, bad};
  if (term_is_false(x->t, guard) || term_is_false(x->t, bad)) return true;
  if (context_is_over(x)) return false;
  SolveLimit limit = {.deadline = x->q->deadline, .stop = x->q->stop};
  x->result->questions++;
  SolveAnswer answer = solver_check(x->solver, both, 2, &limit);
  if (answer == SOLVE_UNKNOWN) context_open(x, "the solver came to no answer");
  return answer == SOLVE_UNSAT;
}

uint32_t context_line(const Context *x, EdgeId edge) {
  return x->p->locs.data[program_edge(x->p, edge)->loc].line;
}

static Term behind(Context *x, ContextAfter *after, uint32_t predicate) {
  assert(predicate < x->c.predicates.len);
  Term *made = &after->behind[predicate];
  if (!*made)
    *made = term_substitute(x->t, x->c.predicates.data[predicate].term, &after->with);
  return *made;
}

static Term literals_hold(Context *x, ContextRow row, ContextAfter *after) {
  Term all = term_bool(x->t, true);
  for (uint32_t i = 0; i < row.count; i++) {
    ContextLiteral l = x->c.literals.data[row.first + i];
    Term is =
        after ? behind(x, after, l.predicate) : x->c.predicates.data[l.predicate].term;
    all = term_and(x->t, all, l.holds ? is : term_not(x->t, is));
  }
  return all;
}

Term context_group_is(Context *x, uint32_t group, uint32_t value, ContextAfter *after) {
  const ContextGroup *g = &x->c.groups.data[group];
  assert(value < g->values.count);
  return literals_hold(x, x->c.values.data[g->values.first + value], after);
}

static Term group_stays(Context *x, uint32_t group, ContextAfter *after) {
  ContextRow row = x->c.groups.data[group].predicates;
  Term all = term_bool(x->t, true);
  for (uint32_t i = 0; i < row.count; i++) {
    uint32_t p = x->c.numbers.data[row.first + i];
    all = term_and(x->t, all,
                   term_eq(x->t, x->c.predicates.data[p].term, behind(x, after, p)));
  }
  return all;
}

Term context_state_holds(Context *x, uint32_t state, ContextAfter *after) {
  const ContextState *s = &x->c.states.data[state];
  if (!s->members.count) return literals_hold(x, s->literals, after);
  Term one = term_bool(x->t, false);
  for (uint32_t i = 0; i < s->members.count; i++)
    one = term_or(x->t, one,
                  context_state_holds(x, x->c.numbers.data[s->members.first + i], after));
  return one;
}

void context_after_new(Context *x, ContextAfter *ret) {
  *ret =
      (ContextAfter){.behind = mem_alloc_zero((x->c.predicates.len + 1) * sizeof(Term))};
}

void context_after_free(ContextAfter *after) {
  map_free(&after->with);
  mem_free(after->behind);
}

/* ---- the beginning of threads ---- */

/* What the variables of a new thread are; those that nobody knows are as good as new ones, since
 * nothing else is about them. */
void context_begin_thread(Context *x, const ContextStart *start, const Map *shared,
                          ContextAfter *ret) {
  const ContextKind *k = &x->c.kinds.data[start->kind];
  const Automaton *a = &x->automata->kinds.data[k->automaton];
  uint32_t frame = a->locations.data[a->start].frame;
  context_after_new(x, ret);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    uint64_t known = map_find(shared, v->now, 0);
    if ((v->what == IS_MEMORY || v->what == IS_SHARED) && known)
      map_put(&ret->with, v->now, known);
    if ((v->what != IS_LOCAL && v->what != IS_OWN) || v->kind != start->kind) continue;
    uint32_t begin = v->ghost == CONTEXT_COUNTS ? v->number : 0;
    Term value = v->what == IS_OWN ? term_const(x->t, v->bits, begin) : 0;
    const AutoVariable *variable = &a->variables.data[v->number];
    assert(v->what != IS_LOCAL || v->number < a->variables.len);
    if (v->what == IS_LOCAL && v->number == a->frames.data[frame].first_variable &&
        start->parameter)
      value = start->parameter;
    else if (v->what == IS_LOCAL && variable->object && !variable->frame)
      value = context_initial(x, variable->object, variable->offset, v->bits / 8);
    map_put(&ret->with, v->now, value ? value : context_any(x, v->bits));
  }
}

/* ---- one way ---- */

typedef struct {
  Context *x;
  const ContextPath *path;
  uint32_t to; /* location; 0: the thread ends */
  ContextAfter after;
  VEC(ContextAfter) starts; /* by thread that is started */
  Term relation;            /* the guard, and what the values behind are */
} Way;

static bool leads_there(const Way *w, const ContextStep *s) {
  Context *x = w->x;
  if ((s->to == CONTEXT_ENDED) != (w->to == 0)) return false;
  if (w->to && (x->c.states.data[s->to].location != w->to ||
                x->c.states.data[s->to].kind != x->kind))
    return false;
  if (s->spawns.count != w->path->starts.len) return false;
  for (uint32_t i = 0; i < s->spawns.count; i++) {
    uint32_t kind = w->path->starts.data[i].kind;
    const ContextState *y = &x->c.states.data[x->c.numbers.data[s->spawns.first + i]];
    uint32_t automaton = x->c.kinds.data[kind].automaton;
    if (y->kind != kind || y->location != x->automata->kinds.data[automaton].start)
      return false;
  }
  return true;
}

static Term step_allows(Way *w, const ContextStep *s, uint8_t *touched) {
  Context *x = w->x;
  Term all = term_bool(x->t, true);
  if (!leads_there(w, s)) return term_bool(x->t, false);
  memset(touched, 0, x->c.groups.len);
  for (uint32_t i = 0; i < s->touches.count; i++) {
    const ContextTouch *t = &x->c.touches.data[s->touches.first + i];
    touched[t->group] = 1;
    all = term_and(x->t, all, context_group_is(x, t->group, t->before, NULL));
    all = term_and(x->t, all, context_group_is(x, t->group, t->after, &w->after));
  }
  for (uint32_t g = 0; g < x->c.groups.len; g++)
    if (!touched[g]) all = term_and(x->t, all, group_stays(x, g, &w->after));
  if (w->to) all = term_and(x->t, all, context_state_holds(x, s->to, &w->after));
  for (uint32_t i = 0; i < s->spawns.count; i++) {
    uint32_t state = x->c.numbers.data[s->spawns.first + i];
    all = term_and(x->t, all, context_state_holds(x, state, &w->starts.data[i]));
  }
  return all;
}

static bool no_other(Context *x, Term guard, Term *bad, uint32_t *count, bool last) {
  if (!last && ++*count < CHUNK) return true;
  bool ok = context_never(x, guard, *bad);
  *bad = term_bool(x->t, false);
  *count = 0;
  return ok;
}

/* Values behind get variables of their own: what follows from how they are computed is for the
 * solver to say, not for the rules by which terms are made. */
static void relate(Way *w) {
  Context *x = w->x;
  w->relation = term_and(x->t, w->path->guard, context_count_of(x, x->kind));
  for (uint32_t i = 0; i < w->path->values.len; i++) {
    const MapEntry *e = &w->path->values.entries[i];
    Term made = (Term)e->value, named = context_any(x, term_bits(x->t, made));
    assert(term_bits(x->t, context_now(x, x->kind, e->key)) == term_bits(x->t, made));
    map_put(&w->after.with, context_now(x, x->kind, e->key), named);
    w->relation = term_and(x->t, w->relation, term_eq(x->t, named, made));
  }
}

void context_ask(Context *x, const ContextPath *path, uint32_t to, EdgeId edge) {
  Way w = {.x = x, .path = path, .to = to};
  uint8_t *touched = mem_alloc_zero(x->c.groups.len + 1);
  Term bad = term_bool(x->t, false);
  uint32_t count = 0;
  bool ok = true;
  context_after_new(x, &w.after);
  relate(&w);
  for (uint32_t i = 0; i < path->starts.len; i++)
    context_begin_thread(x, &path->starts.data[i], &w.after.with,
                         vec_extend(&w.starts, 1));
  assert(w.starts.len == path->starts.len);
  if (++x->result->paths > MOST_PATHS) context_open(x, "there are too many ways");
  for (uint32_t s = context_first_state(x, x->kind, x->entry); s != CONTEXT_ENDED && ok;
       s = x->next_state[s]) {
    Term here = literals_hold(x, x->c.states.data[s].literals, NULL);
    here = term_and(x->t, here, term_not(x->t, context_excluded(x, s)));
    Term none = here;
    for (uint32_t i = x->first_step[s]; i != CONTEXT_ENDED; i = x->next_step[i]) {
      Term allowed = step_allows(&w, &x->c.steps.data[i], touched);
      none = term_and(x->t, none, term_not(x->t, allowed));
      if (!x->mixed || term_is_false(x->t, allowed)) continue;
      Term both = term_and(x->t, here, allowed);
      bad = term_or(x->t, bad, context_passive_wrong(x, i, both, &w.after));
    }
    bad = term_or(x->t, bad, none);
    ok = no_other(x, w.relation, &bad, &count, false);
  }
  ok = ok && no_other(x, w.relation, &bad, &count, true);
  if (!ok && x->doubt) context_open(x, x->doubt);
  if (!ok)
    context_reject(
        x, "a step of thread kind %u from location %u to %u is not listed (line %u)",
        x->kind, x->entry, to, context_line(x, edge));
  context_after_free(&w.after);
  for (uint32_t i = 0; i < w.starts.len; i++) context_after_free(&w.starts.data[i]);
  vec_free(&w.starts);
  mem_free(touched);
}

void context_event(Context *x, const AutoStep *step, const ContextPath *path,
                   Term condition) {
  bool inside = x->a->locations.data[step->from].depth > 0, ok = true;
  uint32_t size = 0;
  Term address = context_access_address(x, step, path, &size);
  condition = term_and(x->t, condition, context_in_question(x, step, address, size));
  Term guard = term_and(x->t, path->guard, condition), bad = term_bool(x->t, false);
  guard = term_and(x->t, guard, context_count_of(x, x->kind));
  uint32_t count = 0;
  if (context_is_over(x) || term_is_false(x->t, guard)) return;
  if (x->modular) {
    modular_event(x, step, path, condition);
    return;
  }
  for (uint32_t s = context_first_state(x, x->kind, x->entry); s != CONTEXT_ENDED && ok;
       s = x->next_state[s]) {
    Term none = literals_hold(x, x->c.states.data[s].literals, NULL);
    for (uint32_t i = x->first_next[s]; i != CONTEXT_ENDED; i = x->next_next[i]) {
      const ContextNext *n = &x->c.nexts.data[i];
      if (n->breaks || n->edge != step->edge || n->inside != inside) continue;
      context_note_access(x, i, step, path, guard);
      Term listed = term_bool(x->t, true);
      for (uint32_t k = 0; k < n->touches.count; k++) {
        const ContextTouch *t = &x->c.touches.data[n->touches.first + k];
        listed = term_and(x->t, listed, context_group_is(x, t->group, t->before, NULL));
      }
      none = term_and(x->t, none, term_not(x->t, listed));
    }
    bad = term_or(x->t, bad, none);
    ok = no_other(x, guard, &bad, &count, false);
  }
  ok = ok && no_other(x, guard, &bad, &count, true);
  if (!ok && x->doubt) context_open(x, x->doubt);
  if (!ok)
    context_reject(x, "thread kind %u at location %u may come to line %u unlisted",
                   x->kind, x->entry, context_line(x, step->edge));
}

/* ---- the beginning ---- */

static Term start_of(Context *x, const ContextVariable *v) {
  if (v->what == IS_MEMORY) return context_memory_start(x, v);
  return context_ghost_start(x, v);
}

void context_begin_shared(Context *x, ContextAfter *ret) {
  context_after_new(x, ret);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what != IS_MEMORY && v->what != IS_SHARED) continue;
    Term value = start_of(x, v);
    map_put(&ret->with, v->now, value ? value : context_any(x, v->bits));
  }
}

static bool check_groups_begin(Context *x, ContextAfter *start) {
  bool ok = true;
  for (uint32_t g = 0; g < x->c.groups.len && ok; g++) {
    ContextRow row = x->c.groups.data[g].initials;
    Term none = term_bool(x->t, true);
    for (uint32_t i = 0; i < row.count; i++)
      none = term_and(x->t, none,
                      term_not(x->t, context_group_is(
                                         x, g, x->c.numbers.data[row.first + i], start)));
    ok = context_never(x, term_bool(x->t, true), none) ||
         context_reject(x, "group %u begins with another value", g);
  }
  return ok;
}

static bool check_main_begins(Context *x, const ContextAfter *shared) {
  ContextStart main = {0, 0};
  ContextAfter start;
  const Automaton *a = &x->automata->kinds.data[x->c.kinds.data[0].automaton];
  Term none = term_bool(x->t, true);
  context_begin_thread(x, &main, &shared->with, &start);
  for (uint32_t i = 0; i < x->c.initials.count; i++) {
    uint32_t state = x->c.numbers.data[x->c.initials.first + i];
    const ContextState *s = &x->c.states.data[state];
    if (s->kind == 0 && s->location == a->start)
      none = term_and(x->t, none, term_not(x->t, context_state_holds(x, state, &start)));
  }
  context_after_free(&start);
  return context_never(x, term_bool(x->t, true), none) ||
         context_reject(x, "main begins in another local state");
}

void context_assume_known(Context *x) {
  for (uint32_t g = 0; g < x->c.groups.len; g++) {
    Term one = term_bool(x->t, false);
    for (uint32_t v = 0; v < x->c.groups.data[g].values.count; v++)
      one = term_or(x->t, one, context_group_is(x, g, v, NULL));
    solver_assert(x->solver, one);
  }
}

bool context_check_begin(Context *x) {
  ContextAfter shared;
  context_begin_shared(x, &shared);
  bool ok = check_groups_begin(x, &shared) && check_main_begins(x, &shared);
  context_after_free(&shared);
  return ok;
}
