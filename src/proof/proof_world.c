/* A state while a step changes it, and whether the outcome fits a claimed state.
 *
 * The claimed state speaks of symbols by what they mean *after* the step: the symbol of the
 * edge just taken is its result, the symbol of a local at the node just entered is that local's
 * value now. So each value of the claim is first translated into the values before the step
 * (world_meaning) and then compared. A claim that still speaks of an old meaning of such a symbol is
 * refuted by that, without any bookkeeping. */
#include "proof/proof_internal.h"

#include <assert.h>
#include <stdlib.h>

/* ---- sets ---- */

void numset_load(Proof *p, Set *s, uint32_t set) {
  s->all = set == CERT_EVERYTHING;
  vec_clear(&s->list);
  const CertSet *from = vec_at(&p->c->sets, set);
  for (uint32_t i = 0; i < from->count; i++)
    vec_push(&s->list, p->c->numbers.data[from->first + i]);
}

bool numset_has(const Set *s, uint32_t x) {
  if (s->all) return true;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (s->list.data[i] == x) return true;
  return false;
}

void numset_add(Set *s, uint32_t x) {
  if (!numset_has(s, x)) vec_push(&s->list, x);
}

void numset_remove(Set *s, uint32_t x) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (s->list.data[i] != x) s->list.data[kept++] = s->list.data[i];
  s->list.len = kept;
}

static void copy_set(Set *to, const Set *from) {
  to->all = from->all;
  vec_clear(&to->list);
  for (uint32_t i = 0; i < from->list.len; i++) vec_push(&to->list, from->list.data[i]);
}

