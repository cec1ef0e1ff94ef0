/* Touches: memory that an edge uses although no value of it is followed. See internal.h.
 *
 * Whether a library function reads its argument makes no difference to the values of the program,
 * but it may race. So it is an event, for the edges that somebody asks about. What such an event
 * says of the bytes is less than the truth, in both directions: an error that rests on it counts
 * only when the interpreter, which performs the function, has seen it. */
#include "engine/seq/internal.h"

#include "model/op_access.h"

static bool is_asked(const Unwinder *u, const State *s, EdgeId edge) {
  return !s->alone && u->request->asked && u->request->asked[edge];
}

static void touch(Unwinder *u, State *s, EdgeId edge, Term address, bool writes,
                  bool atomic) {
  uint64_t null;
  if (address && term_get_const(u->terms, address, &null) && !null) return;
  SeqEvent *e = seq_unwind_event(u, s, SEQ_TOUCH, edge);
  e->address = address;
  e->writes = writes;
  e->atomic = atomic;
}

void seq_touch_at(Unwinder *u, State *s, EdgeId edge, Term address, bool writes) {
  if (is_asked(u, s, edge)) touch(u, s, edge, address, writes, false);
}

void seq_touch_operands(Unwinder *u, State *s, EdgeId edge) {
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(u->program, program_edge(u->program, edge), list);
  if (!is_asked(u, s, edge)) return;
  seq_unwind_begin_step(u, s);
  for (uint32_t i = 0; i < n; i++)
    touch(u, s, edge, seq_value(u, s, list[i].address), list[i].kind & OP_WRITES,
          list[i].kind & OP_ATOMIC);
  seq_unwind_end_step(u, s);
}

void seq_touch_call(Unwinder *u, State *s, EdgeId edge, FuncId function) {
  const Edge *e = program_edge(u->program, edge);
  const Function *f = vec_at(&u->program->functions, function);
  if (!is_asked(u, s, edge)) return;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&u->program->effects, f->first_effect + i);
    bool hidden = x->kind == EFFECT_HIDDEN_READ || x->kind == EFFECT_HIDDEN_WRITE;
    bool plain = x->kind == EFFECT_READ || x->kind == EFFECT_WRITE;
    if ((!hidden && !plain) || (hidden && (x->flags & EFFECT_TLS)) ||
        !effect_is_possible(u->program, e, x))
      continue;
    /* behind pointers that are stored somewhere, and in lists, it may be anywhere */
    bool direct = plain && x->arg < e->arg_count && !(x->flags & EFFECT_CONTENT);
    Term address =
        direct ? seq_value(u, s, vec_at(&u->program->args, e->first_arg + x->arg)->value)
               : 0;
    bool locked = (x->flags & EFFECT_SYNCED) && !(x->flags & EFFECT_GLIBC);
    touch(u, s, edge, address, x->kind == EFFECT_WRITE || x->kind == EFFECT_HIDDEN_WRITE,
          locked);
  }
}
