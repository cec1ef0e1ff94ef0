/* Sets of locs, each kept once: see pointsto_set.h.
 *
 * A union or difference is made in a scratch list by one walk over both operands, and looked
 * up by its bytes. Answers are remembered; when too many are, they are forgotten, which costs
 * time only. */
#include "analysis/pointsto_set.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 1024, ANSWERS_LIMIT = 1 << 22, KEYS_PER_OBJECT = LOC_PLACES / 64 };
#define KEY_ANY (LOC_ANY / 64)

/* ---- under construction ---- */

void locset_free(LocSet *set) {
  mem_free(set->blocks);
  *set = (LocSet){0};
}

/* The first block whose key is not below `key`. */
static uint32_t lower_bound(const LocSet *set, uint64_t key) {
  uint32_t low = 0, high = set->len;
  if (high && set->blocks[high - 1].key < key) return high;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (set->blocks[mid].key < key)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

void locset_add_block(LocSet *set, uint64_t key, uint64_t bits) {
  assert(bits);
  uint32_t i = lower_bound(set, key);
  if (i < set->len && set->blocks[i].key == key) {
    set->blocks[i].bits |= bits;
    return;
  }
  if (set->len == set->cap) {
    set->cap = set->cap ? set->cap * 2 : 4;
    set->blocks = mem_realloc(set->blocks, set->cap * sizeof *set->blocks);
  }
  memmove(&set->blocks[i + 1], &set->blocks[i], (set->len - i) * sizeof *set->blocks);
  set->blocks[i] = (LocBlock){.key = key, .bits = bits};
  set->len++;
}

void locset_add(LocSet *set, LocNo loc) {
  locset_add_block(set, loc / 64, UINT64_C(1) << loc % 64);
}

/* ---- the table ---- */

void pt_sets_init(Sets *sets) {
  *sets = (Sets){.slot_count = SLOTS_FIRST};
  sets->slots = mem_alloc_zero(SLOTS_FIRST * sizeof *sets->slots);
  vec_push(&sets->spans, (SetSpan){0});
}

void pt_sets_free(Sets *sets) {
  vec_free(&sets->blocks);
  vec_free(&sets->spans);
  vec_free(&sets->scratch);
  vec_free(&sets->merged[0]);
  vec_free(&sets->merged[1]);
  map_free(&sets->unions);
  map_free(&sets->differences);
  mem_free(sets->slots);
  *sets = (Sets){0};
}

static uint32_t hash_blocks(const LocBlock *blocks, uint32_t count) {
  uint64_t h = count;
  for (uint32_t i = 0; i < count; i++) {
    h = (h ^ blocks[i].key) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32 ^ blocks[i].bits) * UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 29;
  }
  return (uint32_t)(h ^ h >> 32);
}

static void grow_slots(Sets *sets) {
  mem_free(sets->slots);
  sets->slot_count *= 2;
  sets->slots = mem_alloc_zero(sets->slot_count * sizeof *sets->slots);
  for (SetNo set = 1; set < sets->spans.len; set++) {
    uint32_t at = sets->spans.data[set].hash & (sets->slot_count - 1);
    while (sets->slots[at]) at = (at + 1) & (sets->slot_count - 1);
    sets->slots[at] = set;
  }
}

/* As every set must be (pointsto_set.h), but for what "anywhere" covers. */
static bool is_proper(const LocBlock *blocks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!blocks[i].bits || (i && blocks[i - 1].key >= blocks[i].key)) return false;
  return true;
}

/* The set with these blocks; they are not in the table's own list. */
static SetNo put(Sets *sets, const LocBlock *blocks, uint32_t count) {
  if (!count) return 0;
  assert(is_proper(blocks, count));
  uint32_t hash = hash_blocks(blocks, count), at = hash & (sets->slot_count - 1);
  for (; sets->slots[at]; at = (at + 1) & (sets->slot_count - 1)) {
    const SetSpan *span = &sets->spans.data[sets->slots[at]];
    if (span->hash == hash && span->count == count &&
        memcmp(&sets->blocks.data[span->first], blocks, count * sizeof *blocks) == 0)
      return sets->slots[at];
  }
  SetSpan span = {.first = sets->blocks.len, .count = count, .hash = hash};
  while (span.places < count && blocks[span.places].key < KEY_ANY) span.places++;
  memcpy(vec_extend(&sets->blocks, count), blocks, count * sizeof *blocks);
  sets->slots[at] = sets->spans.len;
  vec_push(&sets->spans, span);
  if (sets->spans.len > sets->slot_count / 2) grow_slots(sets);
  return sets->spans.len - 1;
}

