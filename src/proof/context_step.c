/* One step of a thread on a path: all ways on. See context_internal.h. */
#include "proof/context_internal.h"

/* ---- assignments ---- */

static Term set_value(Context *x, const ContextPath *path, const AutoSet *set) {
  uint32_t bits = vec_at(&x->a->variables, set->variable)->bits;
  switch ((AutoSetKind)set->kind) {
  case SET_ANY: break;
  case SET_EXPR: return context_value(x, path, set->frame, set->expr);
  case SET_VARIABLE: return context_get(x, path, KEY_LOCAL | set->source);
  case SET_NUMBER: return term_const(x->t, bits, (uint64_t)set->number);
  }
  return context_any(x, bits);
}

/* All at the same time. */
static void do_sets(Context *x, ContextPath *path, const AutoStep *step) {
  VEC(Term) values = {0};
  for (uint32_t i = 0; i < step->set_count; i++)
    vec_push(&values, set_value(x, path, vec_at(&x->a->sets, step->first_set + i)));
  for (uint32_t i = 0; i < step->set_count; i++)
    context_put(x, path, KEY_LOCAL | x->a->sets.data[step->first_set + i].variable,
                values.data[i]);
  vec_free(&values);
}

/* ---- memory ---- */

static Term updated(Terms *t, RmwKind kind, Term old, Term by) {
  Term less_s = term_slt(t, old, by), less_u = term_ult(t, old, by);
  switch (kind) {
  case RMW_XCHG: return by;
  case RMW_ADD: return term_add(t, old, by);
  case RMW_SUB: return term_sub(t, old, by);
  case RMW_AND: return term_and(t, old, by);
  case RMW_NAND: return term_not(t, term_and(t, old, by));
  case RMW_OR: return term_or(t, old, by);
  case RMW_XOR: return term_xor(t, old, by);
  case RMW_SMAX: return term_ite(t, less_s, by, old);
  case RMW_SMIN: return term_ite(t, less_s, old, by);
  case RMW_UMAX: return term_ite(t, less_u, by, old);
  case RMW_UMIN: return term_ite(t, less_u, old, by);
  case RMW_NONE:
  case RMW_FADD:
  case RMW_FSUB:
  case RMW_FMAX:
  case RMW_FMIN:
  case RMW_COUNT: break;
  }
  return 0;
}

static void do_load(Context *x, ContextPath *path, const AutoStep *step, const Edge *e) {
  ContextPlaces at;
  context_places(x, path, step, &at);
  context_put_local(x, path, step->frame, e->dst,
                    context_load(x, path, step, &at, e->size));
}

static void do_store(Context *x, ContextPath *path, const AutoStep *step, const Edge *e) {
  ContextPlaces at;
  context_places(x, path, step, &at);
  Term stored = context_value(x, path, step->frame, e->b);
  context_spoil(x, path, step, &at);
  context_store(x, path, &at, stored);
}

static void do_update(Context *x, ContextPath *path, const AutoStep *step,
                      const Edge *e) {
  Terms *t = x->t;
  ContextPlaces at;
  uint32_t bits = e->size * 8;
  context_places(x, path, step, &at);
  Term old = context_load(x, path, step, &at, e->size), made;
  Term stores = term_bool(t, true);
  Term b = term_fit(t, context_value(x, path, step->frame, e->b), bits);
  if (e->op == OP_CMPXCHG) {
    stores = term_eq(t, old, b);
    if (e->flags & EDGE_WEAK) stores = term_and(t, stores, context_any(x, 1));
    made = term_fit(t, context_value(x, path, step->frame, e->c), bits);
  } else {
    made = updated(t, (RmwKind)e->aux, old, b);
    if (!made) made = context_any(x, bits);
  }
  context_spoil(x, path, step, &at);
  context_store(x, path, &at, term_ite(t, stores, made, old));
  context_put_local(x, path, step->frame, e->dst, old);
  context_put_local(x, path, step->frame, e->dst2, stores);
}

/* What it writes, and its results, are any value. */
static void do_vaguely(Context *x, ContextPath *path, const AutoStep *step,
                       const Edge *e) {
  LocalId dst[] = {e->dst, e->dst2};
  context_spoil(x, path, step, NULL);
  for (int i = 0; i < 2; i++)
    if (dst[i])
      context_put_local(x, path, step->frame, dst[i],
                        context_any(x, vec_at(&x->p->locals, dst[i])->bits));
}

