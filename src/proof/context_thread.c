/* Threads: which kinds there are, starting them, waiting for their end. See context_internal.h.
 *
 * A kind is what one CREATE starts with one function. The thread of a kind that is started once has
 * an id that never changes, and a ghost that says whether it has ended; ids of others are any numbers
 * but these. Once is started what the model says is created at most once. */
#include "proof/context_internal.h"

/* ---- kinds ---- */

static bool is_created_once(const Program *p, EdgeId site) {
  bool found = !site;
  for (uint32_t i = 1; i < p->templates.len; i++) {
    if (p->templates.data[i].site != site) continue;
    if (p->templates.data[i].multiplicity != MULTIPLICITY_ONE) return false;
    found = true;
  }
  return found;
}

static bool find_kind(const Context *x, EdgeId site, FuncId entry) {
  for (uint32_t i = 0; i < x->c.kinds.len; i++)
    if (x->c.kinds.data[i].site == site && x->c.kinds.data[i].entry == entry) return true;
  return false;
}

/* Each CREATE that may run has a kind for each function that it may start. */
static bool check_creates(Context *x) {
  for (EdgeId e = 1; e < x->p->edges.len; e++) {
    const Edge *edge = program_edge(x->p, e);
    const FuncId *entries;
    if (edge->op != OP_CREATE ||
        !pointsto_is_reachable(x->pt, x->p->nodes.data[edge->from].function))
      continue;
    if (pointsto_calls_unknown(x->pt, e))
      return context_reject(x, "an unknown function is started");
    uint32_t n = pointsto_callees(x->pt, e, &entries);
    for (uint32_t i = 0; i < n; i++)
      if (!find_kind(x, e, entries[i]))
        return context_reject(x, "a thread that edge %u starts is missing", e);
  }
  return true;
}

bool context_check_kinds(Context *x) {
  const Automata *all = x->automata;
  for (uint32_t i = 0; i < x->c.kinds.len; i++) {
    ContextKind *k = &x->c.kinds.data[i];
    uint32_t found = UINT32_MAX;
    if (!k->site && i) return context_reject(x, "there are two main threads");
    for (uint32_t n = 0; n < all->kinds.len; n++) {
      const Automaton *a = &all->kinds.data[n];
      if (!a->site == !k->site && a->entry == k->entry) found = n;
    }
    if (found == UINT32_MAX) return context_reject(x, "kind %u is none", i);
    k->automaton = found;
    for (uint32_t n = 0; n < i; n++)
      if (x->c.kinds.data[n].site == k->site && x->c.kinds.data[n].entry == k->entry)
        return context_reject(x, "kind %u is there twice", i);
    if (k->once && !is_created_once(x->p, k->site))
      return context_open(x,
                          "whether a thread is there twice is not seen by the checker");
  }
  return check_creates(x);
}

/* Which number it is nobody knows: programs can look at its bits. */
static Term known_id(Context *x, uint32_t kind) {
  return context_now(x, kind, KEY_ID | kind);
}

/* It is not 0, and no other's. */
static Term is_id(Context *x, Term id, uint32_t kind) {
  Terms *t = x->t;
  Term all = term_not(t, term_eq(t, id, term_const(t, 64, 0)));
  for (uint32_t i = 0; i < x->c.kinds.len; i++)
    if (x->c.kinds.data[i].once && i != kind)
      all = term_and(t, all, term_not(t, term_eq(t, id, known_id(x, i))));
  return all;
}

/* What is started once has one id, whether it is started or not. */
void context_assume_ids(Context *x) {
  for (uint32_t i = 0; i < x->c.kinds.len; i++)
    if (x->c.kinds.data[i].once) solver_assert(x->solver, is_id(x, known_id(x, i), i));
}

Term context_id(Context *x, ContextPath *path, uint32_t kind) {
  if (x->c.kinds.data[kind].once) return known_id(x, kind);
  Term id = context_any(x, 64);
  context_assume(x, path, is_id(x, id, kind));
  return id;
}

static void set_result(Context *x, ContextPath *path, const AutoStep *step,
                       SyncOutcome outcome, bool any) {
  const Edge *e = program_edge(x->p, step->edge);
  if (!e->dst) return;
  uint32_t bits = vec_at(&x->p->locals, e->dst)->bits;
  SyncReturn r = sync_return(x->p, e, outcome, 0);
  context_put_local(x, path, step->frame, e->dst,
                    r.has_value && !any ? term_const(x->t, bits, (uint64_t)r.value)
                                        : context_any(x, bits));
}

