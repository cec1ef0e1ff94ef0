/* Expressions of the model as C.
 *
 * Integers are unsigned, of the least of 8, 16, 32, 64 and 128 bits that holds them, and every text
 * has a value below 2^bits; signed operators cast. Pointers are char *, floats are C's. An operand
 * of C may be promoted to int, so results of fewer than 32 bits are cut by a cast, and those of odd
 * widths by a mask. */
#include "seqc/emit.h"

#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WEIGHT_MOST = 20000, WIDTH_MOST = 128 };

const char *seqc_type(Seqc *s, uint8_t sort, uint32_t bits) {
  if (sort == SORT_PTR) return "char *";
  if (sort == SORT_FLOAT) {
    if (bits == 32) return "float";
    if (bits == 64) return "double";
    if (bits == 80) return "long double";
  }
  if (sort == SORT_INT && bits <= WIDTH_MOST)
    return bits <= 8    ? "uint8_t"
           : bits <= 16 ? "uint16_t"
           : bits <= 32 ? "uint32_t"
           : bits <= 64 ? "uint64_t"
                        : "unsigned __int128";
  seqc_refuse(s, "use narrower values there",
              "a value of %u bits has no type in portable C", bits);
  return "int";
}

static const char *signed_type(uint32_t bits) {
  return bits <= 8    ? "int8_t"
         : bits <= 16 ? "int16_t"
         : bits <= 32 ? "int32_t"
         : bits <= 64 ? "int64_t"
                      : "__int128";
}

