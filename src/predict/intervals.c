/* See intervals.h.
 *
 * Two walks over the accesses. The first cuts each word of memory (words.h) wherever an access
 * begins or ends, so that no access covers a *piece* in part; the second makes a list of all
 * accesses of pieces that several threads use. The list is sorted by piece, and what is the same
 * becomes one entry with a count. Then piece by piece: the hybrid filter, the accesses that
 * others of the same segment stand for, and the name of the interval, which is the list itself:
 * pieces with equal lists are one interval. */
#include "predict/intervals.h"

#include "predict/walk.h"
#include "predict/words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 1 << 22, MOST_COMPARED = 1 << 24, MANY = 0xffffffffu };

/* A word of memory in one of its lives. */
typedef struct {
  uint8_t cuts;   /* bit b: a piece begins at byte b */
  uint8_t kinds;  /* bits of MemoryKind */
  uint32_t user;  /* the thread that accesses it, or MANY */
  uint32_t piece; /* the first of its pieces */
  uint64_t word;
} Life;

typedef struct {
  uint32_t piece, thread, position;
  MemoryKind kind;
  uint32_t times;
} Entry;

typedef struct {
  const Run *run;
  uint32_t without;
  Intervals *ret;
  Words memory;
  VEC(Life) lives;
  uint32_t numbered; /* lives in the second walk so far */
  VEC(Entry) entries;
  VEC(uint64_t) pieces; /* their addresses */
  StrMap known;         /* events of an interval → its number + 1 */
  uint64_t compared;
} Finder;

bool intervals_conflict(MemoryKind a, MemoryKind b) {
  bool a_writes = a == MEMORY_WRITE || a == MEMORY_ATOMIC_WRITE;
  bool b_writes = b == MEMORY_WRITE || b == MEMORY_ATOMIC_WRITE;
  return (a_writes || b_writes) && !(a >= MEMORY_ATOMIC_READ && b >= MEMORY_ATOMIC_READ);
}

static MemoryKind kind_of(const RaceAccess *a) {
  return (a->atomic ? MEMORY_ATOMIC_READ : MEMORY_READ) + (a->write ? 1u : 0u);
}

/* ---- the words of an access ------------------------------------------------------- */

typedef void Visit(Finder *f, uint32_t *slot, uint64_t word, const RaceAccess *a);

static void visit_words(Finder *f, const RaceAccess *a, Visit *visit) {
  assert(a->size);
  uint64_t last = (a->address + a->size - 1) / 8;
  for (uint64_t word = a->address / 8; word <= last && !f->ret->cut; word++) {
    uint32_t *slot = words_slot(&f->memory, word, !a->frees);
    if (!slot) /* nobody was on this page */
      word |= WORDS_PAGE - 1;
    else if (*slot || !a->frees)
      visit(f, slot, word, a);
  }
}

static uint32_t first_byte(uint64_t word, const RaceAccess *a) {
  return a->address > word * 8 ? (uint32_t)(a->address - word * 8) : 0;
}

static uint32_t end_byte(uint64_t word, const RaceAccess *a) {
  uint64_t end = a->address + a->size;
  return end < word * 8 + 8 ? (uint32_t)(end - word * 8) : 8;
}

static void close_range(void *user, uint64_t address, uint64_t size) {
  words_close(&((Finder *)user)->memory, address, size);
}

/* ---- the first walk --------------------------------------------------------------- */

static void cut_word(Finder *f, uint32_t *slot, uint64_t word, const RaceAccess *a) {
  if (!*slot) {
    Life *fresh = vec_extend(&f->lives, 1);
    *fresh = (Life){.cuts = 1, .user = a->thread, .word = word};
    *slot = f->lives.len;
    f->ret->cut = f->lives.len >= MOST_ENTRIES;
  }
  Life *l = &f->lives.data[*slot - 1];
  uint32_t end = end_byte(word, a);
  assert(first_byte(word, a) < end && end <= 8 && l->word == word);
  l->cuts |= (uint8_t)(1u << first_byte(word, a));
  if (end < 8) l->cuts |= (uint8_t)(1u << end);
  l->kinds |= (uint8_t)(1u << kind_of(a));
  if (l->user != a->thread) l->user = MANY;
}

static void cut_access(void *user, Walk *walk, const RaceAccess *a) {
  (void)walk;
  visit_words(user, a, cut_word);
}

