/* Which memory is followed, and what it is in the beginning. See model_internal.h.
 *
 * A cell is a place that a run has but once, outside of arrays, that is accessed by LOAD, STORE,
 * RMW or CMPXCHG, or that the library writes a word to. Cells do not overlap. Whatever else may
 * write one makes it any value at that step, so that nothing needs to be excluded for it. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"
#include "engine/circ/abstract.h"
#include "engine/names.h"
#include "model/op_access.h"

#include <stdlib.h>

enum { WIDEST = 8 };

static uint64_t key_of(ObjectId object, uint32_t offset) {
  return (uint64_t)object << 32 | offset;
}

/* ---- places ---- */

/* To points-to all literals are one. */
static bool is_candidate(CircMaker *x, ObjectId object, uint32_t offset, uint32_t size) {
  const Object *o = vec_at(&x->p->objects, object);
  const uint8_t *racy = x->m->question.racy;
  bool outside =
      x->p->main && (x->p->functions.data[x->p->main].flags & FUNCTION_INTERNAL);
  bool heap = circ_is_heap(x, object);
  uint16_t not_one = OBJECT_EXTERNAL | OBJECT_LITERAL | (heap ? 0 : OBJECT_DYNAMIC);
  if ((!heap && !single_object(x->p, x->pt, object)) || o->kind == OBJECT_LIBRARY ||
      (o->flags & not_one) || object == x->p->errno_object)
    return false;
  if ((racy && racy[object]) || x->weak[object]) return false;
  if (outside && pointsto_escapes(x->pt, object)) return false;
  bool one = single_step(x->p, x->pt, object, offset) == 0;
  bool fits = heap || (offset < o->size && size <= o->size - offset);
  return size && size <= WIDEST && fits &&
         (one || (x->m->element && circ_address(x, object)));
}

/* The only place that the address is, whenever it is computed: of some object, if it is of the heap. */
static bool place_of(const CircMaker *x, ExprId address, ObjectId *ret_object,
                     uint32_t *ret_offset) {
  Targets t = pointsto_expr(x->pt, address);
  if (t.unknown || t.count != 1 || t.targets->function || t.targets->offset == OFFSET_ANY)
    return false;
  *ret_object = pointsto_object(x->pt, t.targets->object);
  *ret_offset = t.targets->offset;
  return *ret_object && *ret_object == t.targets->object;
}

static bool place_of_step(const CircMaker *x, const AutoStep *s, const OpAccess *access,
                          ObjectId *ret_object, uint32_t *ret_offset) {
  if (!s->object) return place_of(x, access->address, ret_object, ret_offset);
  *ret_object = s->object;
  *ret_offset = s->offset;
  return true;
}

/* The accesses to data that are of one known size. */
static uint32_t data_accesses(const CircMaker *x, const AutoStep *s, OpAccess *list) {
  uint32_t n = 0;
  if (s->kind != STEP_EDGE) return 0;
  uint32_t count = op_accesses(x->p, program_edge(x->p, s->edge), list);
  for (uint32_t i = 0; i < count; i++)
    if (!(list[i].kind & OP_OBJECT) && list[i].size && !list[i].count)
      list[n++] = list[i];
  return n;
}

static void note_access(CircMaker *x, const AutoStep *s) {
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = data_accesses(x, s, list);
  for (uint32_t i = 0; i < n; i++) {
    CircCell cell = {.size = list[i].size};
    if (!place_of_step(x, s, &list[i], &cell.object, &cell.offset) ||
        !is_candidate(x, cell.object, cell.offset, cell.size))
      continue;
    cell.stride = circ_element_stride(x, cell.object, cell.offset, cell.size);
    uint64_t *known = map_at(&x->cell_at, key_of(cell.object, cell.offset));
    if (!*known) {
      vec_push(&x->cells, cell);
      *known = x->cells.len;
    } else if (x->cells.data[*known - 1].size != cell.size) {
      x->cells.data[*known - 1].size = 0; /* accessed in two ways: not followed */
    }
  }
}

