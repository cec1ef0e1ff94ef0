/* From what Spacer says to terms of bit-vectors. See chc_internal.h.
 *
 * A comparison of integers is a linear form and a bound. One or two variables that are counted alike are
 * compared as they are; all else in as many bits as it takes, so that nothing wraps. */
#include "solve/chc_internal.h"

#include <assert.h>

typedef __int128 Big;

enum { MOST_LEAVES = 8, MOST_WIDE = 120 };

typedef struct {
  const Chc *chc;
  Terms *t;
  const ChcAtom *predicate;
  Z3_context z3;
  const Numbers *numbers;
} Reader;

/* Σ factor · leaf + constant */
typedef struct {
  struct {
    Term term; /* of `bits` bits */
    bool is_signed;
    int64_t factor;
  } leaves[MOST_LEAVES];
  uint32_t count;
  Big constant;
} Form;

static Term read_truth(Reader *r, Z3_ast ast);

static Z3_decl_kind kind_of(const Reader *r, Z3_ast ast) {
  if (Z3_get_ast_kind(r->z3, ast) != Z3_APP_AST) return Z3_OP_INTERNAL;
  return Z3_get_decl_kind(r->z3, Z3_get_app_decl(r->z3, Z3_to_app(r->z3, ast)));
}

static uint32_t count_of(const Reader *r, Z3_ast ast) {
  return Z3_get_app_num_args(r->z3, Z3_to_app(r->z3, ast));
}

static Z3_ast operand(const Reader *r, Z3_ast ast, uint32_t i) {
  return Z3_get_app_arg(r->z3, Z3_to_app(r->z3, ast), i);
}

/* The parameter that a bound variable is; 0: it is none. */
static Term parameter(const Reader *r, Z3_ast ast) {
  if (Z3_get_ast_kind(r->z3, ast) != Z3_VAR_AST) return 0;
  uint32_t i = Z3_get_index_value(r->z3, ast);
  return i < r->predicate->count ? r->chc->arguments.data[r->predicate->first + i] : 0;
}

/* ---- integers ---- */

static bool read_numeral(const Reader *r, Z3_ast ast, Big *ret) {
  if (Z3_get_ast_kind(r->z3, ast) != Z3_NUMERAL_AST) return false;
  const char *text = Z3_get_numeral_string(r->z3, ast);
  bool minus = *text == '-';
  Big value = 0;
  uint32_t digits = 0;
  for (text += minus; *text >= '0' && *text <= '9'; text++, digits++) {
    if (digits > 30) return false;
    value = value * 10 + (*text - '0');
  }
  *ret = minus ? -value : value;
  return !*text && digits;
}

static bool add_leaf(Form *f, Term term, bool is_signed, Big factor) {
  uint32_t i = 0;
  while (i < f->count && f->leaves[i].term != term) i++;
  if (i == MOST_LEAVES || factor > INT32_MAX || factor < INT32_MIN) return false;
  if (i == f->count) f->leaves[f->count++].factor = 0;
  f->leaves[i].term = term;
  f->leaves[i].is_signed = is_signed;
  f->leaves[i].factor += (int64_t)factor;
  return true;
}

static bool read_form(Reader *r, Z3_ast ast, Big factor, Form *f);

static Term wide_form(Reader *r, const Form *f, uint32_t *ret_bits);

/* mod and div by a constant, as a leaf. */
static bool read_division(Reader *r, Z3_ast ast, Big factor, bool rest, Form *f) {
  Form inner = {0};
  Big by;
  uint32_t bits;
  if (!read_form(r, operand(r, ast, 0), 1, &inner) ||
      !read_numeral(r, operand(r, ast, 1), &by) || by <= 0 || by > INT32_MAX)
    return false;
  Term whole = wide_form(r, &inner, &bits);
  if (!whole || bits < 34) return false;
  Term size = term_const(r->t, bits, (uint64_t)by);
  Term modulo = term_srem(r->t, whole, size);
  Term negative = term_slt(r->t, modulo, term_const(r->t, bits, 0));
  modulo = term_ite(r->t, negative, term_add(r->t, modulo, size), modulo);
  if (rest) return add_leaf(f, modulo, true, factor);
  return add_leaf(f, term_sdiv(r->t, term_sub(r->t, whole, modulo), size), true, factor);
}

