/* What is still to be worked on: a heap of (context, node), each in it at most once.
 *
 * The order decides how often things are done again. The youngest context comes first, so that a
 * callee is finished before its caller goes on with what it returned; within a context nodes come
 * in reverse post-order, so that a node is looked at after all ways into it. */
#include "analysis/flow_internal.h"

static uint64_t key_of(uint32_t context, NodeId node) {
  return (uint64_t)~context << 32 | node; /* the smallest key comes first */
}

void enqueue(Analyzer *a, uint32_t context, NodeId node) {
  Context *c = vec_at(&a->contexts, context);
  NodeStates *n = &c->nodes[node - a->p->functions.data[c->function].first_node];
  if (n->queued)
    return;
  n->queued = true;
  uint64_t key = key_of(context, node);
  vec_push(&a->queue, key);
  uint32_t i = a->queue.len - 1;
  while (i && a->queue.data[(i - 1) / 2] > key) {
    a->queue.data[i] = a->queue.data[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  a->queue.data[i] = key;
}

bool dequeue(Analyzer *a, uint32_t *ret_context, NodeId *ret_node) {
  if (!a->queue.len)
    return false;
  uint64_t first = a->queue.data[0], last = vec_pop(&a->queue);
  uint32_t n = a->queue.len;
  for (uint32_t i = 0; n;) {
    uint32_t child = 2 * i + 1;
    if (child + 1 < n && a->queue.data[child + 1] < a->queue.data[child])
      child++;
    if (child >= n || a->queue.data[child] >= last) {
      a->queue.data[i] = last;
      break;
    }
    a->queue.data[i] = a->queue.data[child];
    i = child;
  }
  *ret_context = ~(uint32_t)(first >> 32);
  *ret_node = (NodeId)first;
  Context *c = vec_at(&a->contexts, *ret_context);
  c->nodes[*ret_node - a->p->functions.data[c->function].first_node].queued = false;
  return true;
}
