/* LLVM's own functions. Those without side effects become expressions, the memory functions
 * operations, the mathematical ones calls of the C library's functions of the same meaning;
 * some say nothing that the model needs. */
#include "front/llvm/internal.h"

typedef struct {
  Translator *t;
  LLVMValueRef call;
  const char *name;
  LLVMTypeRef type; /* of the result, of one lane if it is a vector */
  ExprId x[3];      /* arguments, of one lane */
  unsigned lanes;
} Pure;

static bool named(const char *name, const char *prefix) {
  size_t n = strlen(prefix);
  return !strncmp(name + 5, prefix, n) && (name[5 + n] == '.' || !name[5 + n]);
}

static ExprId number(Pure *p, uint32_t bits, uint64_t value) {
  return builder_const(p->t->b, SORT_INT, bits, value);
}

/* ---- arithmetic with overflow ---- */

typedef struct {
  bool is_signed;
  ExprKind kind;
} Arithmetic;

/* Reads "sadd", "umul", … */
static bool arithmetic_of(const char *text, Arithmetic *ret) {
  ret->is_signed = text[0] == 's';
  if (text[0] != 's' && text[0] != 'u') return false;
  if (!strncmp(text + 1, "add", 3))
    ret->kind = EXPR_ADD;
  else if (!strncmp(text + 1, "sub", 3))
    ret->kind = EXPR_SUB;
  else if (!strncmp(text + 1, "mul", 3))
    ret->kind = EXPR_MUL;
  else
    return false;
  return true;
}

/* The exact result, in a width where it cannot overflow; signed even for unsigned operands,
 * because a difference may be negative. */
static ExprId exact(Pure *p, Arithmetic a) {
  Builder *b = p->t->b;
  uint32_t bits = builder_bits(b, p->x[0]);
  uint32_t wide = a.kind == EXPR_MUL ? 2 * bits + 2 : bits + 2;
  return builder_binary(b, a.kind, builder_resize(b, p->x[0], wide, a.is_signed),
                        builder_resize(b, p->x[1], wide, a.is_signed));
}

static ExprId with_overflow(Pure *p, Arithmetic a) {
  Builder *b = p->t->b;
  uint32_t bits = builder_bits(b, p->x[0]);
  ExprId full = exact(p, a);
  ExprId narrow = builder_resize(b, full, bits, false);
  ExprId back = builder_resize(b, narrow, builder_bits(b, full), a.is_signed);
  ExprId overflow = builder_compare(b, EXPR_NE, full, back);
  LLVMTypeRef type = LLVMTypeOf(p->call);
  ExprId pair = builder_const(b, SORT_INT, shape_of(p->t, type).bits, 0);
  pair = builder_insert(b, pair, narrow, 0);
  return builder_insert(b, pair, overflow,
                        (uint32_t)LLVMOffsetOfElement(p->t->layout, type, 1) * 8);
}

static ExprId saturated(Pure *p, Arithmetic a) {
  Builder *b = p->t->b;
  uint32_t bits = builder_bits(b, p->x[0]);
  ExprId full = exact(p, a);
  uint32_t wide = builder_bits(b, full);
  ExprId one = builder_const(b, SORT_INT, wide, 1);
  ExprId top =
      builder_binary(b, EXPR_SHL, one, number(p, wide, a.is_signed ? bits - 1 : bits));
  ExprId high = builder_binary(b, EXPR_SUB, top, one);
  ExprId low = a.is_signed ? builder_binary(b, EXPR_SUB, number(p, wide, 0), top)
                           : number(p, wide, 0);
  ExprId e = builder_ite(b, builder_compare(b, EXPR_SLT, high, full), high, full);
  e = builder_ite(b, builder_compare(b, EXPR_SLT, full, low), low, e);
  return builder_resize(b, e, bits, false);
}

