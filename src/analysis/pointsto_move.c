/* Pointer arithmetic on folded offsets.
 *
 * It has several answers: the place itself may be the first element of the array or any
 * other. Where C says of a constant that it stays in a structure, or moves by whole elements, leaving
 * an array upwards is not followed from elements behind the first; bytes are followed from all of them.
 * Leaving it downwards is followed always, because the usual way from a member to its structure does so.
 * An offset before an object, or one behind its last byte, is kept as such, because it may come
 * back, but holds nothing; one further behind is given up.
 *
 * An index keeps the place in two cases. Its array is the whole object: then there is nothing
 * else to get to. Or C says that it stays: it is applied to an array of that declared size, or it
 * moves by elements of the size that the array there has. All others, bytes above all, may mean the
 * structure around the array, or the object: without a type the object's period adapts, else it is ANY. That
 * p[i] stays in the array of p's elements is what docs/pointsto.md lists as taken for granted. */
#include "analysis/pointsto_internal.h"

enum { ELEMENTS_LIMIT = 64, PLACES = 80 };

/* Folded offsets where a pointer may be after the move. */
typedef struct {
  int64_t at[PLACES];
  uint32_t count;
  bool any;
} Places;

static void add_place(Solver *s, AObject object, Places *places, int64_t offset) {
  if (offset > OFFSET_LIMIT || offset < -OFFSET_LIMIT || places->count == PLACES) {
    places->any = true;
    return;
  }
  if (offset > s->objects.data[object].size)
    return; /* behind the end, from where no way leads back */
  int32_t at = pt_object_fold(s, &s->objects.data[object], offset);
  for (uint32_t i = 0; i < places->count; i++)
    if (places->at[i] == at) return;
  places->at[places->count++] = at;
}

/* Elements behind the first, from which `add` leads down out of the array. */
static void add_below(Solver *s, AObject object, Places *places, const Region *r,
                      int32_t offset, int64_t add) {
  uint32_t count = (r->end - r->start) / r->step;
  for (uint32_t k = 1; k < count; k++) {
    int64_t at = offset + (int64_t)k * r->step + add;
    if (at >= (int64_t)r->start) return;
    if (k > ELEMENTS_LIMIT) {
      places->any = true;
      return;
    }
    if (at >= 0) add_place(s, object, places, at);
  }
}

/* Elements behind the first, from which `add` leads up out of the array. */
static void add_above(Solver *s, AObject object, Places *places, const Region *r,
                      int32_t offset, int64_t add) {
  uint32_t count = (r->end - r->start) / r->step;
  for (uint32_t k = 1; k < count; k++) {
    int64_t at = offset + (int64_t)(count - k) * r->step + add;
    if (at < (int64_t)r->end) return;
    if (k > ELEMENTS_LIMIT) {
      places->any = true;
      return;
    }
    add_place(s, object, places, at);
  }
}

/* A place in an array of scalars stands for the beginnings of its elements. */
static bool splits_scalar(const PtObject *o, const Region *r, int64_t offset) {
  return r->element == 1 && (offset - (int64_t)r->start) % r->step &&
         offset >= (int64_t)r->start && offset < (int64_t)r->end &&
         (r->start || r->end < o->size);
}

/* Somebody must be told that a pointer into a text inside of a structure is taken to be moved within
 * the text: a pointer to bytes of the structure that begins just there would not stay. */
static void note_text(Solver *s, const PtObject *o) {
  if (o->object && (!s->text || o->object < s->text)) s->text = o->object;
}

/* An array of characters that no structure begins with: a pointer to its first byte is none to the bytes
 * of a structure. */
static bool is_text(const Region *r) {
  return r->step == 1 && r->start && !r->front && r->end != UINT32_MAX;
}

/* A pointer to bytes gets into a text from elsewhere: it means the structure's bytes, and not the
 * text. */
static bool enters_text(const Solver *s, const PtObject *o, int64_t from, int64_t to) {
  const Region *around[LAYOUT_DEPTH];
  if (o->dynamic || !pt_object_has(o, to)) return false;
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)to, around);
  const Region *r = depth ? around[depth - 1] : NULL;
  return r && is_text(r) && (from < (int64_t)r->start || from >= (int64_t)r->end);
}

