/* Blocks as terms: their steps in topological order, a path condition and values for each location,
 * merged where paths come together. See model_internal.h. */
#include "engine/circ/model_internal.h"

#include "engine/terms.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  CircMaker *x;
  Map index; /* location → index in `here` + 1 */
  VEC(CircHere) here;
} Walk;

void circ_event(CircMaker *x, const AutoStep *step, Term guard) {
  if (term_is_false(x->t, guard)) return;
  CircEvent event = {.edge = step->edge,
                     .asked = step->asked,
                     .inside = x->a->locations.data[step->from].depth > 0,
                     .guard = guard};
  vec_push(&x->kind->events, event);
}

void circ_access(CircMaker *x, const CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  uint32_t before = x->kind->events.len;
  bool plain =
      e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
  if (step->kind != STEP_EDGE || !plain) {
    circ_event(x, step, s->guard);
    return;
  }
  Term address = term_fit(x->t, circ_value(x, s, step->frame, e->a), 64);
  circ_event(x, step, term_and(x->t, s->guard, circ_is_asked(x, e, address)));
  if (x->kind->events.len == before) return;
  CircEvent *event = vec_last(&x->kind->events);
  event->address = address;
  event->size = e->size;
}

static CircHere *here_of(Walk *w, uint32_t location) {
  uint64_t *known = map_at(&w->index, location);
  if (!*known) {
    vec_push(&w->here, (CircHere){0});
    *known = w->here.len;
  }
  return &w->here.data[*known - 1];
}

/* ---- the block that comes out ---- */

