/* Is the certificate well formed: no index in it leads outside of its table, and what is said to
 * be a cell or a thread is one. After this the rest of the checker follows indices freely. */
#include "proof/proof_internal.h"

static bool in_range(uint32_t first, uint32_t count, uint32_t len) {
  return (uint64_t)first + count <= len;
}

static bool is_cell(const Proof *p, uint32_t symbol) {
  return symbol < p->c->symbols.len && p->c->symbols.data[symbol].kind == CERT_CELL;
}

static bool good_value(const Proof *p, const CertValue *v) {
  if (!v->known) return true;
  uint32_t id = v->base >> 1;
  bool base = v->base & 1 ? id && id < p->c->symbols.len : id < p->p->objects.len;
  return base && v->index < p->c->symbols.len;
}

static bool good_symbol(const Proof *p, const CertSymbol *s) {
  switch ((CertSymbolKind)s->kind) {
  case CERT_NONE:
  case CERT_PARAM:
  case CERT_ARGUMENT:
  case CERT_OPAQUE: return true;
  case CERT_EDGE:
  case CERT_LOAD: return s->a && s->a < p->p->edges.len && good_value(p, &s->address);
  case CERT_PHI: return s->a < p->p->nodes.len && s->b < p->p->locals.len;
  case CERT_PHI_CELL:
  case CERT_PHI_ID: return s->a < p->p->nodes.len && is_cell(p, s->b);
  case CERT_THREAD: return s->a < p->c->threads.len;
  case CERT_CELL: return s->a && s->a < p->p->objects.len && s->size <= 16;
  }
  return false;
}

static bool good_binding(const Proof *p, const CertBinding *b) {
  if (!good_value(p, &b->value)) return false;
  int64_t kind;
  switch ((CertBindingKind)b->kind) {
  case CERT_LOCAL_IS: return b->subject && b->subject < p->p->locals.len;
  case CERT_CELL_IS: return is_cell(p, b->subject);
  case CERT_ID_IS:
    return is_cell(p, b->subject) &&
           (!val_is_number(&b->value, &kind) || (kind > 0 && kind < p->c->threads.len));
  }
  return false;
}

/* What is held is held at least once: to release it ends that. */
static bool good_lock(const Proof *p, const CertLock *l) {
  return l->kind < LOCK_KIND_COUNT && l->mode <= MODE_ANY && l->depth &&
         good_value(p, &l->name);
}

/* All numbers of the range are below the limit. */
static bool good_numbers(const Proof *p, uint32_t first, uint32_t count, uint32_t limit) {
  if (!in_range(first, count, p->c->numbers.len)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (p->c->numbers.data[first + i] >= limit) return false;
  return true;
}

static bool good_set(const Proof *p, uint32_t set, uint32_t limit) {
  return set < p->c->sets.len &&
         good_numbers(p, p->c->sets.data[set].first, p->c->sets.data[set].count, limit);
}

static bool good_state(const Proof *p, const CertState *s) {
  const Certificate *c = p->c;
  return in_range(s->first_binding, s->binding_count, c->bindings.len) &&
         in_range(s->first_lock, s->lock_count, c->locks.len) &&
         good_numbers(p, s->first_fresh, s->fresh_count, c->symbols.len) &&
         good_numbers(p, s->first_handed, s->handed_count, c->symbols.len) &&
         good_set(p, s->alive, c->threads.len) && good_set(p, s->done, c->onces.len) &&
         good_set(p, s->inside, c->onces.len);
}

static bool good_context(const Proof *p, const CertContext *x) {
  const Certificate *c = p->c;
  if (!x->function || x->function >= p->p->functions.len || x->entry >= c->states.len)
    return false;
  const Function *f = &p->p->functions.data[x->function];
  if (!(f->flags & FUNCTION_DEFINED) ||
      !in_range(x->first_node, f->node_count, c->nodes.len) ||
      !in_range(x->first_exit, x->exit_count, c->exits.len) ||
      !good_numbers(p, x->first_callee, x->callee_count, c->contexts.len))
    return false;
  for (uint32_t i = 0; i < f->node_count; i++) {
    const CertNode *n = &c->nodes.data[x->first_node + i];
    if (!in_range(n->first, n->count, c->node_states.len)) return false;
    for (uint32_t k = 0; k < n->count; k++)
      if (c->node_states.data[n->first + k] >= c->states.len) return false;
  }
  for (uint32_t i = 0; i < x->exit_count; i++) {
    const CertExit *e = &c->exits.data[x->first_exit + i];
    if (e->state >= c->states.len || !good_value(p, &e->result)) return false;
  }
  return true;
}

static bool good_thread(const Proof *p, const CertThread *t, bool main) {
  return t->entry && t->entry < p->p->functions.len && t->site < p->p->edges.len &&
         main == !t->site && (!main || t->entry == p->p->main) &&
         (p->p->functions.data[t->entry].flags & FUNCTION_DEFINED) &&
         good_numbers(p, t->first_entry, t->entry_count, p->c->contexts.len);
}

#define CHECK_ALL(table, start, test, what)                                              \
  for (uint32_t i = (start); i < (table)->len; i++)                                      \
    if (!(test)) {                                                                       \
      reject(p, 0, "the certificate is malformed: " what " %u", i);                      \
      return false;                                                                      \
    }

bool shape_is_sound(Proof *p) {
  const Certificate *c = p->c;
  if (!c->symbols.len || c->sets.len <= CERT_EVERYTHING || !c->threads.len ||
      !c->onces.len || c->sets.data[0].count || c->sets.data[CERT_EVERYTHING].count) {
    reject(p, 0, "the certificate is malformed: a table is missing");
    return false;
  }
  CHECK_ALL(&c->symbols, 0, good_symbol(p, &c->symbols.data[i]), "symbol");
  CHECK_ALL(&c->bindings, 0, good_binding(p, &c->bindings.data[i]), "binding");
  CHECK_ALL(&c->locks, 0, good_lock(p, &c->locks.data[i]), "lock");
  CHECK_ALL(&c->states, 0, good_state(p, &c->states.data[i]), "state");
  CHECK_ALL(&c->contexts, 0, good_context(p, &c->contexts.data[i]), "context");
  CHECK_ALL(&c->threads, 0, good_thread(p, &c->threads.data[i], i == 0), "thread");
  CHECK_ALL(&c->onces, 1, c->onces.data[i].object < p->p->objects.len,
            "one-time control");
  return true;
}
