/* Which locals matter where, backwards over blocks; what never matters is dropped. See
 * model_internal.h. */
#include "engine/circ/model_internal.h"

#include <assert.h>

typedef VEC(uint32_t) Numbers;

typedef struct {
  CircMaker *x;
  CircKind *k;
  Map local_of;       /* Term → index of the local whose value it stands for + 1 */
  Map seen;           /* terms */
  uint32_t words;     /* of a set of locals */
  uint64_t *kept;     /* a set */
  Numbers *uses;      /* by block: locals that it reads in any case */
  Numbers *set_reads; /* by set */
} Live;

/* ---- what terms read ---- */

typedef struct {
  const Live *live;
  Numbers *ret;
} Reader;

static void add_read(void *user, Term variable) {
  const Reader *r = user;
  uint64_t local = map_find(&r->live->local_of, variable, 0);
  if (local) vec_push(r->ret, (uint32_t)local - 1);
}

static void add_reads(Live *l, Term t, Numbers *ret) {
  Reader reader = {l, ret};
  term_variables(l->x->t, t, &l->seen, add_read, &reader);
}

static void find_reads(Live *l, uint32_t number) {
  const CircKind *k = l->k;
  const CircBlock *b = &k->all.data[number];
  Numbers *uses = &l->uses[number];
  map_clear(&l->seen);
  add_reads(l, b->guard, uses);
  for (uint32_t i = 0; i < b->event_count; i++) {
    const CircEvent *e = &k->events.data[b->first_event + i];
    add_reads(l, e->guard, uses);
    if (e->address) add_reads(l, e->address, uses);
  }
  for (uint32_t i = 0; i < b->start_count; i++) {
    const CircStart *s = &k->starts.data[b->first_start + i];
    add_reads(l, s->guard, uses);
    for (uint32_t n = 0; n < s->set_count; n++)
      add_reads(l, k->start_sets.data[s->first_set + n].value, uses);
  }
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *s = &k->sets.data[b->first_set + i];
    if (!(s->variable & CIRC_LOCAL)) add_reads(l, s->value, uses);
  }
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *s = &k->sets.data[b->first_set + i];
    if (!(s->variable & CIRC_LOCAL)) continue;
    map_clear(&l->seen);
    add_reads(l, s->value, &l->set_reads[b->first_set + i]);
  }
}

/* ---- the fixed point ---- */

static bool has(const uint64_t *set, uint32_t n) {
  return set[n / 64] >> n % 64 & 1;
}

static void add(uint64_t *set, uint32_t n, bool *changed) {
  if (has(set, n)) return;
  set[n / 64] |= UINT64_C(1) << n % 64;
  *changed = true;
}

static bool flow_back(Live *l, uint32_t number) {
  const CircKind *k = l->k;
  const CircBlock *b = &k->all.data[number];
  uint64_t *before = &k->live[(size_t)b->from * l->words];
  const uint64_t *after = &k->live[(size_t)b->to * l->words];
  bool changed = false;
  for (uint32_t i = 0; i < l->uses[number].len; i++)
    add(before, l->uses[number].data[i], &changed);
  if (!b->to) return changed;
  memcpy(l->kept, after, l->words * sizeof *l->kept); /* what the block leaves alone */
  for (uint32_t i = 0; i < b->set_count; i++) {
    CircVar v = k->sets.data[b->first_set + i].variable;
    if (!(v & CIRC_LOCAL)) continue;
    v &= ~CIRC_LOCAL;
    l->kept[v / 64] &= ~(UINT64_C(1) << v % 64);
  }
  for (uint32_t w = 0; w < l->words; w++) {
    changed = changed || (l->kept[w] & ~before[w]);
    before[w] |= l->kept[w];
  }
  for (uint32_t i = 0; i < b->set_count; i++) {
    CircVar v = k->sets.data[b->first_set + i].variable;
    const Numbers *reads = &l->set_reads[b->first_set + i];
    if (!(v & CIRC_LOCAL) || !has(after, v & ~CIRC_LOCAL)) continue;
    for (uint32_t n = 0; n < reads->len; n++) add(before, reads->data[n], &changed);
  }
  return changed;
}

