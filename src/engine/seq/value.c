/* Expressions as terms. See internal.h. */
#include "engine/seq/internal.h"

#include "engine/terms.h"

Term seq_fresh(Unwinder *u, uint32_t bits, const char *name) {
  u->seq->vague = true;
  return term_var(u->terms, bits, name);
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
    if (!*value) *value = term_const(t, e->bits, 0);
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

Term seq_value(Unwinder *u, State *s, ExprId id) {
  Asker asker = {u, s};
  TermsOf x = {
      .program = u->program, .terms = u->terms, .leaf = leaf, .any = any, .user = &asker};
  return terms_of_expr(&x, id);
}