static int compare_cells(const void *a, const void *b) {
  const CircCell *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort_cells(CircMaker *x) {
  if (x->cells.len)
    qsort(x->cells.data, x->cells.len, sizeof *x->cells.data, compare_cells);
  map_clear(&x->cell_at);
  x->first_cell = arena_alloc_zero(x->arena, (x->p->objects.len + 2) * sizeof(uint32_t));
  for (uint32_t i = 0; i < x->cells.len; i++) {
    map_put(&x->cell_at, key_of(x->cells.data[i].object, x->cells.data[i].offset), i + 1);
    x->first_cell[x->cells.data[i].object + 1]++;
  }
  for (uint32_t o = 0; o <= x->p->objects.len; o++)
    x->first_cell[o + 1] += x->first_cell[o];
}

/* Of cells that overlap none is followed. */
static void drop_overlaps(CircMaker *x) {
  uint8_t *bad = arena_alloc_zero(x->arena, x->cells.len + 1);
  for (uint32_t i = 0; i < x->cells.len; i++) {
    const CircCell *c = &x->cells.data[i];
    for (uint32_t k = i + 1; k < x->cells.len; k++) {
      const CircCell *next = &x->cells.data[k];
      if (next->object != c->object || next->offset >= c->offset + WIDEST) break;
      if (next->offset < c->offset + (c->size ? c->size : WIDEST)) bad[i] = bad[k] = 1;
    }
  }
  for (uint32_t i = 0; i < x->cells.len; i++)
    if (bad[i]) x->cells.data[i].size = 0;
}

/* ---- writes ---- */

typedef struct {
  CircMaker *x;
  CircHere *s; /* NULL: only note that it is written */
  const CircPlaces *known;
  ObjectId made; /* it is allocated: circ_heap says what is in it */
} Spoiler;

/* The cells that come into question: those of the object, or all. */
static uint32_t first_cell(const CircMaker *x, const Touch *t) {
  return t->key < x->p->objects.len ? x->first_cell[t->key] : x->cells.len;
}

static uint32_t end_cell(const CircMaker *x, const Touch *t) {
  return t->key && t->key < x->p->objects.len ? x->first_cell[t->key + 1] : x->cells.len;
}

static bool may_touch(const CircMaker *x, const CircCell *c, const Touch *t) {
  if (!c->size) return false;
  if (!t->key) return pointsto_escapes(x->pt, c->object);
  if (t->key != c->object) return false;
  if (t->offset == OFFSET_ANY || !t->size) return true;
  PlaceExtent a = pointsto_extent(x->pt, c->object, t->offset, t->size, false);
  PlaceExtent b = pointsto_extent(x->pt, c->object, c->offset, c->size, true);
  return a.from < b.to && b.from < a.to;
}

static bool is_among(const CircPlaces *places, const CircCell *c) {
  for (uint32_t i = 0; places && i < places->count; i++)
    if (places->list[i].cell == c) return true;
  return false;
}

static void spoil(void *user, const Touch *t) {
  const Spoiler *y = user;
  CircMaker *x = y->x;
  bool made = (t->kind & TOUCH_NEW) && t->key && t->key == y->made;
  if (y->s && !made) circ_heap_end(x, y->s, t);
  if (!(t->kind & TOUCH_WRITE) || made) return;
  for (uint32_t i = first_cell(x, t); i < end_cell(x, t); i++) {
    CircCell *c = &x->cells.data[i];
    if (!may_touch(x, c, t)) continue;
    c->written = true;
    if (!y->s || is_among(y->known, c)) continue;
    circ_put(x, y->s, c->shared, circ_any(x, c->size * 8, "written"));
  }
}

void circ_spoil(CircMaker *x, CircHere *s, const AutoStep *step,
                const CircPlaces *known) {
  bool zeroed;
  Spoiler y = {x, s, known, s ? circ_allocated(x, step, &zeroed) : 0};
  automaton_touches(x->m->automata, step, spoil, &y);
}

typedef struct {
  CircMaker *x;
  uint32_t
      bytes; /* that change: those of a lock before its kind, the word of small objects */
} Dropper;

/* Bytes of objects of synchronisation are written by the library, whenever it likes. */
static void drop_touched(void *user, const Touch *touch) {
  const Dropper *y = user;
  CircMaker *x = y->x;
  Touch t = *touch;
  if (!(t.kind & TOUCH_SYNC)) return;
  t.size = y->bytes;
  for (uint32_t i = first_cell(x, &t); i < end_cell(x, &t); i++)
    if (may_touch(x, &x->cells.data[i], &t)) x->cells.data[i].size = 0;
}

static void drop_synchronisation(CircMaker *x, const AutoStep *s) {
  uint8_t lock = program_edge(x->p, s->edge)->lock;
  bool small = lock != LOCK_MUTEX && lock != LOCK_RW;
  Dropper y = {x, small ? ONCE_BYTES : MUTEX_KIND_OFFSET};
  automaton_touches(x->m->automata, s, drop_touched, &y);
}

/* ---- all of it ---- */

static void each_step(CircMaker *x, void (*visit)(CircMaker *x, const AutoStep *s)) {
  for (uint32_t k = 0; k < x->m->automata->kinds.len; k++) {
    const Automaton *a = &x->m->automata->kinds.data[k];
    for (uint32_t i = 1; i < a->steps.len; i++) visit(x, &a->steps.data[i]);
  }
}

static void note_writes(CircMaker *x, const AutoStep *s) {
  circ_spoil(x, NULL, s, NULL);
}

void circ_cells_find(CircMaker *x) {
  each_step(x, note_access);
  sort_cells(x);
  drop_overlaps(x);
  each_step(x, drop_synchronisation);
  each_step(x, note_writes);
  for (uint32_t i = 0; i < x->cells.len; i++) {
    CircCell *c = &x->cells.data[i];
    if (!c->size) continue;
    CircShared v = {.object = c->object, .offset = c->offset, .stride = c->stride};
    v.start = c->stride ? circ_element_start(x, c)
                        : circ_initial(x, c->object, c->offset, c->size);
    v.name = name_of_place(x->p, c->object, c->offset, x->arena);
    c->address = circ_holds_address(x, c->object, c->offset);
    c->shared = circ_shared(x, v, c->size * 8);
  }
}

/* ---- addresses ---- */

bool circ_holds_address(const CircMaker *x, ObjectId object, uint32_t offset) {
  Targets t = pointsto_content(x->pt, object, offset);
  return t.unknown || t.count;
}

bool circ_is_number(const CircMaker *x, LocalId local) {
  return local && vec_at(&x->p->locals, local)->sort != SORT_PTR;
}

static const CircCell *cell_in(const CircMaker *x, ObjectId object, uint32_t offset,
                               uint32_t size) {
  uint64_t known = map_find(&x->cell_at, key_of(object, offset), 0);
  const CircCell *c = known ? &x->cells.data[known - 1] : NULL;
  return c && c->size && c->size == size ? c : NULL;
}

/* ---- accesses ---- */

static void add_place(CircPlaces *ret, const CircCell *cell, Term guard) {
  if (cell && guard && ret->count < CIRC_PLACES)
    ret->list[ret->count++] = (CircPlace){cell, guard, 0};
  else
    ret->other = true;
}

/* It may be to this element, to some bytes of it, or to another one. */
static void add_element(CircMaker *x, CircPlaces *ret, const CircCell *cell,
                        Term address) {
  address = term_fit(x->t, address, 64);
  if (circ_is_heap(x, cell->object) &&
      single_step(x->p, x->pt, cell->object, cell->offset) == cell->stride) {
    /* pointers to other elements are elements apart */
    add_place(ret, cell,
              circ_is_behind(x, address, cell->offset, cell->object, cell->stride));
    ret->other = true;
    return;
  }
  Term at = circ_element_at(x, cell->object, cell->offset, cell->stride);
  add_place(ret, cell, term_eq(x->t, address, at));
  if (ret->count && ret->list[ret->count - 1].cell == cell)
    ret->list[ret->count - 1].touches =
        circ_overlap(x->t, address, cell->size, at, cell->size);
  ret->other = true;
}

/* A pointer to one of several cells: which of them, its value tells. */
static void add_targets(CircMaker *x, const CircHere *s, const AutoStep *step,
                        const OpAccess *access, CircPlaces *ret) {
  Targets t = pointsto_expr(x->pt, access->address);
  ret->other = t.unknown;
  if (t.unknown || t.count > CIRC_PLACES) {
    ret->other = true;
    return;
  }
  Term address = circ_value(x, s, step->frame, access->address);
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *to = &t.targets[i];
    ObjectId object = to->function ? 0 : pointsto_object(x->pt, to->object);
    bool whole = object && object == to->object && to->offset != OFFSET_ANY;
    const CircCell *c = whole ? cell_in(x, object, to->offset, access->size) : NULL;
    if (c && c->stride) {
      add_element(x, ret, c, address);
      continue;
    }
    bool known = c && circ_address(x, object);
    add_place(ret, c, known ? circ_is_behind(x, address, to->offset, object, 0) : 0);
    ret->other = ret->other || (object && circ_is_heap(x, object));
  }
}

