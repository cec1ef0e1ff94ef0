/* Variables, expressions, and paths that come together. See model_internal.h. */
#include "engine/circ/model_internal.h"

#include "engine/names.h"
#include "engine/terms.h"

/* ---- variables ---- */

static const char *variable_name(CircMaker *x, uint32_t number) {
  const AutoVariable *v = vec_at(&x->a->variables, number);
  if (v->object) return name_of_place(x->p, v->object, v->offset, x->arena);
  const Local *local = vec_at(&x->p->locals, v->local);
  const char *name = sym_text(x->p, local->name);
  if (*name) return name;
  const Function *f = &x->p->functions.data[x->a->frames.data[v->frame].function];
  return arena_printf(x->arena, "t%u", v->local - f->first_local);
}

static uint32_t new_local(CircMaker *x, CircLocal local, uint32_t bits) {
  local.now = term_var(x->t, bits, local.name);
  vec_push(&x->kind->locals, local);
  return x->kind->locals.len;
}

CircVar circ_local(CircMaker *x, uint32_t variable) {
  uint64_t *known = map_at(&x->local_of, variable);
  if (!*known) {
    const AutoVariable *v = vec_at(&x->a->variables, variable);
    CircLocal local = {.variable = variable, .name = variable_name(x, variable)};
    if (v->object && !v->frame)
      local.start = circ_initial(x, v->object, v->offset, v->bits / 8);
    *known = new_local(x, local, v->bits);
  }
  return CIRC_LOCAL | ((uint32_t)*known - 1);
}

CircVar circ_half(CircMaker *x) {
  if (!x->half) {
    CircLocal local = {
        .start = term_bool(x->t, false), .which = GHOST_ALL, .name = "halfway"};
    x->half = new_local(x, local, 1);
  }
  return CIRC_LOCAL | (x->half - 1);
}

CircVar circ_ghost_local(CircMaker *x, const CircObject *o, Ghost ghost) {
  uint64_t key = (uint64_t)(o - x->objects.data) << 8 | ghost;
  uint64_t *known = map_at(&x->ghost_of, key);
  if (!*known) {
    uint32_t bits = ghost == GHOST_OWNER ? 1 : 32;
    const char *what = ghost == GHOST_OWNER   ? "has"
                       : ghost == GHOST_COUNT ? "times"
                                              : "reads";
    const char *place = name_of_place(x->p, o->object, o->offset, x->arena);
    CircLocal local = {.start = term_const(x->t, bits, 0),
                       .which = (uint8_t)ghost,
                       .object = o->object,
                       .offset = o->offset};
    local.name = arena_printf(x->arena, "%s %s", what, place);
    *known = new_local(x, local, bits);
  }
  return CIRC_LOCAL | ((uint32_t)*known - 1);
}

uint32_t circ_shared(CircMaker *x, CircShared variable, uint32_t bits) {
  variable.now = term_var(x->t, bits, variable.name);
  vec_push(&x->m->shared, variable);
  return x->m->shared.len - 1;
}

Term circ_now(const CircMaker *x, CircVar v) {
  if (v & CIRC_LOCAL) return vec_at(&x->kind->locals, v & ~CIRC_LOCAL)->now;
  return vec_at(&x->m->shared, v)->now;
}

Term circ_get(const CircMaker *x, const CircHere *s, CircVar v) {
  uint64_t found = map_find(&s->values, v, 0);
  return found ? (Term)found : circ_now(x, v);
}

void circ_put(CircMaker *x, CircHere *s, CircVar v, Term value) {
  uint32_t bits = term_bits(x->t, circ_now(x, v));
  map_put(&s->values, v, term_fit(x->t, value, bits));
}

void circ_put_local(CircMaker *x, CircHere *s, uint32_t frame, LocalId local,
                    Term value) {
  if (!local) return;
  circ_put(x, s, circ_local(x, automaton_variable(x->m->automata, x->a, frame, local)),
           value);
}