static ExprId funnel_shift(Pure *p, bool left) {
  Builder *b = p->t->b;
  uint32_t bits = builder_bits(b, p->x[0]), wide = 2 * bits;
  ExprId high = builder_binary(b, EXPR_SHL, builder_resize(b, p->x[0], wide, false),
                               number(p, wide, bits));
  ExprId both = builder_binary(b, EXPR_OR, high, builder_resize(b, p->x[1], wide, false));
  ExprId by = builder_resize(
      b, builder_binary(b, EXPR_UREM, p->x[2], number(p, bits, bits)), wide, false);
  ExprId moved = builder_binary(b, left ? EXPR_SHL : EXPR_LSHR, both, by);
  if (left) moved = builder_binary(b, EXPR_LSHR, moved, number(p, wide, bits));
  return builder_resize(b, moved, bits, false);
}

static ExprId absolute(Pure *p) {
  Builder *b = p->t->b;
  uint32_t bits = builder_bits(b, p->x[0]);
  ExprId zero = number(p, bits, 0);
  return builder_ite(b, builder_compare(b, EXPR_SLT, p->x[0], zero),
                     builder_binary(b, EXPR_SUB, zero, p->x[0]), p->x[0]);
}

static ExprId extremum(Pure *p, ExprKind less, bool smallest) {
  Builder *b = p->t->b;
  ExprId smaller = builder_compare(b, less, p->x[0], p->x[1]);
  return smallest ? builder_ite(b, smaller, p->x[0], p->x[1])
                  : builder_ite(b, smaller, p->x[1], p->x[0]);
}

/* -1, 0 or 1. */
static ExprId three_way(Pure *p, ExprKind less) {
  Builder *b = p->t->b;
  uint32_t bits = shape_of(p->t, p->type).bits;
  ExprId more = builder_ite(b, builder_compare(b, less, p->x[1], p->x[0]),
                            number(p, bits, 1), number(p, bits, 0));
  return builder_ite(b, builder_compare(b, less, p->x[0], p->x[1]),
                     builder_not(b, number(p, bits, 0)), more);
}

static ExprId unary(Pure *p, ExprKind kind) {
  Builder *b = p->t->b;
  return builder_op(b, kind, builder_sort(b, p->x[0]), builder_bits(b, p->x[0]), p->x[0],
                    0, 0);
}

/* ---- classes of floats ---- */

/* Tests of __builtin_isnan and its kin, by the bits: sign, exponent, fraction. The 80-bit
 * format has an explicit integer bit between exponent and fraction. */
static ExprId float_class(Pure *p) {
  Builder *b = p->t->b;
  uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(p->call, 1));
  uint32_t bits = builder_bits(b, p->x[0]);
  bool brain = builder_sort(b, p->x[0]) == SORT_BFLOAT;
  uint32_t exponent = brain ? 8 : bits == 16 ? 5 : bits == 32 ? 8 : bits == 64 ? 11 : 15;
  uint32_t fraction = bits == 80 ? 63 : bits - 1 - exponent;
  uint32_t significand = bits == 80 ? 64 : fraction;
  ExprId raw = builder_as(b, p->x[0], SORT_INT);
  ExprId sign = builder_extract(b, raw, bits - 1, SORT_INT, 1);
  ExprId e = builder_extract(b, raw, significand, SORT_INT, exponent);
  ExprId f = builder_extract(b, raw, 0, SORT_INT, fraction);
  ExprId s = builder_extract(b, raw, 0, SORT_INT, significand);
  ExprId quiet_bit = builder_extract(b, raw, fraction - 1, SORT_INT, 1);
  ExprId e_ones = builder_compare(b, EXPR_EQ, e, number(p, exponent, UINT64_MAX));
  ExprId e_zero = builder_compare(b, EXPR_EQ, e, number(p, exponent, 0));
  ExprId f_zero = builder_compare(b, EXPR_EQ, f, number(p, fraction, 0));
  ExprId s_zero = builder_compare(b, EXPR_EQ, s, number(p, significand, 0));
  ExprId nan = builder_binary(b, EXPR_AND, e_ones, builder_not(b, f_zero));
  ExprId infinite = builder_binary(b, EXPR_AND, e_ones, f_zero);
  ExprId normal =
      builder_binary(b, EXPR_AND, builder_not(b, e_ones), builder_not(b, e_zero));
  ExprId subnormal = builder_binary(b, EXPR_AND, e_zero, builder_not(b, s_zero));
  ExprId zero = builder_binary(b, EXPR_AND, e_zero, s_zero);
  ExprId positive = builder_not(b, sign);
  struct {
    uint64_t bit;
    ExprId what, with;
  } classes[] = {{1, nan, builder_not(b, quiet_bit)},
                 {2, nan, quiet_bit},
                 {4, infinite, sign},
                 {8, normal, sign},
                 {16, subnormal, sign},
                 {32, zero, sign},
                 {64, zero, positive},
                 {128, subnormal, positive},
                 {256, normal, positive},
                 {512, infinite, positive}};
  ExprId any = number(p, 1, 0);
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (mask & classes[i].bit)
      any = builder_binary(b, EXPR_OR, any,
                           builder_binary(b, EXPR_AND, classes[i].what, classes[i].with));
  return any;
}