static int compare_sets(const void *a, const void *b) {
  const CircSet *x = a, *y = b;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* What follows from the condition at a look: its parts are true, and what equals a constant is it. */
static void add_known(CircMaker *x, Term condition, Map *ret) {
  Terms *t = x->t;
  TermVec parts = {0};
  terms_conjuncts(t, condition, &parts);
  for (uint32_t i = 0; i < parts.len; i++) {
    Term part = parts.data[i];
    bool denied = term_kind(t, part) == TERM_NOT;
    if (term_const_words(t, part)) continue;
    map_put(ret, denied ? term_operand(t, part, 0) : part, term_bool(t, !denied));
    for (int k = 0; k < 2 && term_kind(t, part) == TERM_EQ; k++) {
      Term is = term_operand(t, part, k), other = term_operand(t, part, 1 - k);
      if (term_const_words(t, is) && !term_const_words(t, other)) map_put(ret, other, is);
    }
  }
  vec_free(&parts);
}

/* New values, where the block is taken. */
static void add_sets(CircMaker *x, const CircHere *s) {
  Map known = {0};
  add_known(x, s->guard, &known);
  for (uint32_t i = 0; i < s->values.len; i++) {
    CircVar v = (CircVar)s->values.entries[i].key;
    Term value = term_substitute(x->t, (Term)s->values.entries[i].value, &known);
    Term old = term_substitute(x->t, circ_now(x, v), &known);
    assert(term_bits(x->t, value) == term_bits(x->t, old));
    if (value != old) vec_push(&x->kind->sets, ((CircSet){v, value}));
  }
  map_free(&known);
  uint32_t n = x->kind->sets.len - x->block.first_set;
  if (n) qsort(&x->kind->sets.data[x->block.first_set], n, sizeof(CircSet), compare_sets);
}

/* One block for each way in which paths leave. What happened on the way is told with the first. */
static void add_block(CircMaker *x, CircLeave leave, uint32_t to, bool first) {
  CircKind *k = x->kind;
  CircBlock b = x->block;
  CircHere *s = &x->leaves[leave];
  b.from = x->entry;
  b.to = leave == LEAVES_ON ? to : leave == LEAVES_STAYS ? x->entry : 0;
  b.stops = leave == LEAVES_STOPS;
  b.guard = s->guard ? s->guard : term_bool(x->t, false);
  assert(term_bits(x->t, b.guard) == 1);
  b.first_set = x->block.first_set = k->sets.len;
  if (s->guard) add_sets(x, s);
  b.set_count = k->sets.len - b.first_set;
  b.input_count = k->inputs.len - b.first_input;
  b.visit_count = k->visits.len - b.first_visit;
  b.event_count = first ? k->events.len - b.first_event : 0;
  b.start_count = k->starts.len - b.first_start;
  vec_push(&k->all, b);
}

static void add_blocks(CircMaker *x, uint32_t to) {
  bool first = true;
  for (CircLeave l = 0; l < LEAVES_COUNT; l++) {
    Term guard = x->leaves[l].guard;
    if (!guard || term_is_false(x->t, guard)) continue;
    add_block(x, l, to, first);
    first = false;
  }
  /* nothing leaves, but something happens before */
  if (first && x->kind->events.len > x->block.first_event)
    add_block(x, LEAVES_ENDED, to, true);
  for (CircLeave l = 0; l < LEAVES_COUNT; l++) circ_here_free(&x->leaves[l]);
}

/* ---- the walk ---- */

static CircLeave leave_of(const CircMaker *x, const AutoStep *s) {
  const Edge *e = program_edge(x->p, s->edge);
  if (s->to) return LEAVES_ON;
  if (s->kind != STEP_END) return LEAVES_ENDED;
  bool main_returns = e->op == OP_RETURN && !x->kind->site;
  return e->op == OP_EXIT || main_returns ? LEAVES_STOPS : LEAVES_ENDED;
}

/* Takes the `count` steps of one location. */
static void take_steps(Walk *w, const uint32_t *steps, uint32_t count, uint32_t exit) {
  CircMaker *x = w->x;
  const AutoStep *all = x->a->steps.data;
  assert(count > 0);
  CircHere from;
  circ_here_copy(here_of(w, all[steps[0]].from), &from);
  if (!from.guard) {
    circ_here_free(&from);
    return;
  }
  CircHere *next = mem_alloc_zero(count * sizeof *next);
  for (uint32_t i = 0; i < count; i++) {
    circ_here_copy(&from, &next[i]);
    circ_step(x, &next[i], &all[steps[i]]);
  }
  circ_here_choose(x, next, count);
  for (uint32_t i = 0; i < count; i++) {
    const AutoStep *s = &all[steps[i]];
    bool inner = s->to && s->to != exit;
    CircLeave leave = leave_of(x, s);
    circ_here_merge(x, inner ? here_of(w, s->to) : &x->leaves[leave], &next[i]);
  }
  mem_free(next);
  circ_here_free(&from);
}

static void make_block(CircMaker *x, uint32_t entry, uint32_t exit, const uint32_t *steps,
                       uint32_t count) {
  Walk w = {.x = x};
  CircKind *k = x->kind;
  x->entry = entry;
  x->block = (CircBlock){.first_input = k->inputs.len,
                         .first_visit = k->visits.len,
                         .first_event = k->events.len,
                         .first_start = k->starts.len};
  here_of(&w, entry)->guard = term_bool(x->t, true);
  for (uint32_t i = 0, n; i < count; i += n) {
    uint32_t from = x->a->steps.data[steps[i]].from;
    for (n = 1; i + n < count && x->a->steps.data[steps[i + n]].from == from;) n++;
    take_steps(&w, &steps[i], n, exit);
  }
  add_blocks(x, exit);
  for (uint32_t i = 0; i < w.here.len; i++) circ_here_free(&w.here.data[i]);
  vec_free(&w.here);
  map_free(&w.index);
}

/* ---- all blocks of a kind ---- */

static bool is_over(CircMaker *x) {
  enum { MOST_TERMS = 20000000 };
  const volatile int *stop = x->m->question.stop;
  if (stop && *stop) x->why = "the time is over";
  if (terms_count(x->t) > MOST_TERMS)
    x->why = "the formulas of the threads are too large";
  return x->why;
}

void circ_blocks_make(CircMaker *x) {
  const Blocks *blocks = x->kind->blocks;
  uint32_t last = 0;
  for (uint32_t i = 0; i < blocks->blocks.len && !is_over(x); i++) {
    const Block *b = &blocks->blocks.data[i];
    x->stay = b->entry != last;
    last = b->entry;
    make_block(x, b->entry, b->exit, &blocks->steps.data[b->first_step], b->step_count);
  }
}