void numset_meet(Set *s, const Set *other) {
  if (other->all) return;
  if (s->all) {
    copy_set(s, other);
    return;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (numset_has(other, s->list.data[i])) s->list.data[kept++] = s->list.data[i];
  s->list.len = kept;
}

/* The world's set is contained in the claimed one. */
static bool set_within(const Proof *p, const Set *s, uint32_t claimed) {
  if (claimed == CERT_EVERYTHING) return true;
  if (s->all) return false;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (!certificate_set_has(p->c, claimed, s->list.data[i])) return false;
  return true;
}

static bool set_contains(const Proof *p, const Set *s, uint32_t claimed) {
  if (s->all) return true;
  if (claimed == CERT_EVERYTHING) return false;
  const CertSet *c = vec_at(&p->c->sets, claimed);
  for (uint32_t i = 0; i < c->count; i++)
    if (!numset_has(s, p->c->numbers.data[c->first + i])) return false;
  return true;
}

/* ---- worlds ---- */

void world_free(World *w) {
  vec_free(&w->bindings);
  vec_free(&w->locks);
  vec_free(&w->fresh);
  vec_free(&w->handed);
  vec_free(&w->alive.list);
  vec_free(&w->done.list);
  vec_free(&w->inside.list);
  vec_free(&w->equal);
  vec_free(&w->nonzero);
  vec_free(&w->redefined);
}

static uint32_t binding_bits(const Proof *p, const CertBinding *b) {
  return b->kind == CERT_LOCAL_IS ? p->p->locals.data[b->subject].bits
                                  : cell_bits(p, b->subject);
}

static void note_nonzero(const Proof *p, World *w, const CertBinding *b) {
  NonZero fact = {.bits = binding_bits(p, b)};
  if (b->value.nonzero && fact.bits && val_is_symbol(&b->value, &fact.symbol))
    vec_push(&w->nonzero, fact);
}

void world_load(Proof *p, World *w, uint32_t state) {
  const Certificate *c = p->c;
  const CertState *s = vec_at(&c->states, state);
  vec_clear(&w->bindings);
  vec_clear(&w->locks);
  vec_clear(&w->fresh);
  vec_clear(&w->handed);
  vec_clear(&w->equal);
  vec_clear(&w->nonzero);
  vec_clear(&w->redefined);
  numset_load(p, &w->alive, s->alive);
  numset_load(p, &w->done, s->done);
  numset_load(p, &w->inside, s->inside);
  w->section = s->section;
  w->in_thread = s->in_thread;
  w->next_unknown = p->unknown_other;
  w->entering = false;
  w->edge = 0;
  for (uint32_t i = 0; i < s->binding_count; i++) {
    const CertBinding *b = &c->bindings.data[s->first_binding + i];
    vec_push(&w->bindings, *b);
    note_nonzero(p, w, b);
  }
  for (uint32_t i = 0; i < s->lock_count; i++)
    vec_push(&w->locks, c->locks.data[s->first_lock + i]);
  for (uint32_t i = 0; i < s->fresh_count; i++)
    vec_push(&w->fresh, c->numbers.data[s->first_fresh + i]);
  for (uint32_t i = 0; i < s->handed_count; i++)
    vec_push(&w->handed, c->numbers.data[s->first_handed + i]);
}

#define COPY_VEC(to, from)                                                               \
  do {                                                                                   \
    vec_clear(to);                                                                       \
    for (uint32_t i_ = 0; i_ < (from)->len; i_++) vec_push(to, (from)->data[i_]);        \
  } while (0)

void world_copy(World *to, const World *from) {
  COPY_VEC(&to->bindings, &from->bindings);
  COPY_VEC(&to->locks, &from->locks);
  COPY_VEC(&to->fresh, &from->fresh);
  COPY_VEC(&to->handed, &from->handed);
  COPY_VEC(&to->equal, &from->equal);
  COPY_VEC(&to->nonzero, &from->nonzero);
  COPY_VEC(&to->redefined, &from->redefined);
  copy_set(&to->alive, &from->alive);
  copy_set(&to->done, &from->done);
  copy_set(&to->inside, &from->inside);
  to->section = from->section;
  to->in_thread = from->in_thread;
  to->next_unknown = from->next_unknown;
  to->entering = from->entering;
  to->edge = from->edge;
  to->edge_value[0] = from->edge_value[0];
  to->edge_value[1] = from->edge_value[1];
}

/* Other threads may run now. */
bool world_is_shared(const World *w) {
  return w->in_thread || w->alive.all || w->alive.list.len;
}

Val world_new_value(Proof *p, World *w) {
  assert(w->next_unknown >= p->unknown_other); /* no symbol of the certificate */
  (void)p;
  return val_symbol(w->next_unknown++);
}

/* ---- values ---- */

static Val replace(Val v, uint32_t symbol, Val by) {
  if (!val_mentions(&v, symbol)) return v;
  Val rest = v, sum;
  if (v.base == (symbol << 1 | 1)) {
    rest.base = 0;
    sum = val_add(by, rest);
  } else {
    rest.index = 0;
    rest.stride = 0;
    sum = val_add(rest, val_times(by, v.stride));
  }
  if (!sum.known) return v; /* it has no such form: the symbol stays, which says less */
  sum.nonzero = v.nonzero;
  return sum;
}

Val world_normal(Proof *p, const World *w, Val v, uint32_t bits) {
  if (!v.known) return v;
  uint32_t nonzero = v.nonzero;
  v = val_add(val_number(0), v);
  v.nonzero = nonzero;
  for (int rounds = 0; rounds < 4; rounds++) {
    Val before = v;
    for (uint32_t i = 0; i < w->equal.len; i++)
      if (w->equal.data[i].bits >= bits)
        v = replace(v, w->equal.data[i].symbol, w->equal.data[i].value);
    uint32_t symbols[2] = {v.base & 1 ? v.base >> 1 : 0, v.index};
    for (int i = 0; i < 2; i++) {
      if (!symbols[i] || symbols[i] >= p->c->symbols.len ||
          p->c->symbols.data[symbols[i]].kind != CERT_CELL)
        continue;
      const Val *content = world_cell(w, CERT_CELL_IS, symbols[i]);
      if (content && !val_mentions(content, symbols[i]) &&
          cell_bits(p, symbols[i]) >= bits)
        v = replace(v, symbols[i], *content);
    }
    if (val_equal(&before, &v)) break;
  }
  return v;
}

Val world_local(Proof *p, const World *w, LocalId local) {
  uint32_t bits = p->p->locals.data[local].bits;
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    const CertBinding *b = &w->bindings.data[i];
    if (b->kind == CERT_LOCAL_IS && b->subject == local && b->value.known)
      return world_normal(p, w, b->value, bits);
  }
  return world_normal(p, w, val_symbol(p->unknown_local + local), bits);
}

static void set_binding(World *w, uint32_t kind, uint32_t subject, Val v) {
  for (uint32_t i = 0; i < w->bindings.len; i++)
    if (w->bindings.data[i].kind == kind && w->bindings.data[i].subject == subject) {
      w->bindings.data[i].value = v;
      return;
    }
  CertBinding b = {kind, subject, v};
  vec_push(&w->bindings, b);
}

void world_set_local(Proof *p, World *w, LocalId local, Val v) {
  assert(local < p->p->locals.len);
  set_binding(w, CERT_LOCAL_IS, local, v.known ? v : world_new_value(p, w));
}

const Val *world_cell(const World *w, uint32_t kind, uint32_t symbol) {
  for (uint32_t i = 0; i < w->bindings.len; i++)
    if (w->bindings.data[i].kind == kind && w->bindings.data[i].subject == symbol)
      return &w->bindings.data[i].value;
  return NULL;
}

