/* Unwinding of threads. See seq.h.
 *
 * A function is run part by part in the order of order.c: the states that arrive at a node over
 * different edges are merged into one before it is left. What arrives at the head of a loop from
 * inside is its next turn. A turn that is surely taken (its guard is that of the turn before) is
 * counted apart from one that depends on what is not known: the first are as many as the program
 * says, unless they have events; the others are as many as the bound says. */
#include "engine/seq/internal.h"

#include "base/clock.h"
#include "base/mem.h"

#include <assert.h>

enum { MOST_SILENT_TURNS = 100000, MOST_DEPTH = 400, POLL_EVERY = 64 };

/* ---- states ---- */

static uint32_t local_count(const Unwinder *u) {
  return u->frame->f->local_count + 1; /* and the result */
}

void seq_state_copy(Unwinder *u, const State *from, State *to) {
  *to = (State){.guard = from->guard,
                .memory = seq_memory_share(from->memory),
                .sections = from->sections,
                .alone = from->alone};
  to->locals = mem_dup(from->locals, local_count(u) * sizeof *from->locals);
}

void seq_state_drop(State *s) {
  mem_free(s->locals);
  seq_memory_drop(s->memory);
  *s = (State){0};
}

/* The guards are g ∧ c and g ∧ ¬c: *ret_c, and g. 0: they are not. */
static Term common_guard(Terms *t, Term a, Term b, Term *ret_c) {
  if (term_kind(t, a) != TERM_AND || term_kind(t, b) != TERM_AND) {
    *ret_c = a;
    return b == term_not(t, a) ? term_bool(t, true) : 0;
  }
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (term_operand(t, a, i) == term_operand(t, b, k) &&
          term_operand(t, a, 1 - i) == term_not(t, term_operand(t, b, 1 - k))) {
        *ret_c = term_operand(t, a, 1 - i);
        return term_operand(t, a, i);
      }
  return 0;
}

void seq_state_merge(Unwinder *u, State *into, State *other) {
  if (guard_is_false(u, other->guard)) {
    seq_state_drop(other);
    return;
  }
  if (guard_is_false(u, into->guard)) {
    seq_state_drop(into);
    *into = *other;
    *other = (State){0};
    return;
  }
  if (into->alone != other->alone) seq_unwind_leave_alone(u, into->alone ? into : other);
  Terms *t = u->terms;
  Term condition = into->guard;
  Term guard = common_guard(t, into->guard, other->guard, &condition);
  if (!guard) {
    condition = into->guard;
    guard = term_or(t, into->guard, other->guard);
  }
  if (into->sections != other->sections)
    seq_unwind_partial(u, "an atomic section ends on some ways only");
  for (uint32_t i = 0; i < local_count(u); i++) {
    Term a = into->locals[i], b = other->locals[i];
    if (u->request->whole && !a != !b) { /* one way has not set it */
      Term any = term_var(t, term_bits(t, a ? a : b), "unset");
      if (a) b = any;
      if (b != any) a = any;
      into->locals[i] = a;
    }
    if (a && b && a != b) into->locals[i] = term_ite(t, condition, a, b);
    if (!a) into->locals[i] = b;
  }
  into->guard = guard;
  if (other->sections > into->sections) into->sections = other->sections;
  into->memory = seq_memory_merge(u->seq, condition, into->memory, other->memory);
  mem_free(other->locals);
  *other = (State){0};
}

/* ---- events ---- */

SeqThread *seq_unwind_thread(Unwinder *u) {
  return vec_at(&u->seq->threads, u->thread);
}

void seq_unwind_give_up(Unwinder *u, const char *why) {
  if (!u->seq->gave_up) u->seq->gave_up = why;
  u->over = true;
}

SeqEvent *seq_unwind_event(Unwinder *u, const State *s, SeqKind kind, EdgeId edge) {
  if (++u->event_count > u->request->bounds.events)
    seq_unwind_give_up(u, "the threads have more steps than can be encoded");
  if (u->event_count % POLL_EVERY == 0 && clock_now() > u->request->deadline)
    seq_unwind_give_up(u, "time ran out while the threads were unwound");
  SeqThread *t = seq_unwind_thread(u);
  SeqEvent e = {.kind = (uint8_t)kind,
                .edge = edge,
                .guard = s->guard,
                .glued = u->glue && s->sections > 0,
                .inside = s->sections > u->within};
  vec_push(&t->events, e);
  u->glue = s->sections > 0;
  return vec_last(&t->events);
}