/* ---- conversions that stop at the ends ---- */

static ExprId power_of_two_as_float(Pure *p, uint32_t exponent, bool negative) {
  Builder *b = p->t->b;
  ExprId one = builder_const(b, SORT_INT, exponent + 2, 1);
  ExprId power = builder_binary(b, EXPR_SHL, one, number(p, exponent + 2, exponent));
  if (negative) power = builder_binary(b, EXPR_SUB, number(p, exponent + 2, 0), power);
  return builder_op(b, EXPR_SITOF, builder_sort(b, p->x[0]), builder_bits(b, p->x[0]),
                    power, 0, 0);
}

static ExprId to_int_saturating(Pure *p, bool is_signed) {
  Builder *b = p->t->b;
  uint32_t bits = shape_of(p->t, p->type).bits;
  uint32_t top = is_signed ? bits - 1 : bits;
  ExprId low = is_signed ? power_of_two_as_float(p, top, true)
                         : builder_op(b, EXPR_SITOF, builder_sort(b, p->x[0]),
                                      builder_bits(b, p->x[0]), number(p, 8, 0), 0, 0);
  ExprId converted =
      builder_op(b, is_signed ? EXPR_FTOSI : EXPR_FTOUI, SORT_INT, bits, p->x[0], 0, 0);
  ExprId one = number(p, bits, 1);
  ExprId sign = builder_binary(b, EXPR_SHL, one, number(p, bits, bits - 1));
  ExprId smallest = is_signed ? sign : number(p, bits, 0);
  ExprId largest = builder_not(b, smallest);
  ExprId big =
      builder_compare(b, EXPR_FLE, power_of_two_as_float(p, top, false), p->x[0]);
  ExprId e = builder_ite(b, big, largest, converted);
  e = builder_ite(b, builder_compare(b, EXPR_FLE, p->x[0], low), smallest, e);
  return builder_ite(b, builder_compare(b, EXPR_FORD, p->x[0], p->x[0]), e,
                     number(p, bits, 0));
}

/* ---- reductions of vectors ---- */

static ExprId reduce(Pure *p, const char *what) {
  Builder *b = p->t->b;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(p->call, 0));
  ExprId whole = value_of(p->t, LLVMGetOperand(p->call, 0));
  unsigned n = LLVMGetVectorSize(type);
  ExprId e = lane_get(p->t, whole, type, 0);
  for (unsigned i = 1; i < n; i++) {
    Pure step = *p;
    step.x[0] = e;
    step.x[1] = lane_get(p->t, whole, type, i);
    if (str_starts(what, "add"))
      e = builder_binary(b, EXPR_ADD, step.x[0], step.x[1]);
    else if (str_starts(what, "mul"))
      e = builder_binary(b, EXPR_MUL, step.x[0], step.x[1]);
    else if (str_starts(what, "and"))
      e = builder_binary(b, EXPR_AND, step.x[0], step.x[1]);
    else if (str_starts(what, "or"))
      e = builder_binary(b, EXPR_OR, step.x[0], step.x[1]);
    else if (str_starts(what, "xor"))
      e = builder_binary(b, EXPR_XOR, step.x[0], step.x[1]);
    else if (str_starts(what, "smax"))
      e = extremum(&step, EXPR_SLT, false);
    else if (str_starts(what, "smin"))
      e = extremum(&step, EXPR_SLT, true);
    else if (str_starts(what, "umax"))
      e = extremum(&step, EXPR_ULT, false);
    else
      e = extremum(&step, EXPR_ULT, true);
  }
  return e;
}

