/* See abstract.h.
 *
 * What is asked about a block does not depend on where a thread comes from, but for the values of the
 * predicates about its own variables. So a plan is made for each block once: which groups it touches,
 * which predicates have to be found out behind it, and which stay as they are. Combinations of
 *
 *   the predicates of touched groups before | those of written groups behind | local ones behind |
 *   whether each start happens | the local predicates of each started thread
 *
 * are the block's steps. */
#include "engine/circ/abstract_internal.h"

#include <assert.h>

/* ---- local states and values of groups ---- */

uint32_t circ_local_state(Abstracter *x, uint32_t kind, uint32_t location,
                          uint64_t valuation) {
  assert(x->out->tts.locals.len == x->out->valuations.len);
  struct {
    uint32_t kind, location;
    uint64_t valuation;
  } key = {kind, location, valuation};
  uint64_t *slot = strmap_at(&x->locals, (const char *)&key, sizeof key);
  if (!*slot) {
    TtsLocal local = {kind, location, circ_is_atomic(x->model, kind, location)};
    vec_push(&x->out->tts.locals, local);
    vec_push(&x->out->valuations, valuation);
    *slot = x->out->tts.locals.len;
  }
  return (uint32_t)*slot - 1;
}

uint32_t circ_group_value(Abstracter *x, uint32_t group, uint64_t combination) {
  assert(group < x->ps->group_count);
  uint64_t *slot = map_at(&x->group_values[group], combination);
  if (!*slot) *slot = x->group_values[group].len;
  return (uint32_t)*slot - 1;
}

uint32_t circ_group_size(const Abstracter *x, uint32_t group) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < x->ps->list.len; i++)
    size += x->ps->list.data[i].kind == CIRC_NOBODY && x->ps->list.data[i].group == group;
  return size;
}

/* `count` bits from `*at` on, which moves on. */
uint64_t circ_cut(uint64_t bits, uint32_t *at, uint32_t count) {
  assert(*at + count <= 64);
  uint64_t part = count ? bits >> *at & (UINT64_MAX >> (64 - count)) : 0;
  *at += count;
  return part;
}

/* ---- steps ---- */

static void add_spawns(Abstracter *x, const BlockPlan *plan, uint64_t bits,
                       TtsStep *step) {
  Tts *tts = &x->out->tts;
  const CircKind *k = &x->model->kinds.data[x->kind];
  step->first_spawn = tts->spawns.len;
  for (uint32_t n = 0; n < plan->starts.len; n++) {
    const StartPlan *sp = &plan->starts.data[n];
    if (sp->guard != CIRC_NOBODY && !(bits >> sp->guard & 1)) continue;
    const CircStart *s = &k->starts.data[sp->start];
    uint32_t automaton = x->model->kinds.data[s->kind].automaton;
    uint32_t begin = x->model->automata->kinds.data[automaton].start;
    uint64_t valuation = 0;
    uint32_t at = sp->first;
    for (uint32_t i = 0; i < x->ps->list.len; i++)
      if (circ_is_tracked(x->ps, &x->ps->list.data[i], s->kind, begin))
        valuation |= (bits >> at++ & 1) << x->bits[i];
    assert(at == sp->first + sp->count);
    uint32_t local = circ_local_state(x, s->kind, begin, valuation);
    vec_push(&tts->spawns, local);
  }
  step->spawn_count = tts->spawns.len - step->first_spawn;
}

static void add_step(Abstracter *x, uint32_t from, CircLabel label, const BlockPlan *plan,
                     uint64_t bits) {
  Tts *tts = &x->out->tts;
  const CircBlock *b = &x->model->kinds.data[label.kind].all.data[label.block];
  TtsStep step = {.from = from, .to = TTS_NONE, .first_touch = tts->touches.len};
  uint32_t before = 0, after = 0;
  for (uint32_t n = 0; n < plan->groups.len; n++)
    after += circ_group_size(x, plan->groups.data[n]);
  for (uint32_t n = 0; n < plan->groups.len; n++) {
    uint32_t g = plan->groups.data[n], size = circ_group_size(x, g);
    TtsTouch touch = {.group = g,
                      .before = circ_group_value(x, g, circ_cut(bits, &before, size))};
    touch.after = plan->written.data[n]
                      ? circ_group_value(x, g, circ_cut(bits, &after, size))
                      : touch.before;
    vec_push(&tts->touches, touch);
  }
  assert(after == plan->first_local); /* the layout at the top */
  step.touch_count = tts->touches.len - step.first_touch;
  uint64_t old = x->out->valuations.data[from], valuation = 0;
  for (uint32_t i = 0; i < plan->surely.len; i++)
    valuation |= UINT64_C(1) << plan->surely.data[i].bit;
  for (uint32_t i = 0; i < plan->copied.len; i++)
    valuation |= old & UINT64_C(1) << plan->copied.data[i].bit;
  for (uint32_t i = 0; i < plan->asked.len; i++)
    valuation |= (bits >> (plan->first_local + i) & 1) << plan->asked.data[i].bit;
  x->kind = label.kind;
  add_spawns(x, plan, bits, &step);
  if (b->to) step.to = circ_local_state(x, label.kind, b->to, valuation);
  step.label = x->out->labels.len;
  vec_push(&x->out->labels, label);
  vec_push(&x->step_bits, bits);
  vec_push(&tts->steps, step);
  assert(tts->steps.len == x->step_bits.len && tts->steps.len == x->out->labels.len);
}

