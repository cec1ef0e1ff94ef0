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
#include "engine/circ/abstract.h"

#include "base/mem.h"
#include "engine/circ/enumerate.h"

typedef struct {
  uint32_t predicate;
  uint32_t bit; /* of the local state behind */
} LocalPost;

typedef struct {
  uint32_t start;        /* CircKind.starts */
  uint32_t guard;        /* place in `what`; CIRC_NOBODY: it always happens */
  uint32_t first, count; /* places in `what` of the new thread's predicates */
} StartPlan;

/* How one block is asked about. */
typedef struct {
  bool made;
  VEC(uint32_t) groups; /* touched, ascending */
  VEC(uint8_t) written; /* by the same index */
  TermList what;
  VEC(uint32_t) relevant; /* local predicates before the block that matter */
  uint32_t first_local;   /* place in `what` */
  VEC(LocalPost) asked, copied, surely; /* behind: found out, as before, true */
  VEC(StartPlan) starts;
} BlockPlan;

/* A thread in this local state is next to do what is asked about, if groups have these values. */
typedef struct {
  uint32_t local;
  CircLabel label;
  uint32_t event;
  uint32_t first_touch, touch_count; /* Tts.touches */
} Ready;

typedef struct {
  const CircAbstractQuestion *q;
  const CircPredicates *ps;
  CircModel *model;
  CircAbstraction *out;
  const char *why;
  uint32_t *bits;    /* by predicate: its bit in the local states of its kind */
  Map *group_values; /* by group: combination → value + 1 */
  StrMap locals;     /* kind, location, valuation → local state + 1 */
  BlockPlan **plans; /* by kind: by block */
  VEC(Ready) ready;
  uint8_t *shared_support, *local_support; /* of what is looked at */
  uint32_t kind;                           /* whose block that is */
} Abstracter;

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

