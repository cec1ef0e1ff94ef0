/* One element of every array: which, nobody knows. See model_internal.h.
 *
 * A race on an array is one at a byte of some element. So it is enough to exclude races at element number e,
 * whatever e is, as long as that is one and the same number throughout a run: e is a shared variable with any value,
 * which nobody ever sets. Of all other elements nothing needs to be known. What is at element e of other arrays often
 * keeps threads apart there: owner[e] says who may use data[e]. So of every array of single objects one place is a
 * cell like others, the one at element e. An access by a pointer is to it if the address is its address.
 *
 * The same number means elements of different sizes in different arrays, counted from where each array begins. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"

#include "engine/circ/abstract.h"

enum { ELEMENT_BITS = 32 };

Term circ_element_at(CircMaker *x, ObjectId object, uint32_t offset, uint32_t stride) {
  Terms *t = x->t;
  Term number = x->m->shared.data[x->m->element - 1].now;
  Term bytes = term_mul(t, term_zext(t, number, 64), term_const(t, 64, stride));
  Term begin = term_add(t, circ_address(x, object), term_const(t, 64, offset));
  return term_add(t, begin, bytes);
}

/* In arrays of scalars that are all of an object, points-to takes any byte for the beginning of an access. Then it
 * is the size of the accesses that tells how far elements are apart. */
uint32_t circ_element_stride(const CircMaker *x, ObjectId object, uint32_t offset,
                             uint32_t size) {
  uint32_t step = single_step(x->p, x->pt, object, offset);
  return !step ? 0 : step < size ? size : step;
}

/* ---- the question ---- */

/* The widest access that is asked about. */
static uint32_t widest(const CircMaker *x) {
  uint32_t size = 0;
  for (EdgeId e = 1; e < x->p->edges.len; e++) {
    const Edge *edge = program_edge(x->p, e);
    bool plain = edge->op == OP_LOAD || edge->op == OP_STORE || edge->op == OP_RMW ||
                 edge->op == OP_CMPXCHG;
    if (x->m->question.asked[e] && plain && edge->size > size) size = edge->size;
  }
  return size;
}

/* The array of structures that the field belongs to begins where bytes are repeated, too. */
static uint32_t begin_of(const CircMaker *x, ObjectId object, uint32_t offset,
                         uint32_t stride) {
  uint32_t size = x->p->objects.data[object].size;
  while (offset && offset + stride <= size &&
         pointsto_fold_offset(x->pt, object, offset - 1) == offset - 1 &&
         pointsto_fold_offset(x->pt, object, offset - 1 + stride) == offset - 1)
    offset--;
  return offset;
}

void circ_element_find(CircMaker *x) {
  const CircQuestion *q = &x->m->question;
  if (!q->object || !circ_address(x, q->object)) return;
  if (!circ_is_heap(x, q->object) && q->from >= x->p->objects.data[q->object].size)
    return;
  uint32_t offset = pointsto_fold_offset(x->pt, q->object, q->from);
  uint32_t stride = circ_element_stride(x, q->object, offset, widest(x));
  if (!stride) return;
  CircShared v = {.ghost = true, .which = CIRC_ELEMENT, .name = "element"};
  x->m->element_stride = stride;
  x->m->element_begin = begin_of(x, q->object, offset, stride);
  x->m->element = circ_shared(x, v, ELEMENT_BITS) + 1;
}

/* It lies in another object. There, too, the number alone would lead, from behind the end of the array. */
static bool is_elsewhere(const CircModel *m, Term address) {
  uint64_t number;
  CircMeans means;
  return term_get_const(m->terms, address, &number) &&
         circ_address_means(m, number, &means) && means.object != m->question.object;
}

Term circ_is_at_element(CircMaker *x, Term address, uint32_t size) {
  const CircModel *m = x->m;
  if (!m->element) return term_bool(x->t, true);
  if (is_elsewhere(m, address)) return term_bool(x->t, false);
  Term at = circ_element_at(x, m->question.object, m->element_begin, m->element_stride);
  return circ_overlap(x->t, address, size, at, m->element_stride);
}
