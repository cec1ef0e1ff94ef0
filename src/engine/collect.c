/* See collect.h.
 *
 * Races: accesses of one object, as flow has recorded them, are cut into locations: maximal runs
 * of overlapping byte ranges, so that no access belongs to two. Memory of unknown origin has no
 * location and is the concern of the obligation ELSEWHERE, which is always in the list: it also
 * stands for everything where flow did not come to an end.
 *
 * Deadlocks: every operation that can wait for another thread. Assertions: every one that is not
 * a constant that holds. Functions that cannot run have none of both. */
#include "engine/collect.h"

#include "engine/names.h"

#include <assert.h>
#include <stdlib.h>

/* ---- races ---- */

static int by_object(const void *x, const void *y, void *flow) {
  const FlowAccess *all = ((const Flow *)flow)->accesses.data;
  const FlowAccess *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return *(const uint32_t *)x < *(const uint32_t *)y ? -1 : 1;
}

/* Nobody else runs, or the library locks its own (a stream). */
static bool is_harmless_outside(const Flow *flow, const FlowAccess *a) {
  return (!a->alive && !flow->threads.data[a->thread].site) || (a->kind & FLOW_SYNCED);
}

static void note_outside(const Flow *flow, const uint32_t *members, uint32_t count,
                         Obligation *elsewhere) {
  for (uint32_t i = 0; i < count && !elsewhere->edge; i++) {
    const FlowAccess *a = &flow->accesses.data[members[i]];
    if (!is_harmless_outside(flow, a)) elsewhere->edge = a->edge;
  }
}

/* A race there may be one that the user accepts. */
static bool has_accepted(const Flow *flow, const Map *accepted, const uint32_t *members,
                         uint32_t count, ObjectId object) {
  for (uint32_t i = 0; i < count && accepted->len; i++)
    if (map_get(accepted, flow->accesses.data[members[i]].edge)) return true;
  if (flow->program->accepts.len <= 1) return false;
  Arena *arena = arena_new();
  uint32_t offset = flow->accesses.data[members[0]].offset;
  const char *name = name_of_place(flow->program, object, offset, arena);
  bool by_name = program_accepts(flow->program, name, false);
  arena_free(arena);
  return by_name;
}

static void add_location(Obligations *o, const Flow *flow, const Map *accepted,
                         const uint32_t *members, uint32_t count, uint64_t from,
                         uint64_t to, bool asked) {
  assert(count && from < to);
  AObject object = flow->accesses.data[members[0]].object;
  Obligation location = {.kind = OBLIGATION_LOCATION,
                         .object = object,
                         .from = from,
                         .to = to,
                         .first_member = o->members.len,
                         .member_count = count,
                         .asked = asked};
  location.accepted = has_accepted(flow, accepted, members, count,
                                   pointsto_object(flow->pointsto, object));
  memcpy(vec_extend(&o->members, count), members, count * sizeof *members);
  vec_push(&o->list, location);
}

static void cut_into_locations(Obligations *o, const Flow *flow, const Map *accepted,
                               bool asked) {
  uint32_t n = flow->accesses.len, elsewhere = o->list.len - 1;
  assert(o->list.data[elsewhere].kind == OBLIGATION_ELSEWHERE);
  uint32_t *order = mem_alloc((n + 1) * sizeof *order);
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  if (n) qsort_r(order, n, sizeof *order, by_object, (void *)flow);
  for (uint32_t first = 0; first < n;) {
    const FlowAccess *lowest = &flow->accesses.data[order[first]];
    AObject object = lowest->object;
    uint32_t to = lowest->to;
    uint32_t last = first + 1;
    for (; last < n && flow->accesses.data[order[last]].object == object; last++) {
      const FlowAccess *next = &flow->accesses.data[order[last]];
      if (next->from >= to) break;
      to = next->to > to ? next->to : to;
    }
    if (object == AOBJECT_UNKNOWN)
      note_outside(flow, order + first, last - first, &o->list.data[elsewhere]);
    else
      add_location(o, flow, accepted, order + first, last - first, lowest->from,
                   to == UINT32_MAX ? UINT64_MAX : to, asked);
    first = last;
  }
  mem_free(order);
}

/* Locks and their like are no locations, but to make or end one is a write. */
static void note_renewed_outside(const Flow *flow, Obligation *elsewhere) {
  for (uint32_t i = 0; i < flow->things.len && !elsewhere->edge; i++) {
    const FlowAccess *a = &flow->things.data[i];
    if (a->object == AOBJECT_UNKNOWN && (a->kind & FLOW_WRITE) &&
        !is_harmless_outside(flow, a))
      elsewhere->edge = a->edge;
  }
}

static void collect_races(Analyses *a, Obligations *o, const Map *accepted, bool asked) {
  const Flow *flow = analyses_flow(a);
  vec_push(&o->list, ((Obligation){.kind = OBLIGATION_ELSEWHERE, .asked = asked}));
  if (flow && flow->complete) {
    note_renewed_outside(flow, vec_last(&o->list));
    cut_into_locations(o, flow, accepted, asked);
  }
  o->complete[PROPERTY_RACE] = true; /* without flow, ELSEWHERE is everything */
}

/* ---- waits and assertions ---- */

static bool may_wait(Analyses *a, const Edge *e, EdgeId id) {
  if (e->op == OP_CALL) {
    const PointsTo *pointsto = analyses_pointsto(a);
    return !pointsto || pointsto_calls_unknown(pointsto, id);
  }
  return op_has(e->op, OP_BLOCKS) && e->attempt != ATTEMPT_TRY;
}

static bool may_fail(const Program *p, const Edge *e) {
  if (e->op != OP_ASSERT) return false;
  const Expr *condition = program_expr(p, e->a);
  return condition->kind != EXPR_CONST || condition->value == 0;
}

static void collect_operations(Analyses *a, Obligations *o,
                               const bool asked[PROPERTY_COUNT]) {
  const Program *p = a->program;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      EdgeId id = function->first_edge + i;
      const Edge *e = program_edge(p, id);
      Obligation new = {.edge = id, .asked = true};
      if (asked[PROPERTY_DEADLOCK] && may_wait(a, e, id)) new.kind = OBLIGATION_WAIT;
      if (asked[PROPERTY_ASSERT] && may_fail(p, e)) new.kind = OBLIGATION_ASSERTION;
      if (new.kind != OBLIGATION_NONE) vec_push(&o->list, new);
    }
  }
  o->complete[PROPERTY_DEADLOCK] = asked[PROPERTY_DEADLOCK];
  o->complete[PROPERTY_ASSERT] = asked[PROPERTY_ASSERT];
}

void collect_obligations(Analyses *a, const bool asked[PROPERTY_COUNT],
                         const Map *accepted, Obligations *o) {
  *o = (Obligations){0};
  collect_operations(a, o, asked);
  if (asked[PROPERTY_RACE] || o->list.len)
    collect_races(a, o, accepted, asked[PROPERTY_RACE]);
}
