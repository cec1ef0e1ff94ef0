/* See lower.h: how rows are chosen, tested and applied. The rows are in lower_table.c. */
#include "model/lower.h"

static bool in_set(uint8_t set, uint8_t member) {
  return set == 0 || (set >> member & 1);
}

bool lower_fits(const LowerRow *row, const Edge *e, LowerPhase phase, LowerCause cause) {
  return row->op == e->op && (row->phases & phase) && row->cause == cause &&
         in_set(row->locks, e->lock) && in_set(row->modes, e->mode) &&
         in_set(row->attempts, e->attempt);
}

bool lower_shares(const LowerRow *row) {
  for (int i = 0; i < LOWER_CHANGES; i++)
    if (row->changes[i].kind != CHANGE_NONE && row->changes[i].ghost == GHOST_READS)
      return true;
  return false;
}

static int64_t term_value(const LowerMachine *m, void *data, uint8_t whose, uint8_t term,
                          int32_t number) {
  switch ((LowerTerm)term) {
  case TERM_NUMBER: return number;
  case TERM_SIZE: return m->get(data, (LowerWhose)whose, GHOST_SIZE);
  case TERM_SELF:
  case TERM_THREAD:
  case TERM_OPERAND:
  case TERM_TYPE:
  case TERM_ROBUST: break;
  }
  return m->term(data, (LowerTerm)term);
}

static bool compare(LowerRelation relation, int64_t left, int64_t right) {
  switch (relation) {
  case REL_EQ: return left == right;
  case REL_NE: return left != right;
  case REL_LT: return left < right;
  case REL_GT: return left > right;
  case REL_NONE: break;
  }
  return true;
}

bool lower_guard_holds(const LowerGuard *g, const LowerMachine *m, void *data) {
  if (g->relation == REL_NONE) return true;
  int64_t left = g->whose == OF_TERM
                     ? m->term(data, (LowerTerm)g->ghost)
                     : m->get(data, (LowerWhose)g->whose, (Ghost)g->ghost);
  int64_t right = term_value(m, data, g->whose, g->term, g->number);
  if (left == LOWER_ANY || right == LOWER_ANY) return true;
  return compare((LowerRelation)g->relation, left, right);
}

bool lower_holds(const LowerRow *row, const LowerMachine *m, void *data) {
  for (int i = 0; i < LOWER_GUARDS; i++)
    if (!lower_guard_holds(&row->guards[i], m, data)) return false;
  return true;
}

void lower_apply(const LowerRow *row, const LowerMachine *m, void *data) {
  for (int i = 0; i < LOWER_CHANGES && row->changes[i].kind != CHANGE_NONE; i++) {
    const LowerChange *c = &row->changes[i];
    LowerWhose whose = (LowerWhose)c->whose;
    if (c->kind == CHANGE_RESET) {
      m->set(data, whose, GHOST_ALL, 0);
      continue;
    }
    int64_t value = term_value(m, data, c->whose, c->term, c->number);
    if (c->kind == CHANGE_ADD) value += m->get(data, whose, (Ghost)c->ghost);
    m->set(data, whose, (Ghost)c->ghost, value);
  }
}