void world_set_cell(World *w, uint32_t kind, uint32_t symbol, Val v) {
  assert(kind != CERT_LOCAL_IS);
  set_binding(w, kind, symbol, v);
}

void world_drop_cell(World *w, uint32_t kind, uint32_t symbol) {
  assert(kind != CERT_LOCAL_IS);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->bindings.len; i++)
    if (w->bindings.data[i].kind != kind || w->bindings.data[i].subject != symbol)
      w->bindings.data[kept++] = w->bindings.data[i];
  w->bindings.len = kept;
}

bool world_is_nonzero(const World *w, const Val *v, uint32_t bits) {
  if (!v->known || v->index) return false;
  if (!v->base) return v->offset != 0;
  if (!(v->base & 1)) return bits == 64; /* the address of an object */
  for (uint32_t i = 0; i < w->nonzero.len; i++)
    if (!v->offset && w->nonzero.data[i].symbol == v->base >> 1 &&
        w->nonzero.data[i].bits <= bits)
      return true;
  return false;
}

/* False if the symbol is known to have another value. */
bool world_equate(Proof *p, World *w, uint32_t symbol, Val v, uint32_t bits) {
  v = world_normal(p, w, v, bits);
  if (val_mentions(&v, symbol)) return true;
  Val s = val_symbol(symbol);
  int64_t n;
  if (val_is_number(&v, &n) && n == 0 && world_is_nonzero(w, &s, bits)) return false;
  Meaning m = {symbol, bits, v};
  vec_push(&w->equal, m);
  return true;
}

void world_redefine(Proof *p, World *w, uint32_t symbol, Val v) {
  (void)p;
  Meaning m = {symbol, 64, v};
  vec_push(&w->redefined, m);
}

void world_rename(Proof *p, World *w, uint32_t symbol) {
  Val v = world_new_value(p, w);
  for (uint32_t i = 0; i < w->bindings.len; i++)
    w->bindings.data[i].value = replace(w->bindings.data[i].value, symbol, v);
  for (uint32_t i = 0; i < w->locks.len; i++)
    w->locks.data[i].name = replace(w->locks.data[i].name, symbol, v);
  for (uint32_t i = 0; i < w->equal.len; i++)
    w->equal.data[i].value = replace(w->equal.data[i].value, symbol, v);
  for (uint32_t i = 0; i < w->fresh.len; i++)
    if (w->fresh.data[i] == symbol) w->fresh.data[i] = v.base >> 1;
}

/* ---- claims ---- */

static bool meaning_of_symbol(Proof *p, World *w, uint32_t symbol, NodeId node,
                              Val *ret) {
  for (uint32_t i = w->redefined.len; i-- > 0;)
    if (w->redefined.data[i].symbol == symbol) {
      *ret = w->redefined.data[i].value;
      return ret->known;
    }
  const CertSymbol *s = vec_at(&p->c->symbols, symbol);
  *ret = val_symbol(symbol);
  switch ((CertSymbolKind)s->kind) {
  case CERT_ARGUMENT:
  case CERT_THREAD: return true;
  case CERT_CELL: return !w->claim_shared || !cell_is_written(p, symbol);
  case CERT_EDGE:
  case CERT_LOAD:
    if (!w->entering && w->edge && s->a == w->edge)
      *ret = w->edge_value[s->kind == CERT_EDGE ? s->b & 1 : 0];
    return !w->entering && ret->known;
  case CERT_PHI:
    if (!w->entering && node && s->a == node) *ret = world_local(p, w, s->b);
    return !w->entering;
  case CERT_PHI_CELL:
    if (!w->entering && node && s->a == node)
      *ret = world_normal(p, w, val_symbol(s->b), cell_bits(p, s->b));
    return !w->entering;
  default: return !w->entering;
  }
}

Val world_meaning(Proof *p, World *w, Val v, NodeId node, uint32_t bits) {
  if (!v.known) return v;
  Val sum = {.known = 1, .offset = v.offset}, part;
  if (v.base & 1) {
    if (!meaning_of_symbol(p, w, v.base >> 1, node, &part)) return val_unknown();
    sum = val_add(sum, part);
  } else {
    sum.base = v.base;
  }
  if (v.index) {
    if (!meaning_of_symbol(p, w, v.index, node, &part)) return val_unknown();
    sum = val_add(sum, val_times(part, v.stride));
  }
  sum = world_normal(p, w, sum, bits);
  sum.nonzero = 0;
  return sum;
}

