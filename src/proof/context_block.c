/* Every way from a listed location to the next ones, and whether the listed steps allow it. See
 * context_internal.h.
 *
 * A thread stands at a stop. Stops are where local states are listed; and in any case where the thread
 * begins, before each step outside of sections that others can notice, where a section begins,
 * and before what may wait. Between two stops nobody else needs to move: all that a thread does there
 * but its first step is seen by nobody, or is inside of a section. So a way from stop to stop is one
 * step of the whole. A way that comes back to a location without a stop is none that is listed.
 *
 * Each way is a formula over the values before it. It is contradictory, or each of its solutions is
 * allowed by a listed step: from the local state, with the values of groups that the step names before
 * and behind, with all other groups as before, to the local state, starting these threads. */
#include "proof/context_internal.h"

#include "base/clock.h"

enum { DEEPEST = 5000, MOST_PATHS = 400000, CHUNK = 48 };

static uint64_t place(uint32_t kind, uint32_t location) {
  return (uint64_t)kind << 32 | location;
}

static uint32_t first_state(const Context *x, uint32_t kind, uint32_t location) {
  return (uint32_t)map_find(&x->first_state, place(kind, location), 0) - 1;
}

/* ---- stops ---- */

static bool must_stop(const Context *x, const Automaton *a, uint32_t location) {
  const AutoLocation *at = vec_at(&a->locations, location);
  if (location == a->start) return true;
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = &a->steps.data[at->first_step + i];
    bool enters = s->to && a->locations.data[s->to].depth > 0;
    if (op_has(program_edge(x->p, s->edge)->op, OP_BLOCKS)) return true;
    if (!at->depth && (s->visible || enters)) return true;
  }
  return false;
}

static bool is_stop(const Context *x, uint32_t location) {
  return first_state(x, x->kind, location) != CONTEXT_ENDED ||
         must_stop(x, x->a, location);
}

/* ---- questions ---- */

static bool is_over(Context *x) {
  if (x->result->why) return true;
  if ((x->q->stop && *x->q->stop) || clock_now() > x->q->deadline)
    context_open(x, "the time was over before the proof was checked");
  return x->result->why;
}

/* True: there is no solution. */
static bool never(Context *x, Term guard, Term bad) {
  Term both[] = {guard, bad};
  if (term_is_false(x->t, guard) || term_is_false(x->t, bad)) return true;
  if (is_over(x)) return false;
  SolveLimit limit = {.deadline = x->q->deadline, .stop = x->q->stop};
  x->result->questions++;
  SolveAnswer answer = solver_check(x->solver, both, 2, &limit);
  if (answer == SOLVE_UNKNOWN) context_open(x, "the solver came to no answer");
  return answer == SOLVE_UNSAT;
}

static uint32_t line_of(const Context *x, EdgeId edge) {
  return x->p->locs.data[program_edge(x->p, edge)->loc].line;
}

/* Values behind, as terms over those before. */
typedef struct {
  Map with;     /* what stands for a value before → the value behind */
  Term *behind; /* by predicate, or 0: not asked for yet */
} After;

static Term behind(Context *x, After *after, uint32_t predicate) {
  Term *made = &after->behind[predicate];
  if (!*made)
    *made = term_substitute(x->t, x->c.predicates.data[predicate].term, &after->with);
  return *made;
}

static Term literals_hold(Context *x, ContextRow row, After *after) {
  Term all = term_bool(x->t, true);
  for (uint32_t i = 0; i < row.count; i++) {
    ContextLiteral l = x->c.literals.data[row.first + i];
    Term is =
        after ? behind(x, after, l.predicate) : x->c.predicates.data[l.predicate].term;
    all = term_and(x->t, all, l.holds ? is : term_not(x->t, is));
  }
  return all;
}

static Term group_is(Context *x, uint32_t group, uint32_t value, After *after) {
  const ContextGroup *g = &x->c.groups.data[group];
  return literals_hold(x, x->c.values.data[g->values.first + value], after);
}

