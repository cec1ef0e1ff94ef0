/* Threads that look on while another moves.
 *
 * A mixed predicate says something about a thread's own variables and about shared ones. When another
 * thread changes those, what the predicate says changes, too, without a step of the thread that it is
 * about: all threads in a local state are shaken into the one where it has its new value. Where
 * that is not determined they go to a state that stands for several, and from there to any of them.
 * Such a state can do all that its members can, so nothing depends on when that happens.
 *
 * Paper: the passive threads of symmetric predicate abstraction (Donaldson et al., section 4). */
#include "engine/circ/abstract_internal.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_SHAKEN = 20000 };

/* The variables of a thread of this kind that does not move: others than those of the one that does. */
static Map *passive_names(Abstracter *x, uint32_t kind) {
  Map *with = circ_substitution(x->q->solver, UINT64_C(1) << 63 | kind);
  const CircKind *k = &x->model->kinds.data[kind];
  if (with->len) return with;
  for (uint32_t i = 0; i < k->locals.len; i++) {
    const CircLocal *l = &k->locals.data[i];
    map_put(with, l->now,
            term_var(x->model->terms, term_bits(x->model->terms, l->now), l->name));
  }
  return with;
}

/* The predicate about the passive thread, before the step. */
static Term passive_term(Abstracter *x, const CircPredicate *p) {
  return term_substitute(x->model->terms, p->term, passive_names(x, p->kind));
}

/* The location is that of its members, if it stands for several. */
static uint32_t location_of(const Abstracter *x, uint32_t local) {
  uint32_t location = x->out->tts.locals.data[local].location;
  for (uint32_t u = 0; location == TTS_NONE && u < x->unsure.len; u++)
    if (x->unsure.data[u].local == local) location = x->unsure.data[u].location;
  return location;
}

/* ---- what becomes of one local state in one step ---- */

typedef struct {
  TermList what;
  VEC(uint32_t) bits; /* of the local state, for each of `what` */
  uint64_t mask;
} Affected;

static void find_affected(Abstracter *x, Map *block, uint32_t kind, uint32_t location,
                          Affected *a) {
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    if (!p->mixed || !circ_is_tracked(x->ps, p, kind, location)) continue;
    Term before = passive_term(x, p);
    Term behind = term_substitute(x->model->terms, before, block);
    if (behind == before) continue;
    vec_push(&a->what, behind);
    vec_push(&a->bits, x->bits[i]);
    a->mask |= UINT64_C(1) << x->bits[i];
  }
}

/* The step touches a variable that counts, and this thread may have a share. */
static bool is_counted(Abstracter *x, uint32_t step, uint32_t local) {
  CircLabel label = x->out->labels.data[x->out->tts.steps.data[step].label];
  uint32_t kind = x->out->tts.locals.data[local].kind;
  bool may = false;
  for (uint32_t i = 0; i < x->model->counters.len; i++)
    may = may || (x->model->counters.data[i].own[kind] &&
                  x->model->counters.data[i].awake && !x->model->counters.data[i].broken);
  return may && circ_plan_counts(x, circ_plan_of(x, label.kind, label.block));
}

/* All that is known: what the step stands for, and the passive thread's own predicates. */
static void give_all(Abstracter *x, uint32_t step, uint32_t local, TermList *given) {
  const TtsStep *s = &x->out->tts.steps.data[step];
  CircLabel label = x->out->labels.data[s->label];
  const BlockPlan *plan = circ_plan_of(x, label.kind, label.block);
  const TtsLocal *l = &x->out->tts.locals.data[local];
  uint64_t bits = x->step_bits.data[step], valuation = x->out->valuations.data[local];
  Terms *terms = x->model->terms;
  vec_push(given, x->model->kinds.data[label.kind].all.data[label.block].guard);
  circ_give_valuation(x, s->from, plan, given);
  for (uint32_t i = 0; i < plan->what.len; i++) {
    Term t = plan->what.data[i];
    vec_push(given, bits >> i & 1 ? t : term_not(terms, t));
  }
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    const CircPredicate *p = &x->ps->list.data[i];
    if (!circ_is_tracked(x->ps, p, l->kind, l->location)) continue;
    Term t = passive_term(x, p);
    vec_push(given, valuation >> x->bits[i] & 1 ? t : term_not(terms, t));
  }
  if (!is_counted(x, step, local)) return;
  vec_push(given, circ_count_of(x->model, label.kind));
  vec_push(given,
           circ_count_of_two(x->model, label.kind, l->kind, passive_names(x, l->kind)));
}

