/* See obligation.h. */
#include "verdict/obligation.h"

Property obligation_property(const Obligation *o) {
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