static bool read_sum(Reader *r, Z3_ast ast, Big factor, Big others, Form *f) {
  bool ok = true;
  for (uint32_t i = 0; i < count_of(r, ast) && ok; i++)
    ok = read_form(r, operand(r, ast, i), i ? factor * others : factor, f);
  return ok;
}

/* A product has one factor that is no number, at most. */
static bool read_product(Reader *r, Z3_ast ast, Big factor, Form *f) {
  Z3_ast rest = NULL;
  for (uint32_t i = 0; i < count_of(r, ast); i++) {
    Form number = {0};
    if (read_form(r, operand(r, ast, i), 1, &number) && !number.count &&
        number.constant < INT32_MAX && number.constant > INT32_MIN)
      factor *= number.constant;
    else if (rest)
      return false;
    else
      rest = operand(r, ast, i);
    if (factor > INT32_MAX || factor < INT32_MIN) return false;
  }
  if (rest) return read_form(r, rest, factor, f);
  f->constant += factor;
  return true;
}

static bool read_form(Reader *r, Z3_ast ast, Big factor, Form *f) {
  Big number;
  Term p = parameter(r, ast);
  if (read_numeral(r, ast, &number)) {
    f->constant += factor * number;
    return true;
  }
  if (p) return add_leaf(f, p, numbers_is_signed(r->numbers, p), factor);
  Z3_decl_kind kind = kind_of(r, ast);
  if (kind == Z3_OP_ADD) return read_sum(r, ast, factor, 1, f);
  if (kind == Z3_OP_SUB) return read_sum(r, ast, factor, -1, f);
  if (kind == Z3_OP_UMINUS) return read_form(r, operand(r, ast, 0), -factor, f);
  if (kind == Z3_OP_MUL) return read_product(r, ast, factor, f);
  if (kind == Z3_OP_MOD || kind == Z3_OP_IDIV)
    return read_division(r, ast, factor, kind == Z3_OP_MOD, f);
  if (kind == Z3_OP_TO_REAL || kind == Z3_OP_TO_INT)
    return read_form(r, operand(r, ast, 0), factor, f);
  return false;
}

/* ---- comparisons ---- */

static Term big_const(Reader *r, uint32_t bits, Big value) {
  assert(bits > 0 && bits <= 128);
  uint64_t words[2] = {(uint64_t)value, (uint64_t)(value >> 64)};
  if (bits < 64) words[0] &= (UINT64_C(1) << bits) - 1;
  if (bits > 64 && bits < 128) words[1] &= (UINT64_C(1) << (bits - 64)) - 1;
  return term_wide(r->t, bits, words);
}

static uint32_t bits_of(Big value) {
  uint32_t n = 1;
  if (value < 0) value = -value;
  for (; value; value >>= 1) n++;
  return n;
}

/* In so many bits that nothing wraps, counted with a sign; 0: in too many. */
static Term wide_form(Reader *r, const Form *f, uint32_t *ret_bits) {
  uint32_t bits = bits_of(f->constant) > 34 ? bits_of(f->constant) : 34;
  for (uint32_t i = 0; i < f->count; i++) {
    uint32_t need = term_bits(r->t, f->leaves[i].term) + 1 + bits_of(f->leaves[i].factor);
    bits = need > bits ? need : bits;
  }
  bits += 4; /* of at most 9 summands */
  if (bits > MOST_WIDE) return 0;
  Term sum = big_const(r, bits, f->constant);
  for (uint32_t i = 0; i < f->count; i++) {
    Term leaf = f->leaves[i].is_signed ? term_sext(r->t, f->leaves[i].term, bits)
                                       : term_zext(r->t, f->leaves[i].term, bits);
    Term factor = big_const(r, bits, f->leaves[i].factor);
    sum = term_add(r->t, sum, term_mul(r->t, leaf, factor));
  }
  *ret_bits = bits;
  return sum;
}

