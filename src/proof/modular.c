/* The questions about a modular proof. See modular.h. */
#include "proof/modular.h"

#include <assert.h>

static bool is_own(const ContextVariable *v) {
  return v->what == IS_LOCAL || v->what == IS_OWN;
}

/* Others do not move while a thread is there: it is inside of a section, and does not wait. */
static bool is_atomic(const Context *x, ModularPlace at) {
  const Automaton *a = &x->automata->kinds.data[x->c.kinds.data[at.kind].automaton];
  const AutoLocation *location = &a->locations.data[at.location];
  if (!location->depth || at.location == a->start) return false;
  for (uint32_t i = 0; i < location->step_count; i++) {
    EdgeId edge = a->steps.data[location->first_step + i].edge;
    if (op_has(program_edge(x->p, edge)->op, OP_BLOCKS)) return false;
  }
  return true;
}

/* ---- threads ---- */

static Term *values_new(const Context *x) {
  return mem_alloc_zero((x->c.variables.len + 1) * sizeof(Term));
}

/* What `with` makes of the variables of a kind, or of shared ones (UINT32_MAX). */
static Term *values_of(const Context *x, uint32_t kind, const Map *with) {
  Term *values = values_new(x);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (kind == UINT32_MAX ? !is_own(v) : is_own(v) && v->kind == kind)
      values[i] = (Term)map_find(with, v->now, 0);
  }
  return values;
}

static Term bystander_variable(Context *x, uint32_t number, uint32_t variable) {
  uint64_t *known = map_at(&x->modular->of_bystander, (uint64_t)number << 32 | variable);
  if (!*known) *known = context_any(x, x->c.variables.data[variable].bits);
  return (Term)*known;
}

static ModularThread bystander(Context *x, uint32_t number, ModularPlace at) {
  ModularThread t = {.at = at, .values = values_new(x), .bystander = true};
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (is_own(v) && v->kind == at.kind) t.values[i] = bystander_variable(x, number, i);
  }
  return t;
}

static ModularPlace start_of(const Context *x, uint32_t kind) {
  return (ModularPlace){kind,
                        x->automata->kinds.data[x->c.kinds.data[kind].automaton].start};
}

/* ---- one way ---- */

typedef struct {
  Context *x;
  EdgeId edge;
  Term relation;
  Term *shared; /* behind the way */
  bool writes;  /* some of them */
  /* Before: the one that moves, then bystanders. Behind: bystanders, then who goes on and who was started. */
  ModularThread before[MODULAR_LEVELS + 1], moved[MODULAR_THREADS];
  uint32_t moved_count;
  bool wrong;
} Way;

static void ask(Way *w, uint32_t bystanders) {
  Context *x = w->x;
  ModularThread behind[MODULAR_LEVELS + MODULAR_THREADS];
  Map known = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < bystanders; i++) behind[n++] = w->before[i + 1];
  for (uint32_t i = 0; i < w->moved_count; i++) behind[n++] = w->moved[i];
  Term before = modular_known(x, w->before, bystanders + 1, &known);
  Term after = modular_demanded(x, behind, n, w->shared, &known, w->writes);
  Term guard = term_and(x->t, w->relation, before);
  if (!context_never(x, guard, term_not(x->t, after))) w->wrong = true;
  map_free(&known);
}

static bool may_look_on(const Way *w, ModularPlace at, uint32_t bystanders) {
  if (is_atomic(w->x, at)) return false;
  for (uint32_t i = 0; i <= bystanders && w->x->c.kinds.data[at.kind].once; i++)
    if (w->before[i].at.kind == at.kind) return false;
  return true;
}

/* Beside every choice of bystanders, in ascending order. */
static void ask_beside(Way *w, uint32_t bystanders, uint32_t first_place) {
  const Modular *m = w->x->modular;
  assert(bystanders <= m->level && m->level <= MODULAR_LEVELS);
  ask(w, bystanders);
  if (bystanders == m->level || (bystanders + 1 == m->level && !w->writes)) return;
  for (uint32_t i = first_place; i < m->places.len && !w->wrong; i++) {
    if (!may_look_on(w, m->places.data[i], bystanders)) continue;
    ModularThread *t = &w->before[bystanders + 1];
    *t = bystander(w->x, bystanders, m->places.data[i]);
    ask_beside(w, bystanders + 1, i);
    mem_free(t->values);
  }
}

/* Values behind get variables of their own, for the solver and not the rules of terms to reason about. */
static void name_behind(Context *x, const ContextPath *path, Map *ret_with,
                        Term *ret_relation) {
  *ret_relation = path->guard;
  for (uint32_t i = 0; i < path->values.len; i++) {
    const MapEntry *e = &path->values.entries[i];
    Term made = (Term)e->value, now = context_now(x, x->kind, e->key);
    if (made == now) continue;
    Term named = context_any(x, term_bits(x->t, made));
    map_put(ret_with, now, named);
    *ret_relation = term_and(x->t, *ret_relation, term_eq(x->t, named, made));
  }
}

static bool add_started(Way *w, const ContextStart *start, const Map *with) {
  Context *x = w->x;
  ContextAfter begun;
  if (w->moved_count == MODULAR_THREADS)
    return context_open(x, "a way starts too many threads");
  context_begin_thread(x, start, with, &begun);
  w->moved[w->moved_count++] = (ModularThread){
      .at = start_of(x, start->kind), .values = values_of(x, start->kind, &begun.with)};
  context_after_free(&begun);
  return true;
}

