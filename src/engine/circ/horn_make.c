/* From blocks to clauses. See horn.h.
 *
 * A clause of a step has the thread that moves and bystanders. Its body is all that is known: the
 * predicates of every tuple of these threads. Its head is one tuple of the threads behind the step, with every
 * bystander in it; tuples without one of them are the heads of clauses with fewer bystanders. Where
 * two threads of a tuple are at the same place, the invariant holds for either order of them.
 *
 * Nobody moves while a bystander is inside of an atomic section. */
#include "engine/circ/horn_internal.h"

#include "base/clock.h"

enum { MOST_CLAUSES = 20000, MOST_ATOMS = 200000, MOST_THREADS = HORN_LEVELS + 4 };

typedef HornMaker Maker;
typedef HornThread Thread;

/* A way to choose threads one after the other. */
typedef struct {
  const Thread *threads;
  uint32_t count;
  uint32_t chosen[HORN_LEVELS];
  uint32_t chosen_count;
} Choice;

static bool is_once(const Maker *m, uint32_t kind) {
  return horn_is_once(m->h, kind);
}

/* ---- predicates and atoms ---- */

static uint32_t predicate_of(Maker *m, const HornTuple *tuple) {
  Horn *h = m->h;
  uint64_t key = 0;
  for (uint32_t i = 0; i < tuple->count; i++)
    key = key << 16 | (horn_place_of(m, tuple->at[i]) + 1);
  uint64_t *known = map_at(&h->predicate_at, key);
  if (*known) return (uint32_t)*known - 1;
  HornPredicate p = {.tuple = *tuple};
  ChcAtom atom = {.predicate = h->predicates.len, .first = h->chc.arguments.len};
  for (uint32_t i = 0; i < m->m->shared.len; i++) {
    const CircShared *s = &m->m->shared.data[i];
    if (!horn_matters(h, s->now)) continue;
    vec_push(&p.parameters, ((HornParameter){HORN_SHARED, i}));
    vec_push(&h->chc.arguments, m->m->shared.data[i].now);
  }
  for (uint32_t s = 0; s < tuple->count; s++) {
    HornAt at = tuple->at[s];
    for (uint32_t i = 0; i < m->m->kinds.data[at.kind].locals.len; i++) {
      if (!circ_is_live(m->m, at.kind, at.location, i) ||
          !horn_matters(h, m->m->kinds.data[at.kind].locals.data[i].now))
        continue;
      vec_push(&p.parameters, ((HornParameter){s, i}));
      vec_push(&h->chc.arguments, horn_local(h, s, at.kind, i));
    }
  }
  atom.count = p.parameters.len;
  vec_push(&h->chc.predicates, atom);
  vec_push(&h->predicates, p);
  *known = h->predicates.len;
  return h->predicates.len - 1;
}

static ChcAtom make_atom(Maker *m, const Choice *c, const Term *shared) {
  HornTuple tuple = {.count = c->chosen_count};
  for (uint32_t i = 0; i < tuple.count; i++) tuple.at[i] = c->threads[c->chosen[i]].at;
  uint32_t number = predicate_of(m, &tuple);
  const HornPredicate *p = &m->h->predicates.data[number];
  ChcAtom atom = {number, m->h->chc.arguments.len, p->parameters.len};
  for (uint32_t i = 0; i < p->parameters.len; i++) {
    HornParameter x = p->parameters.data[i];
    vec_push(&m->h->chc.arguments,
             x.slot == HORN_SHARED ? shared[x.variable]
                                   : c->threads[c->chosen[x.slot]].values[x.variable]);
  }
  return atom;
}

/* ---- choosing threads ---- */

static bool may_follow(const Maker *m, const Choice *c, uint32_t thread) {
  HornAt at = c->threads[thread].at;
  if (c->chosen_count && m->aloof[at.kind]) return false;
  for (uint32_t i = 0; i < c->chosen_count; i++) {
    if (m->aloof[c->threads[c->chosen[i]].at.kind]) return false;
    if (c->chosen[i] == thread) return false;
    if (c->threads[c->chosen[i]].at.kind == at.kind && is_once(m, at.kind)) return false;
  }
  if (!c->chosen_count) return true;
  return horn_place_of(m, c->threads[c->chosen[c->chosen_count - 1]].at) <=
         horn_place_of(m, at);
}

typedef void Visit(Maker *m, const Choice *c, void *user);

/* Every tuple of the threads, in all orders of those at one place. */
static void each_tuple(Maker *m, Choice *c, Visit *visit, void *user) {
  if (c->chosen_count) visit(m, c, user);
  if (c->chosen_count == m->q->level) return;
  for (uint32_t i = 0; i < c->count; i++) {
    if (!may_follow(m, c, i)) continue;
    c->chosen[c->chosen_count++] = i;
    each_tuple(m, c, visit, user);
    c->chosen_count--;
  }
}

static void add_body(Maker *m, const Choice *c, void *user) {
  ChcAtom atom = make_atom(m, c, m->before);
  (void)user;
  vec_push(&m->h->chc.atoms, atom);
}

