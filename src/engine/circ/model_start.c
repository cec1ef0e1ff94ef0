/* What memory is in the beginning. See model_internal.h. */
#include "engine/circ/model_internal.h"

enum { MOST_ELEMENTS = 1 << 16 };

/* The bytes are those of an address: *ret_value is 0 if it is no constant, or not all of it. */
static bool is_address(CircMaker *x, const Object *o, uint64_t offset, uint32_t size,
                       Term *ret_value) {
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = &x->p->relocs.data[o->first_reloc + i];
    if (r->offset >= offset + size || offset >= r->offset + r->size) continue;
    const CircHere nowhere = {0};
    Term value = circ_value(x, &nowhere, 0, r->target);
    bool whole = r->offset == offset && r->size == size &&
                 term_bits(x->t, value) == size * 8 && term_const_words(x->t, value);
    *ret_value = whole ? value : 0;
    return true;
  }
  return false;
}

Term circ_initial(CircMaker *x, ObjectId object, uint64_t offset, uint32_t size) {
  const Object *o = vec_at(&x->p->objects, object);
  bool given = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS;
  uint64_t value = 0;
  Term address;
  if (!given || size > sizeof value || (o->flags & OBJECT_EXTERNAL)) return 0;
  if (is_address(x, o, offset, size, &address)) return address;
  for (uint32_t i = 0; i < size; i++)
    if (offset + i < o->init_size)
      value |= (uint64_t)x->p->bytes.data[o->init + offset + i] << (8 * i);
  return term_const(x->t, size * 8, value);
}

Term circ_element_start(CircMaker *x, const CircCell *c) {
  const Object *o = vec_at(&x->p->objects, c->object);
  Term all = 0;
  if ((o->size - c->offset) / c->stride > MOST_ELEMENTS) return 0;
  for (uint64_t at = c->offset; at + c->size <= o->size; at += c->stride) {
    Term one = circ_initial(x, c->object, at, c->size);
    if (!one || (all && one != all)) return 0;
    all = one;
  }
  return all;
}
