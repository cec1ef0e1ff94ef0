/* Layouts from C types. See pointsto_layout.h.
 *
 * In: the type tables. Out: one table of regions; the children of a region stand together.
 * A layout is built once for each type and kept. Nested types are walked with an explicit
 * list, breadth first, so that the children of each region end up side by side.
 *
 * A structure that ends in an array without length, or of one element (the older way to write
 * the same), is followed by more of those elements in allocated memory: that last region is
 * open, and such blocks are not taken for arrays of the structure. */
#include "analysis/pointsto_layout.h"

#include "base/map.h"

#include <assert.h>

typedef struct {
  uint32_t first, count;
} Span;

struct Layouts {
  const Program *p;
  Map known;         /* type × 2 + many → number in `layouts` */
  VEC(Span) layouts; /* outermost regions */
  VEC(Region) regions;
};

/* What is still to be looked at: a type at an offset, whose arrays belong to one list. */
typedef struct {
  TypeId type;
  uint32_t at;
  bool last;  /* nothing comes behind it in a block of memory that may be longer */
  bool front; /* it begins where something longer begins */
} Part;

typedef VEC(Part) PartVec;

enum { SIZE_LIMIT = 1 << 30 };

Layouts *layouts_new(const Program *program) {
  Layouts *l = mem_alloc_zero(sizeof *l);
  l->p = program;
  (void)vec_extend(&l->layouts, 1);
  (void)vec_extend(&l->regions, 1);
  return l;
}

void layouts_free(Layouts *l) {
  if (!l) return;
  map_free(&l->known);
  vec_free(&l->layouts);
  vec_free(&l->regions);
  mem_free(l);
}

static const Type *type_at(const Layouts *l, TypeId *type) {
  *type = type_resolve(l->p, *type);
  return &l->p->types.data[*type];
}

/* Of such elements the bytes are one as well. */
static bool is_scalar(const Type *t) {
  return t->kind != TYPE_ARRAY && t->kind != TYPE_STRUCT && t->kind != TYPE_UNION;
}

static void add_region(Layouts *l, const Part *part, const Type *array,
                       PartVec *elements) {
  TypeId elem = array->elem;
  const Type *element = type_at(l, &elem);
  uint64_t size = element->size;
  if (element->kind == TYPE_NONE || !size || size > SIZE_LIMIT) return;
  bool open = part->last && array->count <= 1;
  uint64_t end = part->at + array->count * size;
  bool whole = is_scalar(element);
  Region region = {.start = part->at,
                   .element = whole ? 1 : (uint32_t)size,
                   .step = (uint32_t)size,
                   .end = open || end > SIZE_LIMIT ? UINT32_MAX : (uint32_t)end,
                   .front = part->front};
  if (array->count == 0 && !open) return;
  vec_push(&l->regions, region);
  vec_push(elements,
           (Part){.type = whole ? 0 : elem, .at = part->at, .front = part->front});
}

/* All arrays in `parts` that are not inside another one, as regions side by side. What their
 * elements are goes to `elements`, in the same order. */
static Span add_regions(Layouts *l, PartVec *parts, PartVec *elements) {
  Span span = {.first = l->regions.len};
  /* `parts` is a stack: fields are pushed from the last on, so they come out ascending */
  while (parts->len) {
    Part part = vec_pop(parts);
    const Type *type = type_at(l, &part.type);
    if (type->kind == TYPE_ARRAY) {
      add_region(l, &part, type, elements);
      continue;
    }
    if (type->kind != TYPE_STRUCT) continue;
    for (uint32_t i = type->field_count; i-- > 0;) {
      const Field *f = vec_at(&l->p->fields, type->first_field + i);
      uint64_t at = part.at + f->bit_offset / 8;
      if (f->is_bitfield || at > SIZE_LIMIT) continue;
      vec_push(parts, (Part){.type = f->type,
                             .at = (uint32_t)at,
                             .last = part.last && i + 1 == type->field_count,
                             .front = at == part.at &&
                                      (part.front || f->bit_size / 8 < type->size)});
    }
  }
  span.count = l->regions.len - span.first;
  return span;
}

/* Regions for the elements of the regions from `first` on, and so on inwards. */
static void add_children(Layouts *l, PartVec *elements) {
  PartVec parts = {0}, inner = {0};
  uint32_t region = l->regions.len - elements->len;
  while (elements->len) {
    for (uint32_t i = 0; i < elements->len; i++) {
      vec_push(&parts, elements->data[i]);
      Span children = add_regions(l, &parts, &inner);
      l->regions.data[region + i].first_child = children.first;
      l->regions.data[region + i].child_count = children.count;
    }
    region = l->regions.len - inner.len;
    PartVec done = *elements;
    *elements = inner;
    inner = done;
    vec_clear(&inner);
  }
  vec_free(&parts);
  vec_free(&inner);
}

/* The type ends in an array that may be longer than it says. */
static bool is_open(const Layouts *l, TypeId type) {
  for (const Type *t = type_at(l, &type); t->kind == TYPE_STRUCT && t->field_count;
       t = type_at(l, &type)) {
    type = vec_at(&l->p->fields, t->first_field + t->field_count - 1)->type;
    const Type *last = type_at(l, &type);
    if (last->kind == TYPE_ARRAY) return last->count <= 1;
  }
  return false;
}

