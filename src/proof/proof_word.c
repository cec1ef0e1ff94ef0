/* Atomic words that serve as locks (model/word.h): when holding one keeps others out.
 *
 * 1. Let every write to the word be one that takes it (it succeeds only on 0, and leaves another value), or one
 *    that stores 0 by a thread that took it and has not freed it since. Then in the word's modification
 *    order takings that succeed and freeings alternate, each freeing by the thread of the taking before it: the first
 *    write that breaks this would be a freeing by who does not hold the word.
 * 2. A taking that succeeds reads 0, so it reads the freeing before it, or what was there in the beginning. It acquires,
 *    the freeing releases: all that the last holder did happens before what the next one does. Whatever
 *    fails, and whoever only looks, learns nothing, and nothing is concluded from it.
 * 3. A write that is neither makes the word loose (it guards nothing), if other threads run and may know the word.
 *    The beginning of a word's life does not matter: a word that begins as taken is never free. The end of its
 *    life conflicts with every use as with any access of those bytes (proof_pair.c), so it comes after them all.
 * 4. All operations that take a word take the same bytes: where two of them overlap in another way, the words of
 *    that object are loose.
 * 5. A write to a word that a thread holds itself ends this (words_written). */
#include "proof/proof_internal.h"

#include "model/word.h"

static WordUse use_of(Proof *p, World *w, const Edge *edge) {
  if (!word_may_be_taken(edge) && !word_may_be_freed(edge)) return WORD_NO_USE;
  Val b = eval(p, w, edge->b);
  Val c = edge->op == OP_CMPXCHG ? eval(p, w, edge->c) : val_unknown();
  int64_t x, y;
  return word_use(edge, val_is_number(&b, &x) ? &x : NULL,
                  val_is_number(&c, &y) ? &y : NULL);
}

/* Where it is known what it may take. */
static bool may_take(const Proof *p, const Edge *edge) {
  return word_may_be_taken(edge) && !pointsto_expr(p->pt, edge->a).unknown;
}

bool takes_word(Proof *p, World *w, const Edge *edge) {
  return may_take(p, edge) && use_of(p, w, edge) == WORD_TAKES;
}

/* ---- which bytes ---- */

static bool is_word(const Proof *p, AObject object, uint32_t offset, uint32_t size) {
  for (uint32_t i = 0; i < p->words.len; i++)
    if (p->words.data[i].object == object && p->words.data[i].offset == offset &&
        p->words.data[i].size == size)
      return true;
  return false;
}

/* The access, to this object, may touch bytes of the word. */
static bool meets(Proof *p, const Word *word, const Access *a, AObject object,
                  uint32_t offset, const Val *address) {
  if (object == AOBJECT_UNKNOWN)
    return object_is_outside(p, pointsto_object(p->pt, word->object));
  if (object >= pointsto_object_count(p->pt) ||
      pointsto_object(p->pt, object) != pointsto_object(p->pt, word->object))
    return false;
  if (!a->size || word->offset == OFFSET_ANY) return true;
  const ByteSet *written = bytes_touched(p, object, offset, address, a->size);
  return byte_sets_meet(written,
                        bytes_touched(p, word->object, word->offset, NULL, word->size));
}

typedef struct {
  const Edge *edge;
  bool values; /* what is written is to be noted */
  bool some;   /* some word may be written */
  bool other;  /* … and not just as a word is freed */
} Written;

/* Whatever is written to the word is 0 or always the same number. */
static void note_value(const Proof *p, const Edge *edge, Word *word, bool other) {
  uint64_t value;
  bool use = word_may_be_taken(edge) || word_may_be_freed(edge);
  if (other || !use || !word_written(p->p, edge, &value) ||
      (value && word->taken && value != word->taken))
    word->varies = true;
  else if (value)
    word->taken = value;
}

static void meet_words(Proof *p, const Access *a, AObject object, uint32_t offset,
                       const Val *address, void *data) {
  Written *x = data;
  for (uint32_t i = 0; i < p->words.len; i++) {
    if (!meets(p, &p->words.data[i], a, object, offset, address)) continue;
    bool other = offset == OFFSET_ANY || p->words.data[i].object != object ||
                 p->words.data[i].offset != offset || p->words.data[i].size != a->size;
    x->some = true;
    x->other = x->other || other;
    if (x->values) note_value(p, x->edge, &p->words.data[i], other);
  }
}

/* Which words the edge, in this world, may write. */
static void visit_words(Proof *p, World *w, EdgeId e, Written *x) {
  AccessVec accesses = {0};
  x->edge = program_edge(p->p, e);
  edge_accesses(p, e, &accesses);
  for (uint32_t i = 0; i < accesses.len; i++) {
    uint32_t flags = accesses.data[i].flags;
    if ((flags & (ACCESS_WRITE | ACCESS_RENEWS)) && !(flags & ACCESS_FREE))
      visit_targets(p, w, &accesses.data[i], meet_words, x);
  }
  vec_free(&accesses);
}