void seq_unwind_cut(Unwinder *u, const State *s, uint64_t loop) {
  SeqThread *t = seq_unwind_thread(u);
  vec_push(&t->cuts, (SeqCut){s->guard, t->events.len, loop, u->edge});
}

void seq_unwind_partial(Unwinder *u, const char *why) {
  if (!u->seq->partial) u->seq->partial = why;
}

void seq_unwind_lose(Unwinder *u, const State *s, Term lost) {
  State there = *s;
  there.guard = term_and(u->terms, s->guard, lost);
  if (u->request->whole && !guard_is_false(u, there.guard)) seq_unwind_cut(u, &there, 0);
}

void seq_unwind_written(Unwinder *u, const State *s, ObjectId object) {
  if (u->stable && !s->alone && u->stable[object]) u->stable[object] = 2;
}

void seq_unwind_begin_step(Unwinder *u, State *s) {
  u->within++;
  s->sections++;
}

void seq_unwind_end_step(Unwinder *u, State *s) {
  assert(u->within > 0 && s->sections > 0);
  u->within--;
  if (--s->sections == 0) u->glue = false;
}

/* Variables of functions and what was allocated are not set. */
static bool is_unset(const Unwinder *u, ObjectId object) {
  const Object *o = vec_at(&u->program->objects, object);
  return !object || (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_TLS);
}

bool seq_is_wild(const Program *program, ObjectId object) {
  const Object *o = vec_at(&program->objects, object);
  return object && (o->kind == OBJECT_LIBRARY || (o->flags & OBJECT_EXTERNAL) ||
                    (o->kind == OBJECT_TLS && !o->type && !o->loc));
}

uint32_t seq_unwind_new_instance(Unwinder *u, ObjectId object, uint64_t size,
                                 bool zeroed) {
  SeqInstance i = {.object = object,
                   .size = size,
                   .zeroed = zeroed,
                   .unset = u->request->whole && is_unset(u, object),
                   .shared = object && u->request->shared[object],
                   .wild = u->request->whole && seq_is_wild(u->program, object),
                   .thread = u->thread};
  if (size >> (SEQ_BASE_SHIFT - 1)) seq_unwind_partial(u, "an object is too large");
  vec_push(&u->seq->instances, i);
  return u->seq->instances.len - 1;
}

/* ---- functions ---- */

/* Another condition decides where the thread goes, which is not known before it runs. */
static bool is_branch(const Unwinder *u, NodeId node) {
  return node_end_edge(u->program, node) - node_first_edge(u->program, node) > 1;
}

/* The guard of an edge among those of its node: conditions of ASSUME edges; any choice for others. */
static Term edge_condition(Unwinder *u, State *s, EdgeId edge, Term *rest) {
  Terms *t = u->terms;
  const Edge *e = program_edge(u->program, edge);
  EdgeId last = node_end_edge(u->program, e->from) - 1;
  if (e->op == OP_ASSUME && (e->flags & EDGE_DEFAULT)) {
    Term none = term_bool(t, true);
    for (EdgeId k = node_first_edge(u->program, e->from); k <= last; k++)
      if (k != edge && program_edge(u->program, k)->op == OP_ASSUME)
        none = term_and(t, none,
                        term_not(t, seq_value(u, s, program_edge(u->program, k)->a)));
    return none;
  }
  if (e->op == OP_ASSUME) return seq_value(u, s, e->a);
  if (e->op == OP_GOTO)
    return term_eq(t, seq_value(u, s, e->a),
                   term_const(t, 64, UINT64_C(3) << 61 | (uint64_t)e->aux));
  if (!is_branch(u, e->from)) return term_bool(t, true);
  Term mine = *rest;
  if (edge != last) {
    Term choice = term_var(t, 1, "choice");
    mine = term_and(t, *rest, choice);
    *rest = term_and(t, *rest, term_not(t, choice));
  }
  return mine;
}

static void run_parts(Unwinder *u, const Parts *parts, State *pending);

static void flow_to(Unwinder *u, State *pending, uint32_t index, State *s) {
  assert(index <= u->frame->f->node_count);
  seq_state_merge(u, &pending[index], s);
}

