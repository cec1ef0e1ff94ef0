/* See predicate.h. */
#include "engine/circ/predicate.h"

#include "base/mem.h"

/* ---- whose variables ---- */

static uint64_t pack(uint32_t kind, CircVar variable) {
  return (uint64_t)(kind + 1) << 32 | variable;
}

static void name_owners(CircPredicates *ps) {
  const CircModel *m = ps->model;
  for (uint32_t i = 0; i < m->shared.len; i++)
    map_put(&ps->owner_of, m->shared.data[i].now, pack(CIRC_NOBODY, i));
  for (uint32_t k = 0; k < m->kinds.len; k++)
    for (uint32_t i = 0; i < m->kinds.data[k].locals.len; i++)
      map_put(&ps->owner_of, m->kinds.data[k].locals.data[i].now,
              pack(k, i | CIRC_LOCAL));
}

bool circ_owner(const CircPredicates *ps, Term variable, CircOwner *ret) {
  const uint64_t *found = map_get(&ps->owner_of, variable);
  if (found) *ret = (CircOwner){(uint32_t)(*found >> 32) - 1, (CircVar)*found};
  return found;
}

bool circ_is_tracked(const CircPredicates *ps, const CircPredicate *p, uint32_t kind,
                     uint32_t location) {
  if (p->kind != kind) return false;
  for (uint32_t i = 0; i < p->owner_count; i++) {
    const CircOwner *o = &ps->owners.data[p->first_owner + i];
    if (o->kind == kind &&
        !circ_is_live(ps->model, kind, location, o->variable & ~CIRC_LOCAL))
      return false;
  }
  return true;
}

/* ---- the set ---- */

CircPredicates *circ_predicates_new(CircModel *model) {
  CircPredicates *ps = mem_alloc_zero(sizeof *ps);
  ps->model = model;
  name_owners(ps);
  return ps;
}

void circ_predicates_free(CircPredicates *ps) {
  if (!ps) return;
  map_free(&ps->owner_of);
  map_free(&ps->numbers);
  map_free(&ps->bounded);
  vec_free(&ps->owners);
  vec_free(&ps->list);
  mem_free(ps);
}

typedef struct {
  CircPredicates *ps;
  bool foreign; /* an input, or a second kind */
  CircPredicate p;
} Looking;

static void look(void *user, Term variable) {
  Looking *l = user;
  CircOwner owner;
  if (!circ_owner(l->ps, variable, &owner)) {
    l->foreign = true;
    return;
  }
  if (owner.kind == CIRC_NOBODY)
    l->p.mixed = true; /* so far: shared ones */
  else if (l->p.kind != CIRC_NOBODY && l->p.kind != owner.kind)
    l->foreign = true;
  else
    l->p.kind = owner.kind;
  vec_push(&l->ps->owners, owner);
  l->p.owner_count++;
}

static bool have_common(const CircPredicates *ps, const CircPredicate *a,
                        const CircPredicate *b) {
  for (uint32_t i = 0; i < a->owner_count; i++)
    for (uint32_t j = 0; j < b->owner_count; j++)
      if (ps->owners.data[a->first_owner + i].variable ==
          ps->owners.data[b->first_owner + j].variable)
        return true;
  return false;
}

/* Groups from the beginning: a new predicate may join several. */
static void form_groups(CircPredicates *ps) {
  ps->group_count = 0;
  for (uint32_t i = 0; i < ps->list.len; i++) {
    CircPredicate *p = &ps->list.data[i];
    if (p->kind != CIRC_NOBODY) continue;
    p->group = ps->group_count;
    bool joined = false;
    for (uint32_t j = 0; j < i; j++) {
      CircPredicate *q = &ps->list.data[j];
      if (q->kind != CIRC_NOBODY || !have_common(ps, p, q)) continue;
      if (!joined) {
        p->group = q->group;
        joined = true;
      } else if (q->group != p->group) {
        uint32_t gone = q->group > p->group ? q->group : p->group;
        uint32_t kept = q->group > p->group ? p->group : q->group;
        for (uint32_t x = 0; x <= i; x++) {
          CircPredicate *r = &ps->list.data[x];
          if (r->kind != CIRC_NOBODY) continue;
          if (r->group == gone) r->group = kept;
          if (r->group > gone) r->group--;
        }
        ps->group_count--;
      }
    }
    if (!joined) ps->group_count++;
  }
}

/* What a thread's share is says something of the variable that counts, too: when that changes, so does what
 * is known of others. */
static void add_counted(CircPredicates *ps, CircPredicate *p) {
  uint32_t count = p->owner_count;
  for (uint32_t i = 0; i < count; i++) {
    CircOwner o = ps->owners.data[p->first_owner + i];
    if (o.kind == CIRC_NOBODY) continue;
    Term now = ps->model->kinds.data[o.kind].locals.data[o.variable & ~CIRC_LOCAL].now;
    for (uint32_t c = 0; c < ps->model->counters.len; c++) {
      if (ps->model->counters.data[c].own[o.kind] != now) continue;
      vec_push(&ps->owners,
               ((CircOwner){CIRC_NOBODY, ps->model->counters.data[c].shared}));
      p->owner_count++;
      p->mixed = true;
    }
  }
}

/* There is another one for the variable, which comes first. */
static bool is_behind(const CircModel *m, uint32_t counter) {
  for (uint32_t c = 0; c < counter; c++)
    if (m->counters.data[c].shared == m->counters.data[counter].shared &&
        !m->counters.data[c].broken)
      return true;
  return false;
}

void circ_predicates_wake(CircPredicates *ps) {
  Terms *terms = ps->model->terms;
  for (uint32_t c = 0; c < ps->model->counters.len; c++) {
    CircCounter *counter = &ps->model->counters.data[c];
    bool needed = false;
    for (uint32_t i = 0; i < ps->owners.len && !counter->awake; i++)
      needed = needed || (ps->owners.data[i].kind == CIRC_NOBODY &&
                          ps->owners.data[i].variable == counter->shared);
    if (!needed || counter->broken || is_behind(ps->model, c)) continue;
    counter->awake = true;
    for (uint32_t k = 0; k < ps->model->kinds.len; k++)
      for (uint64_t n = 0; counter->own[k] && n < 3; n++) /* 3 is what is left */
        circ_predicates_add(ps, term_eq(terms, counter->own[k], term_const(terms, 2, n)));
  }
}

PredicateAdded circ_predicates_add(CircPredicates *ps, Term term) {
  Terms *terms = ps->model->terms;
  if (term_kind(terms, term) == TERM_NOT) term = term_operand(terms, term, 0);
  if (term_kind(terms, term) == TERM_CONST) return PREDICATE_KNOWN;
  for (uint32_t i = 0; i < ps->list.len; i++)
    if (ps->list.data[i].term == term) return PREDICATE_KNOWN;
  Looking l = {.ps = ps,
               .p = {.term = term, .kind = CIRC_NOBODY, .first_owner = ps->owners.len}};
  Map seen = {0};
  term_variables(terms, term, &seen, look, &l);
  map_free(&seen);
  if (l.foreign) {
    ps->owners.len = l.p.first_owner;
    return PREDICATE_NONE;
  }
  if (l.p.kind == CIRC_NOBODY)
    l.p.mixed = false;
  else
    add_counted(ps, &l.p);
  vec_push(&ps->list, l.p);
  form_groups(ps);
  return PREDICATE_NEW;
}
