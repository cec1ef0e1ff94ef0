/* See trace.h. */
#include "engine/circ/trace.h"

#include "base/mem.h"

static const CircModel *model_of(const CircTrace *t) {
  return t->predicates->model;
}

static const CircKind *kind_of(const CircTrace *t, uint32_t thread) {
  return &model_of(t)->kinds.data[t->threads.data[thread].kind];
}

/* ---- threads ---- */

static void add_thread(CircTrace *t, uint32_t kind) {
  Terms *terms = model_of(t)->terms;
  const CircKind *k = &model_of(t)->kinds.data[kind];
  uint32_t number = t->threads.len;
  TraceThread thread = {kind, mem_alloc((k->locals.len + 1) * sizeof(Term)),
                        mem_alloc_zero((k->locals.len + 1) * sizeof(Term))};
  for (uint32_t i = 0; i < k->locals.len; i++) {
    const CircLocal *l = &k->locals.data[i];
    thread.locals[i] = term_var(terms, term_bits(terms, l->now), l->name);
    thread.starts[i] = l->start;
    map_put(&t->owner, thread.locals[i], (uint64_t)(number + 1) << 32 | i);
  }
  vec_push(&t->threads, thread);
}

/* ---- steps ---- */

typedef struct {
  CircTrace *trace;
  Map *with;
  Map *inputs;
} Renaming;

/* A variable that is nobody's is an input: it gets a name of this execution alone. */
static void rename_input(void *user, Term variable) {
  Renaming *r = user;
  Terms *terms = model_of(r->trace)->terms;
  CircOwner owner;
  if (circ_owner(r->trace->predicates, variable, &owner)) return;
  Term mine = term_var(terms, term_bits(terms, variable), term_var_name(terms, variable));
  map_put(r->with, variable, mine);
  map_put(r->inputs, variable, mine);
}

typedef VEC(Term) TermVec;

static void collect(const CircKind *k, const CircBlock *b, TermVec *all) {
  vec_push(all, b->guard);
  for (uint32_t i = 0; i < b->set_count; i++)
    vec_push(all, k->sets.data[b->first_set + i].value);
  for (uint32_t i = 0; i < b->input_count; i++) {
    vec_push(all, k->inputs.data[b->first_input + i].guard);
    vec_push(all, k->inputs.data[b->first_input + i].value);
  }
  for (uint32_t i = 0; i < b->visit_count; i++)
    vec_push(all, k->visits.data[b->first_visit + i].guard);
  for (uint32_t i = 0; i < b->event_count; i++) {
    vec_push(all, k->events.data[b->first_event + i].guard);
    vec_push(all, k->events.data[b->first_event + i].address);
  }
  for (uint32_t i = 0; i < b->start_count; i++) {
    const CircStart *s = &k->starts.data[b->first_start + i];
    vec_push(all, s->guard);
    for (uint32_t j = 0; j < s->set_count; j++)
      vec_push(all, k->start_sets.data[s->first_set + j].value);
  }
}

/* From the block's variables to those of the trace. */
static void renaming_of(CircTrace *t, uint32_t thread, const CircBlock *b, Map *with,
                        Map *inputs) {
  const CircKind *k = kind_of(t, thread);
  for (uint32_t i = 0; i < k->locals.len; i++)
    map_put(with, k->locals.data[i].now, t->threads.data[thread].locals[i]);
  Renaming r = {t, with, inputs};
  Map seen = {0};
  TermVec all = {0};
  collect(k, b, &all);
  for (uint32_t i = 0; i < all.len; i++)
    if (all.data[i])
      term_variables(model_of(t)->terms, all.data[i], &seen, rename_input, &r);
  vec_free(&all);
  map_free(&seen);
}

static Term variable_of(const CircTrace *t, uint32_t thread, CircVar v) {
  return v & CIRC_LOCAL ? t->threads.data[thread].locals[v & ~CIRC_LOCAL]
                        : model_of(t)->shared.data[v].now;
}

/* Threads that the block starts, in the order of the run, and what they begin with. */
static void add_started(CircTrace *t, const TtsRun *run, const CircAbstraction *abs,
                        uint32_t move, const CircKind *k, const CircBlock *b, Map *with) {
  uint32_t next = 0;
  for (uint32_t n = 0; n < run->starts.len; n++) {
    if (run->parents.data[n] != move) continue;
    uint32_t kind = abs->tts.locals.data[run->starts.data[n]].kind;
    add_thread(t, kind);
    TraceThread *thread = vec_last(&t->threads);
    while (next < b->start_count && k->starts.data[b->first_start + next].kind != kind)
      next++;
    if (next == b->start_count) continue;
    const CircStart *s = &k->starts.data[b->first_start + next++];
    t->given = t->given || s->set_count;
    for (uint32_t j = 0; j < s->set_count && t->forgets != FORGETS_GIVEN; j++) {
      const CircSet *set = &k->start_sets.data[s->first_set + j];
      thread->starts[set->variable & ~CIRC_LOCAL] =
          term_substitute(model_of(t)->terms, set->value, with);
    }
  }
}

