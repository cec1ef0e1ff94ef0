/* Objects and the places in them. Arithmetic on them is in pointsto_move.c.
 *
 * Two ways to fold. An object with a C type has the fixed layout of pointsto_layout.h. One
 * without (a block from malloc that nobody gave a type) is *dynamic*: it has a period, the
 * greatest common divisor of all steps in which an index was seen to run over it; offsets are
 * modulo the period. The period only shrinks; locs and words that become one are merged.
 *
 * An object that gets too many places gives ANY from then on: this bounds loops that walk
 * through it byte by byte. Words are bounded as well, or a block of unknown length that is moved
 * within itself (`memmove(a + 1, a, n)`) would hand its words on to ever higher offsets: too
 * many words of a dynamic object make the distances between them its period, and of any other
 * object what comes next is stored ANYwhere. A period is divided at most 31 times, so there
 * are finitely many locs, words and sets, and the solver, which only adds, comes to an end. */
#include "analysis/pointsto_internal.h"

enum {
  PLACES_LIMIT = 32,
  PLACES_BYTES = 3968,
  UNTYPED_BYTES = 256,
  WORDS_LIMIT = 4096, /* of one object; more than any structure of pointers has */
};

/* ---- making objects ---- */

static bool is_aggregate(const Solver *s, TypeId type) {
  if (!s->p->types.len) return false;
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
  uint64_t bytes = usable ? t->size : o->size == UINT32_MAX ? UNTYPED_BYTES : o->size;
  o->place_limit =
      PLACES_LIMIT + (uint32_t)(bytes < PLACES_BYTES ? bytes : PLACES_BYTES) / 4;
}

AObject pt_object_new(Solver *s, AObjectKind kind, TypeId type, bool many,
                      uint32_t size) {
  PtObject o = {.kind = (uint8_t)kind, .size = size, .align = 16, .opened = true};
  set_layout(s, &o, type, many);
  vec_push(&s->objects, o);
  return s->objects.len - 1;
}

