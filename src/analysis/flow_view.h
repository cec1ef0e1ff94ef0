/* The settled facts of flow, to be read one by one: what a certificate is made of.
 *
 * Only looks; nothing here computes. Indices count from 0; the tables stay as long as the Flow
 * lives. Flow's own files know the same facts under the names in flow_internal.h. */
#ifndef HEDDLE_ANALYSIS_FLOW_VIEW_H
#define HEDDLE_ANALYSIS_FLOW_VIEW_H

#include "analysis/flow.h"

typedef enum {
  FLOW_VIEW_NONE,
  FLOW_VIEW_PARAM,
  FLOW_VIEW_EDGE,
  FLOW_VIEW_LOAD,
  FLOW_VIEW_PHI,
  FLOW_VIEW_ARGUMENT,
  FLOW_VIEW_OPAQUE,
  FLOW_VIEW_THREAD,
  FLOW_VIEW_CELL,
  FLOW_VIEW_PHI_CONTENT, /* b: the symbol of a cell, not a local */
  FLOW_VIEW_PHI_ID,
} FlowViewSymbolKind;

typedef struct {
  FlowViewSymbolKind kind;
  uint32_t a, b, size;
  FlowValue address;
} FlowViewSymbol;

typedef enum { FLOW_VIEW_LOCAL, FLOW_VIEW_CONTENT, FLOW_VIEW_ID } FlowViewBindingKind;

typedef struct {
  FlowViewBindingKind kind;
  uint32_t subject; /* a local, or the symbol of a cell */
  FlowValue value;
} FlowViewBinding;

typedef struct {
  const FlowLock *locks;
  const uint32_t *fresh, *handed;
  uint32_t binding_count, lock_count, fresh_count, handed_count;
  uint32_t alive, once_done, once_inside; /* sets */
  uint32_t section, in_thread;
} FlowViewState;

typedef struct {
  FuncId function;
  uint32_t entry; /* state */
  uint32_t exit_count;
} FlowViewContext;

uint32_t flow_view_symbol_count(const Flow *flow);
FlowViewSymbol flow_view_symbol(const Flow *flow, uint32_t symbol);

uint32_t flow_view_state_count(const Flow *flow);
FlowViewState flow_view_state(const Flow *flow, uint32_t state);
FlowViewBinding flow_view_binding(const Flow *flow, uint32_t state, uint32_t i);

uint32_t flow_view_set_count(const Flow *flow);
enum { FLOW_VIEW_SET_ALL = 1 }; /* has everything; its size says nothing */
uint32_t flow_view_set_size(const Flow *flow, uint32_t set);
uint32_t flow_view_set_element(const Flow *flow, uint32_t set, uint32_t i);

uint32_t flow_view_context_count(const Flow *flow);
FlowViewContext flow_view_context(const Flow *flow, uint32_t context);
/* The states at a node of the context's function, and how many there are. */
uint32_t flow_view_node(const Flow *flow, uint32_t context, NodeId node,
                        const uint32_t **ret_states);
/* The state and the result at an exit. */
uint32_t flow_view_exit(const Flow *flow, uint32_t context, uint32_t i,
                        FlowValue *ret_result);

/* The contexts that calls in this one lead to, each once; some have no function, and stand for those
 * that they lead to. */
uint32_t flow_view_callees(const Flow *flow, uint32_t context,
                           const uint32_t **ret_contexts);

/* Contexts in which the thread starts. */
uint32_t flow_view_thread_entries(const Flow *flow, uint32_t thread,
                                  const uint32_t **ret_contexts);

/* One-time controls have the numbers 1 to this; where they are. */
uint32_t flow_view_once_count(const Flow *flow);
void flow_view_once(const Flow *flow, uint32_t once, ObjectId *ret_object,
                    uint32_t *ret_offset);

#endif
