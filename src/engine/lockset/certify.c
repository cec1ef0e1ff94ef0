/* See certify.h. Copies; decides nothing. States that no context uses are left out, and so is
 * which one of many threads a value is the id of: nothing rests on it. */
#include "engine/lockset/certify.h"

#include "analysis/flow_view.h"
#include "base/map.h"

#include <assert.h>

typedef struct {
  const Flow *flow;
  Certificate *c;
  Map states;   /* flow's number to the certificate's + 1 */
  Map contexts; /* the same: those without a function only serve the finder */
} Maker;

static bool is_id_of_many(const Flow *flow, FlowValue v) {
  if (!v.known || !flow_is_symbol(v.base)) return false;
  FlowViewSymbol s = flow_view_symbol(flow, flow_base_id(v.base));
  return s.kind == FLOW_VIEW_THREAD && flow->threads.data[s.a].many;
}

static CertValue copy_value(const Flow *flow, FlowValue v) {
  if (is_id_of_many(flow, v)) return (CertValue){0};
  return (CertValue){v.base, v.index, v.stride, v.offset, v.known, v.nonzero};
}

static uint32_t copy_numbers(Certificate *c, const uint32_t *from, uint32_t n) {
  uint32_t first = c->numbers.len;
  for (uint32_t i = 0; i < n; i++) vec_push(&c->numbers, from[i]);
  return first;
}

static void copy_symbols(Maker *m) {
  for (uint32_t i = 0; i < flow_view_symbol_count(m->flow); i++) {
    FlowViewSymbol s = flow_view_symbol(m->flow, i);
    CertSymbol symbol = {(uint32_t)s.kind, s.a, s.b, s.size,
                         copy_value(m->flow, s.address)};
    vec_push(&m->c->symbols, symbol);
  }
}

static void copy_sets(Maker *m) {
  for (uint32_t i = 0; i < flow_view_set_count(m->flow); i++) {
    CertSet set = {m->c->numbers.len, 0};
    if (i != FLOW_VIEW_SET_ALL) set.count = flow_view_set_size(m->flow, i);
    for (uint32_t k = 0; k < set.count; k++)
      vec_push(&m->c->numbers, flow_view_set_element(m->flow, i, k));
    vec_push(&m->c->sets, set);
  }
}

static uint32_t copy_state(Maker *m, uint32_t state) {
  uint64_t *slot = map_at(&m->states, state);
  if (*slot) return (uint32_t)*slot - 1;
  *slot = m->c->states.len + 1;
  Certificate *c = m->c;
  FlowViewState s = flow_view_state(m->flow, state);
  CertState copy = {.first_binding = c->bindings.len,
                    .binding_count = s.binding_count,
                    .first_lock = c->locks.len,
                    .lock_count = s.lock_count,
                    .fresh_count = s.fresh_count,
                    .handed_count = s.handed_count,
                    .alive = s.alive,
                    .done = s.once_done,
                    .inside = s.once_inside,
                    .section = s.section,
                    .in_thread = s.in_thread};
  for (uint32_t i = 0; i < s.binding_count; i++) {
    FlowViewBinding b = flow_view_binding(m->flow, state, i);
    CertBinding binding = {(uint32_t)b.kind, b.subject, copy_value(m->flow, b.value)};
    vec_push(&c->bindings, binding);
  }
  for (uint32_t i = 0; i < s.lock_count; i++) {
    const FlowLock *l = &s.locks[i];
    CertLock lock = {copy_value(m->flow, l->name), l->kind, l->mode, l->depth, l->unique};
    vec_push(&c->locks, lock);
  }
  copy.first_fresh = copy_numbers(c, s.fresh, s.fresh_count);
  copy.first_handed = copy_numbers(c, s.handed, s.handed_count);
  assert(c->bindings.len == copy.first_binding + copy.binding_count);
  assert(c->locks.len == copy.first_lock + copy.lock_count);
  vec_push(&c->states, copy);
  return c->states.len - 1;
}