/* Sums and products of floats take the lanes in order, behind a value to start with. */
static ExprId reduce_floats(Pure *p, ExprKind kind) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(p->call, 1));
  ExprId e = value_of(p->t, LLVMGetOperand(p->call, 0));
  ExprId whole = value_of(p->t, LLVMGetOperand(p->call, 1));
  unsigned n = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < n; i++)
    e = builder_binary(p->t->b, kind, e, lane_get(p->t, whole, type, i));
  return e;
}

/* movmskps and its kin: the highest bit of each lane, side by side. */
static ExprId highest_bits(Pure *p) {
  Builder *b = p->t->b;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(p->call, 0));
  uint32_t bits = shape_of(p->t, LLVMGetElementType(type)).bits;
  ExprId whole = value_of(p->t, LLVMGetOperand(p->call, 0));
  ExprId mask = number(p, shape_of(p->t, p->type).bits, 0);
  unsigned n = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < n; i++)
    mask = builder_insert(b, mask,
                          builder_extract(b, whole, (i + 1) * bits - 1, SORT_INT, 1), i);
  return mask;
}

/* ---- the table ---- */

/* Names of intrinsics without side effects, after "llvm.". */
static const char *const pure_names[] = {
    "bswap",
    "bitreverse",
    "ctpop",
    "ctlz",
    "cttz",
    "fshl",
    "fshr",
    "abs",
    "smax",
    "smin",
    "umax",
    "umin",
    "fabs",
    "copysign",
    "fma",
    "fmuladd",
    "canonicalize",
    "is.fpclass",
    "is.constant",
    "objectsize",
    "expect",
    "expect.with.probability",
    "threadlocal.address",
    "launder.invariant.group",
    "strip.invariant.group",
    "ptr.annotation",
    "annotation",
    "sadd.with.overflow",
    "uadd.with.overflow",
    "ssub.with.overflow",
    "usub.with.overflow",
    "smul.with.overflow",
    "umul.with.overflow",
    "sadd.sat",
    "uadd.sat",
    "ssub.sat",
    "usub.sat",
    "fptosi.sat",
    "fptoui.sat",
    "ssa.copy",
    "arithmetic.fence",
    "ptrmask",
    "get.rounding",
    "vector.reduce.add",
    "vector.reduce.mul",
    "vector.reduce.and",
    "vector.reduce.or",
    "vector.reduce.xor",
    "vector.reduce.smax",
    "vector.reduce.smin",
    "vector.reduce.umax",
    "vector.reduce.umin",
    "vector.reduce.fadd",
    "vector.reduce.fmul",
    "x86.sse.movmsk.ps",
    "x86.sse2.movmsk.pd",
    "x86.sse2.pmovmskb.128",
    "ucmp",
    "scmp",
};

bool intrinsic_is_pure(const char *name) {
  if (!str_starts(name, "llvm.")) return false;
  for (size_t i = 0; i < sizeof pure_names / sizeof *pure_names; i++)
    if (named(name, pure_names[i])) return true;
  return false;
}

