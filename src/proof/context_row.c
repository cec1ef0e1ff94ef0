/* Operations of synchronisation: each row of the lowering that may be taken is a way on. See
 * context_sync.c. */
#include "proof/context_internal.h"

#include <assert.h>

typedef struct {
  Context *x;
  const Edge *e;
  const AutoStep *step;
  ContextObject *object, *lock; /* or NULL: not followed */
} Operation;

static ContextObject *whose(const Operation *o, uint8_t whose) {
  return whose == OF_A ? o->object : whose == OF_LOCK ? o->lock : NULL;
}

static ContextKey ghost_key(const Operation *o, const ContextObject *y, uint8_t ghost) {
  assert(y >= o->x->objects.data && y < o->x->objects.data + o->x->objects.len);
  return KEY_GHOST | (uint64_t)(y - o->x->objects.data) << 8 | ghost;
}

static ContextKey own_key(const Operation *o, const ContextObject *y, uint8_t ghost) {
  assert(y >= o->x->objects.data && y < o->x->objects.data + o->x->objects.len);
  return KEY_OWN | (uint64_t)(y - o->x->objects.data) << 8 | ghost;
}

/* ---- guards ---- */

static Term related(Terms *t, uint8_t relation, Term a, int64_t number) {
  Term b = term_const(t, term_bits(t, a), (uint64_t)number);
  switch ((LowerRelation)relation) {
  case REL_EQ: return term_eq(t, a, b);
  case REL_NE: return term_not(t, term_eq(t, a, b));
  case REL_LT: return term_ult(t, a, b);
  case REL_GT: return term_ult(t, b, a);
  case REL_NONE: break;
  }
  return term_bool(t, true);
}

static Term fixed(Terms *t, const LowerGuard *g, int64_t is) {
  return related(t, g->relation, term_const(t, 32, (uint64_t)is), g->number);
}

static Term on_owner(const Operation *o, const ContextPath *path, const ContextObject *y,
                     const LowerGuard *g) {
  Terms *t = o->x->t;
  bool equal = g->relation == REL_EQ;
  Term held = context_get(o->x, path, ghost_key(o, y, GHOST_OWNER));
  if (g->term == TERM_NUMBER) return equal ? term_not(t, held) : held;
  if (y->owned) { /* who has it knows that it is held */
    Term mine = context_get(o->x, path, own_key(o, y, GHOST_OWNER));
    mine = term_and(t, mine, held);
    return equal ? mine : term_not(t, mine);
  }
  /* anybody may be the one who has it */
  return equal && o->e->op == OP_LOCK ? held : term_bool(t, true);
}

static Term guard_holds(const Operation *o, const ContextPath *path,
                        const LowerGuard *g) {
  Context *x = o->x;
  Terms *t = x->t;
  const ContextObject *y = whose(o, g->whose);
  if (g->relation == REL_NONE) return term_bool(t, true);
  if (g->whose == OF_SELF) return fixed(t, g, 0); /* nobody cancels */
  if (g->whose == OF_TERM) {
    if (g->ghost != TERM_OPERAND) return term_bool(t, true);
    Term operand = context_value(x, path, o->step->frame, o->e->b);
    return related(t, g->relation, term_fit(t, operand, 32), g->number);
  }
  if (g->ghost == GHOST_ROBUST && (y || !x->robust)) return fixed(t, g, ROBUST_NOT);
  if (!y) return term_bool(t, true);
  bool rw = y->lock == LOCK_RW;
  switch ((Ghost)g->ghost) {
  case GHOST_OWNER: return on_owner(o, path, y, g);
  case GHOST_COUNT:
    if (!y->counted) return fixed(t, g, 1);
    /* who has it has it at least once */
    return related(t, g->relation == REL_GT && g->number == 1 ? REL_NE : g->relation,
                   context_get(x, path, own_key(o, y, GHOST_COUNT)), g->number);
  case GHOST_READS:
    if (!rw) return fixed(t, g, 0);
    return related(t, g->relation, context_get(x, path, own_key(o, y, GHOST_READS)),
                   g->number);
  case GHOST_READERS:
    if (!rw) return fixed(t, g, 0);
    return related(t, g->relation, context_get(x, path, ghost_key(o, y, GHOST_READERS)),
                   g->number);
  case GHOST_TYPE: return y->type < 0 ? term_bool(t, true) : fixed(t, g, y->type);
  case GHOST_VALUE:
  case GHOST_DONE:
    return related(t, g->relation, context_get(x, path, ghost_key(o, y, g->ghost)),
                   g->number);
  case GHOST_ROBUST: /* answered above; the others are not followed */
  case GHOST_WAITERS:
  case GHOST_SIZE:
  case GHOST_MISSING:
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL:
  case GHOST_ALL: break;
  }
  return term_bool(t, true);
}

/* ---- changes ---- */

