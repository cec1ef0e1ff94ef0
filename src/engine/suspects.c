/* See suspects.h. */
#include "engine/suspects.h"

#include "analysis/renewed.h"

#include <assert.h>

enum { MOST_ELSEWHERE = 200, MOST_OF_LOCATION = 48, MOST_RENEWED = 1000 };

static void add_suspicions(const Flow *flow, const Obligation *o, HuntPairs *pairs) {
  for (uint32_t k = 0; k < o->suspicion_count; k++) {
    const Suspicion *s = &o->suspicions[k];
    assert(s->count == 2);
    if (s->accepted) continue;
    HuntPair pair = {flow->accesses.data[s->records[0]].edge,
                     flow->accesses.data[s->records[1]].edge};
    vec_push(pairs, pair);
  }
}

/* Locks and their like that are made or destroyed while others use them. They are no locations:
 * what forbids proofs about them (the caveats of renewal) is what may be shown. */
static void add_renewed(const EngineContext *c, const Flow *flow, HuntPairs *pairs) {
  RenewedPairs renewed = {0};
  const CaveatState *state = c->analyses->caveats.state;
  if (state[CAVEAT_LOCK_RENEWED] == CAVEAT_PRESENT ||
      state[CAVEAT_EVENT_RENEWED] == CAVEAT_PRESENT)
    flow_renewed_pairs(flow, MOST_RENEWED, &renewed);
  for (uint32_t i = 0; i < renewed.len; i++)
    vec_push(pairs, ((HuntPair){renewed.data[i].renews, renewed.data[i].uses}));
  vec_free(&renewed);
}

static bool may_conflict(const Flow *flow, const FlowAccess *a, const FlowAccess *b) {
  bool writes = (a->kind | b->kind) & (FLOW_WRITE | FLOW_FREE);
  bool apart = (a->kind & b->kind) & (FLOW_ATOMIC | FLOW_SYNCED);
  bool other = a->thread != b->thread || flow->threads.data[a->thread].many;
  return writes && !apart && other;
}

static bool has_pair(const HuntPairs *pairs, uint32_t first, EdgeId a, EdgeId b) {
  for (uint32_t i = first; i < pairs->len; i++)
    if (pairs->data[i].a == a && pairs->data[i].b == b) return true;
  return false;
}

/* A suspicion stands for all pairs in the same circumstances; where it was not shown at a glance,
 * another of them may be easier to show. */
static void add_members(const Flow *flow, const Obligations *all, const Obligation *o,
                        HuntPairs *pairs) {
  uint32_t first = pairs->len;
  bool accepted = false;
  for (uint32_t k = 0; k < o->suspicion_count; k++)
    accepted = accepted || o->suspicions[k].accepted;
  add_suspicions(flow, o, pairs);
  uint32_t most = pairs->len + MOST_OF_LOCATION;
  for (uint32_t i = 0; !accepted && o->suspicion_count && i < o->member_count; i++)
    for (uint32_t k = i; k < o->member_count && pairs->len < most; k++) {
      const FlowAccess *a = &flow->accesses.data[all->members.data[o->first_member + i]],
                       *b = &flow->accesses.data[all->members.data[o->first_member + k]];
      if (may_conflict(flow, a, b) && !has_pair(pairs, first, a->edge, b->edge) &&
          !has_pair(pairs, first, b->edge, a->edge))
        vec_push(pairs, ((HuntPair){a->edge, b->edge}));
    }
}

/* Nothing is known of where these are: any two of them may be the same. */
static void add_elsewhere(const Flow *flow, HuntPairs *pairs) {
  uint32_t first = pairs->len;
  for (uint32_t i = 0; i < flow->accesses.len; i++)
    for (uint32_t k = i; k < flow->accesses.len; k++) {
      const FlowAccess *a = &flow->accesses.data[i], *b = &flow->accesses.data[k];
      if (a->object != AOBJECT_UNKNOWN || b->object != AOBJECT_UNKNOWN ||
          !may_conflict(flow, a, b) || has_pair(pairs, first, a->edge, b->edge))
        continue;
      if (pairs->len - first >= MOST_ELSEWHERE) return;
      vec_push(pairs, ((HuntPair){a->edge, b->edge}));
    }
}

void suspects_collect(const EngineContext *c, bool known_too, HuntPairs *pairs) {
  const Flow *flow = analyses_flow(c->analyses);
  if (!flow) return;
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    const Obligation *o = &c->obligations->list.data[i];
    bool open = known_too ? o->verdict != VERDICT_SAFE : engine_wants(c, i);
    bool undecided = open && o->kind == OBLIGATION_LOCATION;
    if (undecided && o->verdict == VERDICT_UNKNOWN && c->round > 0)
      add_members(flow, c->obligations, o, pairs);
    else if (undecided)
      add_suspicions(flow, o, pairs);
    if (open && o->kind == OBLIGATION_ELSEWHERE && o->edge) add_elsewhere(flow, pairs);
  }
  if (flow->complete && engine_wants_any(c, PROPERTY_RACE)) add_renewed(c, flow, pairs);
}