static void add_constant(Solver *s, AObject object, int32_t offset, int64_t add,
                         bool typed, Places *places) {
  const PtObject *o = &s->objects.data[object];
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = 0;
  if (add && offset >= 0 && (uint32_t)offset < o->size)
    depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = 0; i < depth; i++) {
    const Region *r = around[i];
    int64_t in = offset - (int64_t)r->start + add, span = (int64_t)r->end - r->start;
    bool open = r->end == UINT32_MAX;
    if (splits_scalar(o, r, offset + add)) places->any = true;
    if ((in < 0 || in >= r->element) && (open || (add < span && -add < span))) {
      int64_t e = r->element;
      add_place(s, object, places, r->start + ((in % e) + e) % e);
    }
    if (add < 0 && !open) add_below(s, object, places, r, offset, add);
    bool leaves = add > 0 && !open && !typed;
    if (leaves && is_text(r))
      note_text(s, o);
    else if (leaves)
      add_above(s, object, places, r, offset, add);
  }
  if (!typed && enters_text(s, o, offset, offset + add)) places->any = true;
  /* an element of an array that leads out of the object is another element in truth */
  if (!places->count || pt_object_has(o, offset + add))
    add_place(s, object, places, offset + add);
}

LocNo pt_loc_exact(Solver *s, AObject object, int64_t offset, bool typed) {
  const PtObject *o = &s->objects.data[object];
  if (!typed && enters_text(s, o, 0, offset)) return pt_loc_any(s, object);
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = 0;
  if (!o->dynamic && offset >= 0 && offset < o->size)
    depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  const Region *r = depth ? around[depth - 1] : NULL;
  int64_t at = pt_object_fold(s, o, offset);
  if (r && r->element == 1) { /* folding hides where in the element it is */
    at = offset;
    for (uint32_t i = 0; i + 1 < depth; i++)
      at = around[i]->start + (at - around[i]->start) % around[i]->element;
    if (splits_scalar(o, r, at)) return pt_loc_any(s, object);
  }
  return pt_loc_of(s, object, offset);
}

/* Somebody must be told: a pointer to the structure may be meant, and then it is not so. */
static void note_front(Solver *s, const PtObject *o) {
  if (o->object && (!s->front || o->object < s->front)) s->front = o->object;
}

bool pt_object_stays(Solver *s, const PtObject *o, int64_t offset, uint32_t stride,
                     uint32_t reach) {
  const Region *around[LAYOUT_DEPTH];
  if (!pt_object_has(o, offset)) return false;
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = depth; i-- > 0;) {
    const Region *r = around[i];
    uint32_t span = r->end - r->start, bytes = reach >> 1;
    bool open = r->end == UINT32_MAX, whole = !r->start && r->end >= o->size;
    bool declared = reach && !(reach & 1) && bytes == span;
    bool steps = (reach & 1) && bytes == r->step && (open || stride < span);
    bool text = stride == 1 && is_text(r);
    if (stride % r->element || !(whole || declared || steps || text)) continue;
    if (text && !whole && !declared && !steps) note_text(s, o);
    if (!whole && !declared && r->front && offset == r->start) note_front(s, o);
    return true;
  }
  return false;
}

bool pt_object_extent(const Solver *s, const PtObject *o, int64_t offset, uint64_t size,
                      LayoutExtent *ret) {
  if (!pt_object_has(o, offset)) return false;
  *ret = (LayoutExtent){.from = (uint64_t)offset, .to = (uint64_t)offset + size};
  if (o->dynamic) return !o->period || ret->to <= o->period;
  *ret = layout_extent(s->layouts, o->layout, (uint64_t)offset, size, false);
  return true;
}

static void move_add(Solver *s, AObject object, int32_t offset, const Move *move,
                     Places *places) {
  if (s->objects.data[object].dynamic) {
    for (uint32_t i = 0; i < move->stride_count; i++)
      pt_object_set_period(s, object, move->strides[i]);
    add_place(s, object, places, offset + move->add);
    return;
  }
  add_constant(s, object, offset, move->add, move->typed, places);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < places->count; i++) {
    bool stays = true;
    for (uint32_t k = 0; k < move->stride_count && stays; k++)
      stays = pt_object_stays(s, &s->objects.data[object], places->at[i],
                              move->strides[k], move->reaches[k]);
    if (stays)
      places->at[kept++] = places->at[i];
    else
      places->any = true;
  }
  places->count = kept;
}

