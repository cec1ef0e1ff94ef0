/* Plans: what is asked about a block, and in which terms. See abstract.c. */
#include "engine/circ/abstract_internal.h"

#include <assert.h>

/* ---- what terms are about ---- */

static void note_support(void *user, Term variable) {
  Abstracter *x = user;
  CircOwner owner;
  if (!circ_owner(x->ps, variable, &owner)) return;
  if (owner.kind == CIRC_NOBODY) x->shared_support[owner.variable] = 1;
  if (owner.kind == x->kind) x->local_support[owner.variable & ~CIRC_LOCAL] = 1;
}

static void clear_support(Abstracter *x, uint32_t kind) {
  x->kind = kind;
  memset(x->shared_support, 0, x->model->shared.len + 1);
  memset(x->local_support, 0, x->model->kinds.data[kind].locals.len + 1);
}

static void add_support(Abstracter *x, Term t) {
  Map seen = {0};
  term_variables(x->model->terms, t, &seen, note_support, x);
  map_free(&seen);
}

static bool has_support(const Abstracter *x, const CircPredicate *p) {
  for (uint32_t i = 0; i < p->owner_count; i++) {
    const CircOwner *o = &x->ps->owners.data[p->first_owner + i];
    assert(o->kind == CIRC_NOBODY || o->kind == x->kind);
    if (o->kind == CIRC_NOBODY ? x->shared_support[o->variable]
                               : x->local_support[o->variable & ~CIRC_LOCAL])
      return true;
  }
  return false;
}

/* Predicates about own variables that matter for what is looked at, also through each other. */
static void find_relevant(Abstracter *x, uint32_t location, BlockPlan *plan) {
  uint8_t *in = mem_alloc_zero(x->ps->list.len + 1);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < x->ps->list.len; i++) {
      const CircPredicate *p = &x->ps->list.data[i];
      if (in[i] || !circ_is_tracked(x->ps, p, x->kind, location) || !has_support(x, p))
        continue;
      in[i] = 1;
      changed = true;
      add_support(x, p->term);
    }
  }
  for (uint32_t i = 0; i < x->ps->list.len; i++)
    if (in[i]) vec_push(&plan->relevant, i);
  mem_free(in);
}

static void find_groups(Abstracter *x, const uint8_t *written, BlockPlan *plan) {
  for (uint32_t g = 0; g < x->ps->group_count; g++) {
    bool touched = written[g];
    for (uint32_t i = 0; i < x->ps->list.len && !touched; i++) {
      const CircPredicate *p = &x->ps->list.data[i];
      touched = p->kind == CIRC_NOBODY && p->group == g && has_support(x, p);
    }
    if (!touched) continue;
    vec_push(&plan->groups, g);
    vec_push(&plan->written, written[g]);
  }
}

/* ---- plans ---- */

/* One key for the block, with 0, and one for each thread that it starts. */
static uint64_t key_of(uint32_t kind, uint32_t block, uint32_t n) {
  assert(kind < 1u << 15 && block < 1u << 24 &&
         n < 1u << 24); /* or keys might be equal */
  return (uint64_t)kind << 48 | (uint64_t)block << 24 | n;
}

Map *circ_block_substitution(Abstracter *x, uint32_t kind, uint32_t block) {
  const CircKind *k = &x->model->kinds.data[kind];
  const CircBlock *b = &k->all.data[block];
  Map *with = circ_substitution(x->q->solver, key_of(kind, block, 0));
  if (with->len) return with;
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *set = &k->sets.data[b->first_set + i];
    Term now = set->variable & CIRC_LOCAL
                   ? k->locals.data[set->variable & ~CIRC_LOCAL].now
                   : x->model->shared.data[set->variable].now;
    map_put(with, now, set->value);
  }
  return with;
}

