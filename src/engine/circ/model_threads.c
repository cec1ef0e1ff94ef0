/* Threads: starting, waiting for the end of, and ending. See model_internal.h.
 *
 * A thread that is started once has two ghosts: its id, which never changes, and one that says whether
 * it has ended. Which number an id is nobody knows, because programs can look at it; whoever learns
 * of an id learns that it is not 0 and differs from those of others. Ids of threads that may be
 * several are any numbers but these. */
#include "engine/circ/model_internal.h"

/* ---- ids ---- */

/* Of a kind that has one. */
static Term known_id(CircMaker *x, uint32_t kind) {
  if (!x->ids[kind]) {
    const char *name = vec_at(&x->m->kinds, kind)->name;
    CircShared v = {.ghost = true, .which = GHOST_KNOWN, .offset = kind};
    v.name = arena_printf(x->arena, "%s (id)", name);
    x->ids[kind] = circ_shared(x, v, 64) + 1;
  }
  return circ_now(x, x->ids[kind] - 1);
}

static Term id_of(CircMaker *x, uint32_t kind) {
  if (vec_at(&x->m->kinds, kind)->id) return known_id(x, kind);
  Term any = circ_any(x, 64, "thread");
  for (uint32_t i = 0; i < x->m->kinds.len; i++) {
    if (!x->m->kinds.data[i].id) continue;
    Term same = term_eq(x->t, any, known_id(x, i));
    any = term_ite(x->t, same, term_const(x->t, 64, 0), any);
  }
  return any;
}

/* What is sure about the id of this kind. */
static void assume_id(CircMaker *x, CircHere *s, uint32_t kind) {
  if (!vec_at(&x->m->kinds, kind)->id) return;
  Term id = known_id(x, kind);
  circ_assume(x, s, term_not(x->t, term_eq(x->t, id, term_const(x->t, 64, 0))));
  for (uint32_t i = 0; i < x->m->kinds.len; i++)
    if (i != kind && x->m->kinds.data[i].id)
      circ_assume(x, s, term_not(x->t, term_eq(x->t, id, known_id(x, i))));
}

static CircVar ended_of(CircMaker *x, uint32_t kind) {
  if (!x->ended[kind]) {
    const char *name = vec_at(&x->m->kinds, kind)->name;
    CircShared v = {.ghost = true, .which = GHOST_ENDED, .offset = kind};
    v.start = term_bool(x->t, false);
    v.name = arena_printf(x->arena, "%s (ended)", name);
    x->ended[kind] = circ_shared(x, v, 1) + 1;
  }
  return x->ended[kind] - 1;
}

void circ_self(CircMaker *x, CircHere *s, const AutoStep *step) {
  assume_id(x, s, x->number);
  circ_put_local(x, s, step->frame, program_edge(x->p, step->edge)->dst,
                 id_of(x, x->number));
}

/* ---- results ---- */

static void set_result(CircMaker *x, CircHere *s, const AutoStep *step,
                       SyncOutcome outcome, int error) {
  const Edge *e = program_edge(x->p, step->edge);
  if (!e->dst) return;
  uint32_t bits = vec_at(&x->p->locals, e->dst)->bits;
  SyncReturn r = sync_return(x->p, e, outcome, error);
  circ_put_local(x, s, step->frame, e->dst,
                 r.has_value ? term_const(x->t, bits, (uint64_t)r.value)
                             : circ_any(x, bits, "result"));
}

/* ---- creation ---- */

/* The new thread's parameter; numbered as its automaton does until all kinds are made. */
static void start_thread(CircMaker *x, const CircHere *s, const AutoStep *step,
                         uint32_t kind) {
  const Edge *e = program_edge(x->p, step->edge);
  const CircKind *k = vec_at(&x->m->kinds, kind);
  const Automaton *a = vec_at(&x->m->automata->kinds, k->automaton);
  const Function *f = vec_at(&x->p->functions, a->entry);
  CircStart start = {kind, s->guard, x->kind->start_sets.len, 0};
  if (f->param_count > 0) {
    Term argument = e->c ? circ_value(x, s, step->frame, e->c) : term_const(x->t, 64, 0);
    uint32_t bits = vec_at(&x->p->locals, f->first_local)->bits;
    if (e->c && circ_is_number(x, f->first_local) && circ_may_be_address(x, e->c))
      argument = circ_any(x, 64, "address");
    CircSet set = {a->frames.data[a->locations.data[a->start].frame].first_variable,
                   term_fit(x->t, argument, bits)};
    vec_push(&x->kind->start_sets, set);
    start.set_count = 1;
  }
  vec_push(&x->kind->starts, start);
}

typedef struct {
  CircMaker *x;
  bool noticed;
} Notice;

static void notice(void *user, const Touch *t) {
  Notice *n = user;
  n->noticed = n->noticed || automaton_is_shared(n->x->m->automata, t->key);
}

/* Others can see that the id is not yet stored when the thread runs already. */
static bool is_stored_later(CircMaker *x, const AutoStep *step) {
  Notice n = {x, step->asked != 0};
  if (step->from != x->entry || x->a->locations.data[step->from].depth) return false;
  automaton_touches(x->m->automata, step, notice, &n);
  return n.noticed;
}

/* The id is there. */
static void finish_create(CircMaker *x, CircHere *s, const AutoStep *step, Term id) {
  CircPlaces at;
  circ_places(x, s, step, &at);
  if (step->asked) circ_event(x, step, s->guard);
  circ_spoil(x, s, step, &at);
  circ_store(x, s, &at, id);
  set_result(x, s, step, RESULT_OK, 0);
}

