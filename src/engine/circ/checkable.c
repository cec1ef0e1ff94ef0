/* See certify.h: what a certificate can tell. */
#include "analysis/pair.h"
#include "base/mem.h"
#include "engine/circ/certify.h"

static const FlowAccess *member(const Flow *flow, const Obligations *all,
                                const Obligation *o, uint32_t i) {
  return &flow->accesses.data[all->members.data[o->first_member + i]];
}

typedef struct {
  uint32_t key;
  bool escapes;
  bool seen, writes;
} Touched;

static void note_touched(void *user, const Touch *t) {
  Touched *w = user;
  bool same = t->key ? t->key == w->key : w->escapes;
  w->seen = w->seen || same;
  w->writes = w->writes || (same && (t->kind & TOUCH_WRITE));
}

/* How the access touches the object, without regard to values. */
static Touched touch_of(const Program *p, const PointsTo *pointsto, const Obligation *o,
                        const FlowAccess *a) {
  uint32_t key = pointsto_object(pointsto, o->object);
  Touched w = {.key = key, .escapes = key && pointsto_escapes(pointsto, key)};
  touch_visit(p, pointsto, a->edge, note_touched, &w);
  return w;
}

/* Values may keep them apart instead. */
static bool is_shared(const PointsTo *pointsto, const Program *p, const Obligation *o) {
  ObjectId object = pointsto_object(pointsto, o->object);
  uint8_t kind = p->objects.data[object].kind;
  return o->kind == OBLIGATION_LOCATION && (kind == OBJECT_GLOBAL || kind == OBJECT_HEAP);
}

CircTold circ_told(const Program *p, const Flow *flow, const Obligations *all,
                   const Obligation *o) {
  uint32_t n = o->member_count;
  bool *writes = mem_alloc_zero(n + 1), fine = true, strict = false;
  for (uint32_t i = 0; i < n; i++) {
    Touched touched = touch_of(p, flow->pointsto, o, member(flow, all, o, i));
    writes[i] = touched.writes;
    fine = fine && touched.seen;
  }
  for (uint32_t i = 0; i < n && fine; i++)
    for (uint32_t j = i; j < n && fine; j++) {
      const FlowAccess *a = member(flow, all, o, i), *b = member(flow, all, o, j);
      PairReason reason = pair_decide(flow, a, b);
      strict = strict || reason == PAIR_OWN ||
               (reason == PAIR_APART && (writes[i] || writes[j]));
      fine = reason != PAIR_ATOMIC || (a->kind & b->kind & FLOW_ATOMIC);
    }
  mem_free(writes);
  if (!fine || (strict && !is_shared(flow->pointsto, p, o))) return CIRC_NOT_TOLD;
  return strict ? CIRC_TOLD_STRICTLY : CIRC_TOLD;
}