/* All elements around the place are a multiple of `unit` long, so that the low bits of its
 * address are those of every place that it stands for. */
static bool keeps_low_bits(const Solver *s, const PtObject *o, int32_t offset,
                           uint64_t unit) {
  if (unit > o->align || offset < 0) return false;
  if (o->dynamic) return o->period % unit == 0;
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = 0; i < depth; i++)
    if (around[i]->element % unit) return false;
  return true;
}

/* Clears bits of an address: exact for low bits that alignment tells, and for high bits, which
 * are 0 in every address. */
static void move_mask(Solver *s, AObject object, int32_t offset, uint64_t mask,
                      Places *places) {
  static const uint64_t address = 0x00007ffffffff000;
  uint64_t low = ~mask & 0xfff;
  if ((mask & address) == address && (low & (low + 1)) == 0 &&
      keeps_low_bits(s, &s->objects.data[object], offset, low + 1))
    add_place(s, object, places, offset & ~(int64_t)low);
  else
    places->any = true;
}

/* Sets or flips low bits: a tag that is put into a pointer, or taken out. */
static void move_bits(Solver *s, AObject object, int32_t offset, int64_t bits,
                      Places *places) {
  uint64_t unit = 1;
  while (unit < 4096 && unit <= (uint64_t)bits) unit *= 2;
  if (bits >= 0 && (uint64_t)bits < unit &&
      keeps_low_bits(s, &s->objects.data[object], offset, unit)) {
    add_place(s, object, places, offset | bits);
    add_place(s, object, places, offset & ~bits);
  } else {
    places->any = true;
  }
}

/* p++ and the like. In an array whose elements it steps over, the pointer stays; elsewhere it
 * walks over the members of a structure, byte by byte or word by word, and may get anywhere.
 * From one behind the end it comes back to the last element. */
static void move_walk(Solver *s, AObject object, int32_t offset, const Move *move,
                      Places *places) {
  const PtObject *o = &s->objects.data[object];
  bool stays = o->dynamic;
  if (!stays && move->stride_count) {
    bool at_end = (uint32_t)offset == o->size && move->add < 0;
    stays = pt_object_stays(s, o, at_end ? offset + move->add : offset, move->strides[0],
                            move->reaches[0]);
  }
  if (stays)
    move_add(s, object, offset, move, places);
  else
    places->any = true;
}

static void move_places(Solver *s, LocNo loc, const Move *move, Places *places) {
  AObject object = loc_object(loc);
  int32_t offset = loc_place(s, loc)->offset;
  switch ((MoveKind)move->kind) {
  case MOVE_ADD: move_add(s, object, offset, move, places); return;
  case MOVE_WALK: move_walk(s, object, offset, move, places); return;
  case MOVE_ANY: places->any = true; return;
  case MOVE_MASK: move_mask(s, object, offset, (uint64_t)move->add, places); return;
  case MOVE_BITS: move_bits(s, object, offset, move->add, places); return;
  case MOVE_PART: return;
  }
}

/* The address of a function is not added to; taken apart and put together again it may be. */
static bool keeps_functions(const Move *move) {
  return move->integer || (move->kind != MOVE_ADD && move->kind != MOVE_WALK);
}

void pt_loc_move(Solver *s, LocNo loc, uint32_t id, LocSet *out) {
  const Move move = s->moves.data[id];
  loc = pt_loc_find(s, loc);
  if ((move.kind == MOVE_PART && (loc == LOC_UNKNOWN || loc == LOC_NUMBER)) ||
      (loc_is_function(loc) && !keeps_functions(&move)))
    return;
  if (move.kind == MOVE_PART || !loc_is_place(loc)) {
    locset_add(out, loc);
    return;
  }
  AObject object = loc_object(loc);
  Places places = {0};
  move_places(s, loc, &move, &places);
  for (uint32_t i = 0; i < places.count; i++)
    locset_add(out, pt_loc_of(s, object, places.at[i]));
  if (places.any) locset_add(out, pt_loc_any(s, object));
}