/* Whether accesses to it may conflict. A piece of it may still be private. */
static bool matters(const Finder *f, const Life *l) {
  enum { ATOMIC = 1 << MEMORY_ATOMIC_READ | 1 << MEMORY_ATOMIC_WRITE };
  enum { WRITES = 1 << MEMORY_WRITE | 1 << MEMORY_ATOMIC_WRITE };
  return f->without & WITHOUT_INTERVALS ||
         (l->user == MANY && l->kinds & WRITES && l->kinds & ~ATOMIC);
}

static void number_pieces(Finder *f) {
  for (uint32_t i = 0; i < f->lives.len; i++) {
    Life *l = &f->lives.data[i];
    l->piece = f->pieces.len;
    for (uint32_t b = 0; b < 8; b++)
      if (l->cuts >> b & 1) vec_push(&f->pieces, l->word * 8 + b);
  }
}

/* ---- the second walk -------------------------------------------------------------- */

static void list_word(Finder *f, uint32_t *slot, uint64_t word, const RaceAccess *a) {
  if (!*slot) *slot = ++f->numbered;
  assert(*slot <= f->lives.len &&
         f->lives.data[*slot - 1].word == word); /* as in the first walk */
  const Life *l = &f->lives.data[*slot - 1];
  uint32_t first = first_byte(word, a), end = end_byte(word, a), piece = l->piece;
  bool wanted = matters(f, l);
  for (uint32_t b = 0; b < end; b++) {
    if (!(l->cuts >> b & 1)) continue;
    if (b >= first) {
      f->ret->counts.emitted++;
      if (wanted)
        vec_push(&f->entries, (Entry){piece, a->thread, a->position, kind_of(a), 1});
    }
    piece++;
  }
  f->ret->cut = f->entries.len >= MOST_ENTRIES;
}

static void list_access(void *user, Walk *walk, const RaceAccess *a) {
  (void)walk;
  Finder *f = user;
  f->ret->counts.accesses++;
  visit_words(f, a, list_word);
}

static int by_piece(const void *x, const void *y) {
  const Entry *a = x, *b = y;
  if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  if (a->position != b->position) return a->position < b->position ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

/* What is the same becomes one, with a count. */
static void unite_entries(Finder *f) {
  uint32_t kept = 0;
  if (f->entries.len)
    qsort(f->entries.data, f->entries.len, sizeof *f->entries.data, by_piece);
  for (uint32_t i = 0; i < f->entries.len; i++) {
    if (kept && by_piece(&f->entries.data[kept - 1], &f->entries.data[i]) == 0)
      f->entries.data[kept - 1].times++;
    else
      f->entries.data[kept++] = f->entries.data[i];
  }
  f->entries.len = kept;
}

/* ---- the reductions --------------------------------------------------------------- */

static uint64_t count_of(const Entry *entries, uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += entries[i].times;
  return sum;
}

/* Private, only read, or only atomic: no two threads have accesses that conflict. */
static bool is_harmless(const Entry *e, uint32_t count) {
  enum { NOBODY = MANY - 1 };
  uint32_t users[MEMORY_KINDS];
  for (MemoryKind k = 0; k < MEMORY_KINDS; k++) users[k] = NOBODY;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *user = &users[e[i].kind];
    *user = *user == NOBODY || *user == e[i].thread ? e[i].thread : MANY;
  }
  for (MemoryKind a = 0; a < MEMORY_KINDS; a++)
    for (MemoryKind b = 0; b < MEMORY_KINDS; b++)
      if (intervals_conflict(a, b) && users[a] != NOBODY && users[b] != NOBODY &&
          (users[a] == MANY || users[a] != users[b]))
        return false;
  return true;
}

static bool may_race(const Finder *f, const Entry *a, const Entry *b) {
  const Run *run = f->run;
  if (a->thread == b->thread || !intervals_conflict(a->kind, b->kind)) return false;
  uint32_t held_a = run->threads.data[a->thread].held.data[a->position];
  uint32_t held_b = run->threads.data[b->thread].held.data[b->position];
  return !run_guarded(run, held_a, held_b) &&
         !run_ordered(run, a->thread, a->position, b->thread, b->position) &&
         !run_ordered(run, b->thread, b->position, a->thread, a->position);
}

/* Removes what races with nothing; what was not compared stays. */
static uint32_t filter_hybrid(Finder *f, Entry *e, uint32_t count) {
  uint32_t kept = 0;
  bool *races = mem_alloc_zero(count + 1);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < count && !races[i]; k++) {
      races[i] = f->compared >= MOST_COMPARED || may_race(f, &e[i], &e[k]);
      f->compared++;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (races[i]) e[kept++] = e[i];
  mem_free(races);
  return kept;
}