Term circ_any(CircMaker *x, uint32_t bits, const char *what) {
  return term_var(x->t, bits, what);
}

void circ_assume(CircMaker *x, CircHere *s, Term condition) {
  s->guard = term_and(x->t, s->guard, condition);
}

/* ---- expressions ---- */

/* Whose expression it is. */
typedef struct {
  CircMaker *x;
  const CircHere *s;
  uint32_t frame;
} Asker;

static Term any_address(CircMaker *x) {
  Term any = circ_any(x, 64, "address"), null = term_const(x->t, 64, 0);
  return term_ite(x->t, term_eq(x->t, any, null), term_const(x->t, 64, 1), any);
}

/* Of objects that are not single there are several: their address is any number but NULL. */
static Term address_of(CircMaker *x, ObjectId object) {
  Term number = circ_address(x, object);
  return number ? number : any_address(x);
}

static Term leaf(void *user, const Expr *e) {
  const Asker *asker = user;
  CircMaker *x = asker->x;
  switch ((ExprKind)e->kind) {
  case EXPR_LOCAL: {
    uint32_t v = automaton_variable(x->m->automata, x->a, asker->frame, (LocalId)e->data);
    return term_fit(x->t, circ_get(x, asker->s, circ_local(x, v)), e->bits);
  }
  case EXPR_OBJECT: return address_of(x, (ObjectId)e->data);
  case EXPR_FUNC: return circ_function(x, (FuncId)e->data);
  default: return any_address(x); /* LABEL: points-to does not tell where they get to */
  }
}

static Term any(void *user, uint32_t bits, const char *what) {
  return circ_any(((const Asker *)user)->x, bits, what);
}

bool circ_may_be_address(const CircMaker *x, ExprId id) {
  return pointsto_may_designate(x->pt, id);
}

static bool is_address_number(const CircMaker *x, ExprId id) {
  return program_expr(x->p, id)->sort != SORT_PTR && circ_may_be_address(x, id);
}

/* An address that is kept in a number, as in loads and stores of atomic pointers, may be moved, compared for being the same,
 * and become a pointer again. All else depends on which number it is. */
static bool looks_at_address(const CircMaker *x, const Expr *e) {
  int n = expr_operand_count((ExprKind)e->kind);
  if (!n || e->kind == EXPR_EQ || e->kind == EXPR_NE) return false;
  if (n == 1)
    return (e->kind != EXPR_BITCAST || e->sort != SORT_PTR) && is_address_number(x, e->a);
  if (e->kind == EXPR_ITE) return is_address_number(x, e->a);
  return is_address_number(x, e->a) || is_address_number(x, e->b) ||
         (n > 2 && is_address_number(x, e->c));
}

/* Addresses are equal or not; which number they are, and which comes first, nobody knows. Nor whether what lies
 * behind an object is another one. */
static Term instead(void *user, ExprId id) {
  CircMaker *x = ((const Asker *)user)->x;
  const Expr *e = program_expr(x->p, id);
  if ((e->kind == EXPR_EQ || e->kind == EXPR_NE) && circ_equal_is_open(x, e->a, e->b))
    return circ_any(x, e->bits, "address");
  bool compares = e->kind == EXPR_ULT || e->kind == EXPR_ULE || e->kind == EXPR_SLT ||
                  e->kind == EXPR_SLE;
  if (looks_at_address(x, e)) return circ_any(x, e->bits, "address");
  if (!compares || program_expr(x->p, e->a)->sort != SORT_PTR) return 0;
  if (circ_may_be_address(x, e->a) || circ_may_be_address(x, e->b))
    return circ_any(x, e->bits, "address");
  return 0;
}

Term circ_value(CircMaker *x, const CircHere *s, uint32_t frame, ExprId expr) {
  Asker asker = {x, s, frame};
  TermsOf of = {.program = x->p,
                .terms = x->t,
                .leaf = leaf,
                .any = any,
                .instead = instead,
                .open = true,
                .user = &asker};
  return terms_of_expr(&of, expr);
}