/* Takes the state by one edge. */
static void take_edge(Unwinder *u, State *pending, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  const Function *f = u->frame->f;
  if (guard_is_false(u, s->guard) || u->over) {
    seq_state_drop(s);
    return;
  }
  u->edge = edge;
  seq_step_edge(u, s, edge);
  if (guard_is_false(u, s->guard))
    seq_state_drop(s);
  else if (e->op == OP_RETURN)
    flow_to(u, pending, f->node_count, s);
  else if (e->to)
    flow_to(u, pending, e->to - f->first_node, s);
  else
    seq_state_drop(s);
}

/* Where paths meet again, one of them is taken to have been gone: they must exclude each other.
 * Defaults, computed jumps and free choices do so as they are made. */
static bool may_both_be_taken(const Unwinder *u, EdgeId a, EdgeId b, Term x, Term y) {
  const Edge *e = program_edge(u->program, a), *f = program_edge(u->program, b);
  bool open = e->op == OP_ASSUME || f->op == OP_ASSUME;
  bool settled = (e->op == OP_ASSUME && (e->flags & EDGE_DEFAULT)) ||
                 (f->op == OP_ASSUME && (f->flags & EDGE_DEFAULT));
  return open && !settled && !term_is_false(u->terms, term_and(u->terms, x, y));
}

static void run_node(Unwinder *u, NodeId node, State *pending) {
  State s = pending[node - u->frame->f->first_node];
  pending[node - u->frame->f->first_node] = (State){0};
  if (guard_is_false(u, s.guard) || u->over) {
    seq_state_drop(&s);
    return;
  }
  EdgeId first = node_first_edge(u->program, node), end = node_end_edge(u->program, node);
  Term rest = term_bool(u->terms, true);
  VEC(Term) conditions = {0};
  bool open = false;
  for (EdgeId e = first; e < end; e++) {
    Term c = edge_condition(u, &s, e, &rest);
    for (EdgeId k = first; k < e; k++)
      if (may_both_be_taken(u, k, e, conditions.data[k - first], c))
        seq_unwind_partial(u, "a branch goes several ways at once");
    open = open || (!term_is_false(u->terms, c) && !term_is_true(u->terms, c));
    vec_push(&conditions, c);
  }
  if (open && s.alone) seq_assume_alone(u, &s, first, conditions.data, conditions.len);
  for (EdgeId e = first; e < end; e++) {
    Term guard = term_and(u->terms, s.guard, conditions.data[e - first]);
    if (term_is_false(u->terms, guard)) continue;
    State next;
    seq_state_copy(u, &s, &next);
    next.guard = guard;
    take_edge(u, pending, &next, e);
  }
  vec_free(&conditions);
  seq_state_drop(&s);
}

static bool any_pending(Unwinder *u, const Part *loop, const State *pending) {
  if (!guard_is_false(u, pending[loop->node - u->frame->f->first_node].guard))
    return true;
  for (uint32_t i = 0; i < loop->parts.len; i++) {
    const Part *p = &loop->parts.data[i];
    if (p->is_loop ? any_pending(u, p, pending)
                   : !guard_is_false(u, pending[p->node - u->frame->f->first_node].guard))
      return true;
  }
  return false;
}

/* The turn came back with all as it was, and nobody has noticed it: the thread might as well have
 * stood still before what it has read, so it is not needed. (while (!flag);) That is so for proofs, too:
 * without the turn the thread stands before the same accesses, and all others find the same. */
static bool is_idle(Unwinder *u, const State *before, const State *after, NodeId head,
                    uint32_t first_event) {
  const SeqThread *t = seq_unwind_thread(u);
  const Function *f = u->frame->f;
  if (before->memory != after->memory || before->sections != after->sections)
    return false;
  for (uint32_t i = first_event; i < t->events.len; i++)
    if (t->events.data[i].kind != SEQ_READ &&
        (t->events.data[i].kind != SEQ_TOUCH || t->events.data[i].writes))
      return false;
  for (uint32_t i = 0; i < f->local_count; i++)
    if (before->locals[i] != after->locals[i] &&
        liveness_has(u->liveness, head, f->first_local + i))
      return false;
  return true;
}