static void check_sizes(Proof *p, const Word *x) {
  for (uint32_t i = 0; i < p->words.len; i++) {
    const Word *y = &p->words.data[i];
    bool same = x->offset == y->offset && x->size == y->size && x->offset != OFFSET_ANY;
    Access all = {.size = y->size};
    if (!same && y != x && meets(p, x, &all, y->object, y->offset, NULL))
      add_loose_words(p, pointsto_object(p->pt, x->object));
  }
}

void words_prepare(Proof *p) {
  p->frees_words = arena_alloc_zero(p->arena, p->p->functions.len);
  for (EdgeId e = 1; e < p->p->edges.len; e++) {
    const Edge *edge = program_edge(p->p, e);
    if (!may_take(p, edge)) continue;
    Targets t = pointsto_expr(p->pt, edge->a);
    for (uint32_t i = 0; i < t.count; i++) {
      Word word = {t.targets[i].object, t.targets[i].offset, edge->size, 0, false};
      word.varies = !t.targets[i].function &&
                    !word_begins_free(p->p, pointsto_object(p->pt, word.object));
      if (!t.targets[i].function && !is_word(p, word.object, word.offset, word.size))
        vec_push(&p->words, word);
    }
  }
  for (uint32_t i = 0; i < p->words.len; i++) check_sizes(p, &p->words.data[i]);
  World nothing = {0};
  for (EdgeId e = 1; e < p->p->edges.len && p->words.len && !is_stopped(p); e++) {
    Written x = {.values = true};
    visit_words(p, &nothing, e, &x);
    if (x.some) p->frees_words[p->p->nodes.data[x.edge->from].function] = 1;
  }
  world_free(&nothing);
}

/* ---- steps ---- */

/* An exchange that finds the word taken reads what some taking wrote. One that only compares may fail without a reason. */
Val found_taken(Proof *p, World *w, const Edge *edge) {
  Targets t = pointsto_expr(p->pt, edge->a);
  Val old = world_new_value(p, w);
  uint64_t taken = 0;
  bool varies = !t.count;
  for (uint32_t i = 0; i < t.count; i++)
    for (uint32_t k = 0; k < p->words.len; k++) {
      const Word *word = &p->words.data[k];
      if (t.targets[i].function || word->object != t.targets[i].object) continue;
      varies = varies || word->varies || (taken && taken != word->taken);
      taken = word->taken;
    }
  if (edge->op == OP_CMPXCHG) return old;
  if (!varies && taken) return val_number((int64_t)taken);
  vec_push(&w->nonzero, (NonZero){old.base >> 1, edge->size * 8});
  return old;
}

/* The word of this name is held: it is freed. */
static bool free_held(Proof *p, World *w, const Val *name) {
  for (uint32_t i = 0; i < w->locks.len; i++) {
    Val held = world_normal(p, w, w->locks.data[i].name, 64);
    if (w->locks.data[i].kind != LOCK_WORD || !val_equal(&held, name) ||
        !names_one(p, &held))
      continue;
    w->locks.data[i] = vec_pop(&w->locks);
    return true;
  }
  return false;
}

static void drop_words(World *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (w->locks.data[i].kind != LOCK_WORD) w->locks.data[kept++] = w->locks.data[i];
  w->locks.len = kept;
}

static bool is_fresh(const Proof *p, const World *w, const Val *address) {
  for (uint32_t i = 0; i < w->fresh.len && !p->weak_publication; i++)
    if (address->known && address->base == (w->fresh.data[i] << 1 | 1)) return true;
  return false;
}

/* The words of all objects that the address may be in are loose. */
static void spoil(Proof *p, ExprId address) {
  Targets t = pointsto_expr(p->pt, address);
  if (t.unknown || !t.count) add_loose_words(p, 0);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function)
      add_loose_words(p, pointsto_object(p->pt, t.targets[i].object));
}

void words_written(Proof *p, World *w, EdgeId e) {
  Written x = {0};
  if (!p->words.len || takes_word(p, w, program_edge(p->p, e))) return;
  visit_words(p, w, e, &x);
  if (!x.some) return;
  bool access =
      x.edge->op == OP_STORE || x.edge->op == OP_RMW || x.edge->op == OP_CMPXCHG;
  if (!access) {
    drop_words(w);
    if (world_is_shared(w)) add_loose_words(p, 0);
    return;
  }
  Val name = lock_name(p, w, x.edge->a), address = eval(p, w, x.edge->a);
  bool frees = !x.other && use_of(p, w, x.edge) == WORD_FREES;
  if (frees && free_held(p, w, &name)) return;
  release_any(p, w, x.edge->a, &name, LOCK_WORD);
  if (!world_is_shared(w) || is_fresh(p, w, &address)) return;
  if (frees)
    note_loose_words(p, &name, x.edge->a);
  else
    spoil(p, x.edge->a);
}
