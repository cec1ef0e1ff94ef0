/* Which variables are counted with a sign, and which sign a term has. See chc_internal.h. */
#include "solve/chc_internal.h"

typedef struct {
  Numbers *n;
  bool changed;
} Signs;

static void note_signed(void *user, Term variable) {
  Signs *s = user;
  uint64_t *known = map_at(&s->n->is_signed, variable);
  s->changed = s->changed || !*known;
  *known = 1;
}

static void note_all(Numbers *n, Term t, Signs *s) {
  Map seen = {0};
  term_variables(n->terms, t, &seen, note_signed, s);
  map_free(&seen);
}

/* Variables below signed comparisons. */
static void find_signed(Numbers *n, Term t) {
  VEC(Term) stack = {0};
  Signs s = {n, false};
  vec_push(&stack, t);
  while (stack.len) {
    Term top = vec_pop(&stack);
    uint64_t *seen = map_at(&n->seen, top);
    if (*seen) continue;
    *seen = 1;
    TermKind kind = term_kind(n->terms, top);
    if (kind == TERM_SLT || kind == TERM_SEXT || kind == TERM_SDIV || kind == TERM_SREM)
      note_all(n, top, &s);
    for (int i = 0; i < 3; i++) {
      Term operand = term_operand(n->terms, top, i);
      if (operand) vec_push(&stack, operand);
    }
  }
  vec_free(&stack);
}

/* A parameter and a variable that it stands for are counted alike. */
static bool spread(Numbers *n, const ChcAtom *atom) {
  if (atom->predicate == CHC_NONE) return false;
  const ChcAtom *p = &n->chc->predicates.data[atom->predicate];
  Signs s = {n, false};
  for (uint32_t i = 0; i < atom->count; i++) {
    Term one = n->chc->arguments.data[p->first + i];
    Term two = n->chc->arguments.data[atom->first + i];
    if (term_kind(n->terms, two) != TERM_VAR) continue;
    if (map_find(&n->is_signed, one, 0)) note_signed(&s, two);
    if (map_find(&n->is_signed, two, 0)) note_signed(&s, one);
  }
  return s.changed;
}

void numbers_find_signs(Numbers *n) {
  const Chc *chc = n->chc;
  for (uint32_t i = 0; i < chc->clauses.len; i++)
    find_signed(n, chc->clauses.data[i].constraint);
  for (uint32_t i = 0; i < chc->arguments.len; i++)
    find_signed(n, chc->arguments.data[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < chc->atoms.len; i++)
      changed |= spread(n, &chc->atoms.data[i]);
    for (uint32_t i = 0; i < chc->clauses.len; i++)
      changed |= spread(n, &chc->clauses.data[i].head);
  }
}

bool numbers_is_signed(const Numbers *n, Term variable) {
  return map_find(&n->is_signed, variable, 0);
}

/* How a term is counted; `ret` stays as it is if that does not matter. */
bool numbers_natural(const Numbers *n, Term t, bool *ret) {
  switch (term_kind(n->terms, t)) {
  case TERM_VAR: *ret = numbers_is_signed(n, t); return true;
  case TERM_SEXT:
  case TERM_SDIV:
  case TERM_SREM: *ret = true; return true;
  case TERM_CONCAT:
  case TERM_UDIV:
  case TERM_UREM: *ret = false; return true;
  case TERM_ITE:
    return numbers_natural(n, term_operand(n->terms, t, 1), ret) ||
           numbers_natural(n, term_operand(n->terms, t, 2), ret);
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_EXTRACT:
  case TERM_ADD:
  case TERM_MUL:
    for (int i = 0; i < 2; i++) {
      Term operand = term_operand(n->terms, t, i);
      if (operand && numbers_natural(n, operand, ret)) return true;
    }
    return false;
  case TERM_NONE:
  case TERM_CONST:
  case TERM_EQ:
  case TERM_ULT:
  case TERM_SLT:
  case TERM_KIND_COUNT: break;
  }
  return false;
}
