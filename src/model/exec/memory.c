/* The address space of memory.h: mapping, shadow, heap and stack zones.
 *
 * Small heap blocks fill one 64 KiB slab after the other and are never reused; a slab
 * whose blocks are all freed gives its pages back to the system. Large blocks have slabs
 * of their own. Pages that were given back read as zero, both bytes and shadow, which is
 * just what a fresh or a closed place looks like: new memory is always zero without being
 * cleared. */
#include "model/exec/memory.h"

#include <sys/mman.h>

enum { SPAN_SHIFT_MAX = 42, SPAN_SHIFT_MIN = 32, MOST_FIXED = 64 };
static const uint64_t SLAB = UINT64_C(1) << SLAB_SHIFT;
static const uint64_t LARGE = UINT64_C(1) << (SLAB_SHIFT - 1);

static uint8_t *reserve(uint64_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return NULL;
  madvise(p, size, MADV_NOHUGEPAGE); /* sparse by design: huge pages would fill it */
  madvise(p, size, MADV_DONTDUMP);
  return p;
}

bool memory_open(Memory *m, uint64_t limit) {
  memset(m, 0, sizeof *m);
  for (int shift = SPAN_SHIFT_MAX; shift >= SPAN_SHIFT_MIN && !m->bytes; shift -= 2) {
    m->span = UINT64_C(1) << shift;
    m->bytes = reserve(m->span);
    m->shadow = m->bytes ? reserve(m->span / 8) : NULL;
    if (m->bytes && !m->shadow) {
      munmap(m->bytes, m->span);
      m->bytes = NULL;
    }
  }
  if (!m->bytes) return false;
  uint64_t part = m->span / 64;
  m->functions = UINT64_C(1) << 22;
  m->labels = part / 2;
  m->globals = part;
  m->heap = 8 * part;
  m->stacks = 48 * part;
  m->stack_size = 16 * part / 4096;
  m->global_top = m->globals;
  m->heap_top = m->heap;
  m->heap_end = m->stacks;
  m->next_zone = m->stacks;
  m->limit = limit;
  return true;
}

void memory_close(Memory *m) {
  if (m->bytes) {
    munmap(m->bytes, m->span);
    munmap(m->shadow, m->span / 8);
  }
  for (uint32_t i = 0; i < m->slabs.len; i++) vec_free(&m->slabs.data[i].blocks);
  vec_free(&m->slabs);
  vec_free(&m->fixed);
  vec_free(&m->statics);
  vec_free(&m->free_zones);
  memset(m, 0, sizeof *m);
}

/* Every granule but the last must be full, the first from the address on. */
static bool range_open(const Memory *m, uint64_t address, uint64_t n, uint8_t full) {
  if (address >= m->span || n > m->span - address) return false;
  if (n == 0) return true;
  uint64_t first = address / 8, last = (address + n - 1) / 8;
  for (uint64_t g = first; g < last; g++) {
    if ((m->shadow[g] | full) != (SHADOW_FULL | full)) return false;
  }
  uint8_t shadow = m->shadow[last];
  return (shadow & ~full) >= (address + n - 1) % 8 + 1 && (shadow & ~full) <= SHADOW_FULL;
}

bool memory_may_read(const Memory *m, uint64_t address, uint64_t n) {
  return range_open(m, address, n, SHADOW_READ_ONLY);
}
bool memory_may_write(const Memory *m, uint64_t address, uint64_t n) {
  return range_open(m, address, n, 0);
}

void memory_allow(Memory *m, uint64_t address, uint64_t n, bool read_only) {
  assert(address % 8 == 0 && address + n <= m->span);
  uint8_t flag = read_only ? SHADOW_READ_ONLY : 0;
  memset(m->shadow + address / 8, SHADOW_FULL | flag, n / 8);
  if (n % 8) m->shadow[(address + n) / 8] = (uint8_t)(n % 8) | flag;
}

/* Gives whole pages back to the system; what is left of the range is not touched. */
static void release_pages(uint8_t *base, uint64_t from, uint64_t to) {
  uint64_t first = align_up(from, 4096), last = to & ~UINT64_C(4095);
  if (first < last) madvise(base + first, last - first, MADV_DONTNEED);
}