/* ---- paths ---- */

void circ_here_copy(const CircHere *from, CircHere *ret_to) {
  *ret_to = (CircHere){.guard = from->guard};
  for (uint32_t i = 0; i < from->values.len; i++)
    map_put(&ret_to->values, from->values.entries[i].key, from->values.entries[i].value);
}

void circ_here_free(CircHere *s) {
  map_free(&s->values);
  *s = (CircHere){0};
}

void circ_here_merge(CircMaker *x, CircHere *into, CircHere *other) {
  if (!other->guard || term_is_false(x->t, other->guard)) {
    circ_here_free(other);
    return;
  }
  if (!into->guard) {
    circ_here_free(into);
    *into = *other;
    *other = (CircHere){0};
    return;
  }
  for (uint32_t i = 0; i < into->values.len; i++) {
    MapEntry *e = &into->values.entries[i];
    Term theirs = circ_get(x, other, (CircVar)e->key);
    e->value = term_ite(x->t, other->guard, theirs, (Term)e->value);
  }
  for (uint32_t i = 0; i < other->values.len; i++) {
    const MapEntry *e = &other->values.entries[i];
    if (map_get(&into->values, e->key)) continue;
    Term mine = circ_now(x, (CircVar)e->key);
    map_put(&into->values, e->key, term_ite(x->t, other->guard, (Term)e->value, mine));
  }
  into->guard = term_or(x->t, into->guard, other->guard);
  circ_here_free(other);
}

/* At a look: one says what the other denies. */
static bool contradict(const CircMaker *x, Term a, Term b) {
  TermVec of_a = {0}, of_b = {0};
  bool found = false;
  terms_conjuncts(x->t, a, &of_a);
  terms_conjuncts(x->t, b, &of_b);
  for (uint32_t i = 0; i < of_a.len && !found; i++)
    for (uint32_t k = 0; k < of_b.len && !found; k++)
      found = term_is_false(x->t, term_and(x->t, of_a.data[i], of_b.data[k]));
  vec_free(&of_a);
  vec_free(&of_b);
  return found;
}

static bool exclude_each_other(const CircMaker *x, const CircHere *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (list[i].guard && list[k].guard && !contradict(x, list[i].guard, list[k].guard))
        return false;
  return true;
}

void circ_here_choose(CircMaker *x, CircHere *list, uint32_t count) {
  if (exclude_each_other(x, list, count)) return;
  Term before = term_bool(x->t, false);
  uint32_t last = count;
  while (last && !list[last - 1].guard) last--;
  for (uint32_t i = 0; i < last; i++) {
    if (!list[i].guard) continue;
    Term mine = i + 1 < last ? circ_any(x, 1, "choice") : term_bool(x->t, true);
    circ_assume(x, &list[i], term_and(x->t, mine, term_not(x->t, before)));
    before = term_or(x->t, before, mine);
  }
}

static bool same_values(const CircMaker *x, const CircHere *a, const CircHere *b) {
  for (uint32_t i = 0; i < a->values.len; i++)
    if (circ_get(x, b, (CircVar)a->values.entries[i].key) != a->values.entries[i].value)
      return false;
  for (uint32_t i = 0; i < b->values.len; i++)
    if (circ_get(x, a, (CircVar)b->values.entries[i].key) != b->values.entries[i].value)
      return false;
  return true;
}

/* Where the values are the same there is nothing to choose. */
CircHere circ_here_join(CircMaker *x, CircHere *list, uint32_t count) {
  CircHere all = {0};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i && list[i].guard; k++) {
      if (!list[k].guard || !same_values(x, &list[i], &list[k])) continue;
      list[k].guard = term_or(x->t, list[k].guard, list[i].guard);
      circ_here_free(&list[i]);
    }
  circ_here_choose(x, list, count);
  for (uint32_t i = 0; i < count; i++) circ_here_merge(x, &all, &list[i]);
  return all;
}