AObject pt_object_clone(Solver *s, AObject base, EdgeId context, TypeId type) {
  uint64_t *known = map_at(&s->clones, pair_key(base, context));
  if (*known) return (AObject)*known;
  PtObject o = s->objects.data[base];
  PtObject clone = {.kind = AOBJECT_CONTEXT,
                    .size = o.size,
                    .align = o.align,
                    .opened = true,
                    .library = o.library,
                    .base = base,
                    .object = o.object,
                    .context = context};
  if (is_aggregate(s, type)) {
    set_layout(s, &clone, type, true);
  } else {
    clone.dynamic = o.dynamic;
    clone.layout = o.layout;
    clone.place_limit = o.place_limit;
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

void pt_object_init_program(Solver *s) {
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
    o.barren = id && ((object->flags & OBJECT_CONSTANT)
                          ? !object->reloc_count && !pt_object_has_numbers(s, id)
                          : o.size < 4);
    bool literal =
        o.barren && (object->flags & OBJECT_LITERAL) && (object->flags & OBJECT_CONSTANT);
    if (literal && !s->literal) s->literal = id;
    o.literal = literal;
    bool library =
        object->kind == OBJECT_LIBRARY || (object->kind == OBJECT_TLS && !object->loc);
    if (library && id != p->errno_object) { /* the table need not tell its size */
      o.size = UINT32_MAX;
      o.library = true;
      o.barren = false;
    }
    vec_push(&s->objects, o);
  }
  if (!s->objects.len) vec_push(&s->objects, (PtObject){.kind = AOBJECT_OUTSIDE});
  s->objects.data[0].escapes = true;
}

void pt_object_open(Solver *s, AObject id) {
  if (s->objects.data[id].opened) return;
  s->objects.data[id].opened = true;
  const Object *object = vec_at(&s->p->objects, id);
  for (uint32_t i = 0; i < object->reloc_count; i++) {
    const Reloc *r = vec_at(&s->p->relocs, object->first_reloc + i);
    NodeNo value = pt_expr_node(s, r->target);
    if (!value || r->offset > OFFSET_LIMIT) continue;
    pt_node_copy(s, value, pt_object_word(s, id, (int64_t)r->offset));
    if (r->offset % 8)
      pt_node_copy(s, value, pt_object_word(s, id, (int64_t)r->offset + r->size - 1));
  }
  if (!s->objects.data[id].barren && pt_object_has_numbers(s, id))
    pt_object_add_numbers(s, id);
  bool outside = (object->flags & OBJECT_EXTERNAL) && !pt_object_is_kept(s, id);
  if (outside || s->objects.data[id].library) pt_object_escape(s, id);
}

/* Code outside may read what is in it, and store there whatever it knows. */
void pt_object_escape(Solver *s, AObject id) {
  if (s->objects.data[id].escapes) return;
  s->objects.data[id].escapes = true;
  if (s->objects.data[id].barren) return;
  pt_node_copy(s, pt_object_all(s, id), s->escaped);
  bool constant = s->objects.data[id].kind == AOBJECT_PROGRAM &&
                  (vec_at(&s->p->objects, id)->flags & OBJECT_CONSTANT);
  if (!constant) pt_node_add(s, pt_object_any(s, id), LOC_UNKNOWN);
}

/* ---- places ---- */

LocNo pt_loc_find(Solver *s, LocNo loc) {
  if (!loc_is_place(loc) || !s->objects.data[loc_object(loc)].stale) return loc;
  PtObject *o = &s->objects.data[loc_object(loc)];
  if (o->dynamic && o->period == 1) return LOC_ANY | loc_object(loc);
  Place *places = o->places.data;
  uint32_t i = loc_index(loc);
  while (places[i].parent != i) i = places[i].parent = places[places[i].parent].parent;
  return loc - loc_index(loc) + i;
}

LocNo pt_loc_function(FuncId function) {
  return LOC_FUNCTION | function;
}

bool pt_object_has(const PtObject *o, int64_t offset) {
  return o->dynamic || (offset >= 0 && offset < o->size);
}

int32_t pt_object_fold(const Solver *s, const PtObject *o, int64_t offset) {
  if (o->dynamic)
    return (int32_t)(o->period ? ((offset % o->period) + o->period) % o->period : offset);
  if (offset < 0 || offset >= o->size) return (int32_t)offset;
  return (int32_t)layout_fold(s->layouts, o->layout, (uint32_t)offset);
}

/* All places of the object are one. */
bool pt_object_is_one_place(const Solver *s, const PtObject *o) {
  if (o->literal) return true;
  if (o->dynamic) return o->period == 1;
  const Region *around[LAYOUT_DEPTH];
  uint32_t depth = layout_around(s->layouts, o->layout, 0, around);
  return depth && around[0]->element == 1 && around[0]->end >= o->size;
}

/* The first loc of an object: what it contains at the beginning matters from now on. */
static void meet_object(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  if (!o->met && !o->opened) vec_push(&s->to_open, object);
  o->met = true;
}

/* The place at a folded offset; with too many of them, ANY. */
static LocNo place_at(Solver *s, AObject object, int32_t offset) {
  uint64_t *known = map_at(&s->loc_ids, pair_key(object, (uint32_t)offset));
  if (*known) return pt_loc_find(s, (LocNo)*known - 1);
  PtObject *o = &s->objects.data[object];
  if (o->places.len >= o->place_limit) return LOC_ANY | object;
  LocNo loc = (LocNo)object * LOC_PLACES + o->places.len;
  *known = (uint64_t)loc + 1;
  Place place = {.offset = offset,
                 .parent = (uint16_t)o->places.len,
                 .outside = !pt_object_has(o, offset)};
  vec_push(&o->places, place);
  return loc;
}

LocNo pt_loc_any(Solver *s, AObject object) {
  if (s->objects.data[object].literal) object = s->literal;
  meet_object(s, object);
  return LOC_ANY | object;
}

LocNo pt_loc_of(Solver *s, AObject object, int64_t offset) {
  if (!object || offset > OFFSET_LIMIT || offset < -OFFSET_LIMIT ||
      pt_object_is_one_place(s, &s->objects.data[object]))
    return pt_loc_any(s, object);
  meet_object(s, object);
  return place_at(s, object, pt_object_fold(s, &s->objects.data[object], offset));
}

/* ---- contents ---- */

/* The word that holds the byte at a folded offset. */
static int32_t word_at(const PtObject *o, int32_t folded) {
  if (o->dynamic && o->period % 8) return 0; /* elements lie across the words */
  return folded & ~7;
}

NodeNo pt_object_word(Solver *s, AObject object, int64_t offset) {
  PtObject *o = &s->objects.data[object];
  int32_t at = word_at(o, pt_object_fold(s, o, offset));
  uint64_t key = pair_key(object, (uint32_t)at);
  uint64_t known = map_find(&s->word_ids, key, 0);
  if (known) return pt_node_find(s, (NodeNo)known);
  if (!o->dynamic && o->words.len >= WORDS_LIMIT) return pt_object_any(s, object);
  NodeNo node = pt_node_new(s, 1);
  map_put(&s->word_ids, key, node);
  vec_push(&o->words, (Word){node, at});
  vec_push(&s->new_words, (NewWord){object, at});
  pt_node_copy(s, o->any, node);
  pt_node_copy(s, node, o->all);
  return node;
}

NodeNo pt_object_any(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  if (o->any) return o->any;
  if (pt_object_is_one_place(s, o)) return pt_object_word(s, object, 0);
  o->any = pt_node_new(s, 1);
  for (uint32_t i = 0; i < o->words.len; i++)
    pt_node_copy(s, o->any, o->words.data[i].node);
  pt_node_copy(s, o->any, o->all);
  vec_push(&s->new_words, (NewWord){object, WORD_ANY});
  return o->any;
}

NodeNo pt_object_all(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  if (o->all) return o->all;
  if (pt_object_is_one_place(s, o)) return pt_object_word(s, object, 0);
  o->all = pt_node_new(s, 1);
  for (uint32_t i = 0; i < o->words.len; i++)
    pt_node_copy(s, o->words.data[i].node, o->all);
  pt_node_copy(s, o->any, o->all);
  return o->all;
}

uint32_t pt_common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* After the period has shrunk: each place follows the one at its folded offset. Where there is
 * none yet the place itself moves there, for a new one may be one too many. Places that follow
 * another already go with it. */
static void fold_places(Solver *s, AObject object) {
  PtObject *o = &s->objects.data[object];
  for (uint32_t i = 0; i < o->places.len; i++) {
    Place *place = &o->places.data[i];
    int32_t at = pt_object_fold(s, o, place->offset);
    if (at == place->offset || place->parent != i) continue;
    uint64_t *known = map_at(&s->loc_ids, pair_key(object, (uint32_t)at));
    if (*known) {
      place->parent = (uint16_t)loc_index(pt_loc_find(s, (LocNo)*known - 1));
    } else {
      place->offset = at;
      *known = (uint64_t)object * LOC_PLACES + i + 1;
    }
  }
}

void pt_object_set_period(Solver *s, AObject object, uint32_t stride) {
  PtObject *o = &s->objects.data[object];
  uint32_t period = pt_common_divisor(o->period, stride);
  if (!o->dynamic || period == o->period) return;
  o->period = period;
  o->stale = true;
  if (period > 1) fold_places(s, object);
  VEC(Word) words = {0};
  for (uint32_t i = 0; i < s->objects.data[object].words.len; i++)
    vec_push(&words, s->objects.data[object].words.data[i]);
  vec_clear(&s->objects.data[object].words);
  for (uint32_t i = 0; i < words.len; i++) {
    o = &s->objects.data[object];
    if (word_at(o, pt_object_fold(s, o, words.data[i].at)) == words.data[i].at)
      vec_push(&o->words, words.data[i]);
  }
  for (uint32_t i = 0; i < words.len; i++) {
    NodeNo one = pt_object_word(s, object, words.data[i].at);
    pt_node_unite(s, one, words.data[i].node);
  }
  o = &s->objects.data[object];
  if (period == 1 && o->any)
    pt_node_unite(s, pt_object_word(s, object, 0), s->objects.data[object].any);
  o = &s->objects.data[object];
  if (period == 1 && o->all)
    pt_node_unite(s, pt_object_word(s, object, 0), s->objects.data[object].all);
  o = &s->objects.data[object];
  for (uint32_t i = 0; i < o->words.len; i++)
    vec_push(&s->new_words, (NewWord){object, o->words.data[i].at});
  vec_free(&words);
}

void pt_object_widen(Solver *s, AObject object) {
  const PtObject *o = &s->objects.data[object];
  if (!o->dynamic || o->words.len <= WORDS_LIMIT) return;
  uint32_t period = o->period;
  for (uint32_t i = 1; i < o->words.len; i++) {
    int64_t distance = (int64_t)o->words.data[i].at - o->words.data[0].at;
    period = pt_common_divisor(period, (uint32_t)(distance < 0 ? -distance : distance));
  }
  pt_object_set_period(s, object, period);
}
