/* See open.h. What is safe already is no concern of theirs: that its accesses do not race has
 * been accepted before. */
#include "engine/open.h"

#include "base/mem.h"

#include <assert.h>

static ObjectId object_of(const EngineContext *c, const Obligation *o) {
  return pointsto_object(analyses_pointsto(c->analyses), o->object);
}

OpenObjects open_objects(const EngineContext *c) {
  size_t size = c->program->objects.len + 1;
  OpenObjects open = {mem_alloc_zero(size), mem_alloc_zero(size)};
  bool all = false;
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind == OBLIGATION_ELSEWHERE) all = all || o->verdict != VERDICT_SAFE;
    if (o->kind != OBLIGATION_LOCATION) continue;
    ObjectId object = object_of(c, o);
    if (o->accepted || o->verdict == VERDICT_UNSAFE) open.racy[object] = 1;
    if (obligation_is_open(o)) open.watched[object] = 1;
    all = all || (obligation_is_open(o) && !object);
  }
  for (ObjectId o = 0; o < size; o++)
    if (open.racy[o]) open.watched[o] = 0;
  open.racy[0] = 0; /* 0 is no object */
  if (all) {
    mem_free(open.watched);
    open.watched = NULL;
  }
  return open;
}

void open_objects_free(OpenObjects *open) {
  mem_free(open->watched);
  mem_free(open->racy);
  *open = (OpenObjects){0};
}

void open_objects_give_up(OpenObjects *open, ObjectId object) {
  assert(open->racy);
  open->racy[object] = object != 0;
  if (open->watched) open->watched[object] = 0;
}

void open_objects_claim(EngineContext *c, const OpenObjects *open, ProofKind proof) {
  assert(proof != PROOF_NONE);
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (obligation_property(o) != PROPERTY_RACE || !engine_wants(c, i)) continue;
    bool covered =
        o->kind == OBLIGATION_ELSEWHERE ? !open->watched : !open->racy[object_of(c, o)];
    if (!covered) continue;
    Claim claim = {.obligation = i,
                   .verdict = VERDICT_SAFE,
                   .proof = proof,
                   .reason = REASON_PROVED};
    engine_claim(c, &claim);
  }
}

ObjectId open_objects_of_pair(const EngineContext *c, const EdgeId edges[2]) {
  const Flow *flow = analyses_flow(c->analyses);
  for (uint32_t i = 0; flow && i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    if (o->kind != OBLIGATION_LOCATION || o->verdict == VERDICT_SAFE) continue;
    unsigned found = 0;
    for (uint32_t k = 0; k < o->member_count; k++) {
      uint32_t member = c->obligations->members.data[o->first_member + k];
      EdgeId edge = flow->accesses.data[member].edge;
      found |= (edge == edges[0] ? 1u : 0u) | (edge == edges[1] ? 2u : 0u);
    }
    if (found == 3) return object_of(c, o);
  }
  return 0;
}
