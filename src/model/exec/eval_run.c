/* The loop: runs the instructions of one thread. In: a thread with its frames, a budget
 * of edges. Out: why it stopped.
 *
 * Dispatch is by computed goto. The innermost frame, its slots and the program counter
 * live in variables of the loop; they are written back before anything outside of the
 * loop is called, and read again after it. Memory is checked by one look at the shadow;
 * only accesses that cross a granule, or fail, leave the loop. Edges are counted by the
 * `steps` of instructions, and the budget is looked at where another thread could notice:
 * accesses, jumps, calls. */
#include "model/exec/eval.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline bool can_read(const uint8_t *shadow, uint64_t span, uint64_t address,
                            unsigned size) {
  return address < span &&
         (address & 7) + size <= (uint64_t)(shadow[address >> 3] & ~SHADOW_READ_ONLY);
}
/* Read-only granules are negative as signed bytes, and so never large enough. */
static inline bool can_write(const uint8_t *shadow, uint64_t span, uint64_t address,
                             unsigned size) {
  return address < span &&
         (int)((address & 7) + size) <= (int)(int8_t)shadow[address >> 3];
}

static uint32_t switch_target(const Code *code, const SwitchTable *table,
                              uint64_t value) {
  const Case *cases = &code->cases.data[table->first_case];
  if (table->dense)
    return value - table->low < table->case_count ? cases[value - table->low].target
                                                  : table->otherwise;
  uint32_t low = 0, high = table->case_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (cases[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table->case_count && cases[low].value == value ? cases[low].target
                                                              : table->otherwise;
}

/* Where a computed goto leads; NULL when the address is no label of this function. */
static const Ins *goto_target(const Exec *x, const Code *code, uint64_t address) {
  const Function *f = vec_at(&x->program->functions, code->function);
  uint64_t label = (address - x->memory.labels) / FUNCTION_STRIDE;
  if (address < x->memory.labels || address % FUNCTION_STRIDE ||
      label >= x->program->labels.len)
    return NULL;
  NodeId node = x->program->labels.data[label];
  if (node < f->first_node || node - f->first_node >= f->node_count) return NULL;
  return code->ins + code->node_start[node - f->first_node];
}

/* The instruction of the edge to take, or NULL when none can be taken. */
static const Ins *choice_target(Exec *x, const Code *code, const Choice *choice,
                                const uint64_t *r) {
  const Option *options = &code->options.data[choice->first];
  uint32_t possible = 0;
  for (uint32_t i = 0; i < choice->count; i++)
    possible += !options[i].condition || r[options[i].condition];
  if (!possible) return NULL;
  uint32_t pick = possible == 1 ? 0 : exec_pick(x, possible);
  for (uint32_t i = 0; i < choice->count; i++)
    if ((!options[i].condition || r[options[i].condition]) && pick-- == 0)
      return code->ins + options[i].target;
  return NULL;
}

static void load_wide_constant(const Exec *x, ExprId e, uint64_t *d) {
  const Expr *expr = vec_at(&x->program->exprs, e);
  if (expr->kind == EXPR_WIDE)
    value_from_bytes(d, &x->program->bytes.data[expr->data], expr->bits);
  else
    memset(d, 0, value_words(expr->bits) * sizeof *d);
}

/* A new frame for a call whose arguments fit; NULL when the run has ended. */
static inline Frame *enter(Exec *x, ExecThread *t, CallSite *site, const Code *from,
                           const uint64_t *r) {
  Code *callee = site->code;
  if (UNLIKELY(!callee)) {
    callee = eval_code(x, site->callee);
    if (!callee) return NULL;
    site->code = callee;
  }
  Frame *n = frame_push(x, t, callee);
  if (UNLIKELY(!n)) return NULL;
  n->site = site;
  uint64_t *to = n->slots + 1;
  const CallArg *args = &from->args.data[site->first_arg];
  for (uint32_t i = 0; i < site->arg_count; i++) {
    if (LIKELY(args[i].bits <= 64)) {
      *to++ = r[args[i].slot];
    } else {
      uint32_t words = value_words(args[i].bits);
      memcpy(to, &r[args[i].slot], words * sizeof *to);
      to += words;
    }
  }
  return n;
}

static double as_double(uint64_t v) {
  double x;
  memcpy(&x, &v, sizeof x);
  return x;
}
static uint64_t of_double(double x) {
  uint64_t v;
  memcpy(&v, &x, sizeof v);
  return v;
}
static float as_float(uint64_t v) {
  float x;
  memcpy(&x, &v, sizeof x);
  return x;
}
static uint64_t of_float(float x) {
  uint32_t v;
  memcpy(&v, &x, sizeof v);
  return v;
}

/* ---- the handlers' shapes ---- */

#define DISPATCH()                                                                       \
  do {                                                                                   \
    budget -= pc->steps;                                                                 \
    goto *labels[pc->op];                                                                \
  } while (0)
#define NEXT()                                                                           \
  do {                                                                                   \
    pc++;                                                                                \
    DISPATCH();                                                                          \
  } while (0)
/* To another instruction, unless the quantum is over. */
#define GO(target)                                                                       \
  do {                                                                                   \
    pc = (target);                                                                       \
    if (UNLIKELY(budget <= 0)) goto preempt;                                             \
    DISPATCH();                                                                          \
  } while (0)
#define NEXT_OR_SWITCH() GO(pc + 1)
#define BRANCH()         GO(pc + (int32_t)pc->d)

#define A           r[pc->a]
#define B           r[pc->b]
#define D           r[pc->d]
#define IMM         ((int64_t)(int32_t)pc->b)
#define S(value)    value_signed((value), pc->n)
#define MASK(value) ((value) & value_mask(pc->n))

/* name: an operation on unsigned words that wraps. */
#define WRAPPING(name, op)                                                               \
  L_##name##_R32 : D = (uint32_t)((uint32_t)A op(uint32_t) B);                           \
  NEXT();                                                                                \
  L_##name##_I32 : D = (uint32_t)((uint32_t)A op(uint32_t) IMM);                         \
  NEXT();                                                                                \
  L_##name##_R64 : D = A op B;                                                           \
  NEXT();                                                                                \
  L_##name##_I64 : D = A op(uint64_t) IMM;                                               \
  NEXT();                                                                                \
  L_##name##_R : D = MASK(A op B);                                                       \
  NEXT();                                                                                \
  L_##name##_I : D = MASK(A op(uint64_t) IMM);                                           \
  NEXT();

/* Division; immediates were checked when the code was made. */
#define UNSIGNED_DIVISION(name, op)                                                      \
  L_##name##_R32 : L_##name##_R64 : L_##name##_R : if (UNLIKELY(B == 0)) {               \
    status = VALUE_DIVIDE_BY_ZERO;                                                       \
    goto undefined;                                                                      \
  }                                                                                      \
  D = A op B;                                                                            \
  NEXT();                                                                                \
  L_##name##_I32 : D = (uint32_t)A op(uint32_t) IMM;                                     \
  NEXT();                                                                                \
  L_##name##_I64 : D = A op(uint64_t) IMM;                                               \
  NEXT();                                                                                \
  L_##name##_I : D = A op MASK((uint64_t)IMM);                                           \
  NEXT();
#define SIGNED_DIVISION(name, op)                                                        \
  L_##name##_R32 : L_##name##_R64 : L_##name##_R : {                                     \
    int64_t divisor = S(B), dividend = S(A);                                             \
    if (UNLIKELY(divisor == 0)) {                                                        \
      status = VALUE_DIVIDE_BY_ZERO;                                                     \
      goto undefined;                                                                    \
    }                                                                                    \
    if (UNLIKELY(divisor == -1 && A == UINT64_C(1) << (pc->n - 1))) {                    \
      status = VALUE_DIVIDE_OVERFLOW;                                                    \
      goto undefined;                                                                    \
    }                                                                                    \
    D = MASK((uint64_t)(dividend op divisor));                                           \
    NEXT();                                                                              \
  }                                                                                      \
  L_##name##_I32 : D = (uint32_t)((int32_t)A op(int32_t) IMM);                           \
  NEXT();                                                                                \
  L_##name##_I64 : D = (uint64_t)((int64_t)A op IMM);                                    \
  NEXT();                                                                                \
  L_##name##_I : D = MASK((uint64_t)(S(A) op IMM));                                      \
  NEXT();

