/* Addresses of objects and functions. See context_internal.h.
 *
 * Where something lies nobody knows. So the address of what a run has but once is a variable that never
 * changes: any number but 0, such that nothing lies on top of anything else. All that a program can
 * find out about addresses, by comparing them, by taking them for integers, or byte by byte through a
 * union, follows from that and is for the solver to say: two objects may lie side by side, so one
 * behind the end of one may be the beginning of another. What there may be several of, and literals, of which
 * some may be one, is at any number but 0. */
#include "proof/context_internal.h"

#include "analysis/single.h"

#include <assert.h>

static Term is_at_most(Terms *t, Term a, Term b) {
  return term_not(t, term_ult(t, b, a));
}

/* It lies beside all others. */
static void lay(Context *x, Term at, uint64_t size) {
  assert(size && term_bits(x->t, at) == 64);
  Terms *t = x->t;
  Term none = term_const(t, 64, 0), end = term_add(t, at, term_const(t, 64, size));
  solver_assert(x->solver, term_not(t, term_eq(t, at, none)));
  solver_assert(x->solver, is_at_most(t, at, term_const(t, 64, UINT64_MAX - size)));
  for (uint32_t i = 0; i < x->laid.len; i++) {
    const ContextLaid *other = &x->laid.data[i];
    Term behind = term_add(t, other->at, term_const(t, 64, other->size));
    solver_assert(x->solver,
                  term_or(t, is_at_most(t, end, other->at), is_at_most(t, behind, at)));
  }
  vec_push(&x->laid, ((ContextLaid){at, size}));
}

Term context_any_address(Context *x) {
  Term any = context_any(x, 64), null = term_const(x->t, 64, 0);
  return term_ite(x->t, term_eq(x->t, any, null), term_const(x->t, 64, 1), any);
}

/* Objects that are defined elsewhere may be one under two names. Of those of the heap it is one of each place of
 * allocation (context_heap.c). */
bool context_has_address(const Context *x, ObjectId object) {
  return object && (context_is_heap(x, object) || single_object(x->p, x->pt, object)) &&
         !(x->p->objects.data[object].flags & (OBJECT_LITERAL | OBJECT_EXTERNAL));
}

Term context_address(Context *x, ObjectId object) {
  if (!context_has_address(x, object)) return context_any_address(x);
  uint64_t size = x->p->objects.data[object].size;
  uint64_t *slot = map_at(&x->address_of, object);
  if (*slot) return (Term)*slot;
  Term at = term_var(x->t, 64, "address");
  *slot = at;
  lay(x, at, size ? size : 1);
  return at;
}

Term context_function(Context *x, FuncId function) {
  uint64_t *slot = map_at(&x->address_of, UINT64_C(1) << 32 | function);
  if (*slot) return (Term)*slot;
  Term at = term_var(x->t, 64, "function");
  *slot = at;
  lay(x, at, 1);
  return at;
}