void circ_places(CircMaker *x, const CircHere *s, const AutoStep *step, CircPlaces *ret) {
  OpAccess list[OP_ACCESS_MAX];
  ObjectId object;
  uint32_t offset;
  *ret = (CircPlaces){0};
  if (data_accesses(x, step, list) != 1)
    ret->other = true;
  else if (!place_of_step(x, step, &list[0], &object, &offset) || circ_is_heap(x, object))
    add_targets(x, s, step, &list[0], ret);
  else {
    const CircCell *c = cell_in(x, object, offset, list[0].size);
    if (c && c->stride)
      add_element(x, ret, c, circ_value(x, s, step->frame, list[0].address));
    else
      add_place(ret, c, term_bool(x->t, true));
  }
}

static Term value_of(const CircMaker *x, const CircHere *s, const CircCell *c) {
  const CircShared *v = vec_at(&x->m->shared, c->shared);
  return !c->written && v->start ? v->start : circ_get(x, s, c->shared);
}

/* If it is to nothing else it is to the last one where it is to none before. */
Term circ_load(CircMaker *x, const CircHere *s, const CircPlaces *at, uint32_t size) {
  Term value = 0;
  if (at->other || !at->count) value = circ_any(x, size * 8, "memory");
  for (uint32_t i = at->count; i > 0; i--) {
    const CircPlace *p = &at->list[i - 1];
    Term here = value_of(x, s, p->cell);
    value = value ? term_ite(x->t, p->guard, here, value) : here;
  }
  return value;
}