typedef VEC(uint32_t) Locals;

static void add_local(Locals *all, uint32_t local) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->data[i] == local) return;
  vec_push(all, local);
}

/* The local states that a passive thread may be in behind the step. */
static bool successors(Abstracter *x, uint32_t step, uint32_t local, Locals *ret) {
  TtsLocal l = x->out->tts.locals.data[local];
  assert(l.location !=
         TTS_NONE); /* what stands for several is asked about by its members */
  CircLabel label = x->out->labels.data[x->out->tts.steps.data[step].label];
  Affected a = {0};
  TermList given = {0};
  Combinations found = {0};
  find_affected(x, circ_block_substitution(x, label.kind, label.block), l.kind,
                l.location, &a);
  bool known = true, asked = a.what.len || is_counted(x, step, local);
  if (asked) {
    give_all(x, step, local, &given);
    known = circ_enumerate(x->q->solver, &given, &a.what, &x->q->limit, &found);
  }
  uint64_t old = x->out->valuations.data[local];
  for (uint32_t i = 0; known && i < found.len; i++) {
    uint64_t valuation = old & ~a.mask;
    for (uint32_t j = 0; j < a.bits.len; j++)
      valuation |= (found.data[i] >> j & 1) << a.bits.data[j];
    add_local(ret, circ_local_state(x, l.kind, l.location, valuation));
  }
  if (!asked)
    add_local(ret, local); /* otherwise: no thread is there when the step is taken */
  vec_free(&given);
  vec_free(&a.what);
  vec_free(&a.bits);
  if (!known) x->why = "what a step does to other threads was not found out";
  return known;
}

/* ---- states that stand for several ---- */

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void add_silent(Abstracter *x, uint32_t from, uint32_t to) {
  TtsStep step = {.from = from,
                  .to = to,
                  .first_touch = x->out->tts.touches.len,
                  .first_spawn = x->out->tts.spawns.len,
                  .label = x->out->labels.len};
  vec_push(&x->out->labels, (CircLabel){CIRC_NOBODY, 0});
  vec_push(&x->step_bits, 0);
  vec_push(&x->out->tts.steps, step);
  assert(x->out->tts.steps.len == x->step_bits.len);
}

static uint32_t unsure_state(Abstracter *x, Locals *members) {
  assert(members->len > 1);
  qsort(members->data, members->len, sizeof *members->data, compare_numbers);
  for (uint32_t u = 0; u < x->unsure.len; u++) {
    const Unsure *known = &x->unsure.data[u];
    if (known->members.len == members->len &&
        memcmp(known->members.data, members->data,
               members->len * sizeof *members->data) == 0)
      return known->local;
  }
  TtsLocal first = x->out->tts.locals.data[members->data[0]];
  Unsure new = {.local = x->out->tts.locals.len, .location = first.location};
  vec_push(&x->out->tts.locals, (TtsLocal){first.kind, TTS_NONE, false});
  vec_push(&x->out->valuations, 0);
  assert(x->out->valuations.len == x->out->tts.locals.len);
  for (uint32_t i = 0; i < members->len; i++) vec_push(&new.members, members->data[i]);
  vec_push(&x->unsure, new);
  for (uint32_t i = 0; i < members->len; i++) add_silent(x, new.local, members->data[i]);
  return new.local;
}

