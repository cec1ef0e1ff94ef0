/* Blocks of the heap from before the first thread: nothing is recorded then, but what is
 * allocated early is often what threads share later, and a report names a block by where it
 * was allocated. So the live blocks are kept in a table, and told when the first thread is
 * created.
 *
 * There is one thread, so nothing is locked. A block that finds no place in the table is told
 * as a number, as before. */
#include "runtime/rt.h"

enum { BLOCKS = 1 << 14, REACH = 8 };

typedef struct {
  uintptr_t address; /* 0: none */
  uintptr_t pc;
  size_t size;
} Block;

static Block blocks[BLOCKS];

static Block *at(uintptr_t address, unsigned i) {
  return &blocks[((address >> 4 ^ address >> 18) + i) % BLOCKS];
}

/* The block, or where it could be; NULL: all places are taken. */
static Block *find(uintptr_t address) {
  Block *unused = NULL;
  for (unsigned i = 0; i < REACH; i++) {
    Block *b = at(address, i);
    if (b->address == address) return b;
    if (!b->address && !unused) unused = b;
  }
  return unused;
}

void rt_early_allocated(uintptr_t address, size_t size, uintptr_t pc) {
  Block *b = find(address);
  if (b) *b = (Block){address, pc, size};
}

void rt_early_freed(uintptr_t address) {
  Block *b = find(address);
  if (b) b->address = 0;
}

void rt_early_tell(RtThread *t) {
  for (unsigned i = 0; i < BLOCKS; i++)
    if (blocks[i].address)
      rt_emit(t, TRACE_ALLOC, blocks[i].address, blocks[i].pc, blocks[i].size, 0, 0);
}
