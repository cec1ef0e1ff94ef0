/* Copies of the address space: everything that lives in it, and the shadow. The mappings
 * themselves stay, because the code has addresses of globals in it. See save.h. */
#include "model/exec/save.h"

#include <sys/mman.h>

static const uint64_t MOST = UINT64_C(32) << 20;

static uint64_t page_down(uint64_t x) {
  return x & ~UINT64_C(4095);
}

static void add_region(const Memory *m, SavedMemory *saved, uint64_t from, uint64_t to,
                       uint64_t *io_total) {
  from = page_down(from);
  to = align_up(to, 4096);
  SavedRegion r = {.address = from, .size = to - from};
  *io_total += r.size;
  if (!r.size || *io_total > MOST) return;
  r.bytes = mem_dup(m->bytes + from, r.size);
  r.shadow = mem_dup(m->shadow + from / 8, r.size / 8);
  vec_push(&saved->regions, r);
}

/* Copies of the lists. */
static void copy_lists(Memory *to, const Memory *from) {
  memset(&to->slabs, 0, sizeof to->slabs);
  memset(&to->statics, 0, sizeof to->statics);
  memset(&to->free_zones, 0, sizeof to->free_zones);
  memset(&to->fixed, 0, sizeof to->fixed);
  for (uint32_t i = 0; i < from->fixed.len; i++)
    vec_push(&to->fixed, from->fixed.data[i]);
  for (uint32_t i = 0; i < from->slabs.len; i++) {
    Slab slab = from->slabs.data[i];
    memset(&slab.blocks, 0, sizeof slab.blocks);
    for (uint32_t k = 0; k < from->slabs.data[i].blocks.len; k++)
      vec_push(&slab.blocks, from->slabs.data[i].blocks.data[k]);
    vec_push(&to->slabs, slab);
  }
  for (uint32_t i = 0; i < from->statics.len; i++)
    vec_push(&to->statics, from->statics.data[i]);
  for (uint32_t i = 0; i < from->free_zones.len; i++)
    vec_push(&to->free_zones, from->free_zones.data[i]);
}

static void free_lists(Memory *m) {
  for (uint32_t i = 0; i < m->slabs.len; i++) vec_free(&m->slabs.data[i].blocks);
  vec_free(&m->slabs);
  vec_free(&m->fixed);
  vec_free(&m->statics);
  vec_free(&m->free_zones);
}

bool memory_save(const Exec *x, SavedMemory *ret) {
  const Memory *m = &x->memory;
  uint64_t total = 0;
  *ret = (SavedMemory){.memory = *m};
  copy_lists(&ret->memory, m);
  add_region(m, ret, m->globals, m->global_top, &total);
  add_region(m, ret, m->heap, m->heap_top, &total);
  for (uint32_t i = 0; i < m->fixed.len; i++)
    add_region(m, ret, m->fixed.data[i].address,
               m->fixed.data[i].address + m->fixed.data[i].size, &total);
  for (uint32_t i = 0; i < x->active.len; i++)
    add_region(m, ret, x->active.data[i]->zone.base, x->active.data[i]->zone.high,
               &total);
  if (total <= MOST) return true;
  memory_saved_free(ret);
  return false;
}

/* The pages read as zero again. */
static void clear(Memory *m, uint64_t from, uint64_t to) {
  from = page_down(from) & ~UINT64_C(32767); /* whole pages of the shadow, too */
  to = align_up(to, 32768);
  if (from >= to) return;
  madvise(m->bytes + from, to - from, MADV_DONTNEED);
  madvise(m->shadow + from / 8, (to - from) / 8, MADV_DONTNEED);
}

void memory_restore(Exec *x, const SavedMemory *saved) {
  Memory *m = &x->memory;
  clear(m, m->globals, m->global_top);
  clear(m, m->heap, m->heap_top);
  for (uint32_t i = 0; i < m->fixed.len; i++)
    clear(m, m->fixed.data[i].address, m->fixed.data[i].address + m->fixed.data[i].size);
  for (uint32_t i = 0; i < x->active.len; i++)
    clear(m, x->active.data[i]->zone.base, x->active.data[i]->zone.high);
  free_lists(m);
  *m = saved->memory;
  copy_lists(m, &saved->memory);
  for (uint32_t i = 0; i < saved->regions.len; i++) {
    const SavedRegion *r = &saved->regions.data[i];
    memcpy(m->bytes + r->address, r->bytes, r->size);
    memcpy(m->shadow + r->address / 8, r->shadow, r->size / 8);
  }
}

void memory_saved_free(SavedMemory *saved) {
  for (uint32_t i = 0; i < saved->regions.len; i++) {
    mem_free(saved->regions.data[i].bytes);
    mem_free(saved->regions.data[i].shadow);
  }
  vec_free(&saved->regions);
  free_lists(&saved->memory);
}