/* ---- dropping ---- */

static void drop_sets(Live *l) {
  CircKind *k = l->k;
  uint32_t kept = 0;
  for (uint32_t n = 0; n < k->all.len; n++) {
    CircBlock *b = &k->all.data[n];
    uint32_t first = kept;
    assert(kept <= b->first_set); /* blocks have their sets one behind the other */
    for (uint32_t i = 0; i < b->set_count; i++) {
      CircSet s = k->sets.data[b->first_set + i];
      bool local = s.variable & CIRC_LOCAL;
      bool dead = local && (!b->to || !has(&k->live[(size_t)b->to * l->words],
                                           s.variable & ~CIRC_LOCAL));
      if (!dead) k->sets.data[kept++] = s;
    }
    b->first_set = first;
    b->set_count = kept - first;
  }
  k->sets.len = kept;
}

/* Locals that are live nowhere go; the others get new numbers. */
static void drop_locals(Live *l) {
  CircKind *k = l->k;
  uint32_t locations = l->x->a->locations.len, kept = 0, old = k->locals.len;
  uint32_t *number = arena_alloc_zero(l->x->arena, (old + 1) * sizeof *number);
  memset(l->kept, 0, l->words * sizeof *l->kept);
  for (size_t i = 0; i < (size_t)locations * l->words; i++)
    l->kept[i % l->words] |= k->live[i];
  for (uint32_t v = 0; v < old; v++) {
    if (!has(l->kept, v)) continue;
    number[v] = kept + 1;
    k->locals.data[kept++] = k->locals.data[v];
  }
  k->locals.len = kept;
  for (uint32_t i = 0; i < k->sets.len; i++) {
    CircVar *v = &k->sets.data[i].variable;
    assert(!(*v & CIRC_LOCAL) || number[*v & ~CIRC_LOCAL]);
    if (*v & CIRC_LOCAL) *v = CIRC_LOCAL | (number[*v & ~CIRC_LOCAL] - 1);
  }
  uint32_t words = kept / 64 + 1;
  uint64_t *live = mem_alloc_zero((size_t)locations * words * sizeof *live);
  bool ignored;
  for (uint32_t at = 0; at < locations; at++)
    for (uint32_t v = 0; v < old && k->blocks->cuts[at]; v++)
      if (number[v] && has(&k->live[(size_t)at * l->words], v))
        add(&live[(size_t)at * words], number[v] - 1, &ignored);
  mem_free(k->live);
  k->live = live;
}

void circ_live_find(CircMaker *x) {
  CircKind *k = x->kind;
  Live l = {.x = x, .k = k, .words = k->locals.len / 64 + 1};
  k->live = mem_alloc_zero((size_t)x->a->locations.len * l.words * sizeof *k->live);
  l.kept = mem_alloc_zero(l.words * sizeof *l.kept);
  l.uses = mem_alloc_zero((k->all.len + 1) * sizeof *l.uses);
  l.set_reads = mem_alloc_zero((k->sets.len + 1) * sizeof *l.set_reads);
  uint32_t sets = k->sets.len;
  for (uint32_t v = 0; v < k->locals.len; v++)
    map_put(&l.local_of, k->locals.data[v].now, v + 1);
  for (uint32_t i = 0; i < k->all.len; i++) find_reads(&l, i);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = k->all.len; i > 0; i--) changed |= flow_back(&l, i - 1);
  }
  drop_sets(&l);
  drop_locals(&l);
  for (uint32_t i = 0; i < k->all.len; i++) vec_free(&l.uses[i]);
  for (uint32_t i = 0; i < sets; i++) vec_free(&l.set_reads[i]);
  mem_free(l.kept);
  mem_free(l.uses);
  mem_free(l.set_reads);
  map_free(&l.local_of);
  map_free(&l.seen);
}

bool circ_is_live(const CircModel *m, uint32_t kind, uint32_t location, uint32_t local) {
  const CircKind *k = vec_at(&m->kinds, kind);
  return has(&k->live[(size_t)location * (k->locals.len / 64 + 1)], local);
}
