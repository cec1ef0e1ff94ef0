/* See rt_object.h. */
#include "runtime/rt_object.h"

enum { BUCKETS = 1024, CHUNK = 256 };
static RtObject *buckets[BUCKETS];
static uint32_t objects_made;

RtObject *rt_object_at(const void *address) {
  static RtObject *chunk;
  static uint32_t left;
  RtObject **bucket = &buckets[((uintptr_t)address >> 3) % BUCKETS];
  for (RtObject *o = *bucket; o; o = o->next)
    if (o->address == (uintptr_t)address) return o;
  if (!left) {
    chunk = rt_map(CHUNK * sizeof *chunk);
    left = CHUNK;
  }
  RtObject *o = &chunk[--left];
  __atomic_add_fetch(&objects_made, 1, __ATOMIC_RELAXED);
  o->address = (uintptr_t)address;
  o->next = *bucket;
  *bucket = o;
  return o;
}

RtOnce *rt_once(const void *address) {
  return &rt_object_at(address)->once;
}

static void begin_anew(RtObject *o) {
  *o = (RtObject){.next = o->next, .address = o->address, .round = o->round + 1};
}

static uint32_t object_count(void) {
  return __atomic_load_n(&objects_made, __ATOMIC_RELAXED);
}

/* Its memory is given back, or the object is made anew: what is there next has nothing to
 * do with it. A wait that still goes on there would be the program's error. */
void rt_objects_end(uintptr_t address, size_t size) {
  RtThread *t = rt_mode == CONTROL_REPLAY && object_count() ? rt_active() : NULL;
  if (!t) return;
  rt_lock();
  bool few = object_count() < size / 4;
  for (uint32_t i = 0; few && i < BUCKETS; i++)
    for (RtObject *o = buckets[i]; o; o = o->next)
      if (o->address - address < size) begin_anew(o);
  for (uintptr_t at = address & ~(uintptr_t)3; !few && at - address + 4 < size + 4;
       at += 4)
    for (RtObject *o = buckets[(at >> 3) % BUCKETS]; o; o = o->next)
      if (o->address == at) begin_anew(o);
  rt_unlock();
}