static Term group_stays(Context *x, uint32_t group, After *after) {
  ContextRow row = x->c.groups.data[group].predicates;
  Term all = term_bool(x->t, true);
  for (uint32_t i = 0; i < row.count; i++) {
    uint32_t p = x->c.numbers.data[row.first + i];
    all = term_and(x->t, all,
                   term_eq(x->t, x->c.predicates.data[p].term, behind(x, after, p)));
  }
  return all;
}

static void after_free(After *after) {
  map_free(&after->with);
  mem_free(after->behind);
}

/* ---- the beginning of threads ---- */

/* What the variables of a new thread are; those that nobody knows are as good as new ones, since
 * nothing else is about them. */
static void begin_thread(Context *x, const ContextStart *start, After *ret) {
  const ContextKind *k = &x->c.kinds.data[start->kind];
  const Automaton *a = &x->automata->kinds.data[k->automaton];
  uint32_t frame = a->locations.data[a->start].frame;
  *ret = (After){.behind = mem_alloc_zero((x->c.predicates.len + 1) * sizeof(Term))};
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if ((v->what != IS_LOCAL && v->what != IS_OWN) || v->kind != start->kind) continue;
    Term value = v->what == IS_OWN ? term_const(x->t, v->bits, 0) : 0;
    const AutoVariable *variable = &a->variables.data[v->number];
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
  After after;
  VEC(After) starts; /* by thread that is started */
  Term relation;     /* the guard, and what the values behind are */
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
    all = term_and(x->t, all, group_is(x, t->group, t->before, NULL));
    all = term_and(x->t, all, group_is(x, t->group, t->after, &w->after));
  }
  for (uint32_t g = 0; g < x->c.groups.len; g++)
    if (!touched[g]) all = term_and(x->t, all, group_stays(x, g, &w->after));
  if (w->to)
    all = term_and(x->t, all,
                   literals_hold(x, x->c.states.data[s->to].literals, &w->after));
  for (uint32_t i = 0; i < s->spawns.count; i++) {
    uint32_t state = x->c.numbers.data[s->spawns.first + i];
    all =
        term_and(x->t, all,
                 literals_hold(x, x->c.states.data[state].literals, &w->starts.data[i]));
  }
  return all;
}

static bool no_other(Context *x, Term guard, Term *bad, uint32_t *count, bool last) {
  if (!last && ++*count < CHUNK) return true;
  bool ok = never(x, guard, *bad);
  *bad = term_bool(x->t, false);
  *count = 0;
  return ok;
}

/* Values behind get variables of their own: what follows from how they are computed is for the
 * solver to say, not for the rules by which terms are made. */
static void relate(Way *w) {
  Context *x = w->x;
  w->relation = w->path->guard;
  for (uint32_t i = 0; i < w->path->values.len; i++) {
    const MapEntry *e = &w->path->values.entries[i];
    Term made = (Term)e->value, named = context_any(x, term_bits(x->t, made));
    map_put(&w->after.with, context_now(x, x->kind, e->key), named);
    w->relation = term_and(x->t, w->relation, term_eq(x->t, named, made));
  }
}

