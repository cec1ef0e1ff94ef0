/* Locals that are one number whenever a thread is at a location, or another local plus a number: what a compiler
 * keeps in memory between two steps, operands of atomic operations, flags that a path has set. See model_internal.h.
 *
 * Forwards over blocks, until nothing changes: a local is not seen yet, one number, the sum of a certain local and one
 * number, or any. Locals with such a sum are told by one that has none, so no sum is over another. Blocks then have these
 * instead of the locals, so no predicate is needed for what is always so. */
#include "engine/circ/model_internal.h"

#include "base/mem.h"

#define ANY UINT32_MAX /* several numbers; 0: no thread comes there */

typedef struct {
  Term value;      /* 0, a constant, over `now` of another one, or ANY */
  uint32_t beside; /* index of the other one + 1; 0: none */
} Known;

typedef struct {
  CircMaker *x;
  CircKind *k;
  Known *at;       /* by location, by local */
  uint8_t *come;   /* by location: a thread may come there */
  uint8_t *needed; /* by location, by local: what follows relies on the number */
} Constants;

static Known *row(const Constants *c, uint32_t location) {
  return &c->at[(size_t)location * c->k->locals.len];
}

static bool is_known(Known k) {
  return k.value && k.value != ANY;
}

static void know(const Constants *c, uint32_t location, Map *ret) {
  const Known *values = row(c, location);
  for (uint32_t v = 0; v < c->k->locals.len; v++)
    if (is_known(values[v])) map_put(ret, c->k->locals.data[v].now, values[v].value);
}

/* The source has it, not only the compiler. */
static bool has_name(const Constants *c, const CircLocal *l) {
  if (!l->variable || *l->name == '.') return false;
  const AutoVariable *v = vec_at(&c->x->a->variables, l->variable);
  return v->object || *sym_text(c->x->p, vec_at(&c->x->p->locals, v->local)->name);
}

/* Such a sum; which local it is over is the same for all that differ by numbers. `values`: of all locals. */
static Known sum_of(const Constants *c, const Term *values, uint32_t local) {
  Terms *t = c->x->t;
  for (int named = 1; named >= 0; named--)
    for (uint32_t u = 0; u < c->k->locals.len; u++) {
      const CircLocal *l = &c->k->locals.data[u];
      if (has_name(c, l) != named ||
          term_bits(t, values[u]) != term_bits(t, values[local]))
        continue;
      Term distance = term_sub(t, values[local], values[u]);
      if (!term_const_words(t, distance)) continue;
      if (u == local) return (Known){ANY, 0};
      return (Known){term_add(t, l->now, distance), u + 1};
    }
  return (Known){ANY, 0};
}

/* The value is what is known, where locals have these values. */
static bool is_so(const Constants *c, Known known, const Term *values, Term value) {
  Terms *t = c->x->t;
  if (!known.beside) return known.value == value;
  Term now = c->k->locals.data[known.beside - 1].now;
  Term distance = term_sub(t, known.value, now);
  return value == term_add(t, values[known.beside - 1], distance);
}

static bool join(const Constants *c, uint32_t location, uint32_t local,
                 const Term *values) {
  Known *here = &row(c, location)[local];
  if (here->value == ANY) return false;
  if (here->value) {
    if (is_so(c, *here, values, values[local])) return false;
    *here = (Known){ANY, 0};
    return true;
  }
  *here = term_const_words(c->x->t, values[local]) ? (Known){values[local], 0}
                                                   : sum_of(c, values, local);
  return true;
}

/* What the block makes of them; true: something is new behind it. */
static bool pass(Constants *c, const CircBlock *b) {
  Map known = {0};
  bool changed = false;
  if (!c->come[b->from] || !b->to) return false;
  know(c, b->from, &known);
  if (!term_is_false(c->x->t, term_substitute(c->x->t, b->guard, &known))) {
    Term *values = mem_alloc_zero((c->k->locals.len + 1) * sizeof *values);
    changed = !c->come[b->to];
    c->come[b->to] = 1;
    for (uint32_t v = 0; v < c->k->locals.len; v++) {
      Term value = c->k->locals.data[v].now;
      for (uint32_t i = 0; i < b->set_count; i++)
        if (c->k->sets.data[b->first_set + i].variable == (CIRC_LOCAL | v))
          value = c->k->sets.data[b->first_set + i].value;
      values[v] = term_substitute(c->x->t, value, &known);
    }
    for (uint32_t v = 0; v < c->k->locals.len; v++) changed |= join(c, b->to, v, values);
    mem_free(values);
  }
  map_free(&known);
  return changed;
}

static void begin(Constants *c) {
  uint32_t start = c->x->a->start;
  c->come[start] = 1;
  for (uint32_t v = 0; v < c->k->locals.len; v++) {
    const CircLocal *l = &c->k->locals.data[v];
    row(c, start)[v] = (Known){l->start ? l->start : ANY, 0};
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
    Known is = row(n->c, n->location)[v];
    uint8_t *needed = &n->c->needed[(size_t)n->location * k->locals.len + v];
    if (k->locals.data[v].now != variable || !is_known(is) || *needed) continue;
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

static void note_kept(Noting *n, const CircBlock *b, uint32_t local) {
  const CircKind *k = n->c->k;
  for (uint32_t i = 0; i < b->set_count; i++)
    if (k->sets.data[b->first_set + i].variable == (CIRC_LOCAL | local)) return;
  note_term(n, k->locals.data[local].now);
}

/* What it leaves as it is, and is needed behind it. */
static bool note_back(Constants *c, const CircBlock *b) {
  Noting n = {c, b->from, false};
  for (uint32_t v = 0; b->to && v < c->k->locals.len; v++) {
    if (!c->needed[(size_t)b->to * c->k->locals.len + v]) continue;
    note_kept(&n, b, v);
    uint32_t beside = row(c, b->to)[v].beside;
    if (beside) note_kept(&n, b, beside - 1);
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
      if (c->needed[(size_t)at * k->locals.len + v]) {
        Known is = row(c, at)[v];
        CircConstant known = {.location = at, .local = k->locals.data[v]};
        known.value = is.value;
        if (is.beside) known.beside = k->locals.data[is.beside - 1];
        vec_push(&k->constants, known);
      }
}

void circ_constants_find(CircMaker *x) {
  CircKind *k = x->kind;
  uint32_t locations = x->a->locations.len;
  size_t size = (size_t)locations * k->locals.len + 1;
  Constants c = {x, k, mem_alloc_zero(size * sizeof(Known)),
                 mem_alloc_zero(locations + 1), mem_alloc_zero(size)};
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