void modular_way(Context *x, const ContextPath *path, uint32_t to, EdgeId edge) {
  enum { MOST_WAYS = 400000 };
  Way w = {.x = x, .edge = edge};
  Map with = {0};
  bool fits = true;
  if (++x->result->paths > MOST_WAYS) context_open(x, "there are too many ways");
  name_behind(x, path, &with, &w.relation);
  w.shared = values_of(x, UINT32_MAX, &with);
  for (uint32_t i = 0; i < x->c.variables.len; i++) w.writes = w.writes || w.shared[i];
  w.before[0].at = (ModularPlace){x->kind, x->entry};
  if (to)
    w.moved[w.moved_count++] =
        (ModularThread){.at = {x->kind, to}, .values = values_of(x, x->kind, &with)};
  for (uint32_t i = 0; i < path->starts.len && fits; i++)
    fits = add_started(&w, &path->starts.data[i], &with);
  if (fits && !context_is_over(x)) ask_beside(&w, 0, 0);
  if (w.wrong && x->doubt) context_open(x, x->doubt);
  if (w.wrong)
    context_reject(x,
                   "a step of thread kind %u from location %u to %u does not keep the "
                   "invariant (line %u)",
                   x->kind, x->entry, to, context_line(x, edge));
  for (uint32_t i = 0; i < w.moved_count; i++) mem_free(w.moved[i].values);
  mem_free(w.shared);
  map_free(&with);
}

/* ---- the beginning ---- */

bool modular_check_begin(Context *x) {
  ContextAfter shared, begun;
  ContextStart main = {0, 0};
  Map known = {0};
  context_begin_shared(x, &shared);
  context_begin_thread(x, &main, &shared.with, &begun);
  Term *values = values_of(x, UINT32_MAX, &shared.with);
  ModularThread thread = {.at = start_of(x, 0), .values = values_of(x, 0, &begun.with)};
  Term holds = modular_demanded(x, &thread, 1, values, &known, true);
  bool ok = context_never(x, term_bool(x->t, true), term_not(x->t, holds)) ||
            context_reject(x, "the invariant does not hold in the beginning");
  mem_free(thread.values);
  mem_free(values);
  context_after_free(&shared);
  context_after_free(&begun);
  return ok;
}

/* ---- errors ---- */

void modular_event(Context *x, const AutoStep *step, const ContextPath *path,
                   Term condition) {
  Term guard = term_and(x->t, path->guard, condition);
  bool inside = x->a->locations.data[step->from].depth > 0;
  if (term_is_false(x->t, guard)) return;
  vec_push(&x->modular->events,
           ((ModularEvent){{x->kind, x->entry}, step->edge, inside, guard}));
}

typedef struct {
  Context *x;
  uint32_t kind;
  Map shared; /* variables that all threads see */
  Map with;
} Other;

/* What only one thread sees is another thread's own. */
static void rename_variable(void *user, Term variable) {
  Other *o = user;
  Context *x = o->x;
  if (map_find(&o->shared, variable, 0)) return;
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (!is_own(v) || v->kind != o->kind || v->now != variable) continue;
    map_put(&o->with, variable, bystander_variable(x, 0, i));
    return;
  }
  map_put(&o->with, variable, context_any(x, term_bits(x->t, variable)));
}

static Term of_other(Context *x, Term guard, uint32_t kind) {
  Other o = {.x = x, .kind = kind};
  Map seen = {0};
  for (uint32_t i = 0; i < x->shared_now.len; i++)
    map_put(&o.shared, x->shared_now.entries[i].value, 1);
  term_variables(x->t, guard, &seen, rename_variable, &o);
  Term made = term_substitute(x->t, guard, &o.with);
  map_free(&seen);
  map_free(&o.with);
  map_free(&o.shared);
  return made;
}

static bool never_both(Context *x, const ModularEvent *a, const ModularEvent *b) {
  ModularThread threads[2] = {{.at = a->at}, bystander(x, 0, b->at)};
  Term known = modular_known(x, threads, 2, NULL);
  Term both = term_and(x->t, a->guard, of_other(x, b->guard, b->at.kind));
  bool ok = context_never(x, both, known);
  mem_free(threads[1].values);
  return ok;
}

static bool is_apart(const Context *x, const ModularEvent *a, const ModularEvent *b) {
  return (a->inside && b->inside) ||
         (a->at.kind == b->at.kind && x->c.kinds.data[a->at.kind].once) ||
         !context_conflict(x, a->edge, b->edge);
}

bool modular_check_errors(Context *x) {
  const Modular *m = x->modular;
  for (uint32_t i = 0; i < m->events.len && !context_is_over(x); i++) {
    ModularEvent a = m->events.data[i];
    ModularThread alone = {.at = a.at};
    bool ok = true;
    if (x->c.about == ABOUT_ASSERTION)
      ok = context_never(x, a.guard, modular_known(x, &alone, 1, NULL));
    for (uint32_t k = i; k < m->events.len && ok && x->c.about == ABOUT_RACE; k++) {
      ModularEvent b = m->events.data[k];
      ok = is_apart(x, &a, &b) || never_both(x, &a, &b);
    }
    if (!ok && x->doubt) context_open(x, x->doubt);
    if (!ok)
      context_reject(x, "the invariant does not exclude an error at line %u",
                     context_line(x, a.edge));
  }
  return !x->result->why;
}