static void run_loop(Unwinder *u, const Part *loop, State *pending) {
  const SeqBounds *b = &u->request->bounds;
  uint64_t key = seq_loop_key(u->frame->function, loop->node);
  uint64_t turns = b->turns, sure_turns = b->sure_turns;
  uint64_t times = b->more ? map_find(b->more, key, 1) : 1;
  turns *= times, sure_turns *= times;
  State *head = &pending[loop->node - u->frame->f->first_node];
  uint64_t open = 0, sure = 0, silent = 0;
  while (any_pending(u, loop, pending) && !u->over) {
    Term guard = head->guard;
    uint32_t events = u->event_count - u->bounded_events,
             first = seq_unwind_thread(u)->events.len;
    State before = {0};
    if (!guard_is_false(u, guard) && !head->alone) seq_state_copy(u, head, &before);
    run_node(u, loop->node, pending);
    Parts parts;
    memcpy(&parts, &loop->parts, sizeof parts);
    run_parts(u, &parts, pending);
    bool idle = before.locals && !guard_is_false(u, head->guard) &&
                is_idle(u, &before, head, loop->node, first);
    seq_state_drop(&before);
    if (idle) {
      u->seq->idles = true;
      seq_state_drop(head);
    }
    if (guard_is_false(u, head->guard)) continue;
    bool ends = head->guard != guard ? ++open >= turns
                : u->event_count - u->bounded_events != events
                    ? ++sure >= sure_turns
                    : ++silent >= MOST_SILENT_TURNS;
    if (silent % POLL_EVERY == POLL_EVERY - 1 && clock_now() > u->request->deadline)
      seq_unwind_give_up(u, "time ran out while the threads were unwound");
    if (!ends) continue;
    seq_unwind_cut(u, head, key);
    seq_state_drop(head);
  }
}

static void run_parts(Unwinder *u, const Parts *parts, State *pending) {
  for (uint32_t i = 0; i < parts->len; i++)
    if (parts->data[i].is_loop)
      run_loop(u, &parts->data[i], pending);
    else
      run_node(u, parts->data[i].node, pending);
}

static uint32_t depth_of(const Unwinder *u, FuncId function) {
  uint32_t n = 0;
  for (const Frame *f = u->frame; f; f = f->up) n += f->function == function;
  return n;
}

void seq_unwind_function(Unwinder *u, FuncId function, const Term *args,
                         uint32_t arg_count, State *state, Term *ret_result) {
  seq_unwind_variadic(u, function, args, arg_count, NULL, state, ret_result);
}

void seq_unwind_variadic(Unwinder *u, FuncId function, const Term *args,
                         uint32_t arg_count, const SeqVarargs *varargs, State *state,
                         Term *ret_result) {
  *ret_result = 0;
  uint64_t key = seq_loop_key(function, 0);
  uint64_t depth = u->request->bounds.depth;
  if (u->request->bounds.more) depth *= map_find(u->request->bounds.more, key, 1);
  if (depth_of(u, function) >= depth || u->depth >= MOST_DEPTH) {
    seq_unwind_cut(u, state, key);
    state->guard = 0;
    return;
  }
  if (++u->calls % POLL_EVERY == 0 && clock_now() > u->request->deadline)
    seq_unwind_give_up(u, "time ran out while the threads were unwound");
  const Function *f = vec_at(&u->program->functions, function);
  Frame frame = {.up = u->frame, .function = function, .f = f, .varargs = varargs};
  State entry = {.guard = state->guard,
                 .memory = state->memory,
                 .sections = state->sections,
                 .alone = state->alone};
  u->frame = &frame;
  u->depth++;
  entry.locals = mem_alloc_zero(local_count(u) * sizeof *entry.locals);
  for (uint32_t i = 0; i < f->param_count && i < arg_count; i++)
    entry.locals[i] = args[i];
  State *pending = mem_alloc_zero((f->node_count + 1) * sizeof *pending);
  pending[f->entry - f->first_node] = entry;
  bool section = f->flags & FUNCTION_ATOMIC;
  if (section && pending[f->entry - f->first_node].sections++ == 0) u->glue = false;
  run_parts(u, seq_order(u, function), pending);
  State *end = &pending[f->node_count];
  state->sections = end->sections;
  if (section && state->sections && --state->sections == 0) u->glue = false;
  state->guard = end->guard;
  state->memory = end->memory;
  state->alone = end->alone;
  *ret_result = end->locals ? end->locals[f->local_count] : 0;
  mem_free(end->locals);
  for (uint32_t i = 0; i < f->node_count; i++) seq_state_drop(&pending[i]);
  mem_free(pending);
  map_free(&frame.objects);
  assert(u->frame == &frame && u->depth > 0);
  u->frame = frame.up;
  u->depth--;
}