/* Everything about the object is as if it was never used, or any value. */
static void reset(const Operation *o, ContextPath *path, const ContextObject *y,
                  bool any) {
  static const uint8_t shared[] = {GHOST_OWNER, GHOST_READERS, GHOST_VALUE, GHOST_DONE};
  static const uint8_t own[] = {GHOST_OWNER, GHOST_COUNT, GHOST_READS};
  Context *x = o->x;
  for (size_t i = 0; i < sizeof shared; i++) {
    uint32_t bits = shared[i] == GHOST_OWNER || shared[i] == GHOST_DONE ? 1 : 32;
    context_put(x, path, ghost_key(o, y, shared[i]),
                any ? context_any(x, bits) : term_const(x->t, bits, 0));
  }
  for (size_t i = 0; i < sizeof own; i++) {
    uint32_t bits = own[i] == GHOST_OWNER ? 1 : 32;
    context_put(x, path, own_key(o, y, own[i]),
                any ? context_any(x, bits) : term_const(x->t, bits, 0));
  }
}

static void add_to(const Operation *o, ContextPath *path, ContextKey key, Term by) {
  context_put(o->x, path, key, term_add(o->x->t, context_get(o->x, path, key), by));
}

static bool takes_anew(const LowerRow *row) {
  for (int i = 0; i < LOWER_CHANGES; i++)
    if (row->changes[i].kind == CHANGE_SET && row->changes[i].ghost == GHOST_OWNER &&
        row->changes[i].term == TERM_SELF)
      return true;
  return false;
}

static void change(const Operation *o, ContextPath *path, const LowerRow *row,
                   const LowerChange *c) {
  Context *x = o->x;
  const ContextObject *y = whose(o, c->whose);
  if (c->kind == CHANGE_NONE || !y) return;
  if (c->kind == CHANGE_RESET) {
    reset(o, path, y, false);
    return;
  }
  Term by = term_const(x->t, 32, (uint64_t)(int64_t)c->number);
  if (c->term == TERM_OPERAND)
    by = term_fit(x->t, context_value(x, path, o->step->frame, o->e->b), 32);
  ContextKey key = 0;
  switch ((Ghost)c->ghost) {
  case GHOST_OWNER: {
    Term taken = term_bool(x->t, c->term == TERM_SELF);
    context_put(x, path, ghost_key(o, y, GHOST_OWNER), taken);
    if (y->owned) context_put(x, path, own_key(o, y, GHOST_OWNER), taken);
    return;
  }
  case GHOST_COUNT:
  case GHOST_READS: key = own_key(o, y, c->ghost); break;
  case GHOST_READERS:
  case GHOST_VALUE: key = ghost_key(o, y, c->ghost); break;
  case GHOST_DONE:
    context_put(x, path, ghost_key(o, y, GHOST_DONE), term_bool(x->t, true));
    return;
  case GHOST_TYPE: /* these never change, or are not followed */
  case GHOST_ROBUST:
  case GHOST_WAITERS:
  case GHOST_SIZE:
  case GHOST_MISSING:
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL:
  case GHOST_ALL: return;
  }
  assert(key);
  bool first = c->ghost == GHOST_COUNT && takes_anew(row);
  if (c->kind == CHANGE_ADD && !first)
    add_to(o, path, key, by);
  else
    context_put(x, path, key, by);
}

/* ---- rows ---- */

static void set_result(const Operation *o, ContextPath *path, const LowerRow *row) {
  Context *x = o->x;
  if (!o->e->dst || o->step->kind != STEP_EDGE) return;
  uint32_t bits = vec_at(&x->p->locals, o->e->dst)->bits;
  SyncReturn r = {0};
  if (row && row->end == ENDS_RESULT)
    r = sync_return(x->p, o->e, (SyncOutcome)row->outcome, row->error);
  context_put_local(x, path, o->step->frame, o->e->dst,
                    r.has_value ? term_const(x->t, bits, (uint64_t)r.value)
                                : context_any(x, bits));
}

/* Comes back without having taken anything. It may do so at any time: who fails because others have
 * something is not ordered behind what they did before (C11 and POSIX let a try fail without a
 * cause), so what he does then must not count as if he were. */
static bool fails(const LowerRow *row) {
  bool bad = row->outcome != RESULT_OK && row->outcome != RESULT_SPECIAL;
  return row->end == ENDS_RESULT && bad && row->changes[0].kind == CHANGE_NONE;
}

static bool is_about_others(const LowerGuard *g) {
  bool shared =
      g->ghost == GHOST_OWNER || g->ghost == GHOST_READERS || g->ghost == GHOST_VALUE;
  return (g->whose == OF_A || g->whose == OF_LOCK) && shared && g->term != TERM_SELF;
}