/* The new thread's variables, over the values before the block that starts it. */
static Map *start_substitution(Abstracter *x, uint32_t kind, uint32_t block, uint32_t n) {
  const CircKind *k = &x->model->kinds.data[kind];
  const CircBlock *b = &k->all.data[block];
  const CircStart *start = &k->starts.data[b->first_start + n];
  const CircKind *other = &x->model->kinds.data[start->kind];
  Map *with = circ_substitution(x->q->solver, key_of(kind, block, n + 1));
  if (with->len) return with;
  for (uint32_t i = 0; i < other->locals.len; i++) {
    const CircLocal *l = &other->locals.data[i];
    Term value =
        l->start ? l->start
                 : term_var(x->model->terms, term_bits(x->model->terms, l->now), "new");
    map_put(with, l->now, value);
  }
  for (uint32_t i = 0; i < b->set_count; i++) { /* it begins behind the block */
    const CircSet *set = &k->sets.data[b->first_set + i];
    if (!(set->variable & CIRC_LOCAL))
      map_put(with, x->model->shared.data[set->variable].now, set->value);
  }
  for (uint32_t i = 0; i < start->set_count; i++) {
    const CircSet *set = &k->start_sets.data[start->first_set + i];
    map_put(with, other->locals.data[set->variable & ~CIRC_LOCAL].now, set->value);
  }
  return with;
}

static void plan_written(Abstracter *x, Map *with, uint8_t *written) {
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    if (p->kind == CIRC_NOBODY &&
        term_substitute(x->model->terms, p->term, with) != p->term)
      written[p->group] = 1;
  }
}

/* Local predicates behind the block: known already, or to be found out. */
static void plan_locals(Abstracter *x, const CircBlock *b, Map *with, BlockPlan *plan) {
  Terms *terms = x->model->terms;
  for (uint32_t i = 0; b->to && i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    if (!circ_is_tracked(x->ps, p, x->kind, b->to)) continue;
    Term behind = term_substitute(terms, p->term, with);
    LocalPost post = {i, x->bits[i]};
    if (term_is_true(terms, behind))
      vec_push(&plan->surely, post);
    else if (behind == p->term && circ_is_tracked(x->ps, p, x->kind, b->from))
      vec_push(&plan->copied, post);
    else if (!term_is_false(terms, behind)) {
      vec_push(&plan->asked, post);
      add_support(x, behind);
    }
  }
}

static void plan_what(Abstracter *x, Map *with, BlockPlan *plan) {
  Terms *terms = x->model->terms;
  for (uint32_t after = 0; after < 2; after++)
    for (uint32_t n = 0; n < plan->groups.len; n++)
      for (uint32_t i = 0; i < x->ps->list.len; i++) {
        const CircPredicate *p = &x->ps->list.data[i];
        if (p->kind != CIRC_NOBODY || p->group != plan->groups.data[n]) continue;
        if (after && !plan->written.data[n]) continue;
        vec_push(&plan->what, after ? term_substitute(terms, p->term, with) : p->term);
      }
  plan->first_local = plan->what.len;
  for (uint32_t i = 0; i < plan->asked.len; i++) {
    Term t = x->ps->list.data[plan->asked.data[i].predicate].term;
    vec_push(&plan->what, term_substitute(terms, t, with));
  }
}

static void plan_starts(Abstracter *x, uint32_t block, BlockPlan *plan) {
  const CircKind *k = &x->model->kinds.data[x->kind];
  const CircBlock *b = &k->all.data[block];
  assert(b->first_start + b->start_count <= k->starts.len);
  Terms *terms = x->model->terms;
  for (uint32_t n = 0; n < b->start_count; n++) {
    const CircStart *s = &k->starts.data[b->first_start + n];
    const CircKind *other = &x->model->kinds.data[s->kind];
    uint32_t begin = x->model->automata->kinds.data[other->automaton].start;
    Map *with = start_substitution(x, x->kind, block, n);
    StartPlan sp = {b->first_start + n, CIRC_NOBODY, 0, 0};
    if (s->guard != b->guard && !term_is_true(terms, s->guard)) {
      sp.guard = plan->what.len;
      vec_push(&plan->what, s->guard);
    }
    sp.first = plan->what.len;
    for (uint32_t i = 0; i < x->ps->list.len; i++) {
      const CircPredicate *p = &x->ps->list.data[i];
      if (!circ_is_tracked(x->ps, p, s->kind, begin)) continue;
      vec_push(&plan->what, term_substitute(terms, p->term, with));
      sp.count++;
    }
    vec_push(&plan->starts, sp);
  }
}

