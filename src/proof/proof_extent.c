/* Which bytes an access may touch.
 *
 * 1. Points-to says of an address: it is in this object, at an offset o that is one with a place f
 *    (pointsto_fold_offset(o) = f), and o - f is a multiple of the place's step. It says nothing else.
 * 2. The access touches the bytes from o to o + size. Each of these bytes is one with some folded offset.
 * 3. So all that it may touch is the union, over all such o, of the folded offsets of those bytes. This
 *    set is made here literally, by trying every o; no array or structure is looked at. An access that
 *    begins in the last element of an array reaches, in the set, behind the array, as it does in memory.
 * 4. Two accesses that touch the same byte b both have the folded offset of b in their sets.
 * 5. Offsets beyond twice the length after which folding repeats add nothing: what begins there behaves as what
 *    begins one length before.
 * 6. If the offset is known exactly, o is the only one to try. Two such accesses need no folding.
 * Whatever is too large to be tried touches everything. */
#include "proof/proof_internal.h"

#include <assert.h>

enum { MOST_BYTES = 1 << 20, MOST_WORK = 1 << 26 };

static void set_bit(uint8_t *bits, uint32_t i) {
  bits[i / 8] |= (uint8_t)(1u << (i % 8));
}

static bool has_bit(const ByteSet *s, uint64_t i) {
  return i / 8 < s->length && (s->bits[i / 8] >> (i % 8) & 1);
}

/* So many offsets are tried; 0: too many. */
static uint64_t offsets_to_try(const Proof *p, AObject object, uint64_t offset,
                               uint32_t size) {
  const Object *o = &p->p->objects.data[pointsto_object(p->pt, object)];
  uint64_t most = 2 * pointsto_folded_bytes(p->pt, object) + offset + size + 1;
  bool known = pointsto_object_kind(p->pt, object) == AOBJECT_PROGRAM && o->size &&
               o->kind != OBJECT_HEAP && !(o->flags & OBJECT_DYNAMIC);
  if (known && o->size < most) most = o->size;
  return most <= MOST_BYTES ? most : 0;
}

/* The bytes of one o. */
static bool add_bytes(Proof *p, AObject object, uint64_t at, uint32_t size, ByteSet *s) {
  for (uint32_t k = 0; k < size; k++) {
    uint32_t folded = pointsto_fold_offset(p->pt, object, at + k);
    if (folded / 8 >= s->length || ++p->tried > MOST_WORK) return false;
    set_bit(s->bits, folded);
  }
  return true;
}

static const ByteSet *make_set(Proof *p, AObject object, uint64_t offset, uint32_t size,
                               bool exact) {
  uint64_t most = offsets_to_try(p, object, offset, size);
  if (!most || size > MOST_BYTES) return NULL;
  ByteSet *s = arena_alloc_zero(p->arena, sizeof *s);
  s->length = (uint32_t)((most + size) / 8 + 1);
  s->bits = arena_alloc_zero(p->arena, s->length);
  if (exact) return add_bytes(p, object, offset, size, s) ? s : NULL;
  uint32_t step = pointsto_place_step(p->pt, object, (uint32_t)offset);
  uint64_t first = step ? offset % step : offset, by = step ? step : most + 1;
  bool met = false;
  for (uint64_t o = first; o < most; o += by) {
    if (++p->tried > MOST_WORK) return NULL;
    if (pointsto_fold_offset(p->pt, object, o) != offset) continue;
    met = true;
    if (!add_bytes(p, object, o, size, s)) return NULL;
  }
  return met ? s : NULL;
}

const ByteSet *bytes_touched(Proof *p, AObject object, uint32_t offset,
                             const Val *address, uint32_t size) {
  bool exact = address && address->known && address->base && !(address->base & 1) &&
               !address->index && address->base >> 1 == object;
  uint64_t at = exact ? (uint64_t)address->offset : offset;
  if (!size || at >= OFFSET_ANY || !object || object >= pointsto_object_count(p->pt))
    return NULL;
  struct {
    uint64_t at;
    uint32_t object, size, exact, unused;
  } key = {at, object, size, exact, 0};
  uint64_t *slot = strmap_at(&p->touched, (const char *)&key, sizeof key);
  if (!*slot) {
    const ByteSet *s = make_set(p, object, at, size, exact);
    slot = strmap_at(&p->touched, (const char *)&key, sizeof key);
    *slot = s ? (uint64_t)(uintptr_t)s : UINT64_MAX;
  }
  return *slot == UINT64_MAX ? NULL : (const ByteSet *)(uintptr_t)*slot;
}

bool byte_sets_meet(const ByteSet *a, const ByteSet *b) {
  if (!a || !b) return true;
  for (uint32_t i = 0; i < a->length && i < b->length; i++)
    if (a->bits[i] & b->bits[i]) return true;
  return false;
}

bool byte_set_has(const ByteSet *s, uint32_t folded) {
  return !s || folded == OFFSET_ANY || has_bit(s, folded);
}

bool byte_set_is_within(const ByteSet *s, uint64_t from, uint64_t to) {
  if (!s) return from == 0 && to == UINT64_MAX;
  for (uint64_t i = 0; i < (uint64_t)s->length * 8; i++)
    if (has_bit(s, i) && (i < from || i >= to)) return false;
  return true;
}

/* If two accesses of so many bytes at this place meet at all, their addresses are equal: the offsets that
 * the place stands for are multiples of the size apart. */
bool place_holds_whole(const Proof *p, AObject object, uint32_t offset, uint32_t size) {
  assert(size && !(size & (size - 1)));
  if (offset == OFFSET_ANY || !object || object >= pointsto_object_count(p->pt))
    return false;
  return pointsto_place_step(p->pt, object, offset) % size == 0;
}