/* Shifts: expr uses the operand A and the distance `by`. */
#define SHIFT(name, expr)                                                                \
  L_##name##_R32 : L_##name##_R64 : L_##name##_R : {                                     \
    uint64_t by = B;                                                                     \
    if (UNLIKELY(by >= pc->n)) {                                                         \
      status = VALUE_SHIFT;                                                              \
      goto undefined;                                                                    \
    }                                                                                    \
    D = MASK((uint64_t)(expr));                                                          \
    NEXT();                                                                              \
  }                                                                                      \
  L_##name##_I32 : L_##name##_I64 : L_##name##_I : {                                     \
    uint64_t by = pc->b;                                                                 \
    D = MASK((uint64_t)(expr));                                                          \
    NEXT();                                                                              \
  }

#define BITWISE(name, op)                                                                \
  L_##name##_R : D = A op B;                                                             \
  NEXT();                                                                                \
  L_##name##_I : D = A op(uint64_t) IMM;                                                 \
  NEXT();                                                                                \
  L_##name##_U : D = A op pc->b;                                                         \
  NEXT();

#define SIGNED_COMPARISON(name, op)                                                      \
  L_##name##_R32 : D = (int32_t)A op(int32_t) B;                                         \
  NEXT();                                                                                \
  L_##name##_I32 : D = (int32_t)A op(int32_t) IMM;                                       \
  NEXT();                                                                                \
  L_##name##_R64 : D = (int64_t)A op(int64_t) B;                                         \
  NEXT();                                                                                \
  L_##name##_I64 : D = (int64_t)A op IMM;                                                \
  NEXT();                                                                                \
  L_##name##_R : D = S(A) op S(B);                                                       \
  NEXT();                                                                                \
  L_##name##_I : D = S(A) op IMM;                                                        \
  NEXT();

