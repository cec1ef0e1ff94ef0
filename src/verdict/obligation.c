/* See obligation.h. */
#include "verdict/obligation.h"

Property obligation_property(const Obligation *o) {
  switch (o->kind) {
  case OBLIGATION_NONE:
  case OBLIGATION_LOCATION:
  case OBLIGATION_ELSEWHERE: return PROPERTY_RACE;
  case OBLIGATION_WAIT: return PROPERTY_DEADLOCK;
  case OBLIGATION_ASSERTION: return PROPERTY_ASSERT;
  }
  return PROPERTY_RACE;
}

void obligations_free(Obligations *o) {
  vec_free(&o->list);
  vec_free(&o->members);
  *o = (Obligations){0};
}