static void copy_context(Maker *m, uint32_t i) {
  Certificate *c = m->c;
  FlowViewContext from = flow_view_context(m->flow, i);
  if (!from.function) return;
  map_put(&m->contexts, i, c->contexts.len + 1);
  const Function *f = vec_at(&m->flow->program->functions, from.function);
  CertContext context = {.function = from.function,
                         .entry = copy_state(m, from.entry),
                         .first_node = c->nodes.len,
                         .first_exit = c->exits.len,
                         .exit_count = from.exit_count};
  for (uint32_t k = 0; k < f->node_count; k++) {
    const uint32_t *states;
    CertNode node = {c->node_states.len,
                     flow_view_node(m->flow, i, f->first_node + k, &states)};
    for (uint32_t s = 0; s < node.count; s++)
      vec_push(&c->node_states, copy_state(m, states[s]));
    vec_push(&c->nodes, node);
  }
  for (uint32_t k = 0; k < from.exit_count; k++) {
    FlowValue result;
    uint32_t state = flow_view_exit(m->flow, i, k, &result);
    CertExit exit = {copy_state(m, state), copy_value(m->flow, result)};
    vec_push(&c->exits, exit);
  }
  vec_push(&c->contexts, context);
  assert(map_find(&m->contexts, i, 0) == c->contexts.len);
}

/* All contexts with a function were copied before. */
static uint32_t copied_context(const Maker *m, uint32_t i) {
  uint64_t number = map_find(&m->contexts, i, 0);
  assert(number && number <= m->c->contexts.len);
  return (uint32_t)number - 1;
}

/* In place of a context without a function, those that it leads to. */
static void copy_callees_of(Maker *m, uint32_t i) {
  const uint32_t *callees;
  uint32_t count = flow_view_callees(m->flow, i, &callees);
  for (uint32_t k = 0; k < count; k++)
    if (flow_view_context(m->flow, callees[k]).function)
      vec_push(&m->c->numbers, copied_context(m, callees[k]));
    else
      copy_callees_of(m, callees[k]);
}

static void copy_callees(Maker *m, uint32_t i) {
  uint64_t number = map_find(&m->contexts, i, 0);
  if (!number) return;
  CertContext *context = vec_at(&m->c->contexts, number - 1);
  context->first_callee = m->c->numbers.len;
  copy_callees_of(m, i);
  context->callee_count = m->c->numbers.len - context->first_callee;
}

static void copy_thread(Maker *m, uint32_t i) {
  const FlowThread *t = vec_at(&m->flow->threads, i);
  const uint32_t *entries;
  uint32_t count = flow_view_thread_entries(m->flow, i, &entries);
  CertThread thread = {.entry = t->entry,
                       .site = t->site,
                       .first_entry = m->c->numbers.len,
                       .entry_count = count};
  for (uint32_t k = 0; k < count; k++)
    vec_push(&m->c->numbers, copied_context(m, entries[k]));
  vec_push(&m->c->threads, thread);
}

void lockset_certify(const Flow *flow, Certificate *ret_certificate) {
  *ret_certificate = (Certificate){0};
  Maker m = {.flow = flow, .c = ret_certificate};
  copy_symbols(&m);
  copy_sets(&m);
  for (uint32_t i = 0; i < flow_view_context_count(flow); i++) copy_context(&m, i);
  for (uint32_t i = 0; i < flow_view_context_count(flow); i++) copy_callees(&m, i);
  for (uint32_t i = 0; i < flow->threads.len; i++) copy_thread(&m, i);
  for (uint32_t i = 0; i <= flow_view_once_count(flow); i++) {
    CertOnce once = {0};
    flow_view_once(flow, i, &once.object, &once.offset);
    vec_push(&ret_certificate->onces, once);
  }
  map_free(&m.states);
  map_free(&m.contexts);
}
