/* One step of a thread. See model_internal.h. */
#include "engine/circ/model_internal.h"

#include "engine/terms.h"

/* ---- assignments ---- */

static Term set_value(CircMaker *x, const CircHere *s, const AutoStep *step,
                      const AutoSet *set, uint32_t bits) {
  switch ((AutoSetKind)set->kind) {
  case SET_ANY: break;
  case SET_EXPR: return circ_value(x, s, set->frame, set->expr);
  case SET_VARIABLE: return circ_get(x, s, circ_local(x, set->source));
  case SET_NUMBER: return term_const(x->t, bits, (uint64_t)set->number);
  }
  Term any = circ_any(x, bits, "any");
  if (program_edge(x->p, step->edge)->op == OP_HAVOC && step->kind == STEP_SET)
    vec_push(&x->kind->inputs, ((CircInput){step->edge, s->guard, any}));
  return any;
}

/* Those of one step happen at the same time. */
static void do_sets(CircMaker *x, CircHere *s, const AutoStep *step) {
  VEC(Term) values = {0};
  for (uint32_t i = 0; i < step->set_count; i++) {
    const AutoSet *set = vec_at(&x->a->sets, step->first_set + i);
    uint32_t bits = vec_at(&x->a->variables, set->variable)->bits;
    vec_push(&values, set_value(x, s, step, set, bits));
  }
  for (uint32_t i = 0; i < step->set_count; i++) {
    const AutoSet *set = vec_at(&x->a->sets, step->first_set + i);
    circ_put(x, s, circ_local(x, set->variable), values.data[i]);
  }
  vec_free(&values);
}

/* ---- accesses ---- */

static void step_load(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  CircPlaces at;
  if (!e->dst) return;
  circ_places(x, s, step, &at);
  circ_put_local(x, s, step->frame, e->dst, circ_load(x, s, &at, e->size));
}

static void step_store(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  CircPlaces at;
  circ_places(x, s, step, &at);
  Term value = at.count ? circ_value(x, s, step->frame, e->b) : 0;
  circ_spoil(x, s, step, &at);
  if (value) circ_store(x, s, &at, value);
}

static bool holds_address(const CircPlaces *at) {
  for (uint32_t i = 0; i < at->count; i++)
    if (at->list[i].cell->address) return true;
  return false;
}

/* The old value, and a new one in one step. */
static void step_update(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  Terms *t = x->t;
  CircPlaces at;
  circ_places(x, s, step, &at);
  Term old = circ_load(x, s, &at, e->size), stores = term_bool(t, true), stored;
  Term b = term_fit(t, circ_value(x, s, step->frame, e->b), e->size * 8);
  if (e->op == OP_CMPXCHG) {
    stores = circ_is_open(x, &at, e->b) ? circ_any(x, 1, "address") : term_eq(t, old, b);
    stored = term_fit(t, circ_value(x, s, step->frame, e->c), e->size * 8);
    if (e->flags & EDGE_WEAK) stores = term_and(t, stores, circ_any(x, 1, "weak"));
  } else {
    bool address = e->aux != RMW_XCHG && holds_address(&at);
    stored = address ? 0 : terms_update(t, (RmwKind)e->aux, old, b);
    if (!stored) stored = circ_any(x, e->size * 8, "update");
  }
  circ_spoil(x, s, step, &at);
  circ_store(x, s, &at, term_ite(t, stores, stored, old));
  circ_put_local(x, s, step->frame, e->dst, old);
  circ_put_local(x, s, step->frame, e->dst2, stores);
}

/* What it writes, and its results, are any value. */
static void step_vague(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  circ_spoil(x, s, step, NULL);
  LocalId dst[] = {e->dst, e->dst2};
  for (int i = 0; i < 2; i++)
    if (dst[i])
      circ_put_local(x, s, step->frame, dst[i],
                     circ_any(x, vec_at(&x->p->locals, dst[i])->bits, "result"));
}

/* ---- control ---- */

static void step_assert(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  Term holds = circ_value(x, s, step->frame, e->a);
  if (step->asked) circ_event(x, step, term_and(x->t, s->guard, term_not(x->t, holds)));
  circ_assume(x, s, holds);
}

static void step_goto(CircMaker *x, CircHere *s, const AutoStep *step, const Edge *e) {
  const Expr *address = program_expr(x->p, e->a);
  if (address->kind == EXPR_LABEL)
    circ_assume(x, s, term_bool(x->t, address->data == e->aux));
  (void)step; /* otherwise any label that it may be */
}

static void step_edge(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_FENCE:
  case OPS_SECTION: break;
  case OP_ASSUME: circ_assume(x, s, circ_value(x, s, step->frame, e->a)); break;
  case OP_GOTO: step_goto(x, s, step, e); break;
  case OP_LOAD: step_load(x, s, step, e); break;
  case OP_STORE: step_store(x, s, step, e); break;
  case OP_RMW:
  case OP_CMPXCHG: step_update(x, s, step, e); break;
  case OP_ASSERT: step_assert(x, s, step, e); break;
  case OP_UNREACHABLE: break; /* nothing follows */
  case OPS_BULK: circ_bulk(x, s, step); break;
  case OP_CREATE: circ_create(x, s, step); break;
  case OP_JOIN: circ_join(x, s, step); break;
  case OP_SELF: circ_self(x, s, step); break;
  case OPS_SET: /* these are STEP_SET, STEP_ENTER, STEP_LEAVE, STEP_END */
  case OP_CALL:
  case OP_RETURN:
  case OP_EXIT_THREAD:
  case OP_EXIT:
  case OPS_STACK:
  case OPS_VA:
  case OPS_CANCEL: step_vague(x, s, step, e); break;
  case OP_DETACH:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER: circ_sync(x, s, step); break;
  }
}

/* Accesses that happen at the end of an operation, which may have to wait before. */
static bool accesses_late(const Edge *e) {
  return e->op == OP_ASSERT || e->op == OP_CREATE || (e->op == OP_JOIN && !e->c);
}

static void leave(CircMaker *x, CircHere *s, const AutoStep *step) {
  const AutoLocation *from = vec_at(&x->a->locations, step->from);
  EdgeId call = vec_at(&x->a->frames, from->frame)->call;
  if (call && program_edge(x->p, call)->op == OP_ONCE && step->to)
    circ_once_returns(x, s, program_edge(x->p, call));
  do_sets(x, s, step);
}

void circ_step(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  if (step->visible) vec_push(&x->kind->visits, ((CircVisit){step->edge, s->guard}));
  if (step->asked && !(step->kind == STEP_EDGE && accesses_late(e)))
    circ_access(x, s, step);
  switch ((AutoStepKind)step->kind) {
  case STEP_EDGE: step_edge(x, s, step); break;
  case STEP_SET: do_sets(x, s, step); break;
  case STEP_LEAVE: leave(x, s, step); break;
  case STEP_ENTER:
    if (e->op == OP_ONCE) circ_sync(x, s, step);
    circ_spoil(x, s, step, NULL);
    do_sets(x, s, step);
    break;
  case STEP_OVER:
  case STEP_LIBRARY:
    circ_spoil(x, s, step, NULL);
    do_sets(x, s, step);
    circ_heap(x, s, step);
    break;
  case STEP_END: circ_end(x, s, step); break;
  }
}