typedef enum { IS_ZERO, IS_AT_MOST_ZERO } Relation;

static Term less_or_equal(Reader *r, Term a, Term b, bool is_signed) {
  return is_signed ? term_sle(r->t, a, b) : term_ule(r->t, a, b);
}

/* ±x + c: a comparison with a constant of the same width; 0: it is no such. */
static Term compare_one(Reader *r, const Form *f, Relation relation) {
  Term x = f->leaves[0].term;
  bool is_signed = f->leaves[0].is_signed, up = f->leaves[0].factor == 1;
  uint32_t bits = term_bits(r->t, x);
  Big bound = up ? -f->constant : f->constant; /* x = bound; x <= bound, x >= bound */
  Big least = is_signed ? -((Big)1 << (bits - 1)) : 0;
  Big most = least + ((Big)1 << bits) - 1;
  bool below = bound<least, above = bound> most;
  if (relation == IS_ZERO && (below || above)) return term_bool(r->t, false);
  if (below || above) return term_bool(r->t, up ? above : below);
  Term c = big_const(r, bits, bound);
  if (relation == IS_ZERO) return term_eq(r->t, x, c);
  return up ? less_or_equal(r, x, c, is_signed) : less_or_equal(r, c, x, is_signed);
}

/* x - y + c for c of 0 and 1. */
static Term compare_two(Reader *r, const Form *f, Relation relation) {
  uint32_t plus = f->leaves[0].factor == 1 ? 0 : 1;
  Term x = f->leaves[plus].term, y = f->leaves[1 - plus].term;
  bool is_signed = f->leaves[0].is_signed;
  if (!f->constant)
    return relation == IS_ZERO ? term_eq(r->t, x, y) : less_or_equal(r, x, y, is_signed);
  return term_not(r->t, less_or_equal(r, y, x, is_signed)); /* x < y */
}

static Term compare_form(Reader *r, const Form *form, Relation relation) {
  Form f = {.constant = form->constant};
  for (uint32_t i = 0; i < form->count; i++)
    if (form->leaves[i].factor) f.leaves[f.count++] = form->leaves[i];
  if (!f.count)
    return term_bool(r->t, relation == IS_ZERO ? !f.constant : f.constant <= 0);
  bool even = true;
  for (uint32_t i = 0; i < f.count; i++)
    even = even && (f.leaves[i].factor == 1 || f.leaves[i].factor == -1);
  if (f.count == 1 && even && term_bits(r->t, f.leaves[0].term) <= 64)
    return compare_one(r, &f, relation);
  if (f.count == 2 && even && f.leaves[0].factor == -f.leaves[1].factor &&
      f.leaves[0].is_signed == f.leaves[1].is_signed &&
      term_bits(r->t, f.leaves[0].term) == term_bits(r->t, f.leaves[1].term) &&
      (!f.constant || (f.constant == 1 && relation == IS_AT_MOST_ZERO)))
    return compare_two(r, &f, relation);
  uint32_t bits;
  Term sum = wide_form(r, &f, &bits);
  if (!sum) return 0;
  Term zero = big_const(r, bits, 0);
  return relation == IS_ZERO ? term_eq(r->t, sum, zero) : term_sle(r->t, sum, zero);
}

/* a - b + more, compared with 0. */
static Term compare(Reader *r, Z3_ast a, Z3_ast b, int more, Relation relation) {
  Form f = {.constant = more};
  if (!read_form(r, a, 1, &f) || !read_form(r, b, -1, &f)) return 0;
  return compare_form(r, &f, relation);
}

/* ---- bits ---- */