/* ---- walking over blocks ---- */

typedef struct {
  const LocBlock *at, *end; /* what is still to come */
  const LocBlock *any;      /* the same for questions about "anywhere", which ascend */
} Walk;

static Walk walk(const Sets *sets, SetNo set) {
  const SetSpan *span = &sets->spans.data[set];
  const LocBlock *first = sets->blocks.data + span->first;
  return (Walk){first, first + span->count, first + span->places};
}

/* A block of places, all of an object that is "anywhere" in the set of the walk. */
static bool covers(Walk *w, uint64_t key) {
  if (key >= KEY_ANY) return false;
  uint64_t loc = LOC_ANY + key / KEYS_PER_OBJECT;
  while (w->any < w->end && w->any->key < loc / 64) w->any++;
  return w->any < w->end && w->any->key == loc / 64 && (w->any->bits >> loc % 64 & 1);
}

SetNo pt_sets_take(Sets *sets, LocSet *made) {
  uint32_t places = 0, kept = 0;
  while (places < made->len && made->blocks[places].key < KEY_ANY) places++;
  Walk w = {.end = made->blocks + made->len, .any = made->blocks + places};
  for (uint32_t i = 0; i < places; i++)
    if (!covers(&w, made->blocks[i].key)) made->blocks[kept++] = made->blocks[i];
  if (kept < places)
    memmove(&made->blocks[kept], &made->blocks[places],
            (made->len - places) * sizeof *made->blocks);
  SetNo set = put(sets, made->blocks, made->len - (places - kept));
  made->len = 0;
  return set;
}

SetNo pt_sets_one(Sets *sets, LocNo loc) {
  LocBlock block = {.key = loc / 64, .bits = UINT64_C(1) << loc % 64};
  return put(sets, &block, 1);
}

bool pt_sets_is_one(const Sets *sets, SetNo set) {
  assert(set < sets->spans.len);
  const SetSpan *span = &sets->spans.data[set];
  return span->count == 1 &&
         __builtin_popcountll(sets->blocks.data[span->first].bits) == 1;
}

static SetNo make_union(Sets *sets, SetNo a, SetNo b) {
  Walk x = walk(sets, a), y = walk(sets, b);
  bool is_a = true, is_b = true; /* the result, so far */
  vec_clear(&sets->scratch);
  vec_reserve(&sets->scratch, (size_t)(x.end - x.at) + (size_t)(y.end - y.at));
  LocBlock *out = sets->scratch.data;
  while (x.at < x.end || y.at < y.end) {
    bool from_x = x.at < x.end && (y.at == y.end || x.at->key <= y.at->key);
    bool from_y = y.at < y.end && (x.at == x.end || y.at->key <= x.at->key);
    uint64_t key = from_x ? x.at->key : y.at->key;
    uint64_t in_x = from_x ? x.at++->bits : 0, in_y = from_y ? y.at++->bits : 0;
    if (from_x && covers(&y, key)) {
      is_a = false;
    } else if (from_y && covers(&x, key)) {
      is_b = false;
    } else {
      is_a = is_a && !(in_y & ~in_x);
      is_b = is_b && !(in_x & ~in_y);
      *out++ = (LocBlock){key, in_x | in_y};
    }
  }
  if (is_a || is_b) return is_a ? a : b;
  return put(sets, sets->scratch.data, (uint32_t)(out - sets->scratch.data));
}

