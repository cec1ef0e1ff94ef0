/* Shared memory as cells. See rounds_internal.h.
 *
 * The offsets at which accesses begin and end cut each instance into cells; then every access covers
 * whole cells, and a cell is a variable. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

typedef VEC(uint64_t) Cuts;

static bool is_access(const SeqEvent *e) {
  return e->kind == SEQ_READ || e->kind == SEQ_WRITE || e->kind == SEQ_UPDATE;
}

static uint64_t key_of(uint32_t instance, uint64_t offset) {
  return (uint64_t)instance << 32 | offset;
}

/* All places of all accesses, with offsets instead of cells at first. */
typedef struct {
  uint32_t thread, event, instance;
  uint64_t offset;
  Term guard;
} RawPlace;

typedef VEC(RawPlace) RawPlaces;

static void find_all(Rounds *r, RawPlaces *raw, Cuts *cuts) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    for (uint32_t i = 0; i < r->seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &r->seq->threads.data[t].events.data[i];
      if (!is_access(e)) continue;
      EventPlaces *places = &r->threads[t].accesses[i];
      bool known = seq_places_or(r->seq, e->address, e->pointer, e->size, &r->found,
                                 &places->left);
      for (uint32_t k = 0; known && k < r->found.len; k++) {
        const SeqPlace *p = &r->found.data[k];
        vec_push(raw, (RawPlace){t, i, p->instance, p->offset, p->guard});
        vec_push(cuts, key_of(p->instance, p->offset));
        vec_push(cuts, key_of(p->instance, p->offset + e->size));
      }
    }
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* A cell between each two cuts of an instance. */
static void make_cells(Rounds *r, Cuts *cuts) {
  if (cuts->len) qsort(cuts->data, cuts->len, sizeof *cuts->data, by_number);
  for (uint32_t i = 0; i + 1 < cuts->len; i++) {
    uint64_t a = cuts->data[i], b = cuts->data[i + 1];
    if (a == b || a >> 32 != b >> 32) continue;
    Cell c = {.instance = (uint32_t)(a >> 32), .offset = a & UINT32_MAX};
    c.size = (uint32_t)(b - a);
    vec_push(&r->cells, c);
    map_put(&r->cell_at, a, r->cells.len);
  }
}

static Term start_of(Rounds *r, const Cell *c) {
  return seq_start(r->seq, c->instance, c->offset, c->size);
}

void cells_build(Rounds *r) {
  RawPlaces raw = {0};
  Cuts cuts = {0};
  find_all(r, &raw, &cuts);
  make_cells(r, &cuts);
  for (uint32_t i = 0; i < r->cells.len; i++)
    r->cells.data[i].slot = slot_new(r, start_of(r, &r->cells.data[i]));
  for (uint32_t i = 0; i < raw.len; i++) {
    const RawPlace *p = &raw.data[i];
    EventPlaces *places = &r->threads[p->thread].accesses[p->event];
    uint32_t size = r->seq->threads.data[p->thread].events.data[p->event].size;
    CellPlace place = {.guard = p->guard};
    place.first_cell =
        (uint32_t)map_find(&r->cell_at, key_of(p->instance, p->offset), 1) - 1;
    for (uint64_t at = 0; at < size; place.cell_count++)
      at += r->cells.data[place.first_cell + place.cell_count].size;
    assert(map_get(&r->cell_at, key_of(p->instance, p->offset)));
    if (!places->place_count++) places->first_place = r->places.len;
    vec_push(&r->places, place);
  }
  vec_free(&raw);
  vec_free(&cuts);
}

void cells_free(Rounds *r) {
  vec_free(&r->cells);
  vec_free(&r->places);
  map_free(&r->cell_at);
}

/* ---- objects of synchronisation that are written as memory ---- */

/* The bytes of such an object that say what it is in the beginning. */
static bool holds_state(const SyncObject *o, uint64_t offset, uint64_t size) {
  uint64_t kind = o->offset + MUTEX_KIND_OFFSET;
  return (offset < o->offset + SEM_VALUE_BYTES && o->offset < offset + size) ||
         (offset < kind + MUTEX_KIND_BYTES && kind < offset + size);
}

static bool is_sync_state(const Rounds *r, uint32_t instance, uint64_t offset,
                          uint64_t size) {
  for (uint32_t i = 0; i < r->objects.len; i++)
    if (r->objects.data[i].instance == instance &&
        holds_state(&r->objects.data[i], offset, size))
      return true;
  return false;
}

void cells_keep_sync_apart(Rounds *r) {
  if (!r->seq->whole) return;
  for (uint32_t i = 0; i < r->objects.len; i++)
    if (r->seq->instances.data[r->objects.data[i].instance].stored)
      rounds_lose(r, term_bool(r->t, true));
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    for (uint32_t i = 0; i < r->seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &r->seq->threads.data[t].events.data[i];
      const EventPlaces *places = &r->threads[t].accesses[i];
      for (uint32_t k = 0; e->kind != SEQ_READ && k < places->place_count; k++) {
        const CellPlace *p = &r->places.data[places->first_place + k];
        const Cell *c = &r->cells.data[p->first_cell];
        if (is_sync_state(r, c->instance, c->offset, e->size))
          rounds_lose(r, term_and(r->t, p->guard, rounds_performed(r, t, i)));
      }
    }
}

static void read_cells(Rounds *r, const CellPlace *p, Term condition, Term value) {
  uint32_t bit = 0;
  for (uint32_t i = 0; i < p->cell_count; i++) {
    const Cell *c = &r->cells.data[p->first_cell + i];
    assert(bit + c->size * 8 <= term_bits(r->t, value));
    if (r->seq->instances.data[c->instance].wild) return;
    Term part = term_extract(r->t, value, bit, c->size * 8);
    rounds_fact(r, condition, term_eq(r->t, part, slot_read(r, c->slot, condition)));
    bit += c->size * 8;
  }
}

static void write_cells(Rounds *r, const CellPlace *p, Term condition, Term value) {
  uint32_t bit = 0;
  for (uint32_t i = 0; i < p->cell_count; i++) {
    const Cell *c = &r->cells.data[p->first_cell + i];
    assert(bit + c->size * 8 <= term_bits(r->t, value));
    slot_write(r, c->slot, condition, term_extract(r->t, value, bit, c->size * 8));
    bit += c->size * 8;
    r->size++;
  }
}

void cells_access(Rounds *r, uint32_t thread, uint32_t event, Term performed) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  const EventPlaces *places = &r->threads[thread].accesses[event];
  Term any = term_bool(r->t, false);
  for (uint32_t i = 0; i < places->place_count; i++) {
    const CellPlace *p = &r->places.data[places->first_place + i];
    Term here = term_and(r->t, performed, p->guard);
    any = term_or(r->t, any, p->guard);
    if (e->kind != SEQ_WRITE) read_cells(r, p, here, e->value);
  }
  for (uint32_t i = 0; i < places->place_count; i++) {
    const CellPlace *p = &r->places.data[places->first_place + i];
    Term here = term_and(r->t, performed, p->guard);
    if (e->kind == SEQ_UPDATE) here = term_and(r->t, here, e->stores);
    if (e->kind != SEQ_READ) write_cells(r, p, here, e->stored);
  }
  rounds_lose(r, term_and(r->t, performed, places->left));
  /* anything else is undefined: the path ends */
  rounds_fact(r, performed, term_or(r->t, any, places->left));
}