static void support_of_starts(Abstracter *x, uint32_t block) {
  const CircKind *k = &x->model->kinds.data[x->kind];
  const CircBlock *b = &k->all.data[block];
  for (uint32_t n = 0; n < b->start_count; n++) {
    const CircStart *s = &k->starts.data[b->first_start + n];
    add_support(x, s->guard);
    for (uint32_t i = 0; i < s->set_count; i++)
      add_support(x, k->start_sets.data[s->first_set + i].value);
  }
}

const BlockPlan *circ_plan_of(Abstracter *x, uint32_t kind, uint32_t block) {
  BlockPlan *plan = &x->plans[kind][block];
  if (plan->made) return plan;
  plan->made = true;
  const CircBlock *b = &x->model->kinds.data[kind].all.data[block];
  Map *with = circ_block_substitution(x, kind, block);
  uint8_t *written = mem_alloc_zero(x->ps->group_count + 1);
  clear_support(x, kind);
  add_support(x, b->guard);
  plan_written(x, with, written);
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    if (p->kind == CIRC_NOBODY && written[p->group])
      add_support(x, term_substitute(x->model->terms, p->term, with));
  }
  plan_locals(x, b, with, plan);
  support_of_starts(x, block);
  find_relevant(x, b->from, plan);
  find_groups(x, written, plan);
  plan_what(x, with, plan);
  plan_starts(x, block, plan);
  mem_free(written);
  return plan;
}

void circ_give_valuation(const Abstracter *x, uint32_t local, const BlockPlan *plan,
                         TermList *given) {
  assert(local < x->out->valuations.len);
  uint64_t valuation = x->out->valuations.data[local];
  for (uint32_t i = 0; i < plan->relevant.len; i++) {
    uint32_t p = plan->relevant.data[i];
    Term t = x->ps->list.data[p].term;
    vec_push(given, valuation >> x->bits[p] & 1 ? t : term_not(x->model->terms, t));
  }
}

/* A predicate of the group is about this variable. */
static bool is_about(const Abstracter *x, uint32_t group, uint32_t shared) {
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    for (uint32_t o = 0; o < p->owner_count && p->kind == CIRC_NOBODY; o++)
      if (p->group == group && x->ps->owners.data[p->first_owner + o].variable == shared)
        return true;
  }
  return false;
}

bool circ_plan_counts(const Abstracter *x, const BlockPlan *plan) {
  for (uint32_t i = 0; i < x->model->counters.len; i++) {
    const CircCounter *c = &x->model->counters.data[i];
    for (uint32_t g = 0; c->awake && !c->broken && g < plan->groups.len; g++)
      if (is_about(x, plan->groups.data[g], c->shared)) return true;
  }
  return false;
}

void circ_give_count(const Abstracter *x, uint32_t kind, const BlockPlan *plan,
                     TermList *given) {
  if (circ_plan_counts(x, plan)) vec_push(given, circ_count_of(x->model, kind));
}

void circ_plan_condition(Abstracter *x, uint32_t kind, uint32_t location, Term condition,
                         Term also, BlockPlan *plan) {
  uint8_t *none = mem_alloc_zero(x->ps->group_count + 1);
  clear_support(x, kind);
  add_support(x, condition);
  if (also) add_support(x, also);
  find_relevant(x, location, plan);
  find_groups(x, none, plan);
  plan_what(x, NULL, plan);
  mem_free(none);
}

void circ_plan_free(BlockPlan *plan) {
  vec_free(&plan->groups);
  vec_free(&plan->written);
  vec_free(&plan->what);
  vec_free(&plan->relevant);
  vec_free(&plan->asked);
  vec_free(&plan->copied);
  vec_free(&plan->surely);
  vec_free(&plan->starts);
}
