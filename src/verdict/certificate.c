/* See certificate.h. */
#include "verdict/certificate.h"

#include <assert.h>

void certificate_free(Certificate *c) {
  vec_free(&c->symbols);
  vec_free(&c->bindings);
  vec_free(&c->locks);
  vec_free(&c->numbers);
  vec_free(&c->sets);
  vec_free(&c->states);
  vec_free(&c->node_states);
  vec_free(&c->nodes);
  vec_free(&c->exits);
  vec_free(&c->contexts);
  vec_free(&c->threads);
  vec_free(&c->onces);
}

bool certificate_set_has(const Certificate *c, uint32_t set, uint32_t element) {
  if (set == CERT_EVERYTHING) return true;
  const CertSet *s = vec_at(&c->sets, set);
  assert((uint64_t)s->first + s->count <= c->numbers.len);
  for (uint32_t i = 0; i < s->count; i++)
    if (c->numbers.data[s->first + i] == element) return true;
  return false;
}