void circ_store(CircMaker *x, CircHere *s, const CircPlaces *at, Term value) {
  for (uint32_t i = 0; i < at->count; i++) {
    const CircPlace *p = &at->list[i];
    Term old = circ_get(x, s, p->cell->shared);
    Term fit = term_fit(x->t, value, term_bits(x->t, old));
    if (p->touches && p->touches != p->guard)
      old = term_ite(x->t, p->touches, circ_any(x, term_bits(x->t, old), "written"), old);
    circ_put(x, s, p->cell->shared, term_ite(x->t, p->guard, fit, old));
  }
}

/* ---- many bytes at once ---- */

/* The place of an operand outside of arrays. */
static bool exact_place(const CircMaker *x, ExprId address, ObjectId *ret_object,
                        uint32_t *ret_offset) {
  return place_of(x, address, ret_object, ret_offset) &&
         single_object(x->p, x->pt, *ret_object) &&
         !(x->p->objects.data[*ret_object].flags & OBJECT_LITERAL) &&
         pointsto_place_step(x->pt, *ret_object, *ret_offset) == 0;
}

/* What the cell is afterwards; 0: any value. */
static Term bulk_value(CircMaker *x, const CircHere *s, const AutoStep *step,
                       const CircCell *c, uint32_t to) {
  const Edge *e = program_edge(x->p, step->edge);
  ObjectId object;
  uint32_t from;
  if (e->op == OP_FILL) {
    Term byte = term_fit(x->t, circ_value(x, s, step->frame, e->b), 8), value = byte;
    for (uint32_t i = 1; i < c->size; i++) value = term_concat(x->t, value, byte);
    return value;
  }
  if (!exact_place(x, e->b, &object, &from)) return 0;
  const CircCell *source = cell_in(x, object, from + (c->offset - to), c->size);
  return source && !source->stride ? value_of(x, s, source) : 0;
}

void circ_bulk(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  CircHere before;
  ObjectId object;
  uint32_t to;
  uint64_t count;
  circ_here_copy(s, &before);
  circ_spoil(x, s, step, NULL);
  bool known = term_get_const(x->t, circ_value(x, &before, step->frame, e->c), &count) &&
               exact_place(x, e->a, &object, &to);
  for (uint32_t i = known ? x->first_cell[object] : 0;
       known && i < x->first_cell[object + 1]; i++) {
    const CircCell *c = &x->cells.data[i];
    if (!c->size || c->stride || c->offset < to || c->offset + c->size > to + count)
      continue;
    Term value = bulk_value(x, &before, step, c, to);
    if (value) circ_put(x, s, c->shared, value);
  }
  circ_here_free(&before);
}