static bool fits_binding(Proof *p, World *w, const CertBinding *b, NodeId node) {
  if (b->kind == CERT_ID_IS) {
    const Val *id = world_cell(w, CERT_ID_IS, b->subject);
    int64_t n;
    if (!val_is_number(&b->value, &n)) return true;
    return id && val_equal(id, &b->value) && cell_is_own(p, b->subject, w->in_thread);
  }
  if (!b->value.known) return true;
  uint32_t bits = binding_bits(p, b);
  Val claimed = world_meaning(p, w, b->value, node, bits), have;
  if (b->kind == CERT_LOCAL_IS) {
    have = world_local(p, w, b->subject);
  } else {
    if (!bits || (w->claim_shared && cell_is_written(p, b->subject)))
      return false; /* somebody may change it meanwhile */
    have = world_normal(p, w, val_symbol(b->subject), bits);
  }
  if (!val_equal(&claimed, &have)) return false;
  return !b->value.nonzero || world_is_nonzero(w, &have, bits);
}

static const char *why_not_binding(Proof *p, World *w, const CertBinding *b,
                                   NodeId node) {
  if (b->kind == CERT_LOCAL_IS)
    return arena_printf(
        p->arena, "the local %s is %s, not %s",
        sym_text(p->p, p->p->locals.data[b->subject].name),
        val_text(p, world_local(p, w, b->subject)),
        val_text(p, world_meaning(p, w, b->value, node, binding_bits(p, b))));
  const Val *have = world_cell(w, b->kind, b->subject);
  return arena_printf(p->arena, "%s %s contains %s, not %s",
                      b->kind == CERT_CELL_IS ? "the" : "(id) the",
                      val_text(p, val_symbol(b->subject)),
                      have ? val_text(p, *have) : "anything", val_text(p, b->value));
}

/* Each claimed lock is another one of those held: what is taken twice is released twice. */
static bool fits_locks(Proof *p, World *w, const CertState *s, NodeId node) {
  uint8_t used[64] = {0};
  if (w->locks.len > sizeof used) return false;
  for (uint32_t i = 0; i < s->lock_count; i++) {
    const CertLock *l = &p->c->locks.data[s->first_lock + i];
    Val name = world_meaning(p, w, l->name, node, 64);
    bool found = false;
    for (uint32_t k = 0; k < w->locks.len && !found; k++) {
      const CertLock *have = &w->locks.data[k];
      Val held = world_normal(p, w, have->name, 64);
      found = !used[k] && have->kind == l->kind && have->mode == l->mode &&
              l->depth <= have->depth && val_equal(&name, &held);
      used[k] |= found;
    }
    if (!found) return false;
  }
  return true;
}

bool names_all_locks(const Proof *p, const World *w, uint32_t state) {
  const CertState *s = vec_at(&p->c->states, state);
  uint64_t named = 0, held = 0, count = 0;
  for (uint32_t i = 0; i < s->lock_count; i++) {
    const CertLock *l = &p->c->locks.data[s->first_lock + i];
    if (l->kind == LOCK_WORD) continue; /* nobody sleeps until it is free */
    named += l->depth;
    count++;
  }
  for (uint32_t i = 0; i < w->locks.len; i++) {
    if (w->locks.data[i].kind == LOCK_WORD) continue;
    held += w->locks.data[i].depth;
    count--;
  }
  return !count && named == held;
}

static const char *why_not_locks(Proof *p, World *w, const CertState *s, NodeId node) {
  const char *text = "of the locks";
  for (uint32_t i = 0; i < s->lock_count; i++) {
    const CertLock *l = &p->c->locks.data[s->first_lock + i];
    text = arena_printf(p->arena, "%s %s(%u %u %u)", text,
                        val_text(p, world_meaning(p, w, l->name, node, 64)), l->kind,
                        l->mode, l->depth);
  }
  text = arena_printf(p->arena, "%s these are held:", text);
  for (uint32_t i = 0; i < w->locks.len; i++)
    text = arena_printf(p->arena, "%s %s(%u %u %u)", text,
                        val_text(p, world_normal(p, w, w->locks.data[i].name, 64)),
                        w->locks.data[i].kind, w->locks.data[i].mode,
                        w->locks.data[i].depth);
  return text;
}

static bool binds_within(Proof *p, const CertState *s, LocalId local, uint32_t symbol) {
  for (uint32_t i = 0; i < s->binding_count; i++) {
    const CertBinding *b = &p->c->bindings.data[s->first_binding + i];
    if (b->kind == CERT_LOCAL_IS && b->subject == local)
      return b->value.known && b->value.base == (symbol << 1 | 1);
  }
  return false;
}

/* The object is fresh, and every local that points into it is still known to do so: a local
 * of unknown value may be stored unnoticed. */