static bool is_whole(uint32_t bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

/* The container of a width: 8, 16, 32, 64 or 128. */
static uint32_t container(uint32_t bits) {
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

static uint64_t mask_of(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void put_mask(uint32_t bits, Str *out) {
  if (bits <= 64)
    str_addf(out, bits <= 32 ? "0x%" PRIx64 : "0x%" PRIx64 "ul", mask_of(bits));
  else
    str_addf(out, "(((unsigned __int128)1 << %u) - 1)", bits);
}

static const Expr *at(const Seqc *s, ExprId id) {
  return program_expr(s->program, id);
}

/* ---- constants ---- */

static void put_int(uint64_t value, uint32_t bits, Str *out) {
  if (value < 10)
    str_addf(out, "%" PRIu64, value);
  else if (bits <= 32)
    str_addf(out, value > UINT64_C(0xffff0000) ? "0x%" PRIx64 "u" : "%" PRIu64 "u",
             value);
  else
    str_addf(out,
             value > UINT64_C(0xffffffffffff0000) ? "0x%" PRIx64 "ul" : "%" PRIu64 "ul",
             value);
}

static void put_double(double value, const char *suffix, Str *out) {
  if (isnan(value))
    str_add(out, "(0.0 / 0.0)");
  else if (isinf(value))
    str_add(out, value < 0 ? "(-1.0 / 0.0)" : "(1.0 / 0.0)");
  else if (value == (double)(int64_t)value && fabs(value) < 1e9 && !signbit(value))
    str_addf(out, "%.1f%s", value, suffix);
  else
    str_addf(out, "%a%s", value, suffix);
}

static void put_const(Seqc *s, const Expr *e, Str *out) {
  if (e->sort == SORT_PTR) {
    str_addf(out, e->value ? "(char *)0x%" PRIx64 "ul" : "(char *)0", e->value);
  } else if (e->sort == SORT_FLOAT && e->bits == 32) {
    float f;
    memcpy(&f, &e->value, sizeof f);
    put_double(f, "f", out);
  } else if (e->sort == SORT_FLOAT && e->bits == 64) {
    double f;
    memcpy(&f, &e->value, sizeof f);
    put_double(f, "", out);
  } else {
    seqc_type(s, e->sort, e->bits);
    put_int(e->value, e->bits, out);
  }
}

static void put_wide(Seqc *s, const Expr *e, Str *out) {
  const uint8_t *bytes = vec_at(&s->program->bytes, e->data);
  seqc_type(s, e->sort, e->bits);
  if (e->sort == SORT_FLOAT) {
    long double f = 0;
    memcpy(&f, bytes, 10);
    if (isfinite(f))
      str_addf(out, "%LaL", f);
    else
      put_double((double)f, "", out);
    return;
  }
  uint64_t words[2] = {0};
  memcpy(words, bytes, bits_to_bytes(e->bits) < 16 ? bits_to_bytes(e->bits) : 16);
  str_addf(out, "((unsigned __int128)0x%" PRIx64 "ul << 64 | 0x%" PRIx64 "ul)", words[1],
           words[0]);
}

/* ---- operators ---- */

/* An operand as a signed number of its width. */
static void put_signed(Seqc *s, ExprId id, Str *out) {
  const Expr *e = at(s, id);
  if (e->kind == EXPR_CONST && e->bits <= 64) {
    uint64_t sign = UINT64_C(1) << (e->bits - 1);
    int64_t value = (int64_t)((e->value ^ sign) - sign);
    if (value > -1000000 && value < 1000000) {
      str_addf(out, "%" PRId64, value);
      return;
    }
  }
  uint32_t spare = container(e->bits) - e->bits;
  if (spare) {
    str_addf(out, "((%s)((%s)", signed_type(e->bits), seqc_type(s, SORT_INT, e->bits));
    seqc_expr(s, id, out);
    str_addf(out, " << %u) >> %u)", spare, spare);
    return;
  }
  str_addf(out, "(%s)", signed_type(e->bits));
  seqc_expr(s, id, out);
}

/* The beginning and the end of what brings a result back into its width. */
static void open_cut(Seqc *s, const Expr *e, Str *out) {
  str_addf(out, "(%s)(", seqc_type(s, SORT_INT, e->bits));
  if (!is_whole(e->bits)) str_add(out, "(");
}

static void close_cut(const Expr *e, Str *out) {
  if (!is_whole(e->bits)) {
    str_add(out, ") & ");
    put_mask(e->bits, out);
  }
  str_add(out, ")");
}

static void put_arithmetic(Seqc *s, const Expr *e, const char *infix, Str *out) {
  bool plain = e->bits == 32 || e->bits == 64 || e->bits == 128;
  if (plain)
    str_add(out, "(");
  else
    open_cut(s, e, out);
  /* 16 bits times 16 bits do not fit an int */
  if (e->bits < 32)
    str_add(out, "(uint32_t)");
  else if (at(s, e->a)->kind == EXPR_CONST)
    str_addf(out, "(%s)", seqc_type(s, SORT_INT, e->bits));
  seqc_expr(s, e->a, out);
  str_addf(out, " %s ", infix);
  seqc_expr(s, e->b, out);
  if (plain)
    str_add(out, ")");
  else
    close_cut(e, out);
}

static void put_signed_arithmetic(Seqc *s, const Expr *e, const char *infix, Str *out) {
  open_cut(s, e, out);
  put_signed(s, e->a, out);
  str_addf(out, " %s ", infix);
  if (e->kind == EXPR_ASHR)
    seqc_expr(s, e->b, out);
  else
    put_signed(s, e->b, out);
  close_cut(e, out);
}

static void put_infix(Seqc *s, const Expr *e, const char *infix, bool is_signed,
                      Str *out) {
  str_add(out, "(");
  if (is_signed)
    put_signed(s, e->a, out);
  else
    seqc_expr(s, e->a, out);
  str_addf(out, " %s ", infix);
  if (is_signed)
    put_signed(s, e->b, out);
  else
    seqc_expr(s, e->b, out);
  str_add(out, ")");
}

static void put_xor(Seqc *s, const Expr *e, Str *out) {
  const Expr *b = at(s, e->b);
  if (e->bits == 1 && b->kind == EXPR_CONST && b->value == 1) {
    str_add(out, "!");
    seqc_expr(s, e->a, out);
  } else {
    put_arithmetic(s, e, "^", out);
  }
}

static void put_ptradd(Seqc *s, const Expr *e, Str *out) {
  const Expr *b = at(s, e->b);
  str_add(out, "(");
  seqc_expr(s, e->a, out);
  if (b->kind == EXPR_CONST) {
    int64_t offset = (int64_t)b->value;
    str_addf(out, " %c %" PRIu64, offset < 0 ? '-' : '+',
             offset < 0 ? -(uint64_t)offset : (uint64_t)offset);
  } else {
    str_add(out, " + ");
    put_signed(s, e->b, out);
  }
  str_add(out, ")");
}

/* ---- other widths and sorts ---- */

void seqc_fit(Seqc *s, const char *text, uint8_t from_sort, uint32_t from_bits,
              uint8_t sort, uint32_t bits, Str *out) {
  if (from_sort == sort && from_bits == bits) {
    str_add(out, text);
  } else if (from_sort == SORT_FLOAT || sort == SORT_FLOAT) {
    if (from_sort == sort) {
      str_addf(out, "(%s)%s", seqc_type(s, sort, bits), text);
    } else if (from_sort == SORT_FLOAT && from_bits <= 64 && bits >= from_bits) {
      str_addf(out, "(%s)%s(%s)", seqc_type(s, sort, bits),
               from_bits == 32 ? "float_bits" : "double_bits", text);
    } else if (sort == SORT_FLOAT && bits <= 64) {
      str_addf(out, "%s((uint64_t)%s)", bits == 32 ? "bits_float" : "bits_double", text);
    } else {
      seqc_refuse(s, "use float and double there",
                  "the bits of a float of %u bits as a number have no form in C",
                  sort == SORT_FLOAT ? bits : from_bits);
    }
  } else if (sort == SORT_PTR) {
    str_addf(out, "(char *)%s%s", from_bits == 64 ? "" : "(uint64_t)", text);
  } else if (!is_whole(bits) && bits < from_bits) {
    const char *cast = from_sort == SORT_PTR ? "(uint64_t)" : "";
    if (container(bits) == container(from_bits))
      str_addf(out, "(%s%s & ", cast, text);
    else
      str_addf(out, "(%s)(%s%s & ", seqc_type(s, sort, bits), cast, text);
    put_mask(bits, out);
    str_add(out, ")");
  } else {
    str_addf(out, "(%s)%s%s", seqc_type(s, sort, bits),
             from_sort == SORT_PTR && bits != 64 ? "(uint64_t)" : "", text);
  }
}

static void put_fit(Seqc *s, const Expr *e, Str *out) {
  const Expr *a = at(s, e->a);
  Str text = {0};
  seqc_expr(s, e->a, &text);
  if (a->bits > 64 && a->sort == SORT_INT && e->sort == SORT_INT) {
    open_cut(s, e, out);
    str_add(out, str_text(&text));
    close_cut(e, out);
  } else {
    seqc_fit(s, str_text(&text), a->sort, a->bits, e->sort, e->bits, out);
  }
  str_free(&text);
}

static void put_extract(Seqc *s, const Expr *e, Str *out) {
  uint32_t from = e->b;
  open_cut(s, e, out);
  seqc_type(s, at(s, e->a)->sort, at(s, e->a)->bits);
  seqc_expr(s, e->a, out);
  str_addf(out, " >> %u", from);
  close_cut(e, out);
}

static void put_insert(Seqc *s, const Expr *e, Str *out) {
  const Expr *b = at(s, e->b);
  const char *type = seqc_type(s, e->sort, e->bits);
  str_add(out, "((");
  seqc_expr(s, e->a, out);
  str_addf(out, " & ~((%s)", type);
  put_mask(b->bits, out);
  str_addf(out, " << %u)) | (%s)", e->c, type);
  Str text = {0};
  seqc_expr(s, e->b, &text);
  seqc_fit(s, str_text(&text), b->sort, b->bits, SORT_INT, b->bits, out);
  str_free(&text);
  str_addf(out, " << %u)", e->c);
}

/* ---- functions of one or more operands ---- */

static void put_bits(Seqc *s, const Expr *e, const char *function, bool width, Str *out) {
  if (e->bits > 64)
    seqc_refuse(s, "use narrower values there",
                "the operator %s of %u bits is not translated", function, e->bits);
  str_addf(out, "(%s)%s(", seqc_type(s, SORT_INT, e->bits), function);
  seqc_expr(s, e->a, out);
  if (width) str_addf(out, ", %u", at(s, e->a)->bits);
  str_add(out, ")");
}

static void put_math(Seqc *s, const Expr *e, const char *function, int operands,
                     Str *out) {
  strmap_put(&s->headers, "math.h", 1);
  const ExprId ids[] = {e->a, e->b, e->c};
  str_addf(out, "%s%s(", function, e->bits == 32 ? "f" : e->bits == 80 ? "l" : "");
  for (int i = 0; i < operands; i++) {
    if (i) str_add(out, ", ");
    seqc_expr(s, ids[i], out);
  }
  str_add(out, ")");
}

static void put_float_to_int(Seqc *s, const Expr *e, Str *out) {
  if (e->kind == EXPR_FTOSI)
    str_addf(out, "(%s)(%s)", seqc_type(s, SORT_INT, e->bits), signed_type(e->bits));
  else
    str_addf(out, "(%s)", seqc_type(s, SORT_INT, e->bits));
  seqc_expr(s, e->a, out);
}

static void put_ordered(Seqc *s, const Expr *e, Str *out) {
  char *a = seqc_value(s, e->a), *b = seqc_value(s, e->b);
  str_addf(out, "((%s) == (%s) && (%s) == (%s))", a, a, b, b);
  mem_free(a);
  mem_free(b);
}

static void put_object(Seqc *s, ObjectId id, Str *out) {
  const Object *o = vec_at(&s->program->objects, id);
  s->object_used[id] = 1;
  bool dynamic = o->kind == OBJECT_STACK && s->object_shared[id];
  if (dynamic)
    str_add(out, s->objects[id]);
  else if (o->kind == OBJECT_TLS)
    str_addf(out, "(char *)&%s[self]", s->objects[id]);
  else
    str_addf(out,
             seqc_scalar(s, o) || (o->flags & OBJECT_EXTERNAL) ? "(char *)&%s"
                                                               : "(char *)%s",
             s->objects[id]);
}

/* What C writes between two operands; signed: both are seen as signed numbers. */
static const char *comparison(uint8_t kind, bool *ret_signed) {
  *ret_signed = kind == EXPR_SLT || kind == EXPR_SLE;
  switch ((ExprKind)kind) {
  case EXPR_EQ:
  case EXPR_FEQ: return "==";
  case EXPR_NE: return "!=";
  case EXPR_ULT:
  case EXPR_SLT:
  case EXPR_FLT: return "<";
  case EXPR_ULE:
  case EXPR_SLE:
  case EXPR_FLE: return "<=";
  case EXPR_FADD: return "+";
  case EXPR_FSUB: return "-";
  case EXPR_FMUL: return "*";
  case EXPR_FDIV: return "/";
  default: return NULL;
  }
}

static const char *arithmetic(uint8_t kind) {
  switch ((ExprKind)kind) {
  case EXPR_ADD: return "+";
  case EXPR_SUB: return "-";
  case EXPR_MUL: return "*";
  case EXPR_UDIV: return "/";
  case EXPR_UREM: return "%";
  case EXPR_AND: return "&";
  case EXPR_OR: return "|";
  case EXPR_SHL: return "<<";
  case EXPR_LSHR: return ">>";
  default: return NULL;
  }
}

static void put_other(Seqc *s, const Expr *e, Str *out) {
  switch ((ExprKind)e->kind) {
  case EXPR_SDIV: put_signed_arithmetic(s, e, "/", out); break;
  case EXPR_SREM: put_signed_arithmetic(s, e, "%", out); break;
  case EXPR_ASHR: put_signed_arithmetic(s, e, ">>", out); break;
  case EXPR_XOR: put_xor(s, e, out); break;
  case EXPR_POPCOUNT: put_bits(s, e, "count_ones", false, out); break;
  case EXPR_CLZ: put_bits(s, e, "high_zeros", true, out); break;
  case EXPR_CTZ: put_bits(s, e, "low_zeros", true, out); break;
  case EXPR_BSWAP: put_bits(s, e, "swap_bytes", true, out); break;
  case EXPR_BITREV: put_bits(s, e, "mirror", true, out); break;
  case EXPR_ZEXT:
  case EXPR_TRUNC:
  case EXPR_BITCAST: put_fit(s, e, out); break;
  case EXPR_SEXT:
    open_cut(s, e, out);
    str_addf(out, "(%s)", signed_type(e->bits));
    put_signed(s, e->a, out);
    close_cut(e, out);
    break;
  case EXPR_EXTRACT: put_extract(s, e, out); break;
  case EXPR_INSERT: put_insert(s, e, out); break;
  case EXPR_PTRADD: put_ptradd(s, e, out); break;
  case EXPR_FREM: put_math(s, e, "fmod", 2, out); break;
  case EXPR_FABS: put_math(s, e, "fabs", 1, out); break;
  case EXPR_FMA: put_math(s, e, "fma", 3, out); break;
  case EXPR_FCOPYSIGN: put_math(s, e, "copysign", 2, out); break;
  case EXPR_FNEG:
    str_add(out, "(-");
    seqc_expr(s, e->a, out);
    str_add(out, ")");
    break;
  case EXPR_FORD: put_ordered(s, e, out); break;
  case EXPR_FTOF:
  case EXPR_UITOF:
    str_addf(out, "(%s)", seqc_type(s, e->sort, e->bits));
    seqc_expr(s, e->a, out);
    break;
  case EXPR_SITOF:
    str_addf(out, "(%s)(", seqc_type(s, e->sort, e->bits));
    put_signed(s, e->a, out);
    str_add(out, ")");
    break;
  case EXPR_FTOSI:
  case EXPR_FTOUI: put_float_to_int(s, e, out); break;
  default:
    seqc_refuse(s, "report it", "the operator %s is not translated",
                expr_kind_text((ExprKind)e->kind));
  }
}

void seqc_expr(Seqc *s, ExprId id, Str *out) {
  const Expr *e = at(s, id);
  bool is_signed;
  if (e->weight > WEIGHT_MOST) {
    seqc_refuse(s, "split the expression", "an expression is too large");
    return;
  }
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: put_const(s, e, out); return;
  case EXPR_WIDE: put_wide(s, e, out); return;
  case EXPR_UNDEF:
    str_addf(out, e->sort == SORT_PTR ? "(char *)0" : "0");
    seqc_type(s, e->sort, e->bits);
    return;
  case EXPR_LOCAL:
    str_add(out, s->locals[e->data - seqc_function(s, s->function)->first_local]);
    return;
  case EXPR_OBJECT: put_object(s, (ObjectId)e->data, out); return;
  case EXPR_FUNC: str_addf(out, "(char *)&%s", s->functions[e->data]); return;
  case EXPR_LABEL: str_addf(out, "&labels[%u]", (unsigned)e->data); return;
  case EXPR_ITE:
    str_add(out, "(");
    seqc_expr(s, e->a, out);
    str_add(out, " ? ");
    seqc_expr(s, e->b, out);
    str_add(out, " : ");
    seqc_expr(s, e->c, out);
    str_add(out, ")");
    return;
  default: break;
  }
  const char *infix = comparison(e->kind, &is_signed);
  if (infix)
    put_infix(s, e, infix, is_signed, out);
  else if ((infix = arithmetic(e->kind)))
    put_arithmetic(s, e, infix, out);
  else
    put_other(s, e, out);
}

char *seqc_value(Seqc *s, ExprId id) {
  Str text = {0};
  seqc_expr(s, id, &text);
  int level = 0;
  bool outer = text.len > 2 && text.data[0] == '(';
  for (size_t i = 0; outer && i + 1 < text.len; i++) {
    level += (text.data[i] == '(') - (text.data[i] == ')');
    outer = level > 0;
  }
  if (!outer || text.data[text.len - 1] != ')') return str_take(&text);
  char *inner = str_ndup(text.data + 1, text.len - 2);
  str_free(&text);
  return inner;
}
