/* Functions without a body, as the library table has them. See internal.h.
 *
 * What they allocate is new memory, what they free is an event, results follow the table where it
 * says so; all else that they write or return may be anything. That is vague, but an error that
 * rests on it shows as one that cannot be followed. */
#include "engine/seq/internal.h"

enum { MOST_FORGOTTEN = 64 };

static Term argument(Unwinder *u, State *s, const Edge *e, uint32_t arg) {
  return arg < e->arg_count
             ? seq_value(u, s, vec_at(&u->program->args, e->first_arg + arg)->value)
             : 0;
}

static ExprId argument_expr(const Unwinder *u, const Edge *e, uint32_t arg) {
  return arg < e->arg_count ? vec_at(&u->program->args, e->first_arg + arg)->value : 0;
}

/* How many bytes the effect covers; 0: unknown. */
static uint64_t extent(Unwinder *u, State *s, const Edge *e, const Effect *x) {
  if (x->extent == EXTENT_BYTES) return x->size;
  if (x->extent != EXTENT_ARG) return 0;
  uint64_t size, times = 1, scale = x->scale ? x->scale : 1;
  Term a = argument(u, s, e, x->size);
  Term b = x->times ? argument(u, s, e, x->times - 1u) : 0;
  if (!a || !term_get_const(u->terms, a, &size)) return 0;
  if (b && !term_get_const(u->terms, b, &times)) return 0;
  return size < UINT32_MAX && times < UINT32_MAX ? size * times * scale : 0;
}

/* What may be null is, some times. */
static Term or_null(Unwinder *u, const Effect *x, Term address) {
  if (!u->request->whole || !(x->flags & EFFECT_MAY_NULL)) return address;
  uint32_t bits = term_bits(u->terms, address);
  return term_ite(u->terms, term_var(u->terms, 1, "fails"), term_const(u->terms, bits, 0),
                  address);
}

static Term allocate(Unwinder *u, State *s, const Edge *e, const Effect *x) {
  uint64_t size = extent(u, s, e, x);
  ObjectId object = e->aux;
  uint32_t i = seq_unwind_new_instance(u, object, size, true);
  Term address = term_const(u->terms, 64, seq_base(i));
  if (x->flags & EFFECT_ZEROED) u->seq->instances.data[i].unset = false;
  address = or_null(u, x, address);
  if (x->arg == ARG_NONE) return address;
  ExprId where = argument_expr(u, e, x->arg);
  if (where) seq_access_store(u, s, 0, where, argument(u, s, e, x->arg), address, 8);
  return 0;
}

static void release(Unwinder *u, State *s, EdgeId edge, const Effect *x) {
  const Edge *e = program_edge(u->program, edge);
  Term address = argument(u, s, e, x->arg);
  uint64_t null;
  if (!address || s->alone || (term_get_const(u->terms, address, &null) && !null)) return;
  SeqEvent *event = seq_unwind_event(u, s, SEQ_FREE, edge);
  event->address = address;
  event->pointer = argument_expr(u, e, x->arg);
  Targets targets = pointsto_expr(u->request->pointsto, event->pointer);
  for (uint32_t i = 0; i < targets.count; i++)
    if (!targets.targets[i].function)
      seq_unwind_written(
          u, s, pointsto_object(u->request->pointsto, targets.targets[i].object));
}

/* Bytes of any value; those of an input are chosen, as the interpreter asks for them. */
static Term any_bytes(Unwinder *u, State *s, EdgeId edge, uint64_t size, bool input) {
  if (!input) return seq_fresh(u, (uint32_t)size * 8, "library");
  Term all = 0;
  for (uint64_t at = 0; at < size; at += INPUT_BYTES) {
    uint64_t part = size - at < INPUT_BYTES ? size - at : INPUT_BYTES;
    Term word = seq_step_input(u, s, edge, (uint32_t)part * 8);
    all = all ? term_concat(u->terms, word, all) : word;
  }
  return all;
}

/* What is written may be anything, as far as it is known where. */
static void forget(Unwinder *u, State *s, EdgeId edge, const Effect *x, bool input) {
  const Edge *e = program_edge(u->program, edge);
  ExprId pointer = argument_expr(u, e, x->arg);
  uint64_t size = extent(u, s, e, x), null;
  Term address = pointer ? argument(u, s, e, x->arg) : 0;
  if (address && term_get_const(u->terms, address, &null) && !null) return;
  /* Whether it writes at all is known of a constant address only. */
  if (x->flags & (EFFECT_LATER | EFFECT_CONTENT) || !address ||
      !term_get_const(u->terms, address, &null))
    seq_unwind_partial(u, "a library function writes memory at an unknown place or time");
  if (!pointer || !size || size > MOST_FORGOTTEN) {
    u->seq->vague = true;
    seq_unwind_partial(u, "a library function writes more than is followed");
    return;
  }
  seq_access_store(u, s, edge, pointer, address, any_bytes(u, s, edge, size, input),
                   (uint32_t)size);
}

/* pthread_mutexattr_settype and such: an argument is stored behind another. */
static void store(Unwinder *u, State *s, EdgeId edge, const Effect *x) {
  const Edge *e = program_edge(u->program, edge);
  ExprId pointer = argument_expr(u, e, x->arg);
  Term value = argument(u, s, e, x->other);
  if (!pointer || !value || (x->flags & (EFFECT_INSIDE | EFFECT_CONTENT))) {
    u->seq->vague = true;
    seq_unwind_partial(u, "a library function stores what is not followed");
    return;
  }
  seq_access_store(u, s, edge, pointer, argument(u, s, e, x->arg), value,
                   (term_bits(u->terms, value) + 7) / 8);
}

