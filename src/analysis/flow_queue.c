/* What is still to be worked on: a heap of (context, node), each in it at most once.
 *
 * The order decides how often things are done again. The youngest context comes first, so that a
 * callee is finished before its caller goes on with what it returned; within a context nodes come
 * in reverse post-order, so that a node is looked at after all ways into it. */
#include "analysis/flow_internal.h"

#include <assert.h>

static NodeStates *node_states(Analyzer *a, uint32_t context, NodeId node) {
  Context *c = vec_at(&a->contexts, context);
  assert(c->function && node - a->p->functions.data[c->function].first_node <
                            a->p->functions.data[c->function].node_count);
  return &c->nodes[node - a->p->functions.data[c->function].first_node];
}

void enqueue(Analyzer *a, uint32_t context, NodeId node) {
  NodeStates *n = node_states(a, context, node);
  if (!n->queued) heap_push(&a->queue, ~context, node);
  n->queued = true;
}

bool dequeue(Analyzer *a, uint32_t *ret_context, NodeId *ret_node) {
  if (!a->queue.len) return false;
  HeapEntry first = heap_pop(&a->queue);
  *ret_context = ~(uint32_t)first.key;
  *ret_node = first.item;
  assert(node_states(a, *ret_context, *ret_node)->queued);
  node_states(a, *ret_context, *ret_node)->queued = false;
  return true;
}
