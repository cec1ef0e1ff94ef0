/* Terms: bit-vectors without side effects, hash-consed, simplified as they are made.
 *
 * A term is a number in its pool; equal terms have equal numbers, so comparing terms is comparing
 * numbers, and a DAG of terms is never larger than what is different in it. Every constructor
 * simplifies by rules of words (constants, neutral elements, equal operands, sums in normal form,
 * ite and extract pushed towards constants), so that what follows from constants alone is a
 * constant before a solver sees it.
 *
 * Widths are any number of bits from 1 on; bit 0 is the lowest. A truth value is one bit. What
 * arithmetic leaves open is defined as SMT-LIB does: a / 0 is all ones (unsigned), a % 0 is a,
 * shifts by the width or more give 0 (ashr: the sign). Who needs "any value" there makes a
 * variable. Operands of one operation have one width unless it says otherwise; the functions
 * assert it. */
#ifndef HEDDLE_SOLVE_TERM_H
#define HEDDLE_SOLVE_TERM_H

#include "base/map.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Term; /* 0: none */
typedef struct Terms Terms;

Terms *terms_new(void);
void terms_free(Terms *terms); /* accepts NULL */
uint32_t terms_count(const Terms *terms);

/* ---- leaves ---- */
/* Cut to `bits`, or zero-extended. */
Term term_const(Terms *terms, uint32_t bits, uint64_t value);
/* (bits + 63) / 64 words, the lowest first, with zeros above the highest bit. */
Term term_wide(Terms *terms, uint32_t bits, const uint64_t *words);
Term term_bool(Terms *terms, bool value);
/* A new variable each time. The name is for people; it is copied and may be NULL. */
Term term_var(Terms *terms, uint32_t bits, const char *name);

/* ---- bits ---- */
Term term_not(Terms *terms, Term a);
Term term_and(Terms *terms, Term a, Term b);
Term term_or(Terms *terms, Term a, Term b);
Term term_xor(Terms *terms, Term a, Term b);
Term term_shl(Terms *terms, Term a, Term by);
Term term_lshr(Terms *terms, Term a, Term by);
Term term_ashr(Terms *terms, Term a, Term by);
Term term_extract(Terms *terms, Term a, uint32_t low, uint32_t bits);
Term term_concat(Terms *terms, Term high, Term low); /* as wide as both together */
Term term_zext(Terms *terms, Term a, uint32_t bits); /* `bits` at least as wide as a */
Term term_sext(Terms *terms, Term a, uint32_t bits);
/* Cut, or extended by zeros, to `bits`. */
Term term_fit(Terms *terms, Term a, uint32_t bits);
Term term_popcount(Terms *terms, Term a); /* these five are as wide as a */
Term term_clz(Terms *terms, Term a);      /* of 0: the width */
Term term_ctz(Terms *terms, Term a);
Term term_bswap(Terms *terms, Term a); /* whole bytes */
Term term_bitrev(Terms *terms, Term a);

/* ---- numbers ---- */
Term term_neg(Terms *terms, Term a);
Term term_add(Terms *terms, Term a, Term b);
Term term_sub(Terms *terms, Term a, Term b);
Term term_mul(Terms *terms, Term a, Term b);
Term term_udiv(Terms *terms, Term a, Term b);
Term term_urem(Terms *terms, Term a, Term b);
Term term_sdiv(Terms *terms, Term a, Term b);
Term term_srem(Terms *terms, Term a, Term b);

/* ---- truth: one bit ---- */
Term term_eq(Terms *terms, Term a, Term b);
Term term_ult(Terms *terms, Term a, Term b);
Term term_ule(Terms *terms, Term a, Term b);
Term term_slt(Terms *terms, Term a, Term b);
Term term_sle(Terms *terms, Term a, Term b);
Term term_implies(Terms *terms, Term a, Term b);
Term term_ite(Terms *terms, Term condition, Term then, Term otherwise); /* any width */

/* ---- looking at terms ---- */
typedef enum {
  TERM_NONE,
  TERM_CONST,
  TERM_VAR,
  TERM_NOT,
  TERM_AND,
  TERM_OR,
  TERM_XOR,
  TERM_SHL,
  TERM_LSHR,
  TERM_ASHR,
  TERM_EXTRACT, /* low bit: term_low */
  TERM_CONCAT,
  TERM_SEXT, /* zext is a concat with zeros */
  TERM_ADD,
  TERM_MUL,
  TERM_UDIV,
  TERM_UREM,
  TERM_SDIV,
  TERM_SREM,
  TERM_EQ,
  TERM_ULT,
  TERM_SLT,
  TERM_ITE,
  TERM_KIND_COUNT
} TermKind;

TermKind term_kind(const Terms *terms, Term t);
uint32_t term_bits(const Terms *terms, Term t);
Term term_operand(const Terms *terms, Term t, int i); /* 0 behind the last */
uint32_t term_low(const Terms *terms, Term t);
bool term_is_true(const Terms *terms, Term t);
bool term_is_false(const Terms *terms, Term t);
/* A constant of at most 64 bits, or a wider one whose upper words are 0. */
bool term_get_const(const Terms *terms, Term t, uint64_t *ret_value);
/* Any constant, all its words; NULL if it is none. */
const uint64_t *term_const_words(const Terms *terms, Term t);
const char *term_var_name(const Terms *terms, Term t); /* "" if it has none */

/* The value of a term where variables have the values that `value` fills in (words as above).
 * Iterative: terms may be deep. */
typedef void TermValue(void *user, Term var, uint64_t *words);
void term_eval(const Terms *terms, Term t, TermValue *value, void *user,
               uint64_t *ret_words);

/* The term with other terms, of the same width, in the place of its variables: `with` says which, and
 * keeps what was made for the next time. Variables that it does not have stay. */
Term term_substitute(Terms *terms, Term t, Map *with);
/* Calls `visit` for each variable of the term, but not below what `seen` has; that grows. */
typedef void TermVisit(void *user, Term variable);
void term_variables(const Terms *terms, Term t, Map *seen, TermVisit *visit, void *user);

/* Readable, for logs and tests. */
void term_print(const Terms *terms, Term t, Str *out);

#endif
