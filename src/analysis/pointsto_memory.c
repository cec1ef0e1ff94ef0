/* Objects, the places in them, and pointer arithmetic.
 *
 * Two ways to fold. An object with a C type has the fixed layout of pointsto_layout.h. One
 * without (a block from malloc that nobody gave a type) is *dynamic*: it has a period, the
 * greatest common divisor of all steps in which an index was seen to run over it; offsets are
 * modulo the period. The period only shrinks; locs and words that become one are merged.
 *
 * Arithmetic on a folded offset has several answers: the place itself may be the first element
 * of the array or any other. Leaving an array upwards by a constant is not followed from
 * elements behind the first (it is undefined); leaving it downwards is, because the usual way
 * from a member to its structure does so. An offset outside of an object is kept as such,
 * because it may come back, but holds nothing.
 *
 * An object that gets too many locs gives ANY from then on: this bounds loops that walk
 * through it byte by byte. */
#include "analysis/pointsto_internal.h"

enum { OFFSET_LIMIT = 1 << 28, LOCS_LIMIT = 48, ELEMENTS_LIMIT = 64, PLACES = 80 };

/* ---- making objects ---- */

static bool is_aggregate(const Solver *s, TypeId type) {
  if (!s->p->types.len)
    return false;
  uint8_t kind = s->p->types.data[type_resolve(s->p, type)].kind;
  return kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_ARRAY;
}

static void set_layout(Solver *s, PtObject *o, TypeId type, bool many) {
  type = type_resolve(s->p, type);
  const Type *t = s->p->types.len ? &s->p->types.data[type] : NULL;
  bool usable = t && type && t->size && !(t->flags & TYPE_INCOMPLETE);
  if (many) /* a block received as a pointer to a number may hold anything */
    usable = t && type && is_aggregate(s, type) && !(t->flags & TYPE_INCOMPLETE);
  o->dynamic = !usable;
  o->layout = usable ? layouts_of(s->layouts, type, many) : 0;
}

AObject object_new(Solver *s, AObjectKind kind, TypeId type, bool many, uint32_t size) {
  PtObject o = {.kind = (uint8_t)kind, .size = size, .align = 16, .opened = true};
  set_layout(s, &o, type, many);
  vec_push(&s->objects, o);
  return s->objects.len - 1;
}

AObject object_clone(Solver *s, AObject base, EdgeId context, TypeId type) {
  uint64_t *known = map_at(&s->clones, pair_key(base, context));
  if (*known)
    return (AObject)*known;
  PtObject o = s->objects.data[base];
  PtObject clone = {.kind = AOBJECT_CONTEXT, .size = o.size, .align = o.align, .opened = true,
                    .library = o.library, .base = base, .object = o.object,
                    .context = context};
  if (is_aggregate(s, type)) {
    set_layout(s, &clone, type, true);
  } else {
    clone.dynamic = o.dynamic;
    clone.layout = o.layout;
  }
  *known = s->objects.len;
  vec_push(&s->objects, clone);
  s->clone_count++;
  return s->objects.len - 1;
}

static uint32_t bytes_of(const Object *o) {
  return (o->flags & OBJECT_DYNAMIC) || o->size > OFFSET_LIMIT ? UINT32_MAX
                                                               : (uint32_t)o->size;
}

void object_init_program(Solver *s) {
  const Program *p = s->p;
  for (ObjectId id = 0; id < p->objects.len; id++) {
    const Object *object = &p->objects.data[id];
    PtObject o = {.kind = id ? AOBJECT_PROGRAM : AOBJECT_OUTSIDE,
                  .object = id,
                  .align = object->align ? object->align : 1,
                  .size = bytes_of(object)};
    bool many = object->kind == OBJECT_HEAP || (object->flags & OBJECT_DYNAMIC);
    set_layout(s, &o, object->type, many);
    TypeId type = type_resolve(p, object->type);
    if (!o.dynamic && !many && object->size > p->types.data[type].size && !o.layout)
      o.dynamic = true; /* longer than its type says */
    o.barren = id && ((object->flags & OBJECT_CONSTANT) ? !object->reloc_count
                                                        : o.size < 4);
    bool library = object->kind == OBJECT_LIBRARY ||
                   (object->kind == OBJECT_TLS && !object->loc);
    o.library = library && o.size >= 8;
    vec_push(&s->objects, o);
  }
  if (!s->objects.len)
    vec_push(&s->objects, (PtObject){.kind = AOBJECT_OUTSIDE});
  s->objects.data[0].escapes = true;
}

