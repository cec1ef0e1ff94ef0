/* A heap: what has the smallest key comes out first, among equal keys the smallest item.
 *
 *   Heap heap = {0};
 *   heap_push(&heap, distance, node);
 *   while (heap.len) visit(heap_pop(&heap).item);
 *   vec_free(&heap);
 */
#ifndef HEDDLE_BASE_HEAP_H
#define HEDDLE_BASE_HEAP_H

#include "base/vec.h"

typedef struct {
  uint64_t key;
  uint32_t item;
} HeapEntry;

typedef VEC(HeapEntry) Heap;

void heap_push(Heap *heap, uint64_t key, uint32_t item);
/* The heap must not be empty. */
HeapEntry heap_pop(Heap *heap);

#endif
