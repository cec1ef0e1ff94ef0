/* See obligation.h. */
#include "verdict/obligation.h"

#include <assert.h>

Property obligation_property(const Obligation *o) {
  assert(o->kind != OBLIGATION_NONE && o->kind < OBLIGATION_KIND_COUNT);
#define ROW(kind, property) PROPERTY_##property,
  static const uint8_t properties[OBLIGATION_KIND_COUNT] = {OBLIGATION_KINDS(ROW)};
#undef ROW
  return (Property)properties[o->kind];
}

void obligations_free(Obligations *o) {
  vec_free(&o->list);
  vec_free(&o->members);
  *o = (Obligations){0};
}