static ExprId integer_intrinsic(Pure *p) {
  const char *n = p->name;
  Arithmetic a;
  if (strstr(n, ".with.overflow") && arithmetic_of(n + 5, &a)) return with_overflow(p, a);
  if (strstr(n, ".sat.") && arithmetic_of(n + 5, &a)) return saturated(p, a);
  if (named(n, "bswap")) return unary(p, EXPR_BSWAP);
  if (named(n, "bitreverse")) return unary(p, EXPR_BITREV);
  if (named(n, "ctpop")) return unary(p, EXPR_POPCOUNT);
  if (named(n, "ctlz")) return unary(p, EXPR_CLZ);
  if (named(n, "cttz")) return unary(p, EXPR_CTZ);
  if (named(n, "fshl") || named(n, "fshr")) return funnel_shift(p, n[8] == 'l');
  if (named(n, "abs")) return absolute(p);
  if (named(n, "smax") || named(n, "smin")) return extremum(p, EXPR_SLT, n[7] == 'i');
  if (named(n, "umax") || named(n, "umin")) return extremum(p, EXPR_ULT, n[7] == 'i');
  if (named(n, "ucmp") || named(n, "scmp"))
    return three_way(p, n[5] == 's' ? EXPR_SLT : EXPR_ULT);
  return 0;
}

static ExprId float_intrinsic(Pure *p) {
  const char *n = p->name;
  Builder *b = p->t->b;
  if (named(n, "fabs")) return unary(p, EXPR_FABS);
  if (named(n, "copysign")) return builder_binary(b, EXPR_FCOPYSIGN, p->x[0], p->x[1]);
  if (named(n, "fma"))
    return builder_op(b, EXPR_FMA, builder_sort(b, p->x[0]), builder_bits(b, p->x[0]),
                      p->x[0], p->x[1], p->x[2]);
  if (named(n, "fmuladd")) /* the baseline x86-64 has no fused instruction */
    return builder_binary(b, EXPR_FADD, builder_binary(b, EXPR_FMUL, p->x[0], p->x[1]),
                          p->x[2]);
  if (named(n, "is.fpclass")) return float_class(p);
  if (named(n, "fptosi.sat") || named(n, "fptoui.sat"))
    return to_int_saturating(p, n[9] == 's');
  return 0;
}

static ExprId scalar_intrinsic(Pure *p) {
  const char *n = p->name;
  Builder *b = p->t->b;
  ExprId e = integer_intrinsic(p);
  if (!e) e = float_intrinsic(p);
  if (e) return e;
  Shape shape = shape_of(p->t, p->type);
  if (named(n, "is.constant")) return number(p, 1, 0);
  if (named(n, "objectsize")) { /* not known: the answer for "at most" or "at least" */
    bool least = LLVMConstIntGetZExtValue(LLVMGetOperand(p->call, 1)) != 0;
    return number(p, shape.bits, least ? 0 : UINT64_MAX);
  }
  if (named(n, "get.rounding")) return number(p, shape.bits, 1);
  if (named(n, "ptrmask"))
    return builder_as(
        b, builder_binary(b, EXPR_AND, builder_as(b, p->x[0], SORT_INT), p->x[1]),
        SORT_PTR);
  return p->x[0]; /* hints: the value itself */
}

ExprId intrinsic_expr(Translator *t, LLVMValueRef call, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(call);
  Pure p = {.t = t, .call = call, .name = name, .type = type};
  if (strstr(name, "movmsk")) return highest_bits(&p);
  if (str_starts(name, "llvm.vector.reduce.fadd")) return reduce_floats(&p, EXPR_FADD);
  if (str_starts(name, "llvm.vector.reduce.fmul")) return reduce_floats(&p, EXPR_FMUL);
  if (str_starts(name, "llvm.vector.reduce."))
    return reduce(&p, name + strlen("llvm.vector.reduce."));
  unsigned n = LLVMGetNumArgOperands(call);
  ExprId args[3] = {0};
  for (unsigned i = 0; i < n && i < 3; i++)
    args[i] = value_of(t, LLVMGetOperand(call, i));
  if (!is_vector(type)) {
    memcpy(p.x, args, sizeof args);
    return scalar_intrinsic(&p);
  }
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  p.type = LLVMGetElementType(type);
  unsigned lanes = LLVMGetVectorSize(type);
  for (unsigned lane = 0; lane < lanes; lane++) {
    for (unsigned i = 0; i < n && i < 3; i++) {
      LLVMTypeRef operand = LLVMTypeOf(LLVMGetOperand(call, i));
      p.x[i] = is_vector(operand) ? lane_get(t, args[i], operand, lane) : args[i];
    }
    whole = lane_set(t, whole, type, lane, scalar_intrinsic(&p));
  }
  return whole;
}