/* ---- creation ---- */

typedef struct {
  const Context *x;
  bool noticed;
} Notice;

static void notice(void *user, const Touch *t) {
  Notice *n = user;
  n->noticed = n->noticed || automaton_is_shared(n->x->automata, t->key);
}

/* Others may see that the new thread runs before its id is stored: two steps. */
static bool is_stored_later(const Context *x, const AutoStep *step) {
  Notice n = {x, step->asked != 0};
  if (step->from != x->entry || x->a->locations.data[step->from].depth) return false;
  automaton_touches(x->automata, step, notice, &n);
  return n.noticed;
}

static void store_id(Context *x, ContextPath *path, const AutoStep *step, Term id) {
  ContextPlaces at;
  context_places(x, path, step, &at);
  if (step->asked) context_event(x, step, path, term_bool(x->t, true));
  context_spoil(x, path, step, &at);
  context_store(x, path, &at, id);
  set_result(x, path, step, RESULT_OK, false);
  context_goes(x, path, step, GOES_ON);
}

static void start(Context *x, ContextPath *path, const AutoStep *step, uint32_t kind) {
  const Edge *e = program_edge(x->p, step->edge);
  const Function *f = vec_at(&x->p->functions, x->c.kinds.data[kind].entry);
  ContextStart s = {kind, 0};
  if (f->param_count) {
    Term argument =
        e->c ? context_value(x, path, step->frame, e->c) : term_const(x->t, 64, 0);
    s.parameter = term_fit(x->t, argument, vec_at(&x->p->locals, f->first_local)->bits);
  }
  vec_push(&path->starts, s);
}

void context_create(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  bool later = is_stored_later(x, step);
  Term is = later ? context_get(x, path, KEY_HALF) : 0;
  uint32_t kinds = 0, last = 0;
  ContextPath way;
  for (uint32_t k = 0; k < x->c.kinds.len; k++) {
    if (x->c.kinds.data[k].site != step->edge) continue;
    kinds++, last = k;
    context_path_copy(path, &way);
    start(x, &way, step, k);
    if (!later) {
      store_id(x, &way, step, context_id(x, &way, k));
      continue;
    }
    context_assume(x, &way, term_not(x->t, is));
    context_put(x, &way, KEY_HALF, term_bool(x->t, true));
    context_goes(x, &way, step, GOES_STAYS);
  }
  if (e->dst) { /* there may be no room for one more; who does not look relies on it */
    context_path_copy(path, &way);
    if (later) context_assume(x, &way, term_not(x->t, is));
    set_result(x, &way, step, RESULT_ERROR, false);
    context_goes(x, &way, step, GOES_ON);
  }
  if (!later) return;
  context_path_copy(path, &way);
  context_assume(x, &way, is);
  context_put(x, &way, KEY_HALF, term_bool(x->t, false));
  store_id(x, &way, step, kinds == 1 ? context_id(x, &way, last) : context_any(x, 64));
}

/* ---- the end of others ---- */

void context_join(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  Terms *t = x->t;
  Term id = term_fit(t, context_value(x, path, step->frame, e->a), 64);
  Term ended = term_bool(t, true), unknown = term_bool(t, true);
  for (uint32_t k = 0; k < x->c.kinds.len; k++) {
    if (!x->c.kinds.data[k].once) continue;
    Term is = term_eq(t, id, known_id(x, k));
    if (term_is_false(t, is)) continue;
    ended = term_and(t, ended, term_implies(t, is, context_get(x, path, KEY_ENDED | k)));
    if (k != x->kind) unknown = term_and(t, unknown, term_not(t, is));
  }
  ContextPath way;
  context_path_copy(path, &way);
  context_assume(x, &way, ended);
  if (step->asked && !e->c) context_event(x, step, &way, term_bool(t, true));
  context_spoil(x, &way, step, NULL);
  set_result(x, &way, step, RESULT_OK, false);
  context_goes(x, &way, step, GOES_ON);
  /* it names no thread, or one whose id is not known, or the thread itself */
  context_path_copy(path, &way);
  context_assume(x, &way, unknown);
  set_result(x, &way, step, RESULT_ERROR, true);
  context_goes(x, &way, step, GOES_ON);
  if (e->attempt == ATTEMPT_BLOCK) return;
  context_path_copy(path, &way);
  set_result(x, &way, step, RESULT_BUSY, e->attempt == ATTEMPT_TIMED);
  context_goes(x, &way, step, GOES_ON);
}