static bool add_steps(Abstracter *x, uint32_t local, CircLabel label) {
  const BlockPlan *plan = circ_plan_of(x, label.kind, label.block);
  if (plan->what.len > 64) {
    x->why = "a block is about too many predicates";
    return false;
  }
  TermList given = {0};
  Combinations found = {0};
  vec_push(&given, x->model->kinds.data[label.kind].all.data[label.block].guard);
  circ_give_valuation(x, local, plan, &given);
  circ_give_count(x, label.kind, plan, &given);
  bool known = circ_enumerate(x->q->solver, &given, &plan->what, &x->q->limit, &found);
  vec_free(&given);
  if (!known) x->why = "a block has too many abstract steps, or the time was over";
  for (uint32_t i = 0; known && i < found.len; i++)
    add_step(x, local, label, plan, found.data[i]);
  return known;
}

/* ---- the beginning ---- */

/* The variables as they are before main runs. */
static Map *start_values(Abstracter *x) {
  const CircModel *m = x->model;
  Map *with = circ_substitution(x->q->solver, UINT64_MAX);
  if (with->len) return with;
  for (uint32_t i = 0; i < m->shared.len; i++)
    if (m->shared.data[i].start)
      map_put(with, m->shared.data[i].now, m->shared.data[i].start);
  for (uint32_t i = 0; i < m->kinds.data[0].locals.len; i++)
    if (m->kinds.data[0].locals.data[i].start)
      map_put(with, m->kinds.data[0].locals.data[i].now,
              m->kinds.data[0].locals.data[i].start);
  return with;
}

static bool begin_groups(Abstracter *x) {
  Tts *tts = &x->out->tts;
  Map *with = start_values(x);
  for (uint32_t g = 0; g < x->ps->group_count; g++) {
    TermList what = {0}, given = {0};
    Combinations found;
    for (uint32_t i = 0; i < x->ps->list.len; i++) {
      const CircPredicate *p = &x->ps->list.data[i];
      if (p->kind == CIRC_NOBODY && p->group == g)
        vec_push(&what, term_substitute(x->model->terms, p->term, with));
    }
    bool known = what.len <= CIRC_PREDICATES &&
                 circ_enumerate(x->q->solver, &given, &what, &x->q->limit, &found);
    vec_free(&what);
    if (!known) {
      x->why = "shared variables need too many predicates, or the time was over";
      return false;
    }
    TtsGroup group = {.first_initial = tts->initials.len, .initial_count = found.len};
    for (uint32_t i = 0; i < found.len; i++)
      vec_push(&tts->initials, circ_group_value(x, g, found.data[i]));
    vec_push(&tts->groups, group);
  }
  return true;
}

static bool begin_main(Abstracter *x) {
  Tts *tts = &x->out->tts;
  TermList what = {0}, given = {0};
  VEC(uint32_t) bits = {0};
  Combinations found;
  uint32_t automaton = x->model->kinds.data[0].automaton;
  uint32_t begin = x->model->automata->kinds.data[automaton].start;
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    if (!circ_is_tracked(x->ps, &x->ps->list.data[i], 0, begin)) continue;
    vec_push(&what,
             term_substitute(x->model->terms, x->ps->list.data[i].term, start_values(x)));
    vec_push(&bits, x->bits[i]);
  }
  bool known = circ_enumerate(x->q->solver, &given, &what, &x->q->limit, &found);
  if (!known) x->why = "main's start has too many states, or the time was over";
  TtsThreads main = {.count = 1, .first_initial = tts->initials.len};
  for (uint32_t i = 0; known && i < found.len; i++) {
    uint64_t valuation = 0;
    for (uint32_t j = 0; j < bits.len; j++)
      valuation |= (found.data[i] >> j & 1) << bits.data[j];
    vec_push(&tts->initials, circ_local_state(x, 0, begin, valuation));
    main.initial_count++;
  }
  vec_push(&tts->threads, main);
  vec_free(&what);
  vec_free(&bits);
  return known;
}

