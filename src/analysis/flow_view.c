/* See flow_view.h. */
#include "analysis/flow_view.h"

#include "analysis/flow_internal.h"

_Static_assert((int)FLOW_VIEW_PARAM == SYMBOL_PARAM &&
                   (int)FLOW_VIEW_EDGE == SYMBOL_EDGE &&
                   (int)FLOW_VIEW_LOAD == SYMBOL_LOAD &&
                   (int)FLOW_VIEW_PHI == SYMBOL_PHI &&
                   (int)FLOW_VIEW_ARGUMENT == SYMBOL_ARGUMENT &&
                   (int)FLOW_VIEW_OPAQUE == SYMBOL_OPAQUE &&
                   (int)FLOW_VIEW_THREAD == SYMBOL_THREAD &&
                   (int)FLOW_VIEW_CELL == SYMBOL_CELL,
               "the view has the same kinds of symbols");
_Static_assert((int)FLOW_VIEW_SET_ALL == SET_ALL, "the set of everything");

static const Analyzer *inside(const Flow *flow) {
  return flow->internals;
}

uint32_t flow_view_symbol_count(const Flow *flow) {
  return inside(flow)->symbols.len;
}

FlowViewSymbol flow_view_symbol(const Flow *flow, uint32_t symbol) {
  const Symbol *s = vec_at(&inside(flow)->symbols, symbol);
  FlowViewSymbol view = {(FlowViewSymbolKind)s->kind, s->a, s->b, s->size, s->address};
  if (s->kind == SYMBOL_PHI && (s->b & (FACT | ID_FACT))) {
    view.kind = s->b & FACT ? FLOW_VIEW_PHI_CONTENT : FLOW_VIEW_PHI_ID;
    view.b = s->b & ~(uint32_t)(FACT | ID_FACT);
  }
  return view;
}

uint32_t flow_view_state_count(const Flow *flow) {
  return inside(flow)->states.len;
}

FlowViewState flow_view_state(const Flow *flow, uint32_t state) {
  const State *s = vec_at(&inside(flow)->states, state);
  return (FlowViewState){.locks = s->locks,
                         .fresh = s->fresh,
                         .handed = s->handed,
                         .binding_count = s->binding_count,
                         .lock_count = s->lock_count,
                         .fresh_count = s->fresh_count,
                         .handed_count = s->handed_count,
                         .alive = s->alive,
                         .once_done = s->once_done,
                         .once_inside = s->once_inside,
                         .section = s->section,
                         .in_thread = s->in_thread};
}

FlowViewBinding flow_view_binding(const Flow *flow, uint32_t state, uint32_t i) {
  const Binding *b = &vec_at(&inside(flow)->states, state)->bindings[i];
  FlowViewBinding view = {FLOW_VIEW_LOCAL, b->local, b->value};
  if (b->local & FACT) {
    view.kind = FLOW_VIEW_CONTENT;
    view.subject = b->local & ~(uint32_t)FACT;
  } else if (b->local & ID_FACT) {
    view.kind = FLOW_VIEW_ID;
    view.subject = b->local & ~(uint32_t)ID_FACT;
  }
  return view;
}

uint32_t flow_view_set_count(const Flow *flow) {
  return set_count(inside(flow)->sets);
}

uint32_t flow_view_set_size(const Flow *flow, uint32_t set) {
  return set_size(inside(flow)->sets, set);
}

uint32_t flow_view_set_element(const Flow *flow, uint32_t set, uint32_t i) {
  return set_element(inside(flow)->sets, set, i);
}

uint32_t flow_view_context_count(const Flow *flow) {
  return inside(flow)->contexts.len;
}

FlowViewContext flow_view_context(const Flow *flow, uint32_t context) {
  const Context *c = vec_at(&inside(flow)->contexts, context);
  return (FlowViewContext){c->function, c->entry, c->exits.len};
}

uint32_t flow_view_node(const Flow *flow, uint32_t context, NodeId node,
                        const uint32_t **ret_states) {
  const Context *c = vec_at(&inside(flow)->contexts, context);
  const Function *f = vec_at(&flow->program->functions, c->function);
  const NodeStates *states = &c->nodes[node - f->first_node];
  *ret_states = states->states;
  return states->count;
}

uint32_t flow_view_exit(const Flow *flow, uint32_t context, uint32_t i,
                        FlowValue *ret_result) {
  const Exit *exit = vec_at(&vec_at(&inside(flow)->contexts, context)->exits, i);
  *ret_result = exit->result;
  return exit->state;
}

uint32_t flow_view_callees(const Flow *flow, uint32_t context,
                           const uint32_t **ret_contexts) {
  const Context *c = vec_at(&inside(flow)->contexts, context);
  *ret_contexts = c->callees.data;
  return c->callees.len;
}

uint32_t flow_view_thread_entries(const Flow *flow, uint32_t thread,
                                  const uint32_t **ret_contexts) {
  const Thread *t = vec_at(&inside(flow)->threads, thread);
  *ret_contexts = t->entries.data;
  return t->entries.len;
}

uint32_t flow_view_once_count(const Flow *flow) {
  return inside(flow)->once_ids.len;
}

void flow_view_once(const Flow *flow, uint32_t once, ObjectId *ret_object,
                    uint32_t *ret_offset) {
  const Map *ids = &inside(flow)->once_ids;
  for (uint32_t i = 0; i < ids->len; i++)
    if (ids->entries[i].value == once) {
      *ret_object = (ObjectId)(ids->entries[i].key >> 32);
      *ret_offset = (uint32_t)ids->entries[i].key;
      return;
    }
  *ret_object = 0;
  *ret_offset = 0;
}