static uint32_t body_of(Maker *m, const Thread *threads, uint32_t count) {
  uint32_t first = m->h->chc.atoms.len;
  Choice c = {.threads = threads, .count = count};
  each_tuple(m, &c, add_body, NULL);
  return first;
}

/* ---- clauses ---- */

static void add_clause(Maker *m, ChcClause clause) {
  Chc *chc = &m->h->chc;
  if (term_is_false(m->t, clause.constraint)) return;
  for (uint32_t i = 0; i < clause.atom_count; i++) {
    uint32_t p = chc->atoms.data[clause.first_atom + i].predicate;
    if (!m->h->predicates.data[p].uses.len ||
        *vec_last(&m->h->predicates.data[p].uses) != chc->clauses.len)
      vec_push(&m->h->predicates.data[p].uses, chc->clauses.len);
  }
  vec_push(&chc->clauses, clause);
  if (chc->clauses.len > MOST_CLAUSES || chc->atoms.len > MOST_ATOMS) m->full = true;
}

/* What the heads of a step have in common. */
typedef struct {
  Term guard;
  uint32_t first_atom, atom_count, bystanders;
  bool writes; /* shared variables */
} Heads;

static void add_head(Maker *m, const Choice *c, void *user) {
  const Heads *x = user;
  Term guard = x->guard;
  uint32_t bystanders = 0;
  for (uint32_t i = 0; i < c->chosen_count; i++) {
    const Thread *thread = &c->threads[c->chosen[i]];
    bystanders += thread->bystander;
    if (thread->if_started) guard = term_and(m->t, guard, thread->if_started);
  }
  if (bystanders != x->bystanders || (bystanders == c->chosen_count && !x->writes))
    return;
  add_clause(m,
             (ChcClause){guard, x->first_atom, x->atom_count, make_atom(m, c, m->after)});
}

/* Values of a new thread's locals: constants, what it is given, or any. */
static Term *started_values(Maker *m, uint32_t kind, const CircSet *sets,
                            uint32_t count) {
  const CircKind *k = &m->m->kinds.data[kind];
  Term *values = mem_alloc_zero((k->locals.len + 1) * sizeof *values);
  for (uint32_t i = 0; i < k->locals.len; i++) {
    const CircLocal *l = &k->locals.data[i];
    values[i] = l->start ? l->start : term_var(m->t, term_bits(m->t, l->now), NULL);
  }
  for (uint32_t i = 0; i < count; i++)
    values[sets[i].variable & ~CIRC_LOCAL] = sets[i].value;
  return values;
}

static void add_heads(Maker *m, const CircKind *k, const CircBlock *b, uint32_t kind,
                      const Thread *bystanders, Heads *heads) {
  Thread behind[MOST_THREADS];
  Term *made[MOST_THREADS] = {0};
  uint32_t n = heads->bystanders;
  memcpy(behind, bystanders, n * sizeof *behind);
  memcpy(m->after, m->before, m->m->shared.len * sizeof *m->after);
  made[0] = mem_alloc((k->locals.len + 1) * sizeof(Term));
  memcpy(made[0], horn_own_values(m, 0, kind), k->locals.len * sizeof(Term));
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *set = &k->sets.data[b->first_set + i];
    if (set->variable & CIRC_LOCAL)
      made[0][set->variable & ~CIRC_LOCAL] = set->value;
    else
      m->after[set->variable] = set->value;
    heads->writes = heads->writes || !(set->variable & CIRC_LOCAL);
  }
  if (b->to) behind[n++] = (Thread){.at = {kind, b->to}, .values = made[0]};
  for (uint32_t i = 0; i < b->start_count; i++) {
    const CircStart *s = &k->starts.data[b->first_start + i];
    if (n == MOST_THREADS || i + 1 == MOST_THREADS) {
      m->full = true;
      break;
    }
    made[i + 1] =
        started_values(m, s->kind, &k->start_sets.data[s->first_set], s->set_count);
    behind[n++] = (Thread){.at = {s->kind, horn_start_of(m, s->kind)},
                           .values = made[i + 1],
                           .if_started = s->guard};
  }
  Choice c = {.threads = behind, .count = n};
  each_tuple(m, &c, add_head, heads);
  for (uint32_t i = 0; i < MOST_THREADS; i++) mem_free(made[i]);
}

/* threads[0] moves, the others look on. */
static void add_step(Maker *m, uint32_t kind, const CircBlock *b, Thread *threads,
                     uint32_t count) {
  const CircKind *k = &m->m->kinds.data[kind];
  Heads heads = {.guard = b->guard, .bystanders = count - 1};
  bool writes = b->start_count && count <= m->q->level;
  for (uint32_t i = 0; i < b->set_count; i++)
    writes = writes || !(k->sets.data[b->first_set + i].variable & CIRC_LOCAL);
  if (!writes && count > m->q->level) return; /* nothing changes for these */
  heads.first_atom = body_of(m, threads, count);
  heads.atom_count = m->h->chc.atoms.len - heads.first_atom;
  add_heads(m, k, b, kind, &threads[1], &heads);
}

