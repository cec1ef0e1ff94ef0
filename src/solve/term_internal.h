/* What the files of the pool and of its rules share: the node, the pool, and the way a rule makes
 * a node. Nothing outside of src/solve includes this.
 *
 * Invariants:
 * 1. Operands have smaller numbers than the term that has them.
 * 2. Of the operands of a commutative operation a constant is the second; otherwise the smaller
 *    number is the first.
 * 3. No node has constant operands only.
 * 4. Rules call constructors, which apply rules; `depth` bounds that, so that one construction
 *    takes bounded time and stack whatever the operands look like. A rule that is left out for
 *    this reason costs simplicity, never truth. */
#ifndef HEDDLE_SOLVE_TERM_INTERNAL_H
#define HEDDLE_SOLVE_TERM_INTERNAL_H

#include "base/arena.h"
#include "solve/term.h"
#include "solve/wide.h"

#include <assert.h>

typedef struct {
  uint32_t kind : 8, bits : 24;
  Term a; /* operands; those of EXTRACT are `a` and, in `b`, the low bit */
  union {
    struct {
      Term b, c;
    };
    const uint64_t *words; /* CONST: in the arena, so it never moves */
    const char *name;      /* VAR: the same */
  };
} TermNode;

typedef struct {
  uint32_t hash;
  Term term; /* 0: free */
} TermSlot;

struct Terms {
  TermNode *nodes;
  uint32_t len, cap;
  TermSlot *slots; /* a power of two of them, at most half full */
  uint32_t slot_mask;
  uint32_t depth; /* rules inside of rules, at the moment */
  Arena *arena;
  uint64_t *scratch;
  uint32_t scratch_len;
};

#define TERM_MAX_BITS  ((1u << 24) - 1)
#define TERM_MAX_DEPTH 24

static inline const TermNode *node(const Terms *terms, Term t) {
  assert(t && t < terms->len);
  return &terms->nodes[t];
}

static inline TermKind kind_of(const Terms *terms, Term t) {
  return (TermKind)node(terms, t)->kind;
}

static inline uint32_t bits_of(const Terms *terms, Term t) {
  return node(terms, t)->bits;
}

static inline bool is_const(const Terms *terms, Term t) {
  return node(terms, t)->kind == TERM_CONST;
}

static inline bool is_zero(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST && !n->words[0] && wide_is_zero(n->words, n->bits);
}

static inline bool is_ones(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST && n->words[0] && wide_is_ones(n->words, n->bits);
}

static inline bool is_one(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST && n->words[0] == 1 && wide_log2(n->words, n->bits) == 0;
}

/* One of them is the complement of the other, as far as their nodes tell. */
static inline bool are_complements(const Terms *terms, Term a, Term b) {
  const TermNode *x = node(terms, a), *y = node(terms, b);
  return (x->kind == TERM_NOT && x->a == b) || (y->kind == TERM_NOT && y->a == a);
}

/* ite between two constants */
static inline bool is_choice(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_ITE && is_const(terms, n->b) && is_const(terms, n->c);
}

/* Invariant 2. */
static inline void put_in_order(const Terms *terms, Term *a, Term *b) {
  bool const_a = is_const(terms, *a), const_b = is_const(terms, *b);
  if (const_a != const_b ? const_b : *a < *b) return;
  Term t = *a;
  *a = *b;
  *b = t;
}

/* May a rule that calls constructors for operands of operands be applied? If so, terms_up
 * must follow. */
static inline bool terms_down(Terms *terms) {
  if (terms->depth >= TERM_MAX_DEPTH) return false;
  terms->depth++;
  return true;
}

static inline void terms_up(Terms *terms) {
  terms->depth--;
}

/* The node as it stands, without rules. */
Term term_make(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b, Term c);
Term term_zeros(Terms *terms, uint32_t bits);
Term term_ones(Terms *terms, uint32_t bits);

/* The value of an operation on values: the meaning of every kind but CONST and VAR. `low` is
 * for EXTRACT, `a_bits` the width of the first operand, `b_bits` that of the second; `ret` is no
 * operand. */
void term_apply(TermKind kind, uint32_t bits, uint32_t a_bits, uint32_t b_bits,
                uint32_t low, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                uint64_t *ret);
/* Of constants. */
Term term_fold(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b);
/* What all binary operations have in common: both operands are constant, or one is and the
 * other chooses between constants. 0: neither. */
Term term_fold_binary(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b);

/* Sums and products that are equal, or different, for all values of what they are made of; 0: not
 * known. */
Term term_eq_polynomials(Terms *terms, Term a, Term b);

/* Values that stay known from one question to the next, as long as variables keep theirs. */
typedef struct TermValues TermValues;
TermValues *term_values_new(const Terms *terms);
void term_values_free(TermValues *values); /* accepts NULL */
void term_values_clear(TermValues *values);
/* The words of t; they stay until the next call. */
const uint64_t *term_values_get(TermValues *values, Term t, TermValue *value, void *user);

#endif