static const Unsure *unsure_at(const Abstracter *x, uint32_t local) {
  for (uint32_t u = 0; u < x->unsure.len; u++)
    if (x->unsure.data[u].local == local) return &x->unsure.data[u];
  return NULL;
}

/* ---- all of them ---- */

/* Some thread may look on, and what it knows may change. */
static bool concerns(Abstracter *x, uint32_t step, uint32_t local) {
  const TtsStep *s = &x->out->tts.steps.data[step];
  CircLabel label = x->out->labels.data[s->label];
  const TtsLocal *l = &x->out->tts.locals.data[local];
  if (label.kind == CIRC_NOBODY || l->atomic) return false;
  if (label.kind == l->kind && !x->model->kinds.data[l->kind].many) return false;
  Affected a = {0};
  find_affected(x, circ_block_substitution(x, label.kind, label.block), l->kind,
                location_of(x, local), &a);
  bool any = a.what.len || is_counted(x, step, local);
  vec_free(&a.what);
  vec_free(&a.bits);
  return any;
}

static bool look(Abstracter *x, uint32_t step, uint32_t local) {
  if (!concerns(x, step, local)) return true;
  Locals next = {0}, members = {0};
  const Unsure *unsure = unsure_at(x, local);
  for (uint32_t i = 0; unsure && i < unsure->members.len; i++)
    vec_push(&members, unsure->members.data[i]);
  if (!unsure) vec_push(&members, local);
  bool known = true;
  for (uint32_t i = 0; known && i < members.len; i++)
    known = successors(x, step, members.data[i], &next);
  if (known) {
    uint32_t to = !next.len       ? TTS_NONE
                  : next.len == 1 ? next.data[0]
                                  : unsure_state(x, &next);
    if (to != local) vec_push(&x->shaken, ((Shaken){step, local, to}));
  }
  if (x->shaken.len > MOST_SHAKEN) {
    x->why = "steps change what is known of too many other threads";
    known = false;
  }
  vec_free(&next);
  vec_free(&members);
  return known;
}

static bool any_mixed(const Abstracter *x) {
  for (uint32_t i = 0; i < x->ps->list.len; i++)
    if (x->ps->list.data[i].mixed) return true;
  return false;
}

bool circ_looked_at_all(const Abstracter *x) {
  if (!any_mixed(x)) return true;
  if (x->looked.len < x->out->tts.locals.len) return false;
  for (uint32_t l = 0; l < x->looked.len; l++)
    if (x->looked.data[l] < x->out->tts.steps.len) return false;
  return true;
}

bool circ_look_on(Abstracter *x) {
  while (x->looked.len < x->out->tts.locals.len) vec_push(&x->looked, 0);
  for (uint32_t l = 0; l < x->looked.len; l++)
    while (x->looked.data[l] < x->out->tts.steps.len)
      if (!look(x, x->looked.data[l]++, l)) return false;
  return true;
}

/* Those of one step stand together in the system. */
void circ_settle_shakes(Abstracter *x) {
  Tts *tts = &x->out->tts;
  uint32_t *count = mem_alloc_zero((tts->steps.len + 1) * sizeof *count);
  for (uint32_t i = 0; i < x->shaken.len; i++) count[x->shaken.data[i].step]++;
  uint32_t first = 0;
  for (uint32_t s = 0; s < tts->steps.len; s++) {
    tts->steps.data[s].first_shake = first;
    first += count[s];
  }
  (void)vec_extend(&tts->shakes, first);
  assert(first == x->shaken.len);
  for (uint32_t i = 0; i < x->shaken.len; i++) {
    TtsStep *step = &tts->steps.data[x->shaken.data[i].step];
    tts->shakes.data[step->first_shake + step->shake_count++] =
        (TtsShake){x->shaken.data[i].from, x->shaken.data[i].to};
  }
  mem_free(count);
}