static Term read_bits(Reader *r, Z3_ast ast);

static Term bit_numeral(Reader *r, Z3_ast ast) {
  Big value;
  Z3_sort sort = Z3_get_sort(r->z3, ast);
  if (Z3_get_sort_kind(r->z3, sort) != Z3_BV_SORT || !read_numeral(r, ast, &value))
    return 0;
  uint32_t bits = Z3_get_bv_sort_size(r->z3, sort);
  return bits <= 96 ? big_const(r, bits, value) : 0;
}

static Term fold_bits(Reader *r, Z3_ast ast, Term (*make)(Terms *, Term, Term)) {
  Term made = read_bits(r, operand(r, ast, 0));
  for (uint32_t i = 1; i < count_of(r, ast) && made; i++) {
    Term next = read_bits(r, operand(r, ast, i));
    made = next ? make(r->t, made, next) : 0;
  }
  return made;
}

static Term read_bits(Reader *r, Z3_ast ast) {
  Term p = parameter(r, ast);
  if (p) return p;
  if (Z3_get_ast_kind(r->z3, ast) == Z3_NUMERAL_AST) return bit_numeral(r, ast);
  Z3_decl_kind kind = kind_of(r, ast);
  if (kind == Z3_OP_BADD) return fold_bits(r, ast, term_add);
  if (kind == Z3_OP_BSUB) return fold_bits(r, ast, term_sub);
  if (kind == Z3_OP_BMUL) return fold_bits(r, ast, term_mul);
  if (kind == Z3_OP_BAND) return fold_bits(r, ast, term_and);
  if (kind == Z3_OP_BOR) return fold_bits(r, ast, term_or);
  if (kind == Z3_OP_BXOR) return fold_bits(r, ast, term_xor);
  if (kind == Z3_OP_CONCAT) return fold_bits(r, ast, term_concat);
  Term a = 0;
  if (kind == Z3_OP_BNOT || kind == Z3_OP_BNEG || kind == Z3_OP_EXTRACT ||
      kind == Z3_OP_ZERO_EXT || kind == Z3_OP_SIGN_EXT)
    a = read_bits(r, operand(r, ast, 0));
  if (!a) return 0;
  uint32_t bits = Z3_get_bv_sort_size(r->z3, Z3_get_sort(r->z3, ast));
  if (kind == Z3_OP_BNOT) return term_not(r->t, a);
  if (kind == Z3_OP_BNEG) return term_neg(r->t, a);
  if (kind == Z3_OP_ZERO_EXT) return term_zext(r->t, a, bits);
  if (kind == Z3_OP_SIGN_EXT) return term_sext(r->t, a, bits);
  Z3_func_decl decl = Z3_get_app_decl(r->z3, Z3_to_app(r->z3, ast));
  int low = Z3_get_decl_int_parameter(r->z3, decl, 1);
  return term_extract(r->t, a, (uint32_t)low, bits);
}

static Term compare_bits(Reader *r, Z3_ast ast, Z3_decl_kind kind) {
  Term a = read_bits(r, operand(r, ast, 0)), b = a ? read_bits(r, operand(r, ast, 1)) : 0;
  if (!b) return 0;
  if (kind == Z3_OP_EQ) return term_eq(r->t, a, b);
  if (kind == Z3_OP_ULEQ) return term_ule(r->t, a, b);
  if (kind == Z3_OP_UGEQ) return term_ule(r->t, b, a);
  if (kind == Z3_OP_ULT) return term_ult(r->t, a, b);
  if (kind == Z3_OP_UGT) return term_ult(r->t, b, a);
  if (kind == Z3_OP_SLEQ) return term_sle(r->t, a, b);
  if (kind == Z3_OP_SGEQ) return term_sle(r->t, b, a);
  if (kind == Z3_OP_SLT) return term_slt(r->t, a, b);
  return kind == Z3_OP_SGT ? term_slt(r->t, b, a) : 0;
}

/* ---- truth ---- */