void memory_forbid(Memory *m, uint64_t address, uint64_t n) {
  if (n == 0) return;
  uint64_t first = address / 8, end = (address + n + 7) / 8;
  if (end - first < 1 << 18) {
    memset(m->shadow + first, 0, end - first);
    return;
  }
  release_pages(m->shadow, first, end);
  uint64_t head = align_up(first, 4096), tail = end & ~UINT64_C(4095);
  memset(m->shadow + first, 0, head - first);
  memset(m->shadow + tail, 0, end - tail);
}

/* Wider gaps behind larger objects: an index that is a little too large stays in the gap.
 */
static uint64_t gap_after(uint64_t size) {
  uint64_t gap = align_up(size / 4, 16);
  return gap < 32 ? 32 : gap > 4096 ? 4096 : gap;
}

uint64_t memory_new_static(Memory *m, ObjectId id, uint64_t size, uint64_t align) {
  if (align < 16) align = 16;
  uint64_t address = align_up(m->global_top, align);
  if (size > m->heap - address || gap_after(size) > m->heap - address - size) return 0;
  m->global_top = address + size + gap_after(size);
  vec_push(&m->statics, (StaticObject){.address = address, .size = size, .id = id});
  return address;
}

const StaticObject *memory_static_find(const Memory *m, uint64_t address) {
  uint32_t low = 0, high = m->statics.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (m->statics.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &m->statics.data[low - 1] : NULL;
}

/* ---- heap ---- */

static Slab *new_slabs(Memory *m, uint64_t count) {
  if (count > (m->heap_end - m->heap_top) / SLAB) return NULL;
  Slab *first = vec_extend(&m->slabs, count);
  for (uint64_t i = 0; i < count; i++) first[i].back = (uint32_t)i;
  m->heap_top += count * SLAB;
  return first;
}

static void release_slabs(Memory *m, uint64_t address, uint64_t size) {
  madvise(m->bytes + address, size, MADV_DONTNEED);
  madvise(m->shadow + address / 8, size / 8, MADV_DONTNEED);
}

static uint64_t place(Memory *m, Slab *slab, uint64_t address, uint64_t size,
                      EdgeId site) {
  vec_push(&slab->blocks,
           (HeapBlock){.address = address, .size = size, .site = site, .live = true});
  slab->live++;
  m->used += size;
  memory_allow(m, address, size, false);
  return address;
}

uint64_t memory_heap_alloc(Memory *m, uint64_t size, uint64_t align, EdgeId site) {
  if (align < 16) align = 16;
  if (size > m->limit || m->used > m->limit - size || align > m->limit) return 0;
  uint64_t room = size + gap_after(size);
  if (room + align >= LARGE) {
    uint64_t start = align_up(m->heap_top + 16, align);
    Slab *slab = new_slabs(m, (start + room - m->heap_top + SLAB - 1) / SLAB);
    return slab ? place(m, slab, start, size, site) : 0;
  }
  uint64_t start = 0;
  if (m->slabs.len) {
    Slab *open = &m->slabs.data[m->open_slab];
    uint64_t base = m->heap + m->open_slab * SLAB;
    if (open->blocks.len) {
      const HeapBlock *last = vec_last(&open->blocks);
      start = align_up(last->address + last->size + gap_after(last->size), align);
    }
    if (!start || start + room > base + SLAB || open->back) start = 0;
  }
  if (!start) {
    if (m->slabs.len && m->slabs.data[m->open_slab].live == 0 &&
        m->slabs.data[m->open_slab].blocks.len) {
      release_slabs(m, m->heap + m->open_slab * SLAB, SLAB);
      vec_free(&m->slabs.data[m->open_slab].blocks);
    }
    uint64_t base = m->heap_top;
    Slab *slab = new_slabs(m, 1);
    if (!slab) return 0;
    m->open_slab = (uint32_t)(slab - m->slabs.data);
    start = align_up(base + 16, align);
  }
  return place(m, &m->slabs.data[m->open_slab], start, size, site);
}

bool memory_fixed_alloc(Memory *m, uint64_t address, uint64_t size, EdgeId site) {
  if (address < m->functions || address + size > m->labels || size > m->limit ||
      m->used > m->limit - size || m->fixed.len >= MOST_FIXED)
    return false;
  for (uint64_t at = address / 8; at < (address + size) / 8; at++)
    if (m->shadow[at]) return false;
  vec_push(&m->fixed,
           (HeapBlock){.address = address, .size = size, .site = site, .live = true});
  m->used += size;
  memory_allow(m, address, size, false);
  return true;
}

static HeapBlock *find_fixed(Memory *m, uint64_t address) {
  for (uint32_t i = m->fixed.len; i-- > 0;) {
    HeapBlock *b = &m->fixed.data[i];
    if (address >= b->address && address <= b->address + b->size) return b;
  }
  return NULL;
}

HeapBlock *memory_heap_find(Memory *m, uint64_t address) {
  if (address < m->labels) return find_fixed(m, address);
  if (address < m->heap || address >= m->heap_top) return NULL;
  uint64_t index = (address - m->heap) / SLAB;
  index -= m->slabs.data[index].back;
  Slab *slab = &m->slabs.data[index];
  uint32_t low = 0, high = slab->blocks.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (slab->blocks.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  HeapBlock *block = &slab->blocks.data[low - 1];
  return address <= block->address + block->size ? block : NULL;
}

void memory_heap_free(Memory *m, HeapBlock *block) {
  if (block->address < m->labels) {
    block->live = false;
    m->used -= block->size;
    memory_forbid(m, block->address, block->size);
    return;
  }
  uint64_t index = (block->address - m->heap) / SLAB;
  index -= m->slabs.data[index].back;
  Slab *slab = &m->slabs.data[index];
  bool large = index + 1 < m->slabs.len && m->slabs.data[index + 1].back == 1;
  uint64_t address = block->address, size = block->size;
  block->live = false;
  slab->live--;
  m->used -= size;
  memory_forbid(m, address, size);
  if (large || size >= LARGE) {
    release_pages(m->bytes, address, address + size);
  } else if (slab->live == 0 && index != m->open_slab) {
    release_slabs(m, m->heap + index * SLAB, SLAB);
    vec_free(&slab->blocks);
  }
}

/* ---- stacks ---- */

bool memory_new_zone(Memory *m, StackZone *zone) {
  uint64_t base;
  if (m->free_zones.len) {
    base = vec_pop(&m->free_zones);
  } else {
    if (m->next_zone >= m->span) return false;
    base = m->next_zone;
    m->next_zone += m->stack_size;
  }
  *zone = (StackZone){.base = base, .top = base + 64, .high = base + 64};
  zone->limit = base + m->stack_size - 4096;
  return true;
}

void memory_drop_zone(Memory *m, StackZone *zone) {
  uint64_t high = align_up(zone->high, SLAB);
  release_slabs(m, zone->base, high - zone->base);
  vec_push(&m->free_zones, zone->base);
}

uint64_t memory_push(Memory *m, StackZone *zone, uint64_t size, uint64_t align,
                     EdgeId maker) {
  if (align < 16) align = 16;
  uint64_t address = align_up(zone->top, align);
  if (size > zone->limit - zone->base || address + size + STACK_GAP > zone->limit ||
      (size > m->limit))
    return 0;
  zone->top = address + align_up(size, 16) + STACK_GAP;
  if (zone->top > zone->high) zone->high = zone->top;
  memcpy(m->bytes + zone->top - STACK_GAP, &maker, sizeof maker);
  return address;
}

EdgeId memory_maker(const Memory *m, uint64_t address, uint64_t size) {
  EdgeId maker;
  memcpy(&maker, m->bytes + align_up(address + size, 16), sizeof maker);
  return maker;
}

void memory_pop(Memory *m, StackZone *zone, uint64_t top) {
  assert(top <= zone->top);
  memory_forbid(m, top, zone->top - top);
  zone->top = top;
}
