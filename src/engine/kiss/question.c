/* Obligations as questions about events. See prove.h. */
#include "engine/kiss/prove.h"

/* The access is an event of the unwound program: what it does is done by the operation itself, and not
 * by a function of the library, now or later. */
static bool is_event(const Program *program, const FlowAccess *a) {
  if (a->kind & (FLOW_SYNCED | FLOW_UNSURE | FLOW_LATER | FLOW_BESIDE | FLOW_WILD))
    return false;
  switch ((OpKind)program_edge(program, a->edge)->op) {
  case OPS_ACCESS:
  case OPS_BULK:
  case OP_CREATE:
  case OP_JOIN: return true;
  case OP_CALL: return (a->kind & FLOW_FREE) && !(a->kind & FLOW_READ);
  case OPS_MOVE:
  case OPS_SET:
  case OP_RETURN:
  case OP_UNREACHABLE:
  case OP_FENCE:
  case OPS_STACK:
  case OPS_VA:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return false;
}

static void add_edge(EdgeId *edges, uint32_t *count, EdgeId edge) {
  for (uint32_t i = 0; i < *count; i++)
    if (edges[i] == edge) return;
  edges[(*count)++] = edge;
}

static bool ask_about_location(const KissSubject *s, const Obligation *o,
                               KissQuestion *ret) {
  EdgeId *edges = arena_alloc(s->arena, (o->member_count + 1) * sizeof *edges);
  if (o->accepted) return false;
  for (uint32_t i = 0; i < o->member_count; i++) {
    const FlowAccess *a =
        &s->flow->accesses.data[s->obligations->members.data[o->first_member + i]];
    if (!is_event(s->program, a)) return false;
    add_edge(edges, &ret->edge_count, a->edge);
  }
  ret->edges = edges;
  return true;
}

bool kiss_question_of(const KissSubject *s, uint32_t obligation, KissQuestion *ret) {
  const Obligation *o = vec_at(&s->obligations->list, obligation);
  *ret = (KissQuestion){.obligation = obligation, .race = true};
  switch (o->kind) {
  case OBLIGATION_LOCATION: return ask_about_location(s, o, ret);
  case OBLIGATION_ELSEWHERE: return s->flow->complete && !o->edge;
  case OBLIGATION_ASSERTION: {
    EdgeId *edge = arena_alloc(s->arena, sizeof *edge);
    *edge = o->edge;
    *ret = (KissQuestion){.obligation = obligation, .edges = edge, .edge_count = 1};
    return program_edge(s->program, o->edge)->op == OP_ASSERT;
  }
  case OBLIGATION_WAIT:
    *ret = (KissQuestion){.obligation = obligation, .stuck = true};
    return op_has(program_edge(s->program, o->edge)->op, OP_BLOCKS);
  case OBLIGATION_NONE:
  case OBLIGATION_KIND_COUNT: break;
  }
  return false;
}
