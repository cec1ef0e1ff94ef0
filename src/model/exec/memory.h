/* The memory of an interpreted program: one flat address space in which every byte knows
 * whether it may be read and written.
 *
 * Addresses are deterministic numbers below `span`; the bytes live at bytes + address in
 * one huge reserved mapping, of which only touched pages exist. One shadow byte describes
 * each granule of 8 bytes: how many of its bytes (from the first on) belong to a live
 * object, and whether it is read-only. Objects start at granules and are separated by
 * gaps of at least one granule, so that an access is inside of one object exactly if the
 * shadow allows every byte.
 *
 * Zones, from below: nothing (null pointers), functions, labels, globals, heap, stacks.
 * Heap addresses are never used twice; each thread has its own stack zone. */
#ifndef HEDDLE_MODEL_EXEC_MEMORY_H
#define HEDDLE_MODEL_EXEC_MEMORY_H

#include "base/vec.h"
#include "model/exec/exec.h"

enum {
  SHADOW_FULL = 8, /* all 8 bytes; 1..7: so many; 0: none */
  SHADOW_READ_ONLY = 0x80,
  SLAB_SHIFT = 16,      /* the heap's unit of release */
  FUNCTION_STRIDE = 16, /* between the addresses of two functions or labels */
  STACK_GAP = 16,
};

/* One block of the heap, live or freed. */
typedef struct {
  uint64_t address, size;
  EdgeId site;
  bool live;
} HeapBlock;

/* 64 KiB of the heap: many small blocks, or a part of a large one. */
typedef struct {
  VEC(HeapBlock)
  blocks; /* ascending addresses; empty in the later slabs of a large block */
  uint32_t live;
  uint32_t back; /* slabs to go back to the start of the large block */
} Slab;

/* A global, or the copy of a program argument. */
typedef struct {
  uint64_t address, size;
  ObjectId id;
} StaticObject;

/* The address space of one thread: thread-local objects, then the stack, growing upwards.
 */
typedef struct {
  uint64_t base, top, limit, high;
} StackZone;

typedef struct {
  uint8_t *bytes;  /* of address 0 */
  uint8_t *shadow; /* of granule 0 */
  uint64_t span;
  uint64_t functions, labels, globals, heap, stacks, stack_size; /* where zones begin */
  uint64_t global_top, heap_top, heap_end;
  VEC(Slab) slabs;
  VEC(HeapBlock) fixed;      /* where the program wanted them */
  uint32_t open_slab;        /* where small blocks go; 0 and no slabs: none yet */
  VEC(StaticObject) statics; /* ascending addresses */
  VEC(uint64_t) free_zones;
  uint64_t next_zone;
  uint64_t used, limit; /* bytes of live heap blocks and stacks */
} Memory;

/* False when the system does not grant the address space. */
bool memory_open(Memory *memory, uint64_t limit);
void memory_close(Memory *memory); /* accepts a zeroed one */

/* May these n bytes be read or written? n may be 0. */
bool memory_may_read(const Memory *memory, uint64_t address, uint64_t n);
bool memory_may_write(const Memory *memory, uint64_t address, uint64_t n);
/* Opens n bytes from a granule on, or closes all granules that they touch. */
void memory_allow(Memory *memory, uint64_t address, uint64_t n, bool read_only);
void memory_forbid(Memory *memory, uint64_t address, uint64_t n);

/* A place for a static object; closed until memory_allow. */
uint64_t memory_new_static(Memory *memory, ObjectId id, uint64_t size, uint64_t align);
/* A zeroed block, or 0 when the limit is reached. */
uint64_t memory_heap_alloc(Memory *memory, uint64_t size, uint64_t align, EdgeId site);
/* A block at this very address, of whole pages, between functions and labels; false: it cannot be
 * there. It is found and freed like those of the heap. */
bool memory_fixed_alloc(Memory *memory, uint64_t address, uint64_t size, EdgeId site);
/* The block that contains or ends at this address (live or freed), or NULL. */
HeapBlock *memory_heap_find(Memory *memory, uint64_t address);
void memory_heap_free(Memory *memory, HeapBlock *block);

/* A stack zone for a new thread; false when there is none left. */
bool memory_new_zone(Memory *memory, StackZone *ret_zone);
void memory_drop_zone(Memory *memory, StackZone *zone);
/* Space on the stack, closed until memory_allow; 0 on overflow. The gap behind it keeps the edge
 * that asked for it, or 0. */
uint64_t memory_push(Memory *memory, StackZone *zone, uint64_t size, uint64_t align,
                     EdgeId maker);
/* What was said of these bytes of a stack, all that were pushed at once. */
EdgeId memory_maker(const Memory *memory, uint64_t address, uint64_t size);
/* Closes and gives back everything from `top` on. */
void memory_pop(Memory *memory, StackZone *zone, uint64_t top);

/* The last of `n` ascending static objects that does not start after the address, or
 * NULL. */
const StaticObject *memory_static_find(const Memory *memory, uint64_t address);

static inline uint64_t align_up(uint64_t x, uint64_t align) {
  return (x + align - 1) & ~(align - 1);
}

#endif
