/* See visited.h. Both levels are one kind of table: strings of bytes, each kept once and
 * known by its number. */
#include "engine/interleave/visited.h"

#include "base/arena.h"

#include <assert.h>
#include <xxhash.h>

enum { PIECE = 256, FIRST_SLOTS = 1 << 10 };

typedef struct {
  uint32_t string; /* its number + 1; 0: free */
  uint32_t tag;    /* a part of the hash, so that few strings are compared in vain */
} Slot;

typedef struct {
  Arena *arena;
  VEC(const uint32_t *) strings; /* the length in bytes, then the bytes */
  Slot *slots;
  uint64_t slot_count; /* a power of two */
} Table;

struct Visited {
  Table pieces, states;
  VEC(uint32_t) list;
};

Visited *visited_new(void) {
  Visited *v = mem_alloc_zero(sizeof *v);
  v->pieces.arena = arena_new();
  v->states.arena = arena_new();
  return v;
}

static void table_free(Table *t) {
  arena_free(t->arena);
  vec_free(&t->strings);
  mem_free(t->slots);
}

void visited_free(Visited *v) {
  if (!v) return;
  table_free(&v->pieces);
  table_free(&v->states);
  vec_free(&v->list);
  mem_free(v);
}

static void table_grow(Table *t) {
  uint64_t count = t->slot_count ? 2 * t->slot_count : FIRST_SLOTS;
  Slot *slots = mem_alloc_zero(count * sizeof *slots);
  for (uint64_t i = 0; i < t->slot_count; i++) {
    if (!t->slots[i].string) continue;
    const uint32_t *s = t->strings.data[t->slots[i].string - 1];
    uint64_t at = XXH3_64bits(s + 1, *s) & (count - 1);
    while (slots[at].string) at = (at + 1) & (count - 1);
    slots[at] = t->slots[i];
  }
  mem_free(t->slots);
  t->slots = slots;
  t->slot_count = count;
}

/* The number of a string, which is new if that is the count of strings before. */
static uint32_t table_number(Table *t, const void *bytes, uint32_t n) {
  if (2 * (t->strings.len + UINT64_C(1)) > t->slot_count) table_grow(t);
  assert(2 * (t->strings.len + UINT64_C(1)) <= t->slot_count); /* some slot is free */
  uint64_t hash = XXH3_64bits(bytes, n);
  uint32_t tag = (uint32_t)(hash >> 32);
  uint64_t at = hash & (t->slot_count - 1);
  for (; t->slots[at].string; at = (at + 1) & (t->slot_count - 1)) {
    if (t->slots[at].tag != tag) continue;
    const uint32_t *s = t->strings.data[t->slots[at].string - 1];
    if (*s == n && !memcmp(s + 1, bytes, n)) return t->slots[at].string - 1;
  }
  uint32_t *s = arena_alloc(t->arena, sizeof *s + n);
  *s = n;
  memcpy(s + 1, bytes, n);
  vec_push(&t->strings, s);
  t->slots[at] = (Slot){t->strings.len, tag};
  return t->strings.len - 1;
}

bool visited_add(Visited *v, const Packed *state, uint32_t *ret_number) {
  vec_clear(&v->list);
  uint32_t from = 0;
  for (uint32_t i = 0; i < state->cut_count; i++)
    while (from < state->cuts[i]) {
      uint32_t n = state->cuts[i] - from < PIECE ? state->cuts[i] - from : PIECE;
      vec_push(&v->list, table_number(&v->pieces, state->data + from, n));
      from += n;
    }
  assert(from == state->canonical);
  uint32_t before = v->states.strings.len;
  *ret_number = table_number(&v->states, v->list.data,
                             v->list.len * (uint32_t)sizeof *v->list.data);
  return *ret_number == before;
}

void visited_get(const Visited *v, uint32_t number, ByteVec *bytes) {
  const uint32_t *list = *vec_at(&v->states.strings, number);
  for (uint32_t i = 0; i < *list / sizeof *list; i++) {
    const uint32_t *piece = *vec_at(&v->pieces.strings, list[1 + i]);
    memcpy(vec_extend(bytes, *piece), piece + 1, *piece);
  }
}

uint32_t visited_count(const Visited *v) {
  return v->states.strings.len;
}

static uint64_t table_bytes(const Table *t) {
  return arena_used(t->arena) + t->slot_count * sizeof *t->slots +
         t->strings.cap * sizeof *t->strings.data;
}

uint64_t visited_bytes(const Visited *v) {
  return table_bytes(&v->pieces) + table_bytes(&v->states);
}