/* qsort and such call a function of the program, how often and with what is not followed: once or
 * never, with anything where it is not an argument itself. What more it does is its own affair. */
static void call_back(Unwinder *u, State *s, const Edge *e, const Effect *x) {
  uint64_t address;
  Term callee = argument(u, s, e, x->arg), args[EFFECT_PASS_MAX] = {0}, ignored;
  u->seq->vague = true;
  FuncId called =
      callee && term_get_const(u->terms, callee, &address) ? seq_function_at(address) : 0;
  if (!called || called >= u->program->functions.len || (x->flags & EFFECT_CONTENT))
    return;
  const Function *f = vec_at(&u->program->functions, called);
  if (!(f->flags & FUNCTION_DEFINED) || f->param_count > EFFECT_PASS_MAX) return;
  for (uint32_t i = 0; i < f->param_count; i++) {
    uint32_t bits = vec_at(&u->program->locals, f->first_local + i)->bits;
    Term given = x->pass[i] < e->arg_count ? argument(u, s, e, x->pass[i]) : 0;
    args[i] = given ? term_fit(u->terms, given, bits) : seq_fresh(u, bits, "passed");
  }
  State once;
  seq_state_copy(u, s, &once);
  Term calls = term_var(u->terms, 1, "calls");
  once.guard = term_and(u->terms, s->guard, calls);
  s->guard = term_and(u->terms, s->guard, term_not(u->terms, calls));
  seq_unwind_function(u, called, args, f->param_count, &once, &ignored);
  seq_state_merge(u, s, &once);
}

/* Where the library keeps what it returns; 0: it has no name. */
static Term hidden_address(Unwinder *u, const Effect *x) {
  const Program *p = u->program;
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_LIBRARY && p->objects.data[o].name == x->name)
      return term_const(u->terms, 64, seq_base(seq_object(u, o)));
  return 0;
}

/* The function gives something new, or nothing. */
static bool may_refuse(const Unwinder *u, const Function *f) {
  for (uint32_t i = 0; i < f->effect_count && u->request->world.refusals; i++) {
    const Effect *x = vec_at(&u->program->effects, f->first_effect + i);
    if (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE && (x->flags & EFFECT_MAY_NULL))
      return true;
  }
  return false;
}

static void perform(Unwinder *u, State *s, EdgeId edge, FuncId function) {
  const Edge *e = program_edge(u->program, edge);
  const Function *f = vec_at(&u->program->functions, function);
  Term result = 0;
  seq_unwind_begin_step(u, s);
  seq_touch_call(u, s, edge, function);
  for (uint32_t i = 0; i < f->effect_count && !guard_is_false(u, s->guard); i++) {
    const Effect *x = vec_at(&u->program->effects, f->first_effect + i);
    if (!effect_is_possible(u->program, e, x)) continue;
    switch ((EffectKind)x->kind) {
    case EFFECT_ALLOC: {
      Term address = allocate(u, s, e, x);
      if (address) result = address;
      break;
    }
    case EFFECT_FREE: release(u, s, edge, x); break;
    case EFFECT_WRITE:
      forget(u, s, edge, x, program_writes_input(u->program, function));
      break;
    case EFFECT_STORE: store(u, s, edge, x); break;
    case EFFECT_RETURN_ARG:
      if (!(x->flags & (EFFECT_INSIDE | EFFECT_CONTENT)))
        result = argument(u, s, e, x->arg);
      if (result) result = or_null(u, x, result);
      break;
    case EFFECT_CALL: /* and see call_back */
    case EFFECT_CALL_LATER:
      u->seq->vague = true;
      seq_unwind_partial(u, "a library function calls back");
      break;
    case EFFECT_RETURN_HIDDEN:
      if (!u->request->whole) result = hidden_address(u, x);
      break;
    case EFFECT_NONE:
    case EFFECT_READ:
    case EFFECT_KEEP:
    case EFFECT_HIDDEN_READ:
    case EFFECT_HIDDEN_WRITE:
    case EFFECT_RETURN_KEPT:
    case EFFECT_KIND_COUNT: break;
    }
  }
  seq_unwind_end_step(u, s);
  for (uint32_t i = 0; i < f->effect_count && !guard_is_false(u, s->guard); i++) {
    const Effect *x = vec_at(&u->program->effects, f->first_effect + i);
    if (x->kind == EFFECT_CALL && effect_is_possible(u->program, e, x))
      call_back(u, s, e, x);
  }
  if (f->flags & FUNCTION_NORETURN) s->guard = 0;
  if (!e->dst || guard_is_false(u, s->guard)) return;
  uint32_t bits = vec_at(&u->program->locals, e->dst)->bits;
  seq_step_set(u, s, e->dst, result ? result : seq_foreign(u, bits));
}

void seq_library(Unwinder *u, State *s, EdgeId edge, FuncId function) {
  const Edge *e = program_edge(u->program, edge);
  if (!may_refuse(u, vec_at(&u->program->functions, function))) {
    perform(u, s, edge, function);
    return;
  }
  Term refused =
      term_eq(u->terms, seq_step_input(u, s, edge, 1), term_const(u->terms, 1, 1));
  State nothing;
  seq_state_copy(u, s, &nothing);
  nothing.guard = term_and(u->terms, s->guard, refused);
  s->guard = term_and(u->terms, s->guard, term_not(u->terms, refused));
  if (e->dst)
    seq_step_set(u, &nothing, e->dst,
                 term_const(u->terms, vec_at(&u->program->locals, e->dst)->bits, 0));
  perform(u, s, edge, function);
  seq_state_merge(u, s, &nothing);
}