static void add_step(CircTrace *t, const TtsRun *run, const CircAbstraction *abs,
                     uint32_t move) {
  Terms *terms = model_of(t)->terms;
  const TtsMove *m = &run->moves.data[move];
  CircLabel label = abs->labels.data[abs->tts.steps.data[m->step].label];
  if (label.kind == CIRC_NOBODY) return; /* nobody moved: it became known where it is */
  const CircKind *k = &model_of(t)->kinds.data[label.kind];
  const CircBlock *b = &k->all.data[label.block];
  TraceStep step = {.thread = m->thread, .label = label};
  Map with = {0};
  renaming_of(t, m->thread, b, &with, &step.inputs);
  step.guard = term_substitute(terms, b->guard, &with);
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *set = &k->sets.data[b->first_set + i];
    map_put(&step.change, variable_of(t, m->thread, set->variable),
            term_substitute(terms, set->value, &with));
  }
  uint32_t before = t->threads.len;
  add_started(t, run, abs, move, k, b, &with);
  for (uint32_t n = before; n < t->threads.len; n++)
    for (uint32_t i = 0; i < kind_of(t, n)->locals.len; i++)
      if (t->threads.data[n].starts[i])
        map_put(&step.change, t->threads.data[n].locals[i], t->threads.data[n].starts[i]);
  map_free(&with);
  vec_push(&t->steps, step);
}

/* ---- values over the beginning ---- */

/* Values of the trace's variables at some point, as a substitution whose memory is used up. */
static void copy_values(const Map *from, Map *to) {
  for (uint32_t i = 0; i < from->len; i++)
    map_put(to, from->entries[i].key, from->entries[i].value);
}

static void run_through(CircTrace *t) {
  bool anyhow = t->forgets == FORGETS_SHARED;
  Terms *terms = model_of(t)->terms;
  for (uint32_t i = 0; i < model_of(t)->shared.len && !anyhow; i++)
    if (model_of(t)->shared.data[i].start)
      map_put(&t->value, model_of(t)->shared.data[i].now,
              model_of(t)->shared.data[i].start);
  for (uint32_t i = 0; i < kind_of(t, 0)->locals.len; i++)
    if (t->threads.data[0].starts[i])
      map_put(&t->value, t->threads.data[0].locals[i], t->threads.data[0].starts[i]);
  for (uint32_t s = 0; s < t->steps.len; s++) {
    TraceStep *step = &t->steps.data[s];
    Map with = {0};
    copy_values(&t->value, &with);
    copy_values(&t->value, &step->before);
    step->reached = term_substitute(terms, step->guard, &with);
    for (uint32_t i = 0; i < step->change.len; i++) {
      Term value = term_substitute(terms, (Term)step->change.entries[i].value, &with);
      map_put(&t->value, step->change.entries[i].key, value);
    }
    map_free(&with);
  }
  Map with = {0};
  copy_values(&t->value, &with);
  for (int g = 0; g < TRACE_GOALS; g++)
    if (t->goals[g]) t->goals_reached[g] = term_substitute(terms, t->goals[g], &with);
  map_free(&with);
}

void circ_trace_new(const CircPredicates *predicates, const CircAbstraction *abs,
                    const TtsRun *run, TraceForgets forgets, CircTrace *t) {
  *t = (CircTrace){.predicates = predicates, .forgets = forgets};
  add_thread(t, 0);
  for (uint32_t i = 0; i < run->moves.len; i++) add_step(t, run, abs, i);
  const CircErrorLabel *error = &abs->errors.data[abs->tts.errors.data[run->error].label];
  Term address[2] = {0};
  uint32_t size[2] = {0};
  for (uint32_t g = 0; g < error->count; g++) {
    const CircKind *k = &model_of(t)->kinds.data[error->at[g].kind];
    const CircBlock *b = &k->all.data[error->at[g].block];
    Map with = {0};
    renaming_of(t, run->racers[g], b, &with, &t->goal_inputs[g]);
    const CircEvent *e = &k->events.data[error->event[g]];
    t->goals[g] = term_substitute(model_of(t)->terms, e->guard, &with);
    if (e->address) address[g] = term_substitute(model_of(t)->terms, e->address, &with);
    size[g] = e->size;
    map_free(&with);
  }
  if (address[0] && address[1])
    t->goals[TRACE_MEET] =
        circ_overlap(model_of(t)->terms, address[0], size[0], address[1], size[1]);
  run_through(t);
}

void circ_trace_free(CircTrace *t) {
  for (uint32_t i = 0; i < t->threads.len; i++) {
    mem_free(t->threads.data[i].locals);
    mem_free(t->threads.data[i].starts);
  }
  for (uint32_t i = 0; i < t->steps.len; i++) {
    map_free(&t->steps.data[i].change);
    map_free(&t->steps.data[i].inputs);
    map_free(&t->steps.data[i].before);
  }
  vec_free(&t->threads);
  vec_free(&t->steps);
  map_free(&t->value);
  map_free(&t->owner);
  for (int g = 0; g < 2; g++) map_free(&t->goal_inputs[g]);
}