/* ---- edges ---- */

static void do_assert(Context *x, ContextPath *path, const AutoStep *step,
                      const Edge *e) {
  Term holds = context_value(x, path, step->frame, e->a);
  if (step->asked) context_event(x, step, path, term_not(x->t, holds));
  context_assume(x, path, holds);
}

static void do_goto(Context *x, ContextPath *path, const Edge *e) {
  const Expr *address = program_expr(x->p, e->a);
  if (address->kind == EXPR_LABEL)
    context_assume(x, path, term_bool(x->t, address->data == e->aux));
}

/* What has only one way on is done here, and true returned; otherwise all ways were told. */
static bool do_edge(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_FENCE:
  case OP_UNREACHABLE:
  case OPS_SECTION: return true;
  case OP_ASSUME:
    context_assume(x, path, context_value(x, path, step->frame, e->a));
    return true;
  case OP_GOTO: do_goto(x, path, e); return true;
  case OP_LOAD: do_load(x, path, step, e); return true;
  case OP_STORE: do_store(x, path, step, e); return true;
  case OP_RMW:
  case OP_CMPXCHG: do_update(x, path, step, e); return true;
  case OP_ASSERT: do_assert(x, path, step, e); return true;
  case OP_SELF:
    context_put_local(x, path, step->frame, e->dst, context_id(x, path, x->kind));
    return true;
  case OPS_SET:
  case OP_CALL:
  case OP_RETURN:
  case OP_EXIT_THREAD:
  case OP_EXIT:
  case OPS_STACK:
  case OPS_VA:
  case OPS_CANCEL: do_vaguely(x, path, step, e); return true;
  case OPS_BULK: context_bulk(x, path, step); return true;
  case OP_CREATE: context_create(x, path, step); return false;
  case OP_JOIN: context_join(x, path, step); return false;
  case OP_DETACH:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER: context_sync(x, path, step); return false;
  }
  return true;
}

static void do_leave(Context *x, ContextPath *path, const AutoStep *step) {
  uint32_t frame = vec_at(&x->a->locations, step->from)->frame;
  const Edge *call = program_edge(x->p, vec_at(&x->a->frames, frame)->call);
  if (vec_at(&x->a->frames, frame)->call && call->op == OP_ONCE && step->to)
    context_once_returns(x, path, call);
  do_sets(x, path, step);
}

/* Ends the thread; by EXIT, and when main returns, the program. */
static ContextGoes do_end(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  bool main_returns = e->op == OP_RETURN && !x->c.kinds.data[x->kind].site;
  if (e->op == OP_EXIT || main_returns) return GOES_STOPS;
  if (x->c.kinds.data[x->kind].once)
    context_put(x, path, KEY_ENDED | x->kind, term_bool(x->t, true));
  return GOES_ENDS;
}

/* Accesses at the end of an operation that may have to wait; told where they happen. */
static bool accesses_late(const AutoStep *step, const Edge *e) {
  return step->kind == STEP_EDGE &&
         (e->op == OP_ASSERT || e->op == OP_CREATE || (e->op == OP_JOIN && !e->c));
}

void context_step(Context *x, const ContextPath *from, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  ContextPath path;
  ContextGoes how = GOES_ON;
  bool goes = true;
  context_path_copy(from, &path);
  if (step->asked && !accesses_late(step, e))
    context_event(x, step, &path, term_bool(x->t, true));
  switch ((AutoStepKind)step->kind) {
  case STEP_EDGE: goes = do_edge(x, &path, step); break;
  case STEP_SET: do_sets(x, &path, step); break;
  case STEP_LEAVE: do_leave(x, &path, step); break;
  case STEP_ENTER:
  case STEP_OVER:
  case STEP_LIBRARY:
    context_spoil(x, &path, step, NULL);
    do_sets(x, &path, step);
    context_allocate(x, &path, step);
    if (step->kind != STEP_ENTER || e->op != OP_ONCE) break;
    context_sync(x, &path, step);
    goes = false;
    break;
  case STEP_END: how = do_end(x, &path, step); break;
  }
  if (goes)
    context_goes(x, &path, step, how);
  else
    context_path_free(&path);
}
