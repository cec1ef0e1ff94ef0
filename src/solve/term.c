/* The pool: nodes of 16 bytes in one array, found again by a hash table with open addressing
 * whose slots carry the hash, so that a miss rarely touches a node. Words of constants and names of
 * variables lie in an arena: pointers to them stay. See term_internal.h for the invariants. */
#include "solve/term_internal.h"

#include "base/mem.h"

enum { FIRST_NODES = 1024, FIRST_SLOTS = 4096 };

Terms *terms_new(void) {
  Terms *terms = mem_alloc_zero(sizeof *terms);
  terms->cap = FIRST_NODES;
  terms->nodes = mem_alloc(terms->cap * sizeof *terms->nodes);
  memset(terms->nodes, 0, sizeof *terms->nodes);
  terms->len = 1; /* 0 is none */
  terms->slot_mask = FIRST_SLOTS - 1;
  terms->slots = mem_alloc_zero(FIRST_SLOTS * sizeof *terms->slots);
  terms->arena = arena_new();
  return terms;
}

void terms_free(Terms *terms) {
  if (!terms) return;
  arena_free(terms->arena);
  mem_free(terms->nodes);
  mem_free(terms->slots);
  mem_free(terms->scratch);
  mem_free(terms);
}

uint32_t terms_count(const Terms *terms) {
  return terms->len - 1;
}

static uint32_t mix(uint64_t x, uint64_t y) {
  uint64_t h = (x * 0x9e3779b97f4a7c15u) ^ (y + 0x7f4a7c15u) * 0xc2b2ae3d27d4eb4fu;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return (uint32_t)(h >> 32);
}

static uint32_t hash_words(uint32_t bits, const uint64_t *words) {
  uint32_t hash = bits;
  for (uint32_t i = 0; i < wide_len(bits); i++) hash = mix(words[i], hash);
  return hash;
}

/* Where a term is looked for: first in a bucket of one cache line that goes by its youngest operand,
 * for terms are made of terms that were made lately, so that the line mostly is in the cache; when the
 * bucket is full, from the slot of its hash on. Four neighbours share a bucket, which is half full
 * then. */
enum { BUCKET = 64 / sizeof(TermSlot) };

typedef struct {
  uint32_t hash, at;
  uint32_t left; /* of the bucket */
} Probe;

static Probe probe_start(const Terms *terms, uint32_t hash, uint32_t near) {
  return (Probe){hash, near / 4 * BUCKET & terms->slot_mask, BUCKET};
}

static void probe_next(const Terms *terms, Probe *probe) {
  if (probe->left && --probe->left == 0)
    probe->at = probe->hash & terms->slot_mask;
  else
    probe->at = (probe->at + 1) & terms->slot_mask;
}

static uint32_t near_of(const TermNode *n) {
  uint32_t c = n->kind == TERM_ITE ? n->c : 0, b = n->kind == TERM_EXTRACT ? 0 : n->b;
  uint32_t most = n->a > b ? n->a : b;
  return most > c ? most : c;
}

static uint32_t hash_node(const TermNode *n) {
  uint32_t head = (uint32_t)n->kind << 24 | n->bits;
  return mix((uint64_t)head << 32 | n->a, (uint64_t)n->b << 32 | n->c);
}

/* Node by node, so that this goes through memory in order. */
static void grow_slots(Terms *terms) {
  uint64_t size = ((uint64_t)terms->slot_mask + 1) * 2;
  assert(size <= UINT32_MAX);
  mem_free(terms->slots);
  terms->slots = mem_alloc_zero(size * sizeof *terms->slots);
  terms->slot_mask = (uint32_t)size - 1;
  for (Term t = 1; t < terms->len; t++) {
    const TermNode *n = &terms->nodes[t];
    if (n->kind == TERM_VAR) continue;
    bool constant = n->kind == TERM_CONST;
    uint32_t hash = constant ? hash_words(n->bits, n->words) : hash_node(n);
    Probe probe = probe_start(terms, hash, constant ? hash : near_of(n));
    while (terms->slots[probe.at].term) probe_next(terms, &probe);
    terms->slots[probe.at] = (TermSlot){hash, t};
  }
}

static Term add_node(Terms *terms, TermNode n) {
  if (terms->len == terms->cap) {
    assert(terms->cap < UINT32_MAX / 2);
    terms->cap *= 2;
    terms->nodes = mem_realloc(terms->nodes, terms->cap * sizeof *terms->nodes);
  }
  terms->nodes[terms->len] = n;
  return terms->len++;
}

static void enter_slot(Terms *terms, uint32_t i, uint32_t hash, Term t) {
  terms->slots[i] = (TermSlot){hash, t};
  if (terms->len > terms->slot_mask / 2) grow_slots(terms);
}

Term term_make(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b, Term c) {
  assert(bits > 0 && bits <= TERM_MAX_BITS);
  TermNode n = {.kind = kind, .bits = bits, .a = a, .b = b, .c = c};
  uint32_t hash = hash_node(&n);
  Probe probe = probe_start(terms, hash, near_of(&n));
  for (; terms->slots[probe.at].term; probe_next(terms, &probe)) {
    TermSlot slot = terms->slots[probe.at];
    if (slot.hash != hash) continue;
    const TermNode *old = &terms->nodes[slot.term];
    if (old->kind == kind && old->bits == bits && old->a == a && old->b == b &&
        old->c == c)
      return slot.term;
  }
  Term t = add_node(terms, n);
  enter_slot(terms, probe.at, hash, t);
  return t;
}