/* The ways on: one for each function that may be started, and one where none is: whoever does
 * not look at the result takes it for granted. */
void circ_create(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  bool later = is_stored_later(x, step);
  CircHere half = {0};
  VEC(CircHere) ways = {0};
  VEC(uint32_t) kinds = {0};
  if (later) {
    CircVar v = circ_half(x);
    Term is = circ_get(x, s, v);
    circ_here_copy(s, &half);
    circ_assume(x, &half, is);
    circ_put(x, &half, v, term_bool(x->t, false));
    circ_assume(x, s, term_not(x->t, is));
  }
  for (uint32_t i = 0; i < x->m->kinds.len + 1; i++) {
    bool fails = i == x->m->kinds.len;
    if (fails ? !e->dst : x->m->kinds.data[i].site != step->edge) continue;
    vec_push(&kinds, i);
    circ_here_copy(s, vec_extend(&ways, 1));
  }
  circ_here_choose(x, ways.data, ways.len);
  circ_here_free(s);
  for (uint32_t i = 0; i < ways.len; i++) {
    CircHere *way = &ways.data[i];
    if (kinds.data[i] == x->m->kinds.len) {
      set_result(x, way, step, RESULT_ERROR, 0);
      circ_here_merge(x, s, way);
      continue;
    }
    assume_id(x, way, kinds.data[i]);
    start_thread(x, way, step, kinds.data[i]);
    if (!later) {
      finish_create(x, way, step, id_of(x, kinds.data[i]));
      circ_here_merge(x, s, way);
      continue;
    }
    circ_put(x, way, circ_half(x), term_bool(x->t, true));
    if (x->stay)
      circ_here_merge(x, &x->leaves[LEAVES_STAYS], way);
    else
      circ_here_free(way);
  }
  if (later) {
    uint32_t n = kinds.len - (e->dst != 0);
    Term id = n == 1 ? id_of(x, kinds.data[0]) : circ_any(x, 64, "thread");
    finish_create(x, &half, step, id);
    circ_here_merge(x, s, &half);
  }
  vec_free(&ways);
  vec_free(&kinds);
}

/* ---- the end ---- */

/* Every thread whose id this is has ended. */
static Term has_ended(CircMaker *x, const CircHere *s, Term id) {
  Term all = term_bool(x->t, true);
  for (uint32_t k = 0; k < x->m->kinds.len; k++) {
    if (!x->m->kinds.data[k].id) continue;
    Term is = term_eq(x->t, id, known_id(x, k));
    if (term_is_false(x->t, is)) continue;
    Term ended = circ_get(x, s, ended_of(x, k));
    all = term_and(x->t, all, term_implies(x->t, is, ended));
  }
  return all;
}

static Term is_own(CircMaker *x, Term id) {
  return x->kind->id ? term_eq(x->t, id, known_id(x, x->number)) : term_bool(x->t, false);
}

/* It names no thread, or one of those whose ids are not followed, or the thread itself. */
static Term may_fail(CircMaker *x, Term id) {
  Term all = term_bool(x->t, true);
  for (uint32_t k = 0; k < x->m->kinds.len; k++) {
    if (!x->m->kinds.data[k].id || k == x->number) continue;
    all = term_and(x->t, all, term_not(x->t, term_eq(x->t, id, known_id(x, k))));
  }
  return all;
}

/* Where nobody looks at the result, a failure is the same as going on; but who waits for himself
 * never gets there. */
void circ_join(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  Term id = term_fit(x->t, circ_value(x, s, step->frame, e->a), 64);
  CircHere ways[3];
  uint32_t n = 1;
  circ_here_copy(s, &ways[0]);
  circ_assume(x, &ways[0], has_ended(x, s, id));
  if (step->asked && !e->c) circ_event(x, step, ways[0].guard);
  circ_spoil(x, &ways[0], step, NULL);
  set_result(x, &ways[0], step, RESULT_OK, 0);
  Term fails = e->dst ? may_fail(x, id) : is_own(x, id);
  if (!term_is_false(x->t, fails)) {
    circ_here_copy(s, &ways[n]);
    circ_assume(x, &ways[n], fails);
    if (e->dst)
      circ_put_local(x, &ways[n], step->frame, e->dst,
                     circ_any(x, vec_at(&x->p->locals, e->dst)->bits, "result"));
    n++;
  }
  if (e->attempt != ATTEMPT_BLOCK) {
    circ_here_copy(s, &ways[n]);
    set_result(x, &ways[n], step, RESULT_BUSY, 0);
    if (e->attempt == ATTEMPT_TIMED && e->dst) /* its time is over, or is none */
      circ_put_local(x, &ways[n], step->frame, e->dst,
                     circ_any(x, vec_at(&x->p->locals, e->dst)->bits, "result"));
    n++;
  }
  circ_here_free(s);
  *s = circ_here_join(x, ways, n);
}

/* Whoever leaves for good has not done what he should do once: it is as if he had not begun. */
static void leave_onces(CircMaker *x, CircHere *s, const AutoStep *step) {
  uint32_t frame = vec_at(&x->a->locations, step->from)->frame;
  for (; frame; frame = vec_at(&x->a->frames, frame)->up) {
    EdgeId call = vec_at(&x->a->frames, frame)->call;
    if (call && program_edge(x->p, call)->op == OP_ONCE)
      circ_once_left(x, s, program_edge(x->p, call));
  }
}

void circ_end(CircMaker *x, CircHere *s, const AutoStep *step) {
  leave_onces(x, s, step);
  if (x->kind->id && x->joins)
    circ_put(x, s, ended_of(x, x->number), term_bool(x->t, true));
}