uint32_t layouts_of(Layouts *l, TypeId type, bool many) {
  if (!l->p->types.len) return 0;
  const Type *t = type_at(l, &type);
  uint64_t *slot = map_at(&l->known, (uint64_t)type * 2 + many);
  if (*slot) return (uint32_t)*slot - 1;
  PartVec parts = {0}, elements = {0};
  Span span = {.first = l->regions.len};
  bool several = many && t->kind != TYPE_ARRAY && !is_open(l, type);
  if (several && t->size && t->size <= SIZE_LIMIT) {
    vec_push(&l->regions, (Region){.element = (uint32_t)t->size,
                                   .step = (uint32_t)t->size,
                                   .end = UINT32_MAX});
    vec_push(&elements, (Part){.type = type});
    span.count = 1;
  } else {
    vec_push(&parts, (Part){.type = type, .last = true});
    span = add_regions(l, &parts, &elements);
  }
  add_children(l, &elements);
  vec_free(&parts);
  vec_free(&elements);
  *map_at(&l->known, (uint64_t)type * 2 + many) = span.count ? l->layouts.len + 1 : 1;
  if (!span.count) return 0;
  vec_push(&l->layouts, span);
  return l->layouts.len - 1;
}

/* The region of a list that contains the offset, or NULL. */
static const Region *find(const Layouts *l, uint32_t first, uint32_t count,
                          uint32_t offset) {
  const Region *r = &l->regions.data[first];
  uint32_t low = 0, high = count;
  while (low < high) { /* the last region that starts at or before the offset */
    uint32_t mid = low + (high - low) / 2;
    if (r[mid].start <= offset)
      low = mid + 1;
    else
      high = mid;
  }
  return low && offset < r[low - 1].end ? &r[low - 1] : NULL;
}

uint32_t layout_around(const Layouts *l, uint32_t layout, uint32_t offset,
                       const Region *ret[LAYOUT_DEPTH]) {
  uint32_t depth = 0;
  const Span *top = &l->layouts.data[layout];
  const Region *r = find(l, top->first, top->count, offset);
  while (r && depth < LAYOUT_DEPTH) {
    ret[depth++] = r;
    offset = r->start + (offset - r->start) % r->element;
    r = find(l, r->first_child, r->child_count, offset);
  }
  return depth;
}

uint32_t layout_fold(const Layouts *l, uint32_t layout, uint32_t offset) {
  const Span *top = &l->layouts.data[layout];
  const Region *r = find(l, top->first, top->count, offset);
  while (r) {
    offset = r->start + (offset - r->start) % r->element;
    r = find(l, r->first_child, r->child_count, offset);
  }
  return offset;
}

uint64_t layout_length(const Layouts *l, uint32_t layout) {
  const Span *top = &l->layouts.data[layout];
  uint64_t length = 0;
  for (uint32_t i = 0; i < top->count; i++) {
    const Region *r = &l->regions.data[top->first + i];
    uint64_t end = r->end == UINT32_MAX ? (uint64_t)r->start + r->step : r->end;
    length = end > length ? end : length;
  }
  return length;
}

/* Which bytes may an access touch?
 *
 * 1. A place is a folded offset f: it stands for every offset o of the object that folds to f, that is for
 *    one position in each element of every array around it. In an array of scalars it stands for the
 *    beginnings of elements only (pointsto_move.c sees to that), unless the array is the whole object.
 * 2. So the access touches some [o, o + size), and all that is known of o is f. If that range stays inside of
 *    one element, for each array around f, the folded offsets of its bytes are [f, f + size), whatever o is.
 * 3. If it does not, it begins in some element, the last one at worst, and goes on behind the array by what does
 *    not fit. Then it may touch all of the array and so much behind it. This is decided for the innermost array
 *    first; what comes out is the access as the array around sees it, for which the same question is asked.
 * 4. Where o is known exactly, its element is known as well, and the range ends where it ends.
 * 5. An array that was left, and an array of scalars in any case, is taken as a whole from its beginning on,
 *    so that whoever touches any of its bytes, in folded offsets, meets it.
 * 6. Two accesses that touch one byte b: both ranges contain the folded offset of b, or the beginning of an
 *    array that contains b and that one of them takes as a whole and the other one touches, folded into its
 *    first element or taken as a whole too. So their extents meet.
 * Nothing here relies on an access staying in the array that it begins in. */
LayoutExtent layout_extent(const Layouts *l, uint32_t layout, uint64_t at, uint64_t size,
                           bool exact) {
  const Region *around[LAYOUT_DEPTH];
  uint64_t begin[LAYOUT_DEPTH + 1] = {at}; /* as each of them sees it */
  uint32_t depth = 0;
  const Span *top = &l->layouts.data[layout];
  const Region *r = find(l, top->first, top->count, (uint32_t)at);
  for (; r && depth < LAYOUT_DEPTH; depth++) {
    uint64_t in = begin[depth] - r->start;
    around[depth] = r;
    begin[depth + 1] = r->start + in % r->step;
    r = find(l, r->first_child, r->child_count, (uint32_t)begin[depth + 1]);
  }
  if (r) return (LayoutExtent){.to = UINT64_MAX, .crosses = true};
  LayoutExtent e = {.from = begin[depth], .to = begin[depth] + size};
  for (uint32_t i = depth; i-- > 0;) {
    r = around[i];
    uint64_t end = r->end == UINT32_MAX ? UINT64_MAX : r->end;
    bool inside = e.to <= (uint64_t)r->start + r->step;
    if (inside && r->element != 1) continue;
    uint64_t length = e.to - begin[i + 1];
    e.from = r->start;
    e.crosses = e.crosses || !inside;
    uint64_t last = exact ? begin[i] : end - r->step + (begin[i + 1] - r->start);
    e.to = inside || end == UINT64_MAX || last + length < end ? end : last + length;
  }
  assert(e.from <= e.to);
  return e;
}