/* ---- the whole ---- */

static bool expand(Abstracter *x, uint32_t local) {
  TtsLocal at = x->out->tts.locals.data[local];
  if (at.location == TTS_NONE) return true; /* it is one of several: has its steps */
  const CircKind *k = &x->model->kinds.data[at.kind];
  for (uint32_t b = 0; b < k->all.len; b++) {
    const CircBlock *block = &k->all.data[b];
    if (block->from != at.location) continue;
    CircLabel label = {at.kind, b};
    for (uint32_t i = 0; i < block->event_count; i++)
      if (!circ_add_ready(x, local, label, block->first_event + i)) return false;
    if (!add_steps(x, local, label)) return false;
    if (x->out->tts.steps.len > x->q->most_steps) {
      x->why = "the abstraction became too large";
      return false;
    }
  }
  return true;
}

static bool number_bits(Abstracter *x) {
  uint32_t *next = mem_alloc_zero((x->model->kinds.len + 1) * sizeof *next);
  bool fits = true;
  for (uint32_t i = 0; i < x->ps->list.len; i++) {
    uint32_t kind = x->ps->list.data[i].kind;
    if (kind != CIRC_NOBODY) x->bits[i] = next[kind]++;
    if (kind != CIRC_NOBODY && next[kind] > CIRC_PREDICATES) fits = false;
  }
  mem_free(next);
  if (!fits) x->why = "a thread's variables need too many predicates";
  return fits;
}

static void release(Abstracter *x) {
  for (uint32_t k = 0; k < x->model->kinds.len; k++) {
    for (uint32_t b = 0; b < x->model->kinds.data[k].all.len; b++) {
      circ_plan_free(&x->plans[k][b]);
    }
    mem_free(x->plans[k]);
  }
  mem_free(x->plans);
  for (uint32_t g = 0; g < x->ps->group_count; g++) map_free(&x->group_values[g]);
  mem_free(x->group_values);
  strmap_free(&x->locals);
  mem_free(x->bits);
  mem_free(x->shared_support);
  mem_free(x->local_support);
  vec_free(&x->step_bits);
  vec_free(&x->shaken);
  vec_free(&x->looked);
  for (uint32_t u = 0; u < x->unsure.len; u++) vec_free(&x->unsure.data[u].members);
  vec_free(&x->unsure);
}

static uint32_t most_locals(const CircModel *m) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < m->kinds.len; k++)
    if (m->kinds.data[k].locals.len > most) most = m->kinds.data[k].locals.len;
  return most;
}

bool circ_abstract(const CircAbstractQuestion *q, CircAbstraction *ret,
                   const char **ret_why) {
  CircModel *m = q->predicates->model;
  *ret = (CircAbstraction){0};
  Abstracter x = {.q = q, .ps = q->predicates, .model = m, .out = ret};
  x.bits = mem_alloc_zero((x.ps->list.len + 1) * sizeof *x.bits);
  x.group_values = mem_alloc_zero((x.ps->group_count + 1) * sizeof *x.group_values);
  x.shared_support = mem_alloc_zero(m->shared.len + 1);
  x.local_support = mem_alloc_zero(most_locals(m) + 1);
  x.plans = mem_alloc_zero((m->kinds.len + 1) * sizeof *x.plans);
  for (uint32_t k = 0; k < m->kinds.len; k++)
    x.plans[k] = mem_alloc_zero((m->kinds.data[k].all.len + 1) * sizeof **x.plans);
  bool fine = number_bits(&x) && begin_groups(&x) && begin_main(&x);
  uint32_t expanded = 0;
  while (fine && (expanded < ret->tts.locals.len || !circ_looked_at_all(&x)))
    fine = expanded < ret->tts.locals.len ? expand(&x, expanded++) : circ_look_on(&x);
  if (fine) circ_settle_shakes(&x);
  fine = fine && circ_pair_up(&x);
  for (uint32_t g = 0; fine && g < x.ps->group_count; g++) {
    ret->tts.groups.data[g].size = x.group_values[g].len;
    for (uint32_t v = 0; v < x.group_values[g].len; v++)
      vec_push(&ret->group_values, x.group_values[g].entries[v].key);
  }
  assert(fine || x.why);
  if (ret_why) *ret_why = x.why;
  release(&x);
  return fine;
}

void circ_abstraction_free(CircAbstraction *a) {
  tts_free(&a->tts);
  vec_free(&a->labels);
  vec_free(&a->errors);
  vec_free(&a->valuations);
  vec_free(&a->group_values);
  vec_free(&a->ready);
  vec_free(&a->apart);
}
