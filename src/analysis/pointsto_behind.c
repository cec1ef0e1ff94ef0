/* What can be reached through stored pointers: see pointsto_behind in pointsto.h. */
#include "analysis/pointsto.h"

#include "base/map.h"

typedef struct {
  AObject object;
  int steps; /* from here on */
} Holder;

typedef struct {
  VEC(Holder) holders; /* each object once, with the most steps first */
  Map held, designated;
  AObjectVec *objects;
} Behind;

static void add_holders(Behind *b, Targets from, int steps) {
  for (uint32_t i = 0; i < from.count && steps; i++) {
    if (from.targets[i].function) continue;
    uint64_t *known = map_at(&b->held, from.targets[i].object);
    if (!*known) vec_push(&b->holders, (Holder){from.targets[i].object, steps});
    *known = 1;
  }
}

static void add_objects(Behind *b, Targets found) {
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.targets[i].function) continue;
    uint64_t *known = map_at(&b->designated, found.targets[i].object);
    if (!*known) vec_push(b->objects, found.targets[i].object);
    *known = 1;
  }
}

void pointsto_behind(const PointsTo *pt, Targets from, int steps,
                     AObjectVec *ret_objects) {
  Behind b = {.objects = ret_objects};
  bool unknown = false;
  add_holders(&b, from, steps);
  for (uint32_t i = 0; i < b.holders.len; i++) {
    Holder h = b.holders.data[i];
    Targets found = pointsto_content(pt, h.object, OFFSET_ANY);
    unknown = unknown || found.unknown;
    add_objects(&b, found);
    add_holders(&b, found, h.steps - 1);
  }
  if (unknown && !map_get(&b.designated, AOBJECT_UNKNOWN))
    vec_push(ret_objects, AOBJECT_UNKNOWN);
  vec_free(&b.holders);
  map_free(&b.held);
  map_free(&b.designated);
}
