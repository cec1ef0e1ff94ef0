/* Terms as integers. See chc_internal.h.
 *
 * Each term has a sign in which it is counted: that of its variables. Sums, complements and products by
 * constants are one linear form, which wraps as a whole. Where nothing wraps by assumption, all terms of one
 * value are the same integer, whatever their width and sign. */
#include "solve/chc_internal.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_BITS = 64 };

/* ---- integers ---- */

static Z3_ast power(Numbers *n, uint32_t bits) {
  static const char *const two_64 = "18446744073709551616";
  if (bits == 64) return Z3_mk_numeral(n->z3, two_64, n->integer);
  return Z3_mk_unsigned_int64(n->z3, UINT64_C(1) << bits, n->integer);
}

static Z3_ast number(Numbers *n, int64_t value) {
  return Z3_mk_int64(n->z3, value, n->integer);
}

static Z3_ast add(Numbers *n, Z3_ast a, Z3_ast b) {
  Z3_ast both[] = {a, b};
  return Z3_mk_add(n->z3, 2, both);
}

static Z3_ast sub(Numbers *n, Z3_ast a, Z3_ast b) {
  Z3_ast both[] = {a, b};
  return Z3_mk_sub(n->z3, 2, both);
}

static Z3_ast mul(Numbers *n, Z3_ast a, Z3_ast b) {
  Z3_ast both[] = {a, b};
  return Z3_mk_mul(n->z3, 2, both);
}

static Z3_ast least(Numbers *n, uint32_t bits, bool is_signed) {
  return is_signed ? Z3_mk_unary_minus(n->z3, power(n, bits - 1)) : number(n, 0);
}

static Z3_ast beyond(Numbers *n, uint32_t bits, bool is_signed) {
  return power(n, is_signed ? bits - 1 : bits);
}

Z3_ast numbers_range(Numbers *n, Term t) {
  uint32_t bits = term_bits(n->terms, t);
  bool is_signed = numbers_is_signed(n, t);
  if (bits == 1 || bits > MOST_BITS || (!n->wraps && is_signed)) return NULL;
  Z3_ast v = numbers_argument(n, t, t);
  Z3_ast both[] = {Z3_mk_ge(n->z3, v, least(n, bits, is_signed)),
                   Z3_mk_lt(n->z3, v, beyond(n, bits, is_signed))};
  return n->wraps ? Z3_mk_and(n->z3, 2, both) : both[0];
}

/* At most one turn outside of the range. */
static Z3_ast wrap_once(Numbers *n, Z3_ast v, uint32_t bits, bool is_signed) {
  Z3_ast low = Z3_mk_lt(n->z3, v, least(n, bits, is_signed));
  Z3_ast high = Z3_mk_ge(n->z3, v, beyond(n, bits, is_signed));
  Z3_ast up = add(n, v, power(n, bits)), down = sub(n, v, power(n, bits));
  return Z3_mk_ite(n->z3, low, up, Z3_mk_ite(n->z3, high, down, v));
}

static Z3_ast wrap(Numbers *n, Z3_ast v, uint32_t bits, bool is_signed) {
  Z3_ast shift = least(n, bits, is_signed);
  return add(n, Z3_mk_mod(n->z3, sub(n, v, shift), power(n, bits)), shift);
}

static Z3_ast convert(Numbers *n, Z3_ast v, uint32_t bits, bool from, bool to) {
  return n->wraps && from != to ? wrap_once(n, v, bits, to) : v;
}

static Z3_ast opaque(Numbers *n, Term t, Z3_sort sort) {
  char name[32];
  snprintf(name, sizeof name, "any%" PRIu32, t);
  return Z3_mk_const(n->z3, Z3_mk_string_symbol(n->z3, name), sort);
}

static Z3_ast value(Numbers *n, Term t, bool is_signed);

/* ---- linear forms ---- */

typedef struct {
  Z3_ast sum; /* NULL: 0 */
  uint64_t constant;
  uint32_t leaves;
  bool steep; /* some factor is not 1 or -1 */
} Linear;