#define BRANCH_IF(condition)                                                             \
  if (condition) BRANCH();                                                               \
  NEXT();
#define UNSIGNED_BRANCH(name, op)                                                        \
  L_##name##_R : BRANCH_IF(A op B) L_##name##_I                                          \
      : BRANCH_IF(A op(uint64_t) IMM) L_##name##_U : BRANCH_IF(A op pc->b)
#define SIGNED_BRANCH(name, op)                                                          \
  L_##name##_R32 : BRANCH_IF((int32_t)A op(int32_t) B) L_##name##_I32                    \
      : BRANCH_IF((int32_t)A op(int32_t) IMM) L_##name##_R64                             \
      : BRANCH_IF((int64_t)A op(int64_t) B) L_##name##_I64                               \
      : BRANCH_IF((int64_t)A op IMM) L_##name##_R : BRANCH_IF(S(A) op S(B)) L_##name##_I \
      : BRANCH_IF(S(A) op IMM)

/* Accesses of one size: through a pointer, to a global (the instruction holds its place),
 * to this frame's stack. */
#define ACCESSES(bits, type)                                                             \
  L_LOAD##bits : {                                                                       \
    uint64_t at = A + (uint64_t)IMM;                                                     \
    type v;                                                                              \
    if (UNLIKELY(!can_read(shadow, span, at, bits / 8)) &&                               \
        !memory_may_read(&x->memory, at, bits / 8)) {                                    \
      fault = "load";                                                                    \
      fault_at = at;                                                                     \
      fault_size = bits / 8;                                                             \
      goto bad_access;                                                                   \
    }                                                                                    \
    memcpy(&v, mem + at, sizeof v);                                                      \
    D = v;                                                                               \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE##bits : {                                                                      \
    uint64_t at = A + (uint64_t)IMM;                                                     \
    type v = (type)D;                                                                    \
    if (UNLIKELY(!can_write(shadow, span, at, bits / 8)) &&                              \
        !memory_may_write(&x->memory, at, bits / 8)) {                                   \
      fault = "store";                                                                   \
      fault_at = at;                                                                     \
      fault_size = bits / 8;                                                             \
      goto bad_access;                                                                   \
    }                                                                                    \
    memcpy(mem + at, &v, sizeof v);                                                      \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE_I##bits : {                                                                    \
    uint64_t at = A + (uint64_t)IMM;                                                     \
    type v = (type)(int32_t)pc->d;                                                       \
    if (UNLIKELY(!can_write(shadow, span, at, bits / 8)) &&                              \
        !memory_may_write(&x->memory, at, bits / 8)) {                                   \
      fault = "store";                                                                   \
      fault_at = at;                                                                     \
      fault_size = bits / 8;                                                             \
      goto bad_access;                                                                   \
    }                                                                                    \
    memcpy(mem + at, &v, sizeof v);                                                      \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_LOAD_G##bits : {                                                                     \
    type v;                                                                              \
    memcpy(&v, (const void *)(uintptr_t)ins_wide(pc), sizeof v);                         \
    D = v;                                                                               \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE_G##bits : {                                                                    \
    type v = (type)D;                                                                    \
    memcpy((void *)(uintptr_t)ins_wide(pc), &v, sizeof v);                               \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE_GI##bits : {                                                                   \
    type v = (type)(int32_t)pc->d;                                                       \
    memcpy((void *)(uintptr_t)ins_wide(pc), &v, sizeof v);                               \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_LOAD_F##bits : {                                                                     \
    type v;                                                                              \
    memcpy(&v, mem + f->stack + pc->a, sizeof v);                                        \
    D = v;                                                                               \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE_F##bits : {                                                                    \
    type v = (type)D;                                                                    \
    memcpy(mem + f->stack + pc->a, &v, sizeof v);                                        \
    NEXT_OR_SWITCH();                                                                    \
  }                                                                                      \
  L_STORE_FI##bits : {                                                                   \
    type v = (type)(int32_t)pc->d;                                                       \
    memcpy(mem + f->stack + pc->a, &v, sizeof v);                                        \
    NEXT_OR_SWITCH();                                                                    \
  }