static Map *block_substitution(Abstracter *x, uint32_t kind, uint32_t block) {
  const CircKind *k = &x->model->kinds.data[kind];
  const CircBlock *b = &k->all.data[block];
  Map *with = circ_substitution(x->q->solver, (uint64_t)kind << 32 | block << 8);
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
  Map *with =
      circ_substitution(x->q->solver, (uint64_t)kind << 32 | block << 8 | (n + 1));
  if (with->len) return with;
  for (uint32_t i = 0; i < other->locals.len; i++) {
    const CircLocal *l = &other->locals.data[i];
    Term value =
        l->start ? l->start
                 : term_var(x->model->terms, term_bits(x->model->terms, l->now), "new");
    map_put(with, l->now, value);
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

static const BlockPlan *plan_of(Abstracter *x, uint32_t kind, uint32_t block) {
  BlockPlan *plan = &x->plans[kind][block];
  if (plan->made) return plan;
  plan->made = true;
  const CircBlock *b = &x->model->kinds.data[kind].all.data[block];
  Map *with = block_substitution(x, kind, block);
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

/* ---- local states and values of groups ---- */

static uint32_t local_state(Abstracter *x, uint32_t kind, uint32_t location,
                            uint64_t valuation) {
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

static uint32_t group_value(Abstracter *x, uint32_t group, uint64_t combination) {
  uint64_t *slot = map_at(&x->group_values[group], combination);
  if (!*slot) *slot = x->group_values[group].len;
  return (uint32_t)*slot - 1;
}

static uint32_t group_size(const Abstracter *x, uint32_t group) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < x->ps->list.len; i++)
    size += x->ps->list.data[i].kind == CIRC_NOBODY && x->ps->list.data[i].group == group;
  return size;
}

/* `count` bits from `*at` on, which moves on. */
static uint64_t cut(uint64_t bits, uint32_t *at, uint32_t count) {
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
    uint32_t local = local_state(x, s->kind, begin, valuation);
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
    after += group_size(x, plan->groups.data[n]);
  for (uint32_t n = 0; n < plan->groups.len; n++) {
    uint32_t g = plan->groups.data[n], size = group_size(x, g);
    TtsTouch touch = {.group = g, .before = group_value(x, g, cut(bits, &before, size))};
    touch.after =
        plan->written.data[n] ? group_value(x, g, cut(bits, &after, size)) : touch.before;
    vec_push(&tts->touches, touch);
  }
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
  if (b->to) step.to = local_state(x, label.kind, b->to, valuation);
  step.label = x->out->labels.len;
  vec_push(&x->out->labels, label);
  vec_push(&tts->steps, step);
}

/* What is known of the thread's own variables. */
static void give_valuation(const Abstracter *x, uint32_t local, const BlockPlan *plan,
                           TermList *given) {
  uint64_t valuation = x->out->valuations.data[local];
  for (uint32_t i = 0; i < plan->relevant.len; i++) {
    uint32_t p = plan->relevant.data[i];
    Term t = x->ps->list.data[p].term;
    vec_push(given, valuation >> x->bits[p] & 1 ? t : term_not(x->model->terms, t));
  }
}

static bool add_steps(Abstracter *x, uint32_t local, CircLabel label) {
  const BlockPlan *plan = plan_of(x, label.kind, label.block);
  if (plan->what.len > 64) {
    x->why = "a block is about too many predicates";
    return false;
  }
  TermList given = {0};
  Combinations found = {0};
  vec_push(&given, x->model->kinds.data[label.kind].all.data[label.block].guard);
  give_valuation(x, local, plan, &given);
  bool known = circ_enumerate(x->q->solver, &given, &plan->what, &x->q->limit, &found);
  vec_free(&given);
  if (!known) x->why = "a block has too many abstract steps, or the time was over";
  for (uint32_t i = 0; known && i < found.len; i++)
    add_step(x, local, label, plan, found.data[i]);
  return known;
}

/* ---- errors ---- */

static bool add_ready(Abstracter *x, uint32_t local, CircLabel label, uint32_t event) {
  Tts *tts = &x->out->tts;
  Term guard = x->model->kinds.data[label.kind].events.data[event].guard;
  uint32_t location = tts->locals.data[local].location;
  uint8_t *none = mem_alloc_zero(x->ps->group_count + 1);
  BlockPlan plan = {0};
  TermList given = {0};
  Combinations found = {0};
  clear_support(x, label.kind);
  add_support(x, guard);
  find_relevant(x, location, &plan);
  find_groups(x, none, &plan);
  plan_what(x, NULL, &plan);
  vec_push(&given, guard);
  give_valuation(x, local, &plan, &given);
  bool known = plan.what.len <= 64 &&
               circ_enumerate(x->q->solver, &given, &plan.what, &x->q->limit, &found);
  if (!known) x->why = "an error depends on too many predicates, or the time was over";
  for (uint32_t i = 0; known && i < found.len; i++) {
    Ready ready = {local, label, event, tts->touches.len, plan.groups.len};
    uint32_t at = 0;
    for (uint32_t n = 0; n < plan.groups.len; n++) {
      uint32_t g = plan.groups.data[n];
      uint32_t v = group_value(x, g, cut(found.data[i], &at, group_size(x, g)));
      vec_push(&tts->touches, (TtsTouch){g, v, v});
    }
    vec_push(&x->ready, ready);
  }
  mem_free(none);
  vec_free(&given);
  vec_free(&plan.groups);
  vec_free(&plan.written);
  vec_free(&plan.relevant);
  vec_free(&plan.what);
  return known;
}

/* The touches of both, or false if they contradict each other. */
static bool join_touches(Tts *tts, const Ready *a, const Ready *b, TtsError *error) {
  uint32_t first = tts->touches.len;
  for (uint32_t i = 0; i < a->touch_count; i++) {
    TtsTouch t = tts->touches.data[a->first_touch + i];
    vec_push(&tts->touches, t);
  }
  for (uint32_t i = 0; i < b->touch_count; i++) {
    TtsTouch t = tts->touches.data[b->first_touch + i];
    bool there = false;
    for (uint32_t j = first; j < tts->touches.len; j++) {
      if (tts->touches.data[j].group != t.group) continue;
      there = true;
      if (tts->touches.data[j].before == t.before) continue;
      tts->touches.len = first;
      return false;
    }
    if (!there) vec_push(&tts->touches, t);
  }
  error->first_touch = first;
  error->touch_count = tts->touches.len - first;
  return true;
}

static const CircEvent *event_of(const Abstracter *x, const Ready *r) {
  return &x->model->kinds.data[r->label.kind].events.data[r->event];
}

static bool is_assertion(const Abstracter *x, const Ready *r) {
  return program_edge(x->model->question.program, event_of(x, r)->edge)->op == OP_ASSERT;
}

static void add_error(Abstracter *x, const Ready *a, const Ready *b) {
  Tts *tts = &x->out->tts;
  TtsError error = {.locals = {a->local, b ? b->local : TTS_NONE},
                    .label = x->out->errors.len};
  CircErrorLabel label = {.at = {a->label}, .event = {a->event}, .count = b ? 2 : 1};
  Ready nobody = {0};
  if (!join_touches(tts, a, b ? b : &nobody, &error)) return;
  if (b) {
    label.at[1] = b->label;
    label.event[1] = b->event;
  }
  vec_push(&x->out->errors, label);
  vec_push(&tts->errors, error);
}

static void pair_up(Abstracter *x) {
  for (uint32_t i = 0; i < x->ready.len; i++) {
    const Ready *a = &x->ready.data[i];
    if (is_assertion(x, a)) {
      add_error(x, a, NULL);
      continue;
    }
    for (uint32_t j = i; j < x->ready.len; j++) {
      const Ready *b = &x->ready.data[j];
      if (is_assertion(x, b)) continue;
      bool same_kind = a->label.kind == b->label.kind;
      if (same_kind && !x->model->kinds.data[a->label.kind].many) continue;
      if (event_of(x, a)->inside && event_of(x, b)->inside) continue;
      if (x->q->conflict(x->q->user, event_of(x, a)->edge, event_of(x, b)->edge))
        add_error(x, a, b);
    }
  }
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
      vec_push(&tts->initials, group_value(x, g, found.data[i]));
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
    vec_push(&tts->initials, local_state(x, 0, begin, valuation));
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
  const CircKind *k = &x->model->kinds.data[at.kind];
  for (uint32_t b = 0; b < k->all.len; b++) {
    const CircBlock *block = &k->all.data[b];
    if (block->from != at.location) continue;
    CircLabel label = {at.kind, b};
    for (uint32_t i = 0; i < block->event_count; i++)
      if (!add_ready(x, local, label, block->first_event + i)) return false;
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
      BlockPlan *plan = &x->plans[k][b];
      vec_free(&plan->groups);
      vec_free(&plan->written);
      vec_free(&plan->what);
      vec_free(&plan->relevant);
      vec_free(&plan->asked);
      vec_free(&plan->copied);
      vec_free(&plan->surely);
      vec_free(&plan->starts);
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
  vec_free(&x->ready);
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
  for (uint32_t l = 0; fine && l < ret->tts.locals.len; l++) fine = expand(&x, l);
  if (fine) pair_up(&x);
  for (uint32_t g = 0; fine && g < x.ps->group_count; g++)
    ret->tts.groups.data[g].size = x.group_values[g].len;
  if (ret_why) *ret_why = x.why;
  release(&x);
  return fine;
}

void circ_abstraction_free(CircAbstraction *a) {
  tts_free(&a->tts);
  vec_free(&a->labels);
  vec_free(&a->errors);
  vec_free(&a->valuations);
}