static bool fits_fresh(Proof *p, World *w, const CertState *s, NodeId node) {
  for (uint32_t i = 0; i < s->fresh_count; i++) {
    uint32_t claimed = p->c->numbers.data[s->first_fresh + i], symbol;
    Val v = world_meaning(p, w, val_symbol(claimed), node, 64);
    bool fresh = false;
    int64_t n;
    if (val_is_number(&v, &n)) continue; /* the null pointer: there is no object */
    if (val_is_symbol(&v, &symbol))
      for (uint32_t k = 0; k < w->fresh.len; k++)
        fresh = fresh || w->fresh.data[k] == symbol;
    if (!fresh) return false;
    for (uint32_t k = 0; k < w->bindings.len; k++) {
      const CertBinding *b = &w->bindings.data[k];
      Val have = world_normal(p, w, b->value, 64);
      if (b->kind == CERT_LOCAL_IS && have.known && have.base == (symbol << 1 | 1) &&
          !binds_within(p, s, b->subject, claimed) &&
          (!node || local_is_live(p, node, b->subject)))
        return false;
    }
  }
  return true;
}

/* What has been handed over in this round is claimed to be: a new round begins at the node that
 * the counter's symbol is named after. */
static bool fits_handed(Proof *p, const World *w, const CertState *s, NodeId node) {
  for (uint32_t i = 0; node && i < w->handed.len; i++) {
    assert(w->handed.data[i] < p->c->symbols.len);
    bool claimed = p->c->symbols.data[w->handed.data[i]].a == node;
    for (uint32_t k = 0; k < s->handed_count && !claimed; k++)
      claimed = p->c->numbers.data[s->first_handed + k] == w->handed.data[i];
    if (!claimed) return false;
  }
  return true;
}

bool world_fits(Proof *p, World *w, uint32_t state, NodeId node, const char **ret_why) {
  const CertState *s = vec_at(&p->c->states, state);
  w->claim_shared = s->in_thread || s->alive;
  *ret_why = "the threads that may run";
  if (!set_within(p, &w->alive, s->alive)) return false;
  *ret_why = "one-time initialisers";
  if (!set_contains(p, &w->done, s->done) || !set_contains(p, &w->inside, s->inside))
    return false;
  *ret_why = "the thread or the section";
  if (s->section > w->section || s->in_thread != w->in_thread) return false;
  if (!fits_locks(p, w, s, node)) {
    *ret_why = why_not_locks(p, w, s, node);
    return false;
  }
  *ret_why = "what has been handed over";
  if (!fits_handed(p, w, s, node)) return false;
  *ret_why = "a fresh object";
  if (!fits_fresh(p, w, s, node)) return false;
  for (uint32_t i = 0; i < s->binding_count; i++) {
    const CertBinding *b = &p->c->bindings.data[s->first_binding + i];
    if (!fits_binding(p, w, b, node)) {
      *ret_why = why_not_binding(p, w, b, node);
      return false;
    }
  }
  return true;
}

bool world_fits_one(Proof *p, World *w, const uint32_t *states, uint32_t count,
                    NodeId node, const char **ret_why) {
  const char *all = "no state is claimed there", *why;
  for (uint32_t i = 0; p->asks_orders && i < count; i++)
    if (names_all_locks(p, w, states[i]) && world_fits(p, w, states[i], node, &why))
      return true;
  for (uint32_t i = 0; i < count; i++) {
    if (world_fits(p, w, states[i], node, &why)) {
      p->vague = true;
      return true;
    }
    all = i ? arena_printf(p->arena, "%s; %s", all, why) : why;
  }
  *ret_why = all;
  return false;
}

void take_claim(Proof *p, EdgeId e) {
  if (p->vague) against_orders(p, e, "it is not known which locks are held here");
  p->vague = false;
}

bool world_fits_some(Proof *p, World *w, uint32_t context, EdgeId e,
                     const char **ret_why) {
  const CertContext *c = vec_at(&p->c->contexts, context);
  NodeId to = program_edge(p->p, e)->to;
  assert(to);
  const CertNode *n = vec_at(
      &p->c->nodes, c->first_node + to - p->p->functions.data[c->function].first_node);
  return world_fits_one(p, w, p->c->node_states.data + n->first, n->count, to, ret_why);
}

void world_arrive(Proof *p, World *w, uint32_t context, EdgeId e) {
  const char *why;
  if (!world_fits_some(p, w, context, e, &why))
    reject(p, e, "the claim after '%s' does not follow: %s",
           op_text(program_edge(p->p, e)->op), why);
  take_claim(p, e);
}
