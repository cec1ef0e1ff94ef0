/* Variable arguments, as the System V ABI for x86-64 passes them. See internal.h.
 *
 * clang translates va_arg itself into loads from a va_list, so all that is left are the areas which
 * VA_START fills: one for registers, one for what does not fit there. They are new private
 * instances; what is loaded from them folds to the arguments. */
#include "engine/seq/internal.h"

#include "base/mem.h"
#include "model/op_access.h"

enum { GENERAL_BYTES = 48, SAVE_BYTES = 176, FLOAT_BYTES = 16, WORD = 8 };

typedef enum { CLASS_GENERAL, CLASS_FLOAT, CLASS_MEMORY } Class;

typedef struct {
  uint32_t general, floats; /* offsets in the area of registers */
} Registers;

static Class class_of(uint32_t bits, Sort sort, Passing passing) {
  if (passing.byval_size) return CLASS_MEMORY;
  if (passing.byval_align) return bits <= 128 ? CLASS_FLOAT : CLASS_MEMORY;
  if (sort == SORT_FLOAT || sort == SORT_BFLOAT)
    return bits == 80 ? CLASS_MEMORY : CLASS_FLOAT;
  return bits <= 128 ? CLASS_GENERAL : CLASS_MEMORY;
}

static uint32_t words_of(uint32_t bits) {
  return (bits + 63) / 64 * WORD;
}

static bool take_registers(Registers *r, Class class, uint32_t bytes, uint32_t *ret_at) {
  if (class == CLASS_GENERAL && r->general + bytes <= GENERAL_BYTES) {
    *ret_at = r->general;
    r->general += bytes;
    return true;
  }
  if (class != CLASS_FLOAT || r->floats + FLOAT_BYTES > SAVE_BYTES) return false;
  *ret_at = r->floats;
  r->floats += FLOAT_BYTES;
  return true;
}

static Registers after_parameters(const Unwinder *u, const Function *f) {
  Registers r = {.floats = GENERAL_BYTES};
  uint32_t at;
  for (uint32_t i = 0; i < f->param_count; i++) {
    const Local *param = vec_at(&u->program->locals, f->first_local + i);
    Passing passing = *vec_at(&u->program->passings, f->first_passing + i);
    take_registers(&r, class_of(param->bits, (Sort)param->sort, passing),
                   words_of(param->bits), &at);
  }
  return r;
}

/* What travels in memory in a way of its own (structures, long double) is not followed. */
bool seq_varargs_capture(Unwinder *u, State *s, const Edge *call, const Function *f,
                         SeqVarargs *ret) {
  Registers r = after_parameters(u, f);
  *ret = (SeqVarargs){.general = r.general, .floats = r.floats};
  for (uint32_t i = f->param_count; i < call->arg_count; i++) {
    const Arg *arg = vec_at(&u->program->args, call->first_arg + i);
    const Expr *value = program_expr(u->program, arg->value);
    SeqVararg v = {.value = seq_value(u, s, arg->value)};
    Class class = class_of(value->bits, (Sort)value->sort, arg->passing);
    if (class == CLASS_MEMORY || value->bits > 64) return false;
    v.in_registers = take_registers(&r, class, WORD, &v.at);
    if (!v.in_registers) {
      v.at = ret->overflow;
      ret->overflow += WORD;
    }
    v.value = term_fit(u->terms, v.value, WORD * 8);
    vec_push(&ret->args, v);
  }
  return true;
}

static void start(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  const SeqVarargs *va = u->frame->varargs;
  Terms *t = u->terms;
  uint32_t save = seq_unwind_new_instance(u, 0, SAVE_BYTES, true);
  uint32_t rest = seq_unwind_new_instance(u, 0, va->overflow ? va->overflow : WORD, true);
  for (uint32_t i = 0; i < va->args.len; i++) {
    const SeqVararg *v = &va->args.data[i];
    seq_memory_write(u->seq, &s->memory, v->in_registers ? save : rest, v->at, v->value);
  }
  Term list = seq_value(u, s, e->a);
  struct {
    uint32_t at, size;
    uint64_t value;
  } fields[] = {{0, 4, va->general},
                {4, 4, va->floats},
                {8, 8, seq_base(rest)},
                {16, 8, seq_base(save)}};
  for (int i = 0; i < 4 && !guard_is_false(u, s->guard); i++)
    seq_access_store(u, s, edge, e->a, term_add(t, list, term_const(t, 64, fields[i].at)),
                     term_const(t, fields[i].size * 8, fields[i].value), fields[i].size);
}

static void copy(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Terms *t = u->terms;
  Term to = seq_value(u, s, e->a), from = seq_value(u, s, e->b);
  for (uint32_t at = 0; at < OP_VA_LIST_BYTES && !guard_is_false(u, s->guard);
       at += at < 8 ? 4 : 8) {
    uint32_t size = at < 8 ? 4 : 8;
    Term offset = term_const(t, 64, at);
    Term value = seq_access_load(u, s, edge, e->b, term_add(t, from, offset), size);
    seq_access_store(u, s, edge, e->a, term_add(t, to, offset), value, size);
  }
}

void seq_varargs(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  if (e->op == OP_VA_START && !u->frame->varargs) {
    seq_touch_operands(u, s, edge);
    seq_unwind_cut(u, s, 0);
    s->guard = 0;
    return;
  }
  seq_unwind_begin_step(u, s);
  if (e->op == OP_VA_START) start(u, s, edge);
  if (e->op == OP_VA_COPY) copy(u, s, edge);
  if (e->op == OP_VA_END) seq_touch_operands(u, s, edge);
  seq_unwind_end_step(u, s);
}
