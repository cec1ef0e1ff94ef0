/* One element of every array, whichever it is. See context_internal.h.
 *
 * A certificate may have a variable that is the number of an element: any number, the same throughout a run, and no step
 * changes it. A race is one at some byte of the object in question. Elements, so many bytes each, begin at a byte of the object
 * before which none of the bytes in question is; so the byte of a race is in one of them, and in the runs of the certificate
 * where the variable is its number both accesses are to that element. Accesses to others need not be listed.
 *
 * A cell is a variable, too: bytes at that number times a stride behind a place in an array. Whether an access is to
 * it, to some of its bytes, or to others its address tells. Where the array has no such element there is no
 * access to it, and what the variable is then does not matter. */
#include "proof/context_internal.h"

#include "analysis/single.h"

#include <assert.h>

enum { MOST_BYTES = 1 << 20, MOST_ELEMENTS = 1 << 16 };

static Term element_at(Context *x, ObjectId object, uint32_t offset, uint32_t stride) {
  assert(x->element);
  Terms *t = x->t;
  Term number = context_now(x, 0, KEY_ELEMENT);
  Term bytes = term_mul(t, term_zext(t, number, 64), term_const(t, 64, stride));
  Term begin = term_add(t, context_address(x, object), term_const(t, 64, offset));
  return term_add(t, begin, bytes);
}

static Term overlap(Terms *t, Term a, uint32_t a_size, Term b, uint32_t b_size) {
  Term behind = term_ult(t, term_sub(t, a, b), term_const(t, 64, b_size));
  Term before = term_ult(t, term_sub(t, b, a), term_const(t, 64, a_size));
  return term_or(t, behind, before);
}

bool context_check_element(Context *x, uint32_t number) {
  const ContextVariable *v = &x->c.variables.data[number];
  if (x->element) return context_reject(x, "variable %u is there twice", number);
  if (x->c.about != ABOUT_RACE || !v->stride || !context_has_address(x, x->c.object))
    return context_reject(x, "variable %u is the element of nothing", number);
  if (v->offset >= x->p->objects.data[x->c.object].size &&
      !context_is_heap(x, x->c.object))
    return context_reject(x, "variable %u begins behind the object", number);
  if (v->offset > MOST_BYTES)
    return context_open(x, "whether its elements begin there is not examined");
  if (x->p->objects.data[x->c.object].size / v->stride > UINT32_MAX)
    return context_reject(x, "variable %u cannot be all elements", number);
  for (uint32_t byte = 0; byte < v->offset; byte++)
    if (context_is_in_question(x, byte))
      return context_reject(x, "elements begin behind byte %u, which may race", byte);
  x->element = number + 1;
  return true;
}

/* The byte of a race on a variable is inside of it, so the number is that of one of its elements. Of the heap it is
 * not known where a block ends. */
static Term is_inside(Context *x, const ContextVariable *v) {
  const Object *o = &x->p->objects.data[x->c.object];
  if (o->kind != OBJECT_GLOBAL) return term_bool(x->t, true);
  assert(v->offset < o->size);
  Term number = term_zext(x->t, context_now(x, 0, KEY_ELEMENT), 64);
  Term bytes = term_mul(x->t, number, term_const(x->t, 64, v->stride));
  return term_ult(x->t, bytes, term_const(x->t, 64, o->size - v->offset));
}

Term context_at_element(Context *x, Term address, uint32_t size) {
  if (!x->element || !address) return term_bool(x->t, true);
  const ContextVariable *v = &x->c.variables.data[x->element - 1];
  Term at = element_at(x, x->c.object, v->offset, v->stride);
  return term_and(x->t, is_inside(x, v), overlap(x->t, address, size, at, v->stride));
}

void context_at_cell(Context *x, const ContextVariable *v, Term address, Term *ret_is,
                     Term *ret_touches) {
  Term at = element_at(x, v->object, v->offset, v->stride);
  address = term_fit(x->t, address, 64);
  *ret_is = term_eq(x->t, address, at);
  /* Pointers to a place of an object of the heap are elements apart. */
  bool apart = context_is_heap(x, v->object) &&
               single_step(x->p, x->pt, v->object, v->offset) == v->stride;
  *ret_touches = apart ? 0 : overlap(x->t, address, v->bits / 8, at, v->bits / 8);
}

/* All elements begin with the same; 0: unknown. */
static Term cell_start(Context *x, const ContextVariable *v) {
  assert(v->stride);
  uint64_t size = x->p->objects.data[v->object].size;
  Term all = 0;
  if (size / v->stride > MOST_ELEMENTS) return 0;
  for (uint64_t at = v->offset; at + v->bits / 8 <= size; at += v->stride) {
    Term one = context_initial(x, v->object, at, v->bits / 8);
    if (!one || (all && all != one)) return 0;
    all = one;
  }
  return all;
}

Term context_memory_start(Context *x, const ContextVariable *v) {
  return v->stride ? cell_start(x, v)
                   : context_initial(x, v->object, v->offset, v->bits / 8);
}