void object_open(Solver *s, AObject id) {
  if (s->objects.data[id].opened)
    return;
  s->objects.data[id].opened = true;
  const Object *object = vec_at(&s->p->objects, id);
  for (uint32_t i = 0; i < object->reloc_count; i++) {
    const Reloc *r = vec_at(&s->p->relocs, object->first_reloc + i);
    NodeNo value = expr_node(s, r->target);
    if (!value || r->offset > OFFSET_LIMIT)
      continue;
    node_copy(s, value, object_word(s, id, (int64_t)r->offset));
    if (r->offset % 8)
      node_copy(s, value, object_word(s, id, (int64_t)r->offset + r->size - 1));
  }
  if ((object->flags & OBJECT_EXTERNAL) || s->objects.data[id].library)
    object_escape(s, id);
}

/* Code outside may read what is in it, and store there whatever it knows. */
void object_escape(Solver *s, AObject id) {
  if (s->objects.data[id].escapes)
    return;
  s->objects.data[id].escapes = true;
  if (s->objects.data[id].barren)
    return;
  node_copy(s, object_all(s, id), s->escaped);
  bool constant = s->objects.data[id].kind == AOBJECT_PROGRAM &&
                  (vec_at(&s->p->objects, id)->flags & OBJECT_CONSTANT);
  if (!constant)
    node_add(s, object_any(s, id), LOC_UNKNOWN);
}

/* ---- places ---- */

LocNo loc_find(Solver *s, LocNo loc) {
  PtLoc *locs = s->locs.data;
  while (locs[loc].parent != loc) {
    locs[loc].parent = locs[locs[loc].parent].parent;
    loc = locs[loc].parent;
  }
  return loc;
}

static LocNo loc_push(Solver *s, PtLoc loc) {
  loc.parent = s->locs.len;
  vec_push(&s->locs, loc);
  return loc.parent;
}

LocNo loc_function(Solver *s, FuncId function) {
  uint64_t *known = map_at(&s->function_locs, function);
  if (!*known)
    *known = loc_push(s, (PtLoc){.function = function}) + 1;
  return (LocNo)*known - 1;
}

static bool is_inside(const PtObject *o, int64_t offset) {
  return o->dynamic || (offset >= 0 && offset < o->size);
}

int32_t object_fold(const Solver *s, const PtObject *o, int64_t offset) {
  if (o->dynamic)
    return (int32_t)(o->period ? ((offset % o->period) + o->period) % o->period : offset);
  if (offset < 0 || offset >= o->size)
    return (int32_t)offset;
  return (int32_t)layout_fold(s->layouts, o->layout, (uint32_t)offset);
}

/* All places of the object are one. */
static bool is_one_place(const Solver *s, const PtObject *o) {
  if (o->dynamic)
    return o->period == 1;
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = layout_around(s->layouts, o->layout, 0, around);
  return depth && around[0]->element == 1 && around[0]->end >= o->size;
}

static LocNo loc_at(Solver *s, AObject object, int32_t offset, bool any) {
  uint64_t key = pair_key(object, any ? OFFSET_ANY : (uint32_t)offset);
  uint64_t known = map_find(&s->loc_ids, key, 0);
  if (known)
    return loc_find(s, (LocNo)known - 1);
  PtObject *o = &s->objects.data[object];
  if (!o->opened)
    vec_push(&s->to_open, object);
  PtLoc loc = {.object = object,
               .offset = offset,
               .any = any,
               .outside = !any && !is_inside(o, offset)};
  LocNo id = loc_push(s, loc);
  map_put(&s->loc_ids, key, id + 1);
  vec_push(&o->locs, id);
  o->loc_count++;
  uint32_t limit = o->size == UINT32_MAX ? 0 : o->size / 4 < 512 ? o->size / 4 : 512;
  o->limited = o->limited || o->loc_count >= LOCS_LIMIT + limit;
  return id;
}

LocNo loc_any(Solver *s, AObject object) {
  if (!object)
    return LOC_UNKNOWN;
  if (is_one_place(s, &s->objects.data[object]))
    return loc_at(s, object, 0, false);
  return loc_at(s, object, 0, true);
}

LocNo loc_of(Solver *s, AObject object, int64_t offset) {
  if (!object)
    return LOC_UNKNOWN;
  if (offset > OFFSET_LIMIT || offset < -OFFSET_LIMIT)
    return loc_any(s, object);
  PtObject *o = &s->objects.data[object];
  int32_t at = object_fold(s, o, offset);
  if (o->limited && !map_get(&s->loc_ids, pair_key(object, (uint32_t)at)))
    return loc_any(s, object);
  return loc_at(s, object, at, false);
}