static int64_t as_signed(uint64_t value, uint32_t bits) {
  return bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

/* Adds factor · t; factors and constants count modulo 2^64. */
static void add_linear(Numbers *n, Term t, uint64_t factor, bool is_signed, Linear *ret) {
  uint64_t constant;
  Term a = term_operand(n->terms, t, 0), b = term_operand(n->terms, t, 1);
  TermKind kind = term_kind(n->terms, t);
  uint32_t bits = term_bits(n->terms, t);
  if (term_get_const(n->terms, t, &constant)) {
    ret->constant += factor * constant;
  } else if (kind == TERM_ADD) {
    add_linear(n, a, factor, is_signed, ret);
    add_linear(n, b, factor, is_signed, ret);
  } else if (kind == TERM_NOT) {
    add_linear(n, a, -factor, is_signed, ret);
    ret->constant -= factor;
  } else if (kind == TERM_MUL && term_get_const(n->terms, b, &constant)) {
    add_linear(n, a, factor * constant, is_signed, ret);
  } else {
    int64_t by = as_signed(factor, bits);
    Z3_ast leaf = value(n, t, is_signed);
    if (by != 1) leaf = mul(n, number(n, by), leaf);
    ret->sum = ret->sum ? add(n, ret->sum, leaf) : leaf;
    ret->leaves++;
    ret->steep = ret->steep || (by != 1 && by != -1);
  }
}

static Z3_ast linear(Numbers *n, Term t, bool is_signed) {
  Linear l = {0};
  uint32_t bits = term_bits(n->terms, t);
  add_linear(n, t, 1, is_signed, &l);
  int64_t constant = as_signed(l.constant, bits);
  if (!l.sum) l.sum = number(n, 0);
  if (constant) l.sum = add(n, l.sum, number(n, constant));
  if (!n->wraps) return l.sum;
  bool once = !l.steep && (l.leaves < 2 || (l.leaves == 2 && !constant));
  return once ? wrap_once(n, l.sum, bits, is_signed) : wrap(n, l.sum, bits, is_signed);
}

/* ---- other operations ---- */

static Z3_ast extracted(Numbers *n, Term t) {
  Term a = term_operand(n->terms, t, 0);
  uint32_t low = term_low(n->terms, t), bits = term_bits(n->terms, t);
  Z3_ast v = value(n, a, false);
  if (low) v = Z3_mk_div(n->z3, v, power(n, low));
  /* a cast to a narrower type, of a value that fits, by assumption */
  if (!n->wraps && !low && bits >= 8) return v;
  return low + bits == term_bits(n->terms, a) ? v : Z3_mk_mod(n->z3, v, power(n, bits));
}

static Z3_ast divided(Numbers *n, TermKind kind, Z3_ast a, int64_t by) {
  Z3_ast zero = number(n, 0), size = number(n, by < 0 ? -by : by);
  Z3_ast minus = Z3_mk_unary_minus(n->z3, a), negative = Z3_mk_lt(n->z3, a, zero);
  bool rest = kind == TERM_UREM || kind == TERM_SREM;
  Z3_ast up = rest ? Z3_mk_mod(n->z3, a, size) : Z3_mk_div(n->z3, a, size);
  Z3_ast down = rest ? Z3_mk_mod(n->z3, minus, size) : Z3_mk_div(n->z3, minus, size);
  Z3_ast towards_zero = Z3_mk_ite(n->z3, negative, Z3_mk_unary_minus(n->z3, down), up);
  return !rest && by < 0 ? Z3_mk_unary_minus(n->z3, towards_zero) : towards_zero;
}

/* With a constant as the second operand; NULL: integers have no such operation. */
static Z3_ast with_constant(Numbers *n, Term t, TermKind kind) {
  Term a = term_operand(n->terms, t, 0), b = term_operand(n->terms, t, 1);
  uint32_t bits = term_bits(n->terms, t);
  uint64_t by;
  if (!b || !term_get_const(n->terms, b, &by)) return NULL;
  bool divides =
      kind == TERM_UDIV || kind == TERM_UREM || kind == TERM_SDIV || kind == TERM_SREM;
  if (divides && by && (bits < 64 || by < INT64_MAX)) {
    bool is_signed = kind == TERM_SDIV || kind == TERM_SREM;
    return divided(n, kind, value(n, a, is_signed),
                   is_signed ? as_signed(by, bits) : (int64_t)by);
  }
  if (kind == TERM_LSHR && by < bits)
    return Z3_mk_div(n->z3, value(n, a, false), power(n, (uint32_t)by));
  if (kind == TERM_AND && by && !(by & (by + 1)) && by != UINT64_MAX)
    return Z3_mk_mod(n->z3, value(n, a, false),
                     Z3_mk_unsigned_int64(n->z3, by + 1, n->integer));
  return NULL;
}

static Z3_ast constant(Numbers *n, Term t, bool is_signed) {
  uint64_t v = term_const_words(n->terms, t)[0];
  if (is_signed) return number(n, as_signed(v, term_bits(n->terms, t)));
  return Z3_mk_unsigned_int64(n->z3, v, n->integer);
}

static Z3_ast compute(Numbers *n, Term t, bool is_signed) {
  TermKind kind = term_kind(n->terms, t);
  uint32_t bits = term_bits(n->terms, t);
  Term a = term_operand(n->terms, t, 0), b = term_operand(n->terms, t, 1);
  if (bits > MOST_BITS) return opaque(n, t, n->integer);
  if (kind == TERM_CONST) return constant(n, t, is_signed);
  if (kind == TERM_VAR)
    return convert(n, Z3_mk_const(n->z3, Z3_mk_int_symbol(n->z3, (int)t), n->integer),
                   bits, numbers_is_signed(n, t), is_signed);
  if (kind == TERM_ITE)
    return Z3_mk_ite(n->z3, numbers_truth(n, a), value(n, b, is_signed),
                     value(n, term_operand(n->terms, t, 2), is_signed));
  uint64_t ignored;
  if (kind == TERM_ADD || kind == TERM_NOT ||
      (kind == TERM_MUL && term_get_const(n->terms, b, &ignored)))
    return linear(n, t, is_signed);
  if (kind == TERM_SEXT) return convert(n, value(n, a, true), bits, true, is_signed);
  bool from = kind == TERM_SDIV || kind == TERM_SREM;
  Z3_ast v = NULL;
  if (kind == TERM_EXTRACT && term_bits(n->terms, a) <= MOST_BITS) v = extracted(n, t);
  if (kind == TERM_CONCAT)
    v = add(n, mul(n, value(n, a, false), power(n, term_bits(n->terms, b))),
            value(n, b, false));
  if (!v) v = with_constant(n, t, kind);
  return v ? convert(n, v, bits, from, is_signed) : opaque(n, t, n->integer);
}

static Z3_ast value(Numbers *n, Term t, bool is_signed) {
  if (term_bits(n->terms, t) == 1)
    return Z3_mk_ite(n->z3, numbers_truth(n, t), number(n, is_signed ? -1 : 1),
                     number(n, 0));
  uint64_t key = (uint64_t)t << 1 | is_signed;
  uint64_t known = map_find(&n->made, key, 0);
  if (known) return (Z3_ast)(uintptr_t)known;
  Z3_ast made = compute(n, t, is_signed);
  map_put(&n->made, key, map_key(made));
  return made;
}

/* ---- truth ---- */

static Z3_ast compare(Numbers *n, Term t, TermKind kind) {
  Term a = term_operand(n->terms, t, 0), b = term_operand(n->terms, t, 1);
  bool is_signed = kind == TERM_SLT;
  if (term_bits(n->terms, a) == 1) {
    Z3_ast x = numbers_truth(n, a), y = numbers_truth(n, b);
    if (kind == TERM_EQ) return Z3_mk_iff(n->z3, x, y);
    Z3_ast both[] = {kind == TERM_SLT ? x : Z3_mk_not(n->z3, x),
                     kind == TERM_SLT ? Z3_mk_not(n->z3, y) : y};
    return Z3_mk_and(n->z3, 2, both);
  }
  if (kind == TERM_EQ && !numbers_natural(n, a, &is_signed))
    numbers_natural(n, b, &is_signed);
  Z3_ast x = value(n, a, is_signed), y = value(n, b, is_signed);
  return kind == TERM_EQ ? Z3_mk_eq(n->z3, x, y) : Z3_mk_lt(n->z3, x, y);
}

static Z3_ast compute_truth(Numbers *n, Term t) {
  TermKind kind = term_kind(n->terms, t);
  Z3_context z3 = n->z3;
  Term a = term_operand(n->terms, t, 0), b = term_operand(n->terms, t, 1);
  Z3_ast both[2];
  if (kind == TERM_CONST)
    return term_is_true(n->terms, t) ? Z3_mk_true(z3) : Z3_mk_false(z3);
  if (kind == TERM_VAR)
    return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)t), Z3_mk_bool_sort(z3));
  if (kind == TERM_EQ || kind == TERM_ULT || kind == TERM_SLT) return compare(n, t, kind);
  if (kind == TERM_EXTRACT && term_bits(n->terms, a) <= MOST_BITS)
    return Z3_mk_eq(z3, extracted(n, t), number(n, 1));
  if (kind == TERM_NOT) return Z3_mk_not(z3, numbers_truth(n, a));
  if (kind != TERM_AND && kind != TERM_OR && kind != TERM_XOR && kind != TERM_ITE)
    return opaque(n, t, Z3_mk_bool_sort(z3));
  both[0] = numbers_truth(n, a);
  both[1] = numbers_truth(n, b);
  if (kind == TERM_AND) return Z3_mk_and(z3, 2, both);
  if (kind == TERM_OR) return Z3_mk_or(z3, 2, both);
  if (kind == TERM_XOR) return Z3_mk_xor(z3, both[0], both[1]);
  return Z3_mk_ite(z3, both[0], both[1], numbers_truth(n, term_operand(n->terms, t, 2)));
}

Z3_ast numbers_truth(Numbers *n, Term t) {
  uint64_t known = map_find(&n->truth, t, 0);
  if (known) return (Z3_ast)(uintptr_t)known;
  Z3_ast made = compute_truth(n, t);
  map_put(&n->truth, t, map_key(made));
  return made;
}

Z3_ast numbers_argument(Numbers *n, Term parameter, Term argument) {
  if (term_bits(n->terms, parameter) == 1) return numbers_truth(n, argument);
  return value(n, argument, numbers_is_signed(n, parameter));
}

/* ---- all of it ---- */

Numbers *numbers_new(const Chc *chc, Z3_context z3, bool wraps) {
  Numbers *n = mem_alloc_zero(sizeof *n);
  n->chc = chc;
  n->terms = chc->terms;
  n->z3 = z3;
  n->integer = Z3_mk_int_sort(z3);
  n->wraps = wraps;
  numbers_find_signs(n);
  return n;
}

void numbers_free(Numbers *n) {
  if (!n) return;
  map_free(&n->is_signed);
  map_free(&n->made);
  map_free(&n->truth);
  map_free(&n->seen);
  mem_free(n);
}