/* Whether everything that conflicts with b conflicts with a. */
static bool stands_for(MemoryKind a, MemoryKind b) {
  for (MemoryKind k = 0; k < MEMORY_KINDS; k++)
    if (intervals_conflict(b, k) && !intervals_conflict(a, k)) return false;
  return true;
}

static bool same_segment(const Entry *a, const Entry *b) {
  return a->thread == b->thread && a->position == b->position;
}

static uint32_t filter_segments(Entry *e, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool told = false;
    for (uint32_t k = i; k-- > 0 && same_segment(&e[k], &e[i]);)
      told |= stands_for(e[k].kind, e[i].kind) && !stands_for(e[i].kind, e[k].kind);
    for (uint32_t k = i + 1; k < count && same_segment(&e[k], &e[i]); k++)
      told |= stands_for(e[k].kind, e[i].kind);
    e[i].times = told ? 0 : 1;
  }
  for (uint32_t i = 0; i < count; i++)
    if (e[i].times) e[kept++] = e[i];
  return kept;
}

/* ---- intervals -------------------------------------------------------------------- */

/* The interval with these events, which may be a new one. */
static void keep_piece(Finder *f, const Entry *e, uint32_t count) {
  assert(count);
  Intervals *ret = f->ret;
  Str key = {0};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t part[] = {e[i].thread, e[i].position, e[i].kind, e[i].times};
    str_add_bytes(&key, part, sizeof part);
  }
  uint64_t *known = strmap_at(&f->known, str_text(&key), key.len);
  bool again = *known != 0;
  str_free(&key);
  ret->counts.checks++;
  if (again && !(f->without & WITHOUT_SEGMENTS)) {
    ret->counts.redundant++;
    return;
  }
  vec_push(&ret->addresses, f->pieces.data[e[0].piece]);
  *known = ret->addresses.len;
  for (uint32_t i = 0; i < count; i++)
    vec_push(&ret->events, (MemoryEvent){e[i].thread, e[i].position,
                                         ret->addresses.len - 1, e[i].kind, e[i].times});
}

static void reduce_piece(Finder *f, Entry *e, uint32_t count) {
  ReductionCounts *c = &f->ret->counts;
  uint64_t before = count_of(e, count);
  if (!(f->without & WITHOUT_INTERVALS) && is_harmless(e, count)) {
    c->by_intervals += before;
    return;
  }
  if (!(f->without & WITHOUT_HYBRID)) {
    count = filter_hybrid(f, e, count);
    c->by_hybrid += before - count_of(e, count);
    before = count_of(e, count);
  }
  if (!(f->without & WITHOUT_SEGMENTS)) {
    count = filter_segments(e, count);
    c->by_segments += before - count;
  }
  if (count) keep_piece(f, e, count);
}

static int by_thread(const void *x, const void *y) {
  const MemoryEvent *a = x, *b = y;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  if (a->position != b->position) return a->position < b->position ? -1 : 1;
  if (a->interval != b->interval) return a->interval < b->interval ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

void intervals_find(const Run *run, uint32_t without, double deadline, Intervals *ret) {
  *ret = (Intervals){0};
  Finder f = {.run = run, .without = without, .ret = ret};
  WalkVisitor first = {&f, cut_access, close_range},
              second = {&f, list_access, close_range};
  ret->cut |= !walk_run(run, &first, deadline, NULL);
  words_clear(&f.memory);
  if (!ret->cut) number_pieces(&f);
  if (!ret->cut) ret->cut |= !walk_run(run, &second, deadline, NULL);
  if (!ret->cut) {
    ret->counts.by_intervals = ret->counts.emitted - f.entries.len;
    unite_entries(&f);
    for (uint32_t i = 0, n; i < f.entries.len; i += n) {
      Entry *e = &f.entries.data[i];
      for (n = 1; i + n < f.entries.len && e[n].piece == e->piece;) n++;
      reduce_piece(&f, e, n);
    }
    if (ret->events.len)
      qsort(ret->events.data, ret->events.len, sizeof *ret->events.data, by_thread);
  }
  words_clear(&f.memory);
  vec_free(&f.lives);
  vec_free(&f.entries);
  vec_free(&f.pieces);
  strmap_free(&f.known);
}

void intervals_free(Intervals *intervals) {
  vec_free(&intervals->events);
  vec_free(&intervals->addresses);
  *intervals = (Intervals){0};
}
