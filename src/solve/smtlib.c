/* See smtlib.h. Every term has a definition of its own, in the order of their numbers, which is an
 * order of dependence: the text is as large as the DAG and nothing in it is deep. */
#include "solve/smtlib.h"

#include "base/vec.h"
#include "solve/term_internal.h"

static const char *const operators[TERM_KIND_COUNT] = {
    [TERM_NOT] = "bvnot",   [TERM_AND] = "bvand",     [TERM_OR] = "bvor",
    [TERM_XOR] = "bvxor",   [TERM_SHL] = "bvshl",     [TERM_LSHR] = "bvlshr",
    [TERM_ASHR] = "bvashr", [TERM_CONCAT] = "concat", [TERM_ADD] = "bvadd",
    [TERM_MUL] = "bvmul",   [TERM_UDIV] = "bvudiv",   [TERM_UREM] = "bvurem",
    [TERM_SDIV] = "bvsdiv", [TERM_SREM] = "bvsrem",   [TERM_EQ] = "=",
    [TERM_ULT] = "bvult",   [TERM_SLT] = "bvslt",
};

/* A constant, or the name of a definition. */
static void write_name(const Terms *terms, Term t, Str *out) {
  const TermNode *n = node(terms, t);
  if (n->kind != TERM_CONST) {
    str_addf(out, "t%u", t);
    return;
  }
  str_add(out, "#b");
  for (uint32_t i = n->bits; i-- > 0;)
    str_add_char(out, wide_bit(n->words, i) ? '1' : '0');
}

static void write_operands(const Terms *terms, Term t, Str *out) {
  for (int i = 0; i < 3; i++) {
    Term operand = term_operand(terms, t, i);
    if (!operand) break;
    str_add_char(out, ' ');
    write_name(terms, operand, out);
  }
}

static void write_definition(const Terms *terms, Term t, Str *out) {
  const TermNode *n = node(terms, t);
  if (n->kind == TERM_VAR) {
    str_addf(out, "(declare-const t%u (_ BitVec %u))", t, n->bits);
    if (*n->name) {
      str_add(out, " ; ");
      for (const char *c = n->name; *c; c++) str_add_char(out, *c >= ' ' ? *c : ' ');
    }
    str_add_char(out, '\n');
    return;
  }
  str_addf(out, "(define-fun t%u () (_ BitVec %u) (", t, n->bits);
  bool truth = n->kind == TERM_EQ || n->kind == TERM_ULT || n->kind == TERM_SLT;
  if (truth)
    str_addf(out, "ite (%s", operators[n->kind]);
  else if (n->kind == TERM_EXTRACT)
    str_addf(out, "(_ extract %u %u)", n->b + n->bits - 1, n->b);
  else if (n->kind == TERM_SEXT)
    str_addf(out, "(_ sign_extend %u)", n->bits - bits_of(terms, n->a));
  else if (n->kind == TERM_ITE)
    str_add(out, "ite (= #b1");
  else
    str_add(out, operators[n->kind]);
  if (n->kind == TERM_ITE) {
    str_add_char(out, ' ');
    write_name(terms, n->a, out);
    str_add(out, ") ");
    write_name(terms, n->b, out);
    str_add_char(out, ' ');
    write_name(terms, n->c, out);
  } else {
    write_operands(terms, t, out);
  }
  str_add(out, truth ? ") #b1 #b0))\n" : "))\n");
}

void smtlib_write(const Terms *terms, const Term *facts, uint32_t fact_count,
                  const Term *assumptions, uint32_t assumption_count, Str *out) {
  uint8_t *needed = mem_alloc_zero(terms->len);
  for (uint32_t i = 0; i < fact_count; i++) needed[facts[i]] = 1;
  for (uint32_t i = 0; i < assumption_count; i++) needed[assumptions[i]] = 1;
  for (Term t = terms->len - 1; t > 0; t--)
    for (int i = 0; needed[t] && i < 3; i++) needed[term_operand(terms, t, i)] = 1;
  str_add(out, "(set-logic QF_BV)\n");
  for (Term t = 1; t < terms->len; t++)
    if (needed[t] && !is_const(terms, t)) write_definition(terms, t, out);
  for (uint32_t i = 0; i < fact_count + assumption_count; i++) {
    str_add(out, "(assert (= #b1 ");
    write_name(terms, i < fact_count ? facts[i] : assumptions[i - fact_count], out);
    str_add(out, "))\n");
  }
  str_add(out, "(check-sat)\n");
  mem_free(needed);
}