/* ---- contents ---- */

/* The word that holds the byte at a folded offset. */
static int32_t word_at(const PtObject *o, int32_t folded) {
  if (o->dynamic && o->period % 8)
    return 0; /* elements lie across the words */
  return folded & ~7;
}

NodeNo object_word(Solver *s, AObject object, int64_t offset) {
  PtObject *o = &s->objects.data[object];
  int32_t at = word_at(o, object_fold(s, o, offset));
  uint64_t key = pair_key(object, (uint32_t)at);
  uint64_t known = map_find(&s->word_ids, key, 0);
  if (known)
    return node_find(s, (NodeNo)known);
  NodeNo node = node_new(s, 1);
  map_put(&s->word_ids, key, node);
  vec_push(&o->words, (Word){node, at});
  vec_push(&s->new_words, (NewWord){object, at});
  node_copy(s, o->any, node);
  node_copy(s, node, o->all);
  return node;
}

NodeNo object_any(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  if (o->any)
    return o->any;
  o->any = node_new(s, 1);
  for (uint32_t i = 0; i < o->words.len; i++)
    node_copy(s, o->any, o->words.data[i].node);
  node_copy(s, o->any, o->all);
  vec_push(&s->new_words, (NewWord){object, WORD_ANY});
  return o->any;
}

NodeNo object_all(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  if (o->all)
    return o->all;
  o->all = node_new(s, 1);
  for (uint32_t i = 0; i < o->words.len; i++)
    node_copy(s, o->words.data[i].node, o->all);
  node_copy(s, o->any, o->all);
  return o->all;
}

uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

void object_set_period(Solver *s, AObject object, uint32_t stride) {
  PtObject *o = &s->objects.data[object];
  uint32_t period = common_divisor(o->period, stride);
  if (!o->dynamic || period == o->period)
    return;
  o->period = period;
  uint32_t count = o->locs.len;
  for (uint32_t i = 0; i < count; i++) {
    LocNo old = s->objects.data[object].locs.data[i];
    if (s->locs.data[old].any || s->locs.data[old].parent != old)
      continue;
    int32_t at = object_fold(s, &s->objects.data[object], s->locs.data[old].offset);
    if (at == s->locs.data[old].offset)
      continue;
    LocNo folded = loc_at(s, object, at, false);
    s->locs.data[old].parent = folded;
  }
  VEC(Word) words = {0};
  for (uint32_t i = 0; i < s->objects.data[object].words.len; i++)
    vec_push(&words, s->objects.data[object].words.data[i]);
  vec_clear(&s->objects.data[object].words);
  for (uint32_t i = 0; i < words.len; i++) {
    o = &s->objects.data[object];
    if (word_at(o, object_fold(s, o, words.data[i].at)) == words.data[i].at)
      vec_push(&o->words, words.data[i]);
  }
  for (uint32_t i = 0; i < words.len; i++) {
    NodeNo one = object_word(s, object, words.data[i].at);
    node_unite(s, one, words.data[i].node);
  }
  o = &s->objects.data[object];
  for (uint32_t i = 0; i < o->words.len; i++)
    vec_push(&s->new_words, (NewWord){object, o->words.data[i].at});
  vec_free(&words);
}

/* ---- arithmetic ---- */

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
  int32_t at = object_fold(s, &s->objects.data[object], offset);
  for (uint32_t i = 0; i < places->count; i++)
    if (places->at[i] == at)
      return;
  places->at[places->count++] = at;
}

/* Elements behind the first, from which `add` leads down out of the array. */
static void add_below(Solver *s, AObject object, Places *places, const Region *r,
                      int32_t offset, int64_t add) {
  uint32_t count = (r->end - r->start) / r->element;
  if (count > ELEMENTS_LIMIT && offset + add + r->element < r->start) {
    places->any = true;
    return;
  }
  for (uint32_t k = 1; k < count; k++) {
    int64_t at = offset + (int64_t)k * r->element + add;
    if (at >= (int64_t)r->start)
      return;
    if (at >= 0)
      add_place(s, object, places, at);
  }
}

static void add_constant(Solver *s, AObject object, int32_t offset, int64_t add,
                         Places *places) {
  const PtObject *o = &s->objects.data[object];
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = 0;
  if (add && offset >= 0 && (uint32_t)offset < o->size)
    depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = 0; i < depth; i++) {
    const Region *r = around[i];
    int64_t in = offset - (int64_t)r->start + add, span = (int64_t)r->end - r->start;
    bool open = r->end == UINT32_MAX;
    if ((in < 0 || in >= r->element) && (open || (add < span && -add < span))) {
      int64_t e = r->element;
      add_place(s, object, places, r->start + ((in % e) + e) % e);
    }
    if (add < 0 && !open)
      add_below(s, object, places, r, offset, add);
  }
  /* an element of an array that leads out of the object is another element in truth */
  if (!places->count || is_inside(o, offset + add))
    add_place(s, object, places, offset + add);
}