/* ---- with side effects ---- */

static ExprId argument(Translator *t, LLVMValueRef call, unsigned i) {
  return value_of(t, LLVMGetOperand(call, i));
}

/* Intrinsics that stand for a function of the C library, for double; float and long double
 * take its f and l variants. */
static const struct {
  const char *intrinsic, *function;
} math[] = {
    {"sqrt", "sqrt"},     {"pow", "pow"},
    {"exp", "exp"},       {"exp2", "exp2"},
    {"exp10", "exp10"},   {"log", "log"},
    {"log2", "log2"},     {"log10", "log10"},
    {"sin", "sin"},       {"cos", "cos"},
    {"tan", "tan"},       {"floor", "floor"},
    {"ceil", "ceil"},     {"trunc", "trunc"},
    {"rint", "rint"},     {"nearbyint", "nearbyint"},
    {"round", "round"},   {"roundeven", "roundeven"},
    {"minnum", "fmin"},   {"maxnum", "fmax"},
    {"lround", "lround"}, {"llround", "llround"},
    {"lrint", "lrint"},   {"llrint", "llrint"},
    {"ldexp", "ldexp"},   {"asin", "asin"},
    {"acos", "acos"},     {"atan", "atan"},
    {"sinh", "sinh"},     {"cosh", "cosh"},
    {"tanh", "tanh"},
};

static FuncId math_function(Translator *t, const char *base, Shape shape) {
  Str name = {0};
  str_add(&name, base);
  if (shape.bits == 32)
    str_add_char(&name, 'f');
  else if (shape.bits == 80)
    str_add_char(&name, 'l');
  uint64_t *slot = strmap_at(&t->library, str_text(&name), name.len);
  if (!*slot) {
    *slot = t->p->functions.len;
    Function f = {.name = builder_sym(t->b, str_text(&name)),
                  .flags = FUNCTION_RULE | FUNCTION_PURE | FUNCTION_VARARGS,
                  .return_sort = (uint8_t)shape.sort,
                  .return_bits = shape.bits};
    vec_push(&t->p->functions, f);
  }
  str_free(&name);
  return (FuncId)*slot;
}

/* One call of the function, of all arguments or of one lane of those that are vectors. */
static void math_call(Translator *t, LLVMValueRef call, FuncId id, unsigned lane,
                      LocalId dst) {
  unsigned n = LLVMGetNumArgOperands(call);
  Edge edge = {
      .op = OP_CALL, .a = builder_func(t->b, id), .flags = EDGE_MISMATCH, .dst = dst};
  Arg args[3] = {0};
  for (unsigned k = 0; k < n && k < 3; k++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
    args[k].value = argument(t, call, k);
    if (is_vector(type)) args[k].value = lane_get(t, args[k].value, type, lane);
  }
  edge.first_arg = t->p->args.len;
  edge.arg_count = n;
  memcpy(vec_extend(&t->p->args, n), args, n * sizeof *args);
  emit(t, edge);
}

static void math_lanes(Translator *t, LLVMValueRef call, FuncId id) {
  LLVMTypeRef type = LLVMTypeOf(call);
  Shape shape = shape_of(t, LLVMGetElementType(type));
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  unsigned lanes = LLVMGetVectorSize(type);
  for (unsigned lane = 0; lane < lanes; lane++) {
    LocalId one = temporary(t, shape.sort, shape.bits);
    math_call(t, call, id, lane, one);
    whole = lane_set(t, whole, type, lane, builder_local(t->b, one));
  }
  set_value(t, call, whole);
}

