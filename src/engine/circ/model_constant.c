/* Locals that are one number whenever a thread is at a location: what a compiler keeps in memory between two
 * steps, operands of atomic operations, flags that a path has set. See model_internal.h.
 *
 * Forwards over blocks, until nothing changes: a local is not seen yet, one number, or any. Blocks then have the numbers
 * instead of the locals, so no predicate is needed for what is always so. */
#include "engine/circ/model_internal.h"

#include "base/mem.h"

#define ANY UINT32_MAX /* several numbers; 0: no thread comes there */

typedef struct {
  CircMaker *x;
  CircKind *k;
  Term *at;        /* by location, by local: 0, a constant, or ANY */
  uint8_t *come;   /* by location: a thread may come there */
  uint8_t *needed; /* by location, by local: what follows relies on the number */
} Constants;

static Term *row(const Constants *c, uint32_t location) {
  return &c->at[(size_t)location * c->k->locals.len];
}

static void know(const Constants *c, uint32_t location, Map *ret) {
  const Term *values = row(c, location);
  for (uint32_t v = 0; v < c->k->locals.len; v++)
    if (values[v] && values[v] != ANY) map_put(ret, c->k->locals.data[v].now, values[v]);
}

static bool join(const Constants *c, uint32_t location, uint32_t local, Term value) {
  Term *here = &row(c, location)[local];
  Term is = term_const_words(c->x->t, value) ? value : ANY;
  if (*here == is || *here == ANY) return false;
  *here = *here ? ANY : is;
  return true;
}

/* What the block makes of them; true: something is new behind it. */
static bool pass(Constants *c, const CircBlock *b) {
  Map known = {0};
  bool changed = false;
  if (!c->come[b->from] || !b->to) return false;
  know(c, b->from, &known);
  if (!term_is_false(c->x->t, term_substitute(c->x->t, b->guard, &known))) {
    changed = !c->come[b->to];
    c->come[b->to] = 1;
    for (uint32_t v = 0; v < c->k->locals.len; v++) {
      Term value = c->k->locals.data[v].now;
      for (uint32_t i = 0; i < b->set_count; i++)
        if (c->k->sets.data[b->first_set + i].variable == (CIRC_LOCAL | v))
          value = c->k->sets.data[b->first_set + i].value;
      changed |= join(c, b->to, v, term_substitute(c->x->t, value, &known));
    }
  }
  map_free(&known);
  return changed;
}

static void begin(Constants *c) {
  uint32_t start = c->x->a->start;
  c->come[start] = 1;
  for (uint32_t v = 0; v < c->k->locals.len; v++) {
    const CircLocal *l = &c->k->locals.data[v];
    row(c, start)[v] = l->start ? l->start : ANY;
  }
}

/* ---- blocks with numbers ---- */

static void replace(Terms *t, Term *term, Map *known) {
  if (*term) *term = term_substitute(t, *term, known);
}

static void fill_in(CircMaker *x, CircKind *k, const CircBlock *block, Map *known) {
  Terms *t = x->t;
  CircBlock b = *block;
  for (uint32_t i = 0; i < b.set_count; i++)
    replace(t, &k->sets.data[b.first_set + i].value, known);
  for (uint32_t i = 0; i < b.input_count; i++)
    replace(t, &k->inputs.data[b.first_input + i].guard, known);
  for (uint32_t i = 0; i < b.visit_count; i++)
    replace(t, &k->visits.data[b.first_visit + i].guard, known);
  for (uint32_t i = 0; i < b.event_count; i++) {
    replace(t, &k->events.data[b.first_event + i].guard, known);
    replace(t, &k->events.data[b.first_event + i].address, known);
  }
  for (uint32_t i = 0; i < b.start_count; i++) {
    CircStart *s = &k->starts.data[b.first_start + i];
    replace(t, &s->guard, known);
    for (uint32_t n = 0; n < s->set_count; n++)
      replace(t, &k->start_sets.data[s->first_set + n].value, known);
  }
}

/* ---- what is relied on ---- */

typedef struct {
  Constants *c;
  uint32_t location;
  bool changed;
} Noting;

static void note_read(void *user, Term variable) {
  Noting *n = user;
  const CircKind *k = n->c->k;
  for (uint32_t v = 0; v < k->locals.len; v++) {
    Term is = row(n->c, n->location)[v];
    uint8_t *needed = &n->c->needed[(size_t)n->location * k->locals.len + v];
    if (k->locals.data[v].now != variable || !is || is == ANY || *needed) continue;
    *needed = 1;
    n->changed = true;
  }
}

static void note_term(Noting *n, Term t) {
  Map seen = {0};
  if (t) term_variables(n->c->x->t, t, &seen, note_read, n);
  map_free(&seen);
}

/* What a block reads in any case. */
static void note_reads(Constants *c, const CircBlock *b) {
  Noting n = {c, b->from, false};
  note_term(&n, b->guard);
  for (uint32_t i = 0; i < b->set_count; i++)
    note_term(&n, c->k->sets.data[b->first_set + i].value);
  for (uint32_t i = 0; i < b->event_count; i++) {
    note_term(&n, c->k->events.data[b->first_event + i].guard);
    note_term(&n, c->k->events.data[b->first_event + i].address);
  }
  for (uint32_t i = 0; i < b->start_count; i++) {
    const CircStart *s = &c->k->starts.data[b->first_start + i];
    note_term(&n, s->guard);
    for (uint32_t j = 0; j < s->set_count; j++)
      note_term(&n, c->k->start_sets.data[s->first_set + j].value);
  }
}

/* What it leaves as it is, and is needed behind it. */
static bool note_back(Constants *c, const CircBlock *b) {
  Noting n = {c, b->from, false};
  for (uint32_t v = 0; b->to && v < c->k->locals.len; v++) {
    bool set = false;
    if (!c->needed[(size_t)b->to * c->k->locals.len + v]) continue;
    for (uint32_t i = 0; i < b->set_count; i++)
      set = set || c->k->sets.data[b->first_set + i].variable == (CIRC_LOCAL | v);
    if (!set) note_term(&n, c->k->locals.data[v].now);
  }
  return n.changed;
}

static void note_all(Constants *c) {
  CircKind *k = c->k;
  for (uint32_t i = 0; i < k->all.len; i++) note_reads(c, &k->all.data[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = k->all.len; i > 0; i--)
      changed |= note_back(c, &k->all.data[i - 1]);
  }
  for (uint32_t at = 1; at < c->x->a->locations.len; at++)
    for (uint32_t v = 0; v < k->locals.len; v++)
      if (c->needed[(size_t)at * k->locals.len + v])
        vec_push(&k->constants, ((CircConstant){at, k->locals.data[v], row(c, at)[v]}));
}

void circ_constants_find(CircMaker *x) {
  CircKind *k = x->kind;
  uint32_t locations = x->a->locations.len;
  size_t size = (size_t)locations * k->locals.len + 1;
  Constants c = {x, k, mem_alloc_zero(size * sizeof(Term)), mem_alloc_zero(locations + 1),
                 mem_alloc_zero(size)};
  begin(&c);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < k->all.len; i++) changed |= pass(&c, &k->all.data[i]);
  }
  note_all(&c);
  for (uint32_t i = 0; i < k->all.len; i++) {
    CircBlock *b = &k->all.data[i];
    Map known = {0};
    know(&c, b->from, &known);
    if (known.len && c.come[b->from]) {
      fill_in(x, k, b, &known);
      replace(x->t, &b->guard, &known);
    }
    map_free(&known);
  }
  mem_free(c.at);
  mem_free(c.come);
  mem_free(c.needed);
}