bool object_stays(const Solver *s, const PtObject *o, int64_t offset, uint32_t stride) {
  const Region *around[LAYOUT_DEPTH];
  if (!is_inside(o, offset))
    return false;
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = depth; i-- > 0;) {
    const Region *r = around[i];
    /* single bytes of a structure that begins with an array of bytes: the array, or all? */
    bool unclear = stride == 1 && r->at_front && offset == r->start;
    if (stride % r->element == 0 && !unclear)
      return true;
  }
  return false;
}

static void move_add(Solver *s, const PtLoc *loc, const Move *move, NodeNo to) {
  AObject object = loc->object;
  if (s->objects.data[object].dynamic) {
    for (uint32_t i = 0; i < move->stride_count; i++)
      object_set_period(s, object, move->strides[i]);
    node_add(s, to, loc_of(s, object, loc->offset + move->add));
    return;
  }
  Places places = {0};
  add_constant(s, object, loc->offset, move->add, &places);
  for (uint32_t i = 0; i < places.count; i++) {
    bool stays = true;
    for (uint32_t k = 0; k < move->stride_count && stays; k++)
      stays = object_stays(s, &s->objects.data[object], places.at[i], move->strides[k]);
    if (stays)
      node_add(s, to, loc_of(s, object, places.at[i]));
    else
      places.any = true;
  }
  if (places.any)
    node_add(s, to, loc_any(s, object));
}

/* All elements around the place are a multiple of `unit` long, so that the low bits of its
 * address are those of every place that it stands for. */
static bool keeps_low_bits(const Solver *s, const PtObject *o, int32_t offset,
                           uint64_t unit) {
  if (unit > o->align || offset < 0)
    return false;
  if (o->dynamic)
    return o->period % unit == 0;
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = layout_around(s->layouts, o->layout, (uint32_t)offset, around);
  for (uint32_t i = 0; i < depth; i++)
    if (around[i]->element % unit)
      return false;
  return true;
}

/* Clears bits of an address: exact for low bits that alignment tells, and for high bits, which
 * are 0 in every address. */
static void move_mask(Solver *s, const PtLoc *loc, uint64_t mask, NodeNo to) {
  static const uint64_t address = 0x00007ffffffff000;
  uint64_t low = ~mask & 0xfff;
  if ((mask & address) == address && (low & (low + 1)) == 0 &&
      keeps_low_bits(s, &s->objects.data[loc->object], loc->offset, low + 1))
    node_add(s, to, loc_of(s, loc->object, loc->offset & ~(int64_t)low));
  else
    node_add(s, to, loc_any(s, loc->object));
}

/* Sets or flips low bits: a tag that is put into a pointer, or taken out. */
static void move_bits(Solver *s, const PtLoc *loc, int64_t bits, NodeNo to) {
  uint64_t unit = 1;
  while (unit < 4096 && unit <= (uint64_t)bits)
    unit *= 2;
  if (bits >= 0 && (uint64_t)bits < unit &&
      keeps_low_bits(s, &s->objects.data[loc->object], loc->offset, unit)) {
    node_add(s, to, loc_of(s, loc->object, loc->offset | bits));
    node_add(s, to, loc_of(s, loc->object, loc->offset & ~bits));
  } else {
    node_add(s, to, loc_any(s, loc->object));
  }
}

void loc_move(Solver *s, LocNo id, const Move *move, NodeNo to) {
  id = loc_find(s, id);
  PtLoc loc = s->locs.data[id];
  if (move->kind == MOVE_PART) {
    if (id != LOC_UNKNOWN)
      node_add(s, to, id);
    return;
  }
  if (id == LOC_UNKNOWN || loc.function || loc.any) {
    node_add(s, to, id);
    return;
  }
  switch ((MoveKind)move->kind) {
  case MOVE_ADD:
    move_add(s, &loc, move, to);
    return;
  case MOVE_ANY:
    node_add(s, to, loc_any(s, loc.object));
    return;
  case MOVE_MASK:
    move_mask(s, &loc, (uint64_t)move->add, to);
    return;
  case MOVE_BITS:
    move_bits(s, &loc, move->add, to);
    return;
  case MOVE_PART:
    return;
  }
}
