/* See heap.h. A binary heap in an array: the children of i are 2i + 1 and 2i + 2. */
#include "base/heap.h"

#include <stdbool.h>

static bool before(HeapEntry a, HeapEntry b) {
  return a.key < b.key || (a.key == b.key && a.item < b.item);
}

void heap_push(Heap *heap, uint64_t key, uint32_t item) {
  HeapEntry e = {key, item};
  vec_push(heap, e);
  uint32_t i = heap->len - 1;
  for (; i > 0 && before(e, heap->data[(i - 1) / 2]); i = (i - 1) / 2)
    heap->data[i] = heap->data[(i - 1) / 2];
  heap->data[i] = e;
}

HeapEntry heap_pop(Heap *heap) {
  HeapEntry top = *vec_at(heap, 0), last = vec_pop(heap);
  uint32_t i = 0;
  if (heap->len == 0) return top;
  for (uint32_t child; (child = 2 * i + 1) < heap->len; i = child) {
    if (child + 1 < heap->len && before(heap->data[child + 1], heap->data[child]))
      child++;
    if (!before(heap->data[child], last)) break;
    heap->data[i] = heap->data[child];
  }
  heap->data[i] = last;
  return top;
}