/* Every solution of the way, from each local state of the stop, is allowed by some step. */
static void ask(Context *x, const ContextPath *path, uint32_t to, EdgeId edge) {
  Way w = {.x = x, .path = path, .to = to};
  uint8_t *touched = mem_alloc_zero(x->c.groups.len + 1);
  Term bad = term_bool(x->t, false);
  uint32_t count = 0;
  bool ok = true;
  w.after.behind = mem_alloc_zero((x->c.predicates.len + 1) * sizeof(Term));
  relate(&w);
  for (uint32_t i = 0; i < path->starts.len; i++)
    begin_thread(x, &path->starts.data[i], vec_extend(&w.starts, 1));
  if (++x->result->paths > MOST_PATHS) context_open(x, "there are too many ways");
  for (uint32_t s = first_state(x, x->kind, x->entry); s != CONTEXT_ENDED && ok;
       s = x->next_state[s]) {
    Term none = literals_hold(x, x->c.states.data[s].literals, NULL);
    for (uint32_t i = x->first_step[s]; i != CONTEXT_ENDED; i = x->next_step[i])
      none = term_and(x->t, none,
                      term_not(x->t, step_allows(&w, &x->c.steps.data[i], touched)));
    bad = term_or(x->t, bad, none);
    ok = no_other(x, w.relation, &bad, &count, false);
  }
  ok = ok && no_other(x, w.relation, &bad, &count, true);
  if (!ok && x->doubt) context_open(x, x->doubt);
  if (!ok)
    context_reject(
        x, "a step of thread kind %u from location %u to %u is not listed (line %u)",
        x->kind, x->entry, to, line_of(x, edge));
  after_free(&w.after);
  for (uint32_t i = 0; i < w.starts.len; i++) after_free(&w.starts.data[i]);
  vec_free(&w.starts);
  mem_free(touched);
}

void context_event(Context *x, const AutoStep *step, const ContextPath *path,
                   Term condition) {
  bool inside = x->a->locations.data[step->from].depth > 0, ok = true;
  Term guard = term_and(x->t, path->guard, condition), bad = term_bool(x->t, false);
  uint32_t count = 0;
  if (is_over(x) || term_is_false(x->t, guard)) return;
  for (uint32_t s = first_state(x, x->kind, x->entry); s != CONTEXT_ENDED && ok;
       s = x->next_state[s]) {
    Term none = literals_hold(x, x->c.states.data[s].literals, NULL);
    for (uint32_t i = x->first_next[s]; i != CONTEXT_ENDED; i = x->next_next[i]) {
      const ContextNext *n = &x->c.nexts.data[i];
      if (n->edge != step->edge || n->inside != inside) continue;
      Term listed = term_bool(x->t, true);
      for (uint32_t k = 0; k < n->touches.count; k++) {
        const ContextTouch *t = &x->c.touches.data[n->touches.first + k];
        listed = term_and(x->t, listed, group_is(x, t->group, t->before, NULL));
      }
      none = term_and(x->t, none, term_not(x->t, listed));
    }
    bad = term_or(x->t, bad, none);
    ok = no_other(x, guard, &bad, &count, false);
  }
  if (!ok || !no_other(x, guard, &bad, &count, true))
    context_reject(x, "thread kind %u at location %u may come to line %u unlisted",
                   x->kind, x->entry, line_of(x, step->edge));
}

/* ---- walking ---- */

static void walk(Context *x, const ContextPath *path, uint32_t location) {
  const AutoLocation *at = vec_at(&x->a->locations, location);
  if (is_over(x)) return;
  if (x->depth >= DEEPEST) {
    context_open(x, "a way from one stop to the next is too long");
    return;
  }
  x->on_path[location] = 1;
  x->depth++;
  for (uint32_t i = 0; i < at->step_count && !x->result->why; i++)
    context_step(x, path, &x->a->steps.data[at->first_step + i]);
  x->depth--;
  x->on_path[location] = 0;
}

void context_goes(Context *x, ContextPath *path, const AutoStep *step, ContextGoes how) {
  bool can_be = !term_is_false(x->t, path->guard) && !x->result->why;
  if (can_be && how == GOES_STAYS && step->from != x->entry)
    context_reject(x, "a thread waits where it is not listed (line %u)",
                   line_of(x, step->edge));
  else if (can_be && how == GOES_STAYS)
    ask(x, path, x->entry, step->edge);
  else if (can_be && (how == GOES_ENDS || (how == GOES_ON && !step->to)))
    ask(x, path, 0, step->edge);
  else if (can_be && how == GOES_ON && (is_stop(x, step->to) || x->on_path[step->to]))
    ask(x, path, step->to, step->edge);
  else if (can_be && how == GOES_ON)
    walk(x, path, step->to);
  context_path_free(path);
}