/* What the loop keeps in its own variables. */
#define SAVE()   (f->pc = pc, x->steps = steps + (uint64_t)(start - budget))
#define RELOAD() (f = t->frame, r = f->slots, code = f->code, pc = f->pc)
#define LEAVE(why)                                                                       \
  do {                                                                                   \
    SAVE();                                                                              \
    *io_budget = budget;                                                                 \
    return (why);                                                                        \
  } while (0)

RunStatus eval_run(Exec *x, ExecThread *t, int64_t *io_budget) {
  static const void *const labels[] = {
#define INS(name) &&L_##name,
      INSTRUCTIONS(INS)
#undef INS
  };
  uint8_t *const mem = x->memory.bytes;
  const uint8_t *const shadow = x->memory.shadow;
  const uint64_t span = x->memory.span, steps = x->steps;
  int64_t budget = *io_budget;
  const int64_t start = budget;
  Frame *f;
  uint64_t *r;
  const Code *code;
  const Ins *pc;
  Outcome out;
  ValueStatus status;
  const char *fault;
  uint64_t fault_at, fault_size;
  RELOAD();
  DISPATCH();

L_NOP:
  NEXT();
L_MOVE:
  D = A;
  NEXT();
L_MOVE_WORDS:
  memmove(&D, &A, pc->b * sizeof *r);
  NEXT();
L_CONST:
  D = ins_wide(pc);
  NEXT();
L_WIDE:
  load_wide_constant(x, pc->a, &D);
  NEXT();
L_TLS:
  D = t->tls + ins_wide(pc);
  NEXT();
L_FRAME:
  D = f->stack + pc->a;
  NEXT();
  WRAPPING(ADD, +)
  WRAPPING(SUB, -)
  WRAPPING(MUL, *)
  UNSIGNED_DIVISION(UDIV, /)
  UNSIGNED_DIVISION(UREM, %)
  SIGNED_DIVISION(SDIV, /)
  SIGNED_DIVISION(SREM, %)
  SHIFT(SHL, A << by)
  SHIFT(LSHR, A >> by)
  SHIFT(ASHR, S(A) >> by)
  BITWISE(AND, &)
  BITWISE(OR, |)
  BITWISE(XOR, ^)
  BITWISE(EQ, ==)
  BITWISE(NE, !=)
  BITWISE(ULT, <)
  BITWISE(ULE, <=)
  BITWISE(UGT, >)
  BITWISE(UGE, >=)
  SIGNED_COMPARISON(SLT, <)
  SIGNED_COMPARISON(SLE, <=)
  SIGNED_COMPARISON(SGT, >)
  SIGNED_COMPARISON(SGE, >=)
  UNSIGNED_BRANCH(BEQ, ==)
  UNSIGNED_BRANCH(BNE, !=)
  UNSIGNED_BRANCH(BULT, <)
  UNSIGNED_BRANCH(BULE, <=)
  UNSIGNED_BRANCH(BUGT, >)
  UNSIGNED_BRANCH(BUGE, >=)
  SIGNED_BRANCH(BSLT, <)
  SIGNED_BRANCH(BSLE, <=)
  SIGNED_BRANCH(BSGT, >)
  SIGNED_BRANCH(BSGE, >=)
L_BTRUE:
  BRANCH_IF(A)
L_BFALSE:
  BRANCH_IF(!A)
L_JUMP:
  BRANCH();
L_SWITCH:
  GO(code->ins + switch_target(code, &code->switches.data[pc->b], A));
L_GOTO: {
  const Ins *target = goto_target(x, code, A);
  if (UNLIKELY(!target)) {
    SAVE();
    exec_stop(x, "goto to an address that is no label of this function");
    LEAVE(RUN_STOPPED);
  }
  GO(target);
}
L_CHOICE: {
  const Ins *target = choice_target(x, code, &code->choices.data[pc->a], r);
  if (UNLIKELY(!target)) goto L_STUCK;
  GO(target);
}
L_SEXT32:
  D = (uint32_t)S(A);
  NEXT();
L_SEXT64:
  D = (uint64_t)S(A);
  NEXT();
L_SEXT:
  D = (uint64_t)S(A) & value_mask(pc->b);
  NEXT();
L_TRUNC:
  D = MASK(A);
  NEXT();
L_EXTRACT:
  D = MASK(A >> pc->b);
  NEXT();
L_SCALE:
  D = A + (uint64_t)((int64_t)(int32_t)B * pc->n);
  NEXT();
L_FADD32:
  D = of_float(as_float(A) + as_float(B));
  NEXT();
L_FSUB32:
  D = of_float(as_float(A) - as_float(B));
  NEXT();
L_FMUL32:
  D = of_float(as_float(A) * as_float(B));
  NEXT();
L_FDIV32:
  D = of_float(as_float(A) / as_float(B));
  NEXT();
L_FEQ32:
  D = as_float(A) == as_float(B);
  NEXT();
L_FLT32:
  D = as_float(A) < as_float(B);
  NEXT();
L_FLE32:
  D = as_float(A) <= as_float(B);
  NEXT();
L_FADD64:
  D = of_double(as_double(A) + as_double(B));
  NEXT();
L_FSUB64:
  D = of_double(as_double(A) - as_double(B));
  NEXT();
L_FMUL64:
  D = of_double(as_double(A) * as_double(B));
  NEXT();
L_FDIV64:
  D = of_double(as_double(A) / as_double(B));
  NEXT();
L_FEQ64:
  D = as_double(A) == as_double(B);
  NEXT();
L_FLT64:
  D = as_double(A) < as_double(B);
  NEXT();
L_FLE64:
  D = as_double(A) <= as_double(B);
  NEXT();
L_GEN: {
  const GenOp *op = &code->gens.data[pc->a];
  uint64_t small, *d = op->op.bits <= 64 ? &small : &r[op->d];
  status = value_apply(&op->op, d, &r[op->a], &r[op->b], &r[op->c]);
  if (UNLIKELY(status != VALUE_OK)) goto undefined;
  if (d == &small) r[op->d] = small;
  NEXT();
}
  ACCESSES(8, uint8_t)
  ACCESSES(16, uint16_t)
  ACCESSES(32, uint32_t)
  ACCESSES(64, uint64_t)
L_LOAD_WIDE: {
  const Site *site = &code->sites.data[pc->a];
  uint64_t size = bits_to_bytes(site->bits);
  if (UNLIKELY(!memory_may_read(&x->memory, r[site->a], size))) {
    fault = "load";
    fault_at = r[site->a];
    fault_size = size;
    goto bad_access;
  }
  if (site->dst) value_from_bytes(&r[site->dst], mem + r[site->a], site->bits);
  NEXT_OR_SWITCH();
}
L_STORE_WIDE: {
  const Site *site = &code->sites.data[pc->a];
  uint64_t size = bits_to_bytes(site->bits);
  if (UNLIKELY(!memory_may_write(&x->memory, r[site->a], size))) {
    fault = "store";
    fault_at = r[site->a];
    fault_size = size;
    goto bad_access;
  }
  value_to_bytes(mem + r[site->a], &r[site->b], site->bits);
  NEXT_OR_SWITCH();
}
L_CALL_POINTER: {
  const CallSite *site = &code->calls.data[pc->a];
  if (UNLIKELY(!site->code || r[site->pointer] != site->address)) goto L_CALL_OTHER;
  goto L_CALL;
}
L_CALL: {
  SAVE();
  Frame *n = enter(x, t, &code->calls.data[pc->a], code, r);
  if (UNLIKELY(!n)) LEAVE(RUN_STOPPED);
  f->pc = pc + 1;
  f = n;
  r = n->slots;
  code = n->code;
  GO(n->pc);
}
L_RETURN: {
  const CallSite *site = f->site;
  if (LIKELY(f->on_return == RETURN_CALLER && site->code == code)) {
    uint64_t value = A;
    frame_pop(x, t);
    RELOAD();
    if (site->dst) r[site->dst] = value;
    DISPATCH();
  }
  SAVE();
  out = call_return(x, t, pc->b ? &A : NULL);
  goto outcome;
}
L_RETURN_WIDE:
  SAVE();
  out = call_return(x, t, &A);
  goto outcome;
L_CALL_OTHER:
  SAVE();
  out = call_execute(x, t, &code->calls.data[pc->a]);
  goto outcome;
L_SLOW:
  SAVE();
  out = slow_execute(x, t, &code->sites.data[pc->a], r);
  goto outcome;
L_YIELD:
  LEAVE(RUN_YIELDED);
L_STUCK:
  SAVE();
  out = exec_stuck(x, t, code->edges[pc - code->ins]);
  goto outcome;

outcome:
  switch (out) {
  case OUT_NEXT:
    if (UNLIKELY(x->switch_now)) {
      pc++;
      goto preempt;
    }
    NEXT_OR_SWITCH();
  case OUT_FRAME:
    RELOAD();
    if (UNLIKELY(x->switch_now || budget <= 0)) goto preempt;
    DISPATCH();
  case OUT_BLOCK: *io_budget = budget; return RUN_BLOCKED;
  case OUT_END: *io_budget = budget; return RUN_ENDED;
  default: *io_budget = budget; return RUN_STOPPED;
  }

preempt:
  LEAVE(RUN_PREEMPTED);

undefined:
  SAVE();
  exec_stop(x, "%s", value_status_text(status));
  LEAVE(RUN_STOPPED);

bad_access:
  SAVE();
  memory_fault(x, fault, fault_at, fault_size);
  LEAVE(RUN_STOPPED);
}
