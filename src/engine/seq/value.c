/* Expressions as terms. See internal.h. */
#include "engine/seq/internal.h"

#include "engine/terms.h"

Term seq_fresh(Unwinder *u, uint32_t bits, const char *name) {
  u->seq->vague = true;
  return term_var(u->terms, bits, name);
}

Term seq_foreign(Unwinder *u, uint32_t bits) {
  Term value = seq_fresh(u, bits, "library");
  map_put(&u->foreign, value, 1);
  return value;
}

static uint32_t new_object_instance(Unwinder *u, Map *where, ObjectId object) {
  const Object *o = vec_at(&u->program->objects, object);
  uint32_t i = seq_unwind_new_instance(u, object, o->size, false);
  map_put(where, object, i + 1);
  return i;
}

uint32_t seq_object(Unwinder *u, ObjectId object) {
  const Object *o = vec_at(&u->program->objects, object);
  Map *where = &u->seq->globals;
  if (o->kind == OBJECT_TLS) where = &u->thread_locals;
  if (o->kind == OBJECT_STACK) where = &u->frame->objects;
  uint64_t found = map_find(where, object, 0);
  return found ? (uint32_t)found - 1 : new_object_instance(u, where, object);
}

/* Whose expression it is. */
typedef struct {
  Unwinder *u;
  State *s;
} Asker;

static Term leaf(void *user, const Expr *e) {
  const Asker *asker = user;
  Unwinder *u = asker->u;
  Terms *t = u->terms;
  switch ((ExprKind)e->kind) {
  case EXPR_LOCAL: {
    Term *value = &asker->s->locals[(uint32_t)e->data - u->frame->f->first_local];
    if (!*value)
      *value =
          u->request->whole ? seq_fresh(u, e->bits, "unset") : term_const(t, e->bits, 0);
    return *value;
  }
  case EXPR_OBJECT: return term_const(t, 64, seq_base(seq_object(u, (ObjectId)e->data)));
  case EXPR_FUNC: return term_const(t, 64, seq_function_address((FuncId)e->data));
  default: return term_const(t, 64, UINT64_C(3) << 61 | e->data); /* LABEL */
  }
}

static Term any(void *user, uint32_t bits, const char *what) {
  return seq_fresh(((const Asker *)user)->u, bits, what);
}

/* ---- addresses as numbers ---- */

static bool is_cast_pointer(const Unwinder *u, ExprId id) {
  const Expr *e = program_expr(u->program, id);
  return e->kind == EXPR_BITCAST && e->sort != SORT_PTR &&
         program_expr(u->program, e->a)->sort == SORT_PTR;
}

/* What two pointers that are cast to numbers are compared for, or subtracted, does not depend on where
 * their object lies. */
static bool is_relative(const Unwinder *u, const Expr *e) {
  bool relative = e->kind == EXPR_SUB || e->kind == EXPR_EQ || e->kind == EXPR_NE ||
                  e->kind == EXPR_ULT || e->kind == EXPR_ULE;
  return relative && is_cast_pointer(u, e->a) && is_cast_pointer(u, e->b);
}

/* The number of an address is nobody's business: the addresses here are not those of a run. A small
 * number that travels as a pointer is one. */
static void use_as_number(Unwinder *u, State *s, Term value) {
  enum { SHIFT = SEQ_BASE_SHIFT - 1 };
  Terms *t = u->terms;
  if (term_bits(t, value) <= SHIFT) return;
  uint32_t bits = term_bits(t, value) - SHIFT;
  Term upper = term_extract(t, value, SHIFT, bits);
  seq_unwind_lose(u, s, term_not(t, term_eq(t, upper, term_const(t, bits, 0))));
}

static void look_at_casts(Unwinder *u, State *s, ExprId id, Map *seen) {
  uint64_t *known = map_at(seen, id);
  if (*known) return;
  *known = 1;
  const Expr *e = program_expr(u->program, id);
  int n = expr_operand_count((ExprKind)e->kind);
  ExprId operands[3] = {e->a, e->b, e->c};
  bool relative = n == 2 && is_relative(u, e);
  if (is_cast_pointer(u, id)) use_as_number(u, s, seq_value(u, s, e->a));
  for (int i = 0; i < n; i++)
    look_at_casts(u, s, relative ? program_expr(u->program, operands[i])->a : operands[i],
                  seen);
}

Term seq_value(Unwinder *u, State *s, ExprId id) {
  Asker asker = {u, s};
  TermsOf x = {
      .program = u->program, .terms = u->terms, .leaf = leaf, .any = any, .user = &asker};
  Map seen = {0};
  if (u->request->whole) look_at_casts(u, s, id, &seen);
  map_free(&seen);
  return terms_of_expr(&x, id);
}