static bool may_look_on(const Maker *m, HornAt at, const Thread *threads,
                        uint32_t count) {
  if (count > 1 && (m->aloof[at.kind] || m->aloof[threads[1].at.kind]))
    return false; /* nothing is said about it and others */
  if (circ_is_atomic(m->m, at.kind, at.location)) return false;
  for (uint32_t i = 0; i < count && is_once(m, at.kind); i++)
    if (threads[i].at.kind == at.kind) return false;
  return true;
}

static void add_steps(Maker *m, uint32_t kind, const CircBlock *b, Thread *threads,
                      uint32_t count, uint32_t first_place) {
  if (m->full) return;
  add_step(m, kind, b, threads, count);
  if (count > m->q->level) return;
  for (uint32_t i = first_place; i < m->places.len && !m->full; i++) {
    if (!may_look_on(m, m->places.data[i], threads, count)) continue;
    threads[count] = horn_thread_in(m, count, m->places.data[i]);
    threads[count].bystander = true;
    add_steps(m, kind, b, threads, count + 1, i);
  }
}

void horn_add_error(HornMaker *m, HornThread *threads, uint32_t count, Term guard) {
  uint32_t first = body_of(m, threads, count);
  add_clause(
      m, (ChcClause){guard, first, m->h->chc.atoms.len - first, {.predicate = CHC_NONE}});
}

/* ---- all of it ---- */

static void add_beginning(Maker *m) {
  Term *values = started_values(m, 0, NULL, 0);
  Thread main = {.at = {0, horn_start_of(m, 0)}, .values = values};
  Heads heads = {.guard = term_bool(m->t, true), .writes = true};
  Choice c = {.threads = &main, .count = 1};
  for (uint32_t i = 0; i < m->m->shared.len; i++) {
    const CircShared *s = &m->m->shared.data[i];
    m->after[i] = s->start ? s->start : term_var(m->t, term_bits(m->t, s->now), NULL);
  }
  each_tuple(m, &c, add_head, &heads);
  mem_free(values);
}

static bool is_over(const Maker *m) {
  const SolveLimit *l = &m->q->limit;
  return m->full || (l->stop && *l->stop) ||
         (l->deadline > 0 && clock_now() > l->deadline);
}

static void make(Maker *m) {
  horn_find_places(m);
  if (m->places.len >= UINT16_MAX) m->full = true;
  for (uint32_t i = 0; i < m->m->shared.len; i++) {
    m->before[i] = m->m->shared.data[i].now;
    map_put(&m->shared, m->before[i], 1);
  }
  add_beginning(m);
  for (uint32_t i = 0; i < m->places.len && !is_over(m); i++) {
    HornAt at = m->places.data[i];
    const CircKind *k = &m->m->kinds.data[at.kind];
    Thread threads[HORN_LEVELS + 2];
    for (uint32_t n = 0; n < k->all.len && !is_over(m); n++) {
      threads[0] = horn_thread_in(m, 0, at);
      if (k->all.data[n].from == at.location && !k->all.data[n].stops)
        add_steps(m, at.kind, &k->all.data[n], threads, 1, 0);
    }
  }
  horn_add_errors(m);
}

Horn *horn_new(const HornQuestion *q) {
  Horn *h = mem_alloc_zero(sizeof *h);
  size_t shared = (q->model->shared.len + 1) * sizeof(Term);
  uint32_t lists = q->model->kinds.len * (HORN_LEVELS + 2);
  Maker m = {.q = q,
             .h = h,
             .m = q->model,
             .t = q->model->terms,
             .before = mem_alloc_zero(shared),
             .after = mem_alloc_zero(shared),
             .aloof = mem_alloc_zero(q->model->kinds.len + 1),
             .own = mem_alloc_zero((lists + 1) * sizeof(Term *))};
  h->model = q->model;
  h->level = q->level;
  h->chc.terms = m.t;
  horn_find_matters(h);
  for (uint32_t i = 0; i < q->model->kinds.len; i++) m.aloof[i] = horn_is_aloof(h, i);
  make(&m);
  bool over = is_over(&m);
  for (uint32_t i = 0; i < lists; i++) mem_free(m.own[i]);
  mem_free(m.own);
  mem_free(m.aloof);
  mem_free(m.before);
  mem_free(m.after);
  vec_free(&m.places);
  map_free(&m.place_at);
  map_free(&m.shared);
  if (!over) return h;
  horn_free(h);
  return NULL;
}

void horn_free(Horn *h) {
  if (!h) return;
  for (uint32_t i = 0; i < h->predicates.len; i++) {
    vec_free(&h->predicates.data[i].parameters);
    vec_free(&h->predicates.data[i].candidates);
    vec_free(&h->predicates.data[i].uses);
  }
  vec_free(&h->predicates);
  map_free(&h->predicate_at);
  map_free(&h->copies);
  map_free(&h->matters);
  chc_free(&h->chc);
  mem_free(h);
}