/* ---- the beginning ---- */

static Term start_of(Context *x, const ContextVariable *v) {
  if (v->what == IS_MEMORY) return context_initial(x, v->object, v->offset, v->bits / 8);
  return context_ghost_start(x, v);
}

static bool check_groups_begin(Context *x) {
  After start = {.behind = mem_alloc_zero((x->c.predicates.len + 1) * sizeof(Term))};
  bool ok = true;
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what != IS_MEMORY && v->what != IS_SHARED) continue;
    Term value = start_of(x, v);
    map_put(&start.with, v->now, value ? value : context_any(x, v->bits));
  }
  for (uint32_t g = 0; g < x->c.groups.len && ok; g++) {
    ContextRow row = x->c.groups.data[g].initials;
    Term none = term_bool(x->t, true);
    for (uint32_t i = 0; i < row.count; i++)
      none = term_and(
          x->t, none,
          term_not(x->t, group_is(x, g, x->c.numbers.data[row.first + i], &start)));
    ok = never(x, term_bool(x->t, true), none) ||
         context_reject(x, "group %u begins with another value", g);
  }
  after_free(&start);
  return ok;
}

static bool check_main_begins(Context *x) {
  ContextStart main = {0, 0};
  After start;
  const Automaton *a = &x->automata->kinds.data[x->c.kinds.data[0].automaton];
  Term none = term_bool(x->t, true);
  begin_thread(x, &main, &start);
  for (uint32_t i = 0; i < x->c.initials.count; i++) {
    uint32_t state = x->c.numbers.data[x->c.initials.first + i];
    const ContextState *s = &x->c.states.data[state];
    if (s->kind == 0 && s->location == a->start)
      none = term_and(x->t, none, term_not(x->t, literals_hold(x, s->literals, &start)));
  }
  after_free(&start);
  return never(x, term_bool(x->t, true), none) ||
         context_reject(x, "main begins in another local state");
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
    uint64_t *first = map_at(&x->first_state, place(s->kind, s->location));
    x->next_state[i] = (uint32_t)*first - 1;
    *first = i + 1;
    x->first_step[i] = x->first_next[i] = CONTEXT_ENDED;
  }
  for (uint32_t i = x->c.steps.len; i-- > 0;) {
    uint32_t *first = &x->first_step[x->c.steps.data[i].from];
    x->next_step[i] = *first;
    *first = i;
  }
  for (uint32_t i = x->c.nexts.len; i-- > 0;) {
    uint32_t *first = &x->first_next[x->c.nexts.data[i].state];
    x->next_next[i] = *first;
    *first = i;
  }
}

static void find_known(Context *x) {
  for (uint32_t g = 0; g < x->c.groups.len; g++) {
    Term one = term_bool(x->t, false);
    for (uint32_t v = 0; v < x->c.groups.data[g].values.count; v++)
      one = term_or(x->t, one, group_is(x, g, v, NULL));
    solver_assert(x->solver, one);
  }
}

static void check_from(Context *x, uint32_t kind, uint32_t location) {
  ContextPath path = {.guard = term_bool(x->t, true)};
  x->kind = kind;
  x->entry = location;
  x->a = &x->automata->kinds.data[x->c.kinds.data[kind].automaton];
  x->on_path = mem_alloc_zero(x->a->locations.len + 1);
  walk(x, &path, location);
  mem_free(x->on_path);
}

bool context_check_blocks(Context *x) {
  index_lists(x);
  if (!check_groups_begin(x) || !check_main_begins(x)) return false;
  find_known(x);
  for (uint32_t i = 0; i < x->first_state.len && !x->result->why; i++) {
    uint64_t key = x->first_state.entries[i].key;
    check_from(x, (uint32_t)(key >> 32), (uint32_t)key);
  }
  return !x->result->why;
}