static SetNo make_difference(Sets *sets, SetNo a, SetNo b) {
  Walk x = walk(sets, a), y = walk(sets, b);
  vec_clear(&sets->scratch);
  vec_reserve(&sets->scratch, (size_t)(x.end - x.at));
  LocBlock *out = sets->scratch.data;
  for (; x.at < x.end; x.at++) {
    while (y.at < y.end && y.at->key < x.at->key) y.at++;
    uint64_t bits = x.at->bits;
    if (y.at < y.end && y.at->key == x.at->key) bits &= ~y.at->bits;
    if (bits && !covers(&y, x.at->key)) *out++ = (LocBlock){x.at->key, bits};
  }
  return put(sets, sets->scratch.data, (uint32_t)(out - sets->scratch.data));
}

/* ---- with memory ---- */

static SetNo answer(Sets *sets, Map *known, SetNo a, SetNo b,
                    SetNo (*make)(Sets *, SetNo, SetNo)) {
  uint64_t key = (uint64_t)a << 32 | b;
  uint64_t found = map_find(known, key, 0);
  if (found) return (SetNo)(found - 1);
  if (known->len >= ANSWERS_LIMIT) map_clear(known);
  SetNo set = make(sets, a, b);
  map_put(known, key, (uint64_t)set + 1);
  return set;
}

SetNo pt_sets_unite(Sets *sets, SetNo a, SetNo b) {
  if (a == b || !b) return a;
  if (!a) return b;
  return a < b ? answer(sets, &sets->unions, a, b, make_union)
               : answer(sets, &sets->unions, b, a, make_union);
}

static int order_sets(const void *a, const void *b) {
  const SetNo *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* A list of blocks in a buffer. */
typedef struct {
  uint32_t first, end;
} Run;

/* Merges two neighbouring runs of `from` to the end of `to`. */
static Run merge_runs(const LocBlock *from, Run a, Run b, LocBlock *to, uint32_t *at) {
  Run out = {.first = *at};
  while (a.first < a.end || b.first < b.end) {
    if (b.first == b.end || (a.first < a.end && from[a.first].key < from[b.first].key)) {
      to[(*at)++] = from[a.first++];
    } else if (a.first == a.end || from[b.first].key < from[a.first].key) {
      to[(*at)++] = from[b.first++];
    } else {
      to[*at] = from[a.first++];
      to[(*at)++].bits |= from[b.first++].bits;
    }
  }
  out.end = *at;
  return out;
}

/* Merges runs pair by pair until one is left, from one buffer to the other and back. */
static SetNo merge_all(Sets *sets, const SetNo *list, uint32_t count) {
  VEC(Run) runs = {0};
  vec_clear(&sets->merged[0]);
  for (uint32_t i = 0; i < count; i++) {
    const SetSpan *span = &sets->spans.data[list[i]];
    vec_push(&runs, (Run){sets->merged[0].len, sets->merged[0].len + span->count});
    for (uint32_t k = 0; k < span->count; k++)
      vec_push(&sets->merged[0], sets->blocks.data[span->first + k]);
  }
  int from = 0;
  for (; runs.len > 1; from = !from) {
    uint32_t at = 0, kept = 0;
    vec_clear(&sets->merged[!from]);
    (void)vec_extend(&sets->merged[!from], sets->merged[from].len);
    for (uint32_t i = 0; i < runs.len; i += 2) {
      Run second = i + 1 < runs.len ? runs.data[i + 1] : (Run){0};
      runs.data[kept++] = merge_runs(sets->merged[from].data, runs.data[i], second,
                                     sets->merged[!from].data, &at);
    }
    runs.len = kept;
  }
  assert(runs.len == 1);
  LocSet made = {.blocks = sets->merged[from].data, .len = runs.data[0].end};
  vec_free(&runs);
  return pt_sets_take(sets, &made);
}

SetNo pt_sets_unite_all(Sets *sets, SetNo *list, uint32_t count) {
  enum { FEW = 3 };
  qsort(list, count, sizeof *list, order_sets);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (list[i] && (!kept || list[kept - 1] != list[i])) list[kept++] = list[i];
  if (kept > FEW) return merge_all(sets, list, kept);
  SetNo all = 0;
  for (uint32_t i = 0; i < kept; i++) all = pt_sets_unite(sets, all, list[i]);
  return all;
}

SetNo pt_sets_minus(Sets *sets, SetNo a, SetNo b) {
  if (a == b || !a || !b) return a == b ? 0 : a;
  return answer(sets, &sets->differences, a, b, make_difference);
}