static Term fold_truth(Reader *r, Z3_ast ast, Term (*make)(Terms *, Term, Term)) {
  Term made = read_truth(r, operand(r, ast, 0));
  for (uint32_t i = 1; i < count_of(r, ast) && made; i++) {
    Term next = read_truth(r, operand(r, ast, i));
    made = next ? make(r->t, made, next) : 0;
  }
  return made;
}

static Term read_equal(Reader *r, Z3_ast ast) {
  Z3_ast a = operand(r, ast, 0);
  Z3_sort_kind sort = Z3_get_sort_kind(r->z3, Z3_get_sort(r->z3, a));
  if (sort == Z3_BOOL_SORT) return fold_truth(r, ast, term_eq);
  if (sort == Z3_BV_SORT) return compare_bits(r, ast, Z3_OP_EQ);
  return r->numbers ? compare(r, a, operand(r, ast, 1), 0, IS_ZERO) : 0;
}

static Term read_choice(Reader *r, Z3_ast ast) {
  Term a = read_truth(r, operand(r, ast, 0));
  Term b = a ? read_truth(r, operand(r, ast, 1)) : 0;
  Term c = b ? read_truth(r, operand(r, ast, 2)) : 0;
  return c ? term_ite(r->t, a, b, c) : 0;
}

/* 0: it cannot be put into terms. */
static Term read_truth(Reader *r, Z3_ast ast) {
  Term p = parameter(r, ast);
  if (p) return term_bits(r->t, p) == 1 ? p : 0;
  Z3_decl_kind kind = kind_of(r, ast);
  if (kind == Z3_OP_TRUE || kind == Z3_OP_FALSE)
    return term_bool(r->t, kind == Z3_OP_TRUE);
  if (kind == Z3_OP_AND) return fold_truth(r, ast, term_and);
  if (kind == Z3_OP_OR) return fold_truth(r, ast, term_or);
  if (kind == Z3_OP_XOR) return fold_truth(r, ast, term_xor);
  if (kind == Z3_OP_IMPLIES) return fold_truth(r, ast, term_implies);
  if (kind == Z3_OP_IFF || kind == Z3_OP_EQ) return read_equal(r, ast);
  if (kind == Z3_OP_ITE) return read_choice(r, ast);
  if (kind == Z3_OP_NOT) {
    Term a = read_truth(r, operand(r, ast, 0));
    return a ? term_not(r->t, a) : 0;
  }
  if (kind == Z3_OP_INTERNAL || count_of(r, ast) != 2) return 0;
  if (!r->numbers) return compare_bits(r, ast, kind);
  Z3_ast a = operand(r, ast, 0), b = operand(r, ast, 1);
  if (kind == Z3_OP_LE) return compare(r, a, b, 0, IS_AT_MOST_ZERO);
  if (kind == Z3_OP_GE) return compare(r, b, a, 0, IS_AT_MOST_ZERO);
  if (kind == Z3_OP_LT) return compare(r, a, b, 1, IS_AT_MOST_ZERO);
  if (kind == Z3_OP_GT) return compare(r, b, a, 1, IS_AT_MOST_ZERO);
  return 0;
}

static void read_parts(Reader *r, Z3_ast ast, ChcParts *ret) {
  if (kind_of(r, ast) == Z3_OP_AND) {
    for (uint32_t i = 0; i < count_of(r, ast); i++)
      read_parts(r, operand(r, ast, i), ret);
    return;
  }
  Term t = read_truth(r, ast);
  assert(!t || term_bits(r->t, t) == 1);
  if (t && !term_is_true(r->t, t)) vec_push(&ret->list, t);
}

void chc_read_parts(const Chc *chc, const ChcAtom *predicate, Z3_context z3,
                    const Numbers *numbers, Z3_ast formula, ChcParts *ret) {
  Reader r = {chc, chc->terms, predicate, z3, numbers};
  read_parts(&r, formula, ret);
}
