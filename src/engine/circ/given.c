/* See given.h. */
#include "engine/circ/given.h"

#include "engine/circ/circ.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
  const char *from;
  size_t length;
  bool is_number;
  long long number;
} Side;

typedef struct {
  Side left, right;
  const char *operator; /* one of `operators` */
} Comparison;

/* The longer ones first. */
static const char *const operators[] = {"==", "!=", "<=", ">=", "<", ">"};

static const char *skip_blanks(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static const char *operator_at(const char *at) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (str_starts(at, operators[i])) return operators[i];
  return NULL;
}

/* Up to an operator or the end; NULL: there is nothing. */
static const char *read_side(const char *at, Side *ret) {
  at = skip_blanks(at);
  ret->from = at;
  while (*at && *at != ';' && (!operator_at(at) || str_starts(at, "->")))
    at += str_starts(at, "->") ? 2 : 1;
  size_t length = (size_t)(at - ret->from);
  while (length && isspace((unsigned char)ret->from[length - 1])) length--;
  ret->length = length;
  char *end;
  ret->number = strtoll(ret->from, &end, 0);
  ret->is_number = length && end == ret->from + length;
  return length ? at : NULL;
}

/* Behind the comparison; NULL: it is none. */
static const char *read_comparison(const char *at, Comparison *ret) {
  at = read_side(at, &ret->left);
  ret->operator= at ? operator_at(at) : NULL;
  if (!ret->operator) return NULL;
  at = read_side(at + strlen(ret->operator), &ret->right);
  return at && (!*at || *at == ';') ? at : NULL;
}

bool circ_given_check(const char *text, Err *err) {
  Comparison c;
  for (const char *at = text;; at++) {
    at = read_comparison(at, &c);
    if (!at || (c.left.is_number && c.right.is_number))
      return err_input(err, NULL, "write it as in 'state == 0'",
                       "--predicate: '%s' does not compare a variable", text);
    if (!*at) return true;
  }
}

/* ---- in a model ---- */

typedef struct {
  CircModel *model;
  CircPredicates *predicates;
} Given;

static bool is_called(const Side *side, const char *name) {
  return !side->is_number && strlen(name) == side->length &&
         memcmp(name, side->from, side->length) == 0;
}

static Term compare(Terms *terms, const char *operator, Term a, Term b) {
  bool swapped = operator[0] == '>';
  Term left = swapped ? b : a, right = swapped ? a : b;
  switch (operator[0]) {
  case '=': return term_eq(terms, a, b);
  case '!': return term_not(terms, term_eq(terms, a, b));
  default:
    return operator[1] ? term_sle(terms, left, right) : term_slt(terms, left, right);
  }
}

static Term side_as(Terms *terms, const Side *side, Term variable, uint32_t bits) {
  return side->is_number ? term_const(terms, bits, (uint64_t)side->number) : variable;
}

static void add(Given *g, const Comparison *c, Term left, Term right) {
  Terms *terms = g->model->terms;
  Term any = left ? left : right;
  uint32_t bits = term_bits(terms, any);
  Term a = side_as(terms, &c->left, left, bits),
       b = side_as(terms, &c->right, right, bits);
  if (!a || !b || term_bits(terms, a) != term_bits(terms, b)) return;
  circ_predicates_add(g->predicates, compare(terms, c->operator, a, b));
}

/* Every pair of variables of these names, shared or of one kind of thread. */
static void add_all(Given *g, const Comparison *c, const Side *sides[2], Term chosen[2],
                    int side) {
  if (side == 2) {
    if (chosen[0] || chosen[1]) add(g, c, chosen[0], chosen[1]);
    return;
  }
  if (sides[side]->is_number) {
    add_all(g, c, sides, chosen, side + 1);
    return;
  }
  const CircModel *m = g->model;
  for (uint32_t i = 0; i < m->shared.len; i++)
    if (is_called(sides[side], m->shared.data[i].name)) {
      chosen[side] = m->shared.data[i].now;
      add_all(g, c, sides, chosen, side + 1);
    }
  for (uint32_t k = 0; k < m->kinds.len; k++)
    for (uint32_t i = 0; i < m->kinds.data[k].locals.len; i++)
      if (is_called(sides[side], m->kinds.data[k].locals.data[i].name)) {
        chosen[side] = m->kinds.data[k].locals.data[i].now;
        add_all(g, c, sides, chosen, side + 1);
      }
  chosen[side] = 0;
}

void circ_given_add(CircModel *model, CircPredicates *predicates, const char *text) {
  Given g = {model, predicates};
  Comparison c;
  const char *at = text;
  while (at && (at = read_comparison(at, &c))) {
    const Side *sides[2] = {&c.left, &c.right};
    Term chosen[2] = {0};
    add_all(&g, &c, sides, chosen, 0);
    if (!*at++) break;
  }
}
