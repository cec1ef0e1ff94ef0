/* Reads the evidence of a modular proof. See modular.h. */
#include "proof/modular.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  Context *x;
  const char *at, *end, *stop;
  uint32_t line;
} Reader;

static bool fail(const Reader *r, const char *what) {
  return context_reject(r->x, "evidence, line %u: %s", r->line, what);
}

static bool next_line(Reader *r) {
  if (r->at >= r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->stop = newline ? newline : r->end;
  r->line++;
  return true;
}

static ContextToken next_word(Reader *r) {
  while (r->at < r->stop && *r->at == ' ') r->at++;
  ContextToken t = {r->at, 0, r->line};
  while (r->at < r->stop && *r->at != ' ') r->at++;
  t.length = (uint32_t)(r->at - t.at);
  return t;
}

static bool is(ContextToken t, const char *word) {
  return t.length == strlen(word) && !memcmp(t.at, word, t.length);
}

/* A number below `limit`. */
static bool read_number(Reader *r, uint64_t limit, uint32_t *ret) {
  ContextToken t = next_word(r);
  uint64_t value = 0;
  for (uint32_t i = 0; i < t.length; i++) {
    if (t.at[i] < '0' || t.at[i] > '9' || value > UINT32_MAX)
      return fail(r, "a number expected");
    value = value * 10 + (uint64_t)(t.at[i] - '0');
  }
  if (!t.length || value >= limit) return fail(r, "there is no such number");
  *ret = (uint32_t)value;
  return true;
}

int modular_compare(const void *a, const void *b) {
  const ModularPlace *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->location < y->location ? -1 : x->location > y->location;
}

static uint64_t key_of(const ModularPlace *at, uint32_t count) {
  return map_hash(at, count * sizeof *at) ^ count;
}

const ModularTuple *modular_find(const Modular *m, const ModularPlace *at,
                                 uint32_t count) {
  assert(count && count <= m->level && modular_compare(&at[0], &at[count - 1]) <= 0);
  uint64_t found = map_find(&m->listed, key_of(at, count), 0);
  if (!found) return NULL;
  const ModularTuple *tuple = &m->tuples.data[found - 1];
  bool same = tuple->count == count && !memcmp(tuple->at, at, count * sizeof *at);
  return same ? tuple : NULL;
}

static bool read_tuple(Reader *r) {
  Context *x = r->x;
  Modular *m = x->modular;
  ModularTuple t = {.first_term = m->terms.len};
  while (r->at < r->stop) {
    ModularPlace p;
    if (t.count == m->level) return fail(r, "a tuple is too large");
    if (!read_number(r, x->c.kinds.len, &p.kind)) return false;
    const Automaton *a = &x->automata->kinds.data[x->c.kinds.data[p.kind].automaton];
    if (!read_number(r, a->locations.len, &p.location)) return false;
    if (!p.location) return fail(r, "a place is nowhere");
    if (t.count && modular_compare(&t.at[t.count - 1], &p) > 0)
      return fail(r, "places are not in order");
    for (uint32_t i = 0; i < t.count; i++)
      if (t.at[i].kind == p.kind && x->c.kinds.data[p.kind].once)
        return fail(r, "there is only one such thread");
    t.at[t.count++] = p;
    while (r->at < r->stop && *r->at == ' ') r->at++;
  }
  if (!t.count) return fail(r, "a tuple of nobody");
  uint64_t *known = map_at(&m->listed, key_of(t.at, t.count));
  if (*known) return fail(r, "a tuple is listed twice");
  vec_push(&m->tuples, t);
  *known = m->tuples.len;
  if (t.count == 1) {
    vec_push(&m->places, t.at[0]);
    map_put(&x->first_state, (uint64_t)t.at[0].kind << 32 | t.at[0].location, 1);
  }
  return true;
}

Term modular_slot(Context *x, uint32_t slot, uint32_t variable) {
  uint64_t *known = map_at(&x->modular->in_slot, (uint64_t)slot << 32 | variable);
  if (!*known) *known = context_any(x, x->c.variables.data[variable].bits);
  return (Term)*known;
}

/* `vN@S`: it must be a variable of the thread that is there. */
static Term slot_variable(Context *x, void *user, uint32_t variable, uint32_t slot) {
  const ModularTuple *t = user;
  const ContextVariable *v = &x->c.variables.data[variable];
  bool own = v->what == IS_LOCAL || v->what == IS_OWN;
  if (slot == CONTEXT_SHARED) return own ? 0 : v->now;
  if (!own || slot >= t->count || t->at[slot].kind != v->kind) return 0;
  return modular_slot(x, slot, variable);
}

static bool read_holds(Reader *r) {
  Context *x = r->x;
  Modular *m = x->modular;
  uint32_t first = x->c.tokens.len;
  if (!m->tuples.len) return fail(r, "nobody fulfils it");
  for (;;) {
    ContextToken t = next_word(r);
    if (!t.length) break;
    vec_push(&x->c.tokens, t);
  }
  Term term =
      context_parse(x, first, x->c.tokens.len, slot_variable, vec_last(&m->tuples));
  if (!term) return false;
  vec_push(&m->terms, term);
  vec_last(&m->tuples)->term_count++;
  return true;
}

bool modular_is(const Context *x) {
  static const char word[] = "modular ";
  return x->c.evidence && x->c.evidence_length >= sizeof word - 1 &&
         !memcmp(x->c.evidence, word, sizeof word - 1);
}

bool modular_read(Context *x) {
  Reader r = {.x = x, .at = x->c.evidence, .end = x->c.evidence + x->c.evidence_length};
  Modular *m = x->modular = mem_alloc_zero(sizeof *m);
  if (x->c.states.len || x->c.steps.len || x->c.groups.len || x->c.predicates.len ||
      x->c.nexts.len)
    return fail(&r, "an invariant has no local states");
  while (next_line(&r)) {
    ContextToken word = next_word(&r);
    while (r.at < r.stop && *r.at == ' ') r.at++;
    bool ok;
    if (r.line == 1)
      ok = read_number(&r, MODULAR_LEVELS + 1, &m->level) && m->level;
    else if (is(word, "tuple"))
      ok = read_tuple(&r);
    else
      ok = is(word, "holds") ? read_holds(&r) : fail(&r, "tuple or holds expected");
    if (!ok) return fail(&r, "it is none");
    if (r.at != r.stop) return fail(&r, "the line goes on");
    r.at = r.stop < r.end ? r.stop + 1 : r.end;
  }
  x->result->states = m->tuples.len;
  if (m->places.len)
    qsort(m->places.data, m->places.len, sizeof *m->places.data, modular_compare);
  return true;
}

void modular_free(Context *x) {
  Modular *m = x->modular;
  if (!m) return;
  vec_free(&m->tuples);
  vec_free(&m->terms);
  vec_free(&m->places);
  vec_free(&m->events);
  map_free(&m->in_slot);
  map_free(&m->of_bystander);
  map_free(&m->listed);
  mem_free(m);
}