static bool math_intrinsic(Translator *t, LLVMValueRef call, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned n = LLVMGetNumArgOperands(call);
  if (!n) return false;
  LLVMTypeRef operand = LLVMTypeOf(LLVMGetOperand(call, 0));
  Shape argument_shape =
      shape_of(t, is_vector(operand) ? LLVMGetElementType(operand) : operand);
  if (argument_shape.bits != 32 && argument_shape.bits != 64 && argument_shape.bits != 80)
    return false;
  for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
    if (!named(name, math[i].intrinsic)) continue;
    /* the suffix follows the float, the result may be an integer */
    FuncId id = math_function(t, math[i].function, argument_shape);
    if (is_vector(type))
      math_lanes(t, call, id);
    else
      math_call(t, call, id, 0, result_local(t, call));
    return true;
  }
  return false;
}

static bool is_silent(const char *name) {
  static const char *const silent[] = {"llvm.dbg.",        "llvm.lifetime.",
                                       "llvm.assume",      "llvm.prefetch",
                                       "llvm.donothing",   "llvm.var.annotation",
                                       "llvm.invariant.",  "llvm.experimental.noalias",
                                       "llvm.sideeffect",  "llvm.pseudoprobe",
                                       "llvm.va_end",      "llvm.eh.typeid",
                                       "llvm.clear_cache", "llvm.codeview",
                                       "llvm.seh.",        "llvm.allow."};
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
    if (str_starts(name, silent[i]) && !str_starts(name, "llvm.va_end")) return true;
  return false;
}

/* Tables of distances: what is `offset` bytes behind the table says how far from it. */
static void load_relative(Translator *t, LLVMValueRef call) {
  ExprId table = argument(t, call, 0);
  ExprId offset = builder_resize(t->b, argument(t, call, 1), 64, true);
  LocalId distance = temporary(t, SORT_INT, 32);
  emit(t, (Edge){.op = OP_LOAD,
                 .a = builder_offset(t->b, table, offset),
                 .dst = distance,
                 .size = 4,
                 .path = path_of(t, LLVMGetOperand(call, 0), NULL)});
  ExprId far = builder_resize(t->b, builder_local(t->b, distance), 64, true);
  set_value(t, call, builder_offset(t->b, table, far));
}

bool intrinsic_translate(Translator *t, LLVMValueRef call, const char *name) {
  if (is_silent(name)) return true;
  if (memory_intrinsic(t, call, name) || math_intrinsic(t, call, name)) return true;
  if (str_starts(name, "llvm.va_start"))
    emit(t, (Edge){.op = OP_VA_START, .a = argument(t, call, 0)});
  else if (str_starts(name, "llvm.va_end"))
    emit(t, (Edge){.op = OP_VA_END, .a = argument(t, call, 0)});
  else if (str_starts(name, "llvm.va_copy"))
    emit(t,
         (Edge){.op = OP_VA_COPY, .a = argument(t, call, 0), .b = argument(t, call, 1)});
  else if (str_starts(name, "llvm.stacksave"))
    emit(t, (Edge){.op = OP_STACK_SAVE, .dst = result_local(t, call)});
  else if (str_starts(name, "llvm.stackrestore"))
    emit(t, (Edge){.op = OP_STACK_RESTORE, .a = argument(t, call, 0)});
  else if (str_starts(name, "llvm.trap") || str_starts(name, "llvm.debugtrap") ||
           str_starts(name, "llvm.ubsantrap"))
    emit_end(t, (Edge){.op = OP_EXIT,
                       .a = builder_const(t->b, SORT_INT, 32, 132),
                       .flags = EDGE_ABORT});
  else if (str_starts(name, "llvm.load.relative."))
    load_relative(t, call);
  else if (str_starts(name, "llvm.x86.sse2.pause"))
    return true;
  else if (str_starts(name, "llvm.x86.sse2.mfence"))
    emit(t, (Edge){.op = OP_FENCE, .order = ORDER_SEQ_CST});
  else if (str_starts(name, "llvm.x86.sse.sfence"))
    emit(t, (Edge){.op = OP_FENCE, .order = ORDER_RELEASE});
  else if (str_starts(name, "llvm.x86.sse2.lfence"))
    emit(t, (Edge){.op = OP_FENCE, .order = ORDER_ACQUIRE});
  else
    return false;
  return true;
}