static bool fits(const Operation *o, const LowerRow *row, unsigned phases) {
  const ContextObject *y = o->e->op == OP_WAIT ? o->lock : o->object;
  if (row->end == ENDS_CANCELLED) return false;
  if (row->end == ENDS_UNDEFINED && !(y && y->owned)) return false;
  for (unsigned p = 1; p <= LOWER_RUNS; p <<= 1)
    if ((phases & p) && lower_fits(row, o->e, (LowerPhase)p, CAUSE_STEP)) return true;
  return false;
}

/* Each row of these phases that ends the operation, or (`next`) after which it goes on in that phase. */
static void take_rows(const Operation *o, const ContextPath *path, unsigned phases,
                      unsigned next, ContextGoes how) {
  Context *x = o->x;
  uint32_t count;
  const LowerRow *rows = lower_rows((OpKind)o->e->op, &count);
  for (uint32_t i = 0; i < count; i++) {
    const LowerRow *row = &rows[i];
    if (!fits(o, row, phases)) continue;
    if (next ? row->end != ENDS_NOT || !(row->next & next) : row->end == ENDS_NOT)
      continue;
    ContextPath way;
    context_path_copy(path, &way);
    for (int g = 0; g < LOWER_GUARDS; g++)
      if (!fails(row) || !is_about_others(&row->guards[g]))
        context_assume(x, &way, guard_holds(o, path, &row->guards[g]));
    for (int c = 0; c < LOWER_CHANGES; c++) change(o, &way, row, &row->changes[c]);
    const ContextObject *open = o->e->op == OP_WAIT ? o->lock : o->object;
    if (row->end == ENDS_UNDEFINED && open) reset(o, &way, open, true);
    if (!next) set_result(o, &way, row);
    if (next == LOWER_SLEEPS) context_put(x, &way, KEY_HALF, term_bool(x->t, true));
    if (phases & LOWER_WOKEN) context_put(x, &way, KEY_HALF, term_bool(x->t, false));
    context_goes(x, &way, o->step, how);
  }
}

/* Lets go of the lock and sleeps where it is; takes it again later, whoever woke it. */
static void wait(const Operation *o, const ContextPath *path) {
  Context *x = o->x;
  unsigned awake = LOWER_WOKEN;
  if (o->e->attempt == ATTEMPT_TIMED) awake |= LOWER_LATE;
  if (!o->lock) { /* nothing that is followed changes in between */
    take_rows(o, path, LOWER_START | awake, 0, GOES_ON);
    return;
  }
  ContextPath begins, wakes;
  Term sleeps = context_get(x, path, KEY_HALF);
  context_path_copy(path, &begins);
  context_path_copy(path, &wakes);
  context_assume(x, &begins, term_not(x->t, sleeps));
  context_assume(x, &wakes, sleeps);
  take_rows(o, &begins, LOWER_START, 0, GOES_ON);
  take_rows(o, &begins, LOWER_START, LOWER_SLEEPS, GOES_STAYS);
  take_rows(o, &wakes, awake, 0, GOES_ON);
  context_path_free(&begins);
  context_path_free(&wakes);
}

static void barrier_wait(const Operation *o, const ContextPath *path) {
  static const LowerRow ways[] = {{.end = ENDS_RESULT, .outcome = RESULT_OK},
                                  {.end = ENDS_RESULT, .outcome = RESULT_SPECIAL}};
  for (int i = 0; i < (o->e->dst ? 2 : 1); i++) {
    ContextPath way;
    context_path_copy(path, &way);
    set_result(o, &way, &ways[i]);
    context_goes(o->x, &way, o->step, GOES_ON);
  }
}

void context_sync(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  Operation o = {.x = x, .e = e, .step = step};
  SyncKind kind = op_sync_kind((OpKind)e->op);
  if (kind == SYNC_LOCK || kind == SYNC_SEM || kind == SYNC_ONCE)
    o.object = context_object_of(x, e->a);
  if (e->op == OP_WAIT) o.lock = context_object_of(x, e->b);
  context_spoil(x, path, step, NULL);
  unsigned late = e->attempt == ATTEMPT_TIMED ? LOWER_LATE : 0;
  if (e->op == OP_WAIT)
    wait(&o, path);
  else if (e->op == OP_BARRIER_WAIT)
    barrier_wait(&o, path);
  else if (e->op == OP_ONCE && step->kind == STEP_ENTER)
    take_rows(&o, path, LOWER_START, LOWER_RUNS, GOES_ON);
  else
    take_rows(&o, path, LOWER_START | late, 0, GOES_ON);
}

void context_once_returns(Context *x, ContextPath *path, const Edge *e) {
  ContextObject *y = context_object_of(x, e->a);
  Operation o = {.x = x, .e = e};
  if (!y) return;
  context_put(x, path, ghost_key(&o, y, GHOST_OWNER), term_bool(x->t, false));
  context_put(x, path, ghost_key(&o, y, GHOST_DONE), term_bool(x->t, true));
}