Term term_wide(Terms *terms, uint32_t bits, const uint64_t *words) {
  assert(bits > 0 && bits <= TERM_MAX_BITS);
  uint32_t hash = hash_words(bits, words);
  Probe probe = probe_start(terms, hash, hash);
  for (; terms->slots[probe.at].term; probe_next(terms, &probe)) {
    TermSlot slot = terms->slots[probe.at];
    if (slot.hash != hash) continue;
    const TermNode *old = &terms->nodes[slot.term];
    if (old->kind == TERM_CONST && old->bits == bits && wide_eq(old->words, words, bits))
      return slot.term;
  }
  TermNode n = {.kind = TERM_CONST, .bits = bits};
  n.words = arena_dup(terms->arena, words, wide_len(bits) * sizeof *words);
  assert(!(n.words[wide_len(bits) - 1] & ~wide_top_mask(bits)));
  Term t = add_node(terms, n);
  enter_slot(terms, probe.at, hash, t);
  return t;
}

static uint64_t *scratch(Terms *terms, uint32_t bits) {
  uint32_t len = wide_len(bits);
  if (len > terms->scratch_len) {
    terms->scratch = mem_realloc(terms->scratch, len * sizeof *terms->scratch);
    terms->scratch_len = len;
  }
  return terms->scratch;
}

Term term_const(Terms *terms, uint32_t bits, uint64_t value) {
  uint64_t *words = scratch(terms, bits);
  memset(words, 0, wide_len(bits) * sizeof *words);
  words[0] = value;
  wide_cut(words, bits);
  return term_wide(terms, bits, words);
}

Term term_zeros(Terms *terms, uint32_t bits) {
  return term_const(terms, bits, 0);
}

Term term_ones(Terms *terms, uint32_t bits) {
  uint64_t *words = scratch(terms, bits);
  memset(words, 0xff, wide_len(bits) * sizeof *words);
  wide_cut(words, bits);
  return term_wide(terms, bits, words);
}

Term term_bool(Terms *terms, bool value) {
  return term_const(terms, 1, value);
}

Term term_var(Terms *terms, uint32_t bits, const char *name) {
  assert(bits > 0 && bits <= TERM_MAX_BITS);
  TermNode n = {.kind = TERM_VAR, .bits = bits};
  n.name = name ? arena_strdup(terms->arena, name) : "";
  Term t = add_node(terms, n);
  /* Not entered, but it counts for the table's size, which is compared with `len`. */
  if (terms->len > terms->slot_mask / 2) grow_slots(terms);
  return t;
}

Term term_fold(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b) {
  const TermNode *x = node(terms, a), *y = b ? node(terms, b) : x;
  uint64_t *words = scratch(terms, bits);
  term_apply(kind, bits, x->bits, y->bits, 0, x->words, y->words, NULL, words);
  return term_wide(terms, bits, words);
}

Term term_fold_binary(Terms *terms, TermKind kind, uint32_t bits, Term a, Term b) {
  if (is_const(terms, b)) {
    if (is_const(terms, a)) return term_fold(terms, kind, bits, a, b);
    if (!is_choice(terms, a)) return 0;
    TermNode n = *node(terms, a);
    Term then = term_fold(terms, kind, bits, n.b, b);
    return term_ite(terms, n.a, then, term_fold(terms, kind, bits, n.c, b));
  }
  if (!is_const(terms, a) || !is_choice(terms, b)) return 0;
  TermNode n = *node(terms, b);
  Term then = term_fold(terms, kind, bits, a, n.b);
  return term_ite(terms, n.a, then, term_fold(terms, kind, bits, a, n.c));
}

/* ---- looking at terms ---- */

TermKind term_kind(const Terms *terms, Term t) {
  return t ? kind_of(terms, t) : TERM_NONE;
}

uint32_t term_bits(const Terms *terms, Term t) {
  return bits_of(terms, t);
}

Term term_operand(const Terms *terms, Term t, int i) {
  const TermNode *n = node(terms, t);
  if (n->kind == TERM_CONST || n->kind == TERM_VAR) return 0;
  if (n->kind == TERM_EXTRACT) return i == 0 ? n->a : 0;
  return i == 0 ? n->a : i == 1 ? n->b : i == 2 ? n->c : 0;
}

uint32_t term_low(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_EXTRACT ? n->b : 0;
}

bool term_is_true(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST && n->bits == 1 && n->words[0];
}

bool term_is_false(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST && n->bits == 1 && !n->words[0];
}

bool term_get_const(const Terms *terms, Term t, uint64_t *ret_value) {
  const TermNode *n = node(terms, t);
  if (n->kind != TERM_CONST) return false;
  for (uint32_t i = 1; i < wide_len(n->bits); i++)
    if (n->words[i]) return false;
  *ret_value = n->words[0];
  return true;
}

const uint64_t *term_const_words(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_CONST ? n->words : NULL;
}

const char *term_var_name(const Terms *terms, Term t) {
  const TermNode *n = node(terms, t);
  return n->kind == TERM_VAR ? n->name : "";
}
