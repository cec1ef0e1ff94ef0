/* See path.h. Entries are marked with the number of the step that made them, so that the racing
 * step is known, and who knows of it when. */
#include "engine/interleave/path.h"

#include "engine/interleave/lost.h"

#include <string.h>

Origin origin_of_step(const Machine *m, uint32_t parent) {
  Origin origin = {.parent = parent,
                   .thread = (uint8_t)m->t,
                   .choice_count = (uint8_t)m->choice_count};
  memcpy(origin.chosen, m->chosen, sizeof origin.chosen);
  return origin;
}

enum { NOBODY = UINT32_MAX };

typedef struct {
  const PathQuestion *question;
  VEC(Origin) way; /* from the first state on */
  Machine machine;
  Packer *packer;
  uint32_t numbers[IL_MAX_THREADS]; /* of slots: the threads in the order of creation */
  uint32_t created;
  /* race */
  uint32_t first; /* the step that made the first access, from 1 on; 0: not known yet */
  uint32_t racers[2];
  /* what comes out */
  VEC(GuideStep) steps, whole;
  Executed executed; /* everything, for lost_value */
} Walk;

/* ---- the way ---- */

static void collect_way(Walk *w) {
  const PathQuestion *q = w->question;
  if (q->last) vec_push(&w->way, *q->last);
  for (uint32_t s = q->state; s; s = q->origins->data[s].parent)
    vec_push(&w->way, q->origins->data[s]);
  for (uint32_t i = 0, k = w->way.len; i + 1 < k; i++) {
    Origin swapped = w->way.data[i];
    w->way.data[i] = w->way.data[--k];
    w->way.data[k] = swapped;
  }
}

/* The state as the search had it, with its numbering of threads. */
static void normalise(Walk *w) {
  Machine *m = &w->machine;
  uint32_t old[IL_MAX_THREADS], count = m->s.thread_count;
  if (machine_is_weak(m)) il_weak_tidy(&m->s);
  Packed packed = state_pack(w->packer, m->facts, &m->s);
  memcpy(old, w->numbers, sizeof old);
  for (uint32_t t = 0; t < count; t++) {
    uint32_t slot = packer_new_slot(w->packer, t);
    if (slot < IL_MAX_THREADS) w->numbers[slot] = old[t];
  }
  state_unpack(&m->s, packed.data);
}

/* ---- what is left out ---- */

static bool knows_of(const State *s, uint32_t slot, EdgeId mark) {
  for (uint32_t i = 0; i < s->entries.len; i++)
    if (s->entries.data[i].edge == mark && (s->entries.data[i].threads >> slot & 1))
      return true;
  return false;
}

/* Step i, of this slot, is behind the first access. */
static bool is_behind(const Walk *w, uint32_t i, uint32_t slot) {
  return w->first && i + 1 > w->first && knows_of(&w->machine.s, slot, w->first);
}

/* ---- one step ---- */

static void note_edges(Walk *w, uint32_t thread, uint32_t i) {
  const Machine *m = &w->machine;
  for (uint32_t k = 0; k < m->trail.len; k++) {
    const TrailEdge *e = &m->trail.data[k];
    vec_push(&w->executed, ((ExecutedEdge){thread, e->edge, i, e->guessed}));
    if (e->visible || e->guessed)
      vec_push(&w->steps, ((GuideStep){.thread = thread, .edge = e->edge}));
  }
}

static Outcome go(Walk *w, uint32_t i) {
  Machine *m = &w->machine;
  const Origin *step = &w->way.data[i];
  uint32_t before = m->s.thread_count;
  bool left_out = is_behind(w, i, step->thread);
  if (i + 1 == w->first) w->racers[0] = w->numbers[step->thread];
  memcpy(m->chosen, step->chosen, sizeof m->chosen);
  m->choice_given = step->choice_count;
  m->mark = i + 1;
  Outcome out = machine_step(m, step->thread);
  if (!left_out) note_edges(w, w->numbers[step->thread], i);
  for (uint32_t slot = before; slot < m->s.thread_count; slot++)
    w->numbers[slot] = left_out ? NOBODY : w->created++;
  return out;
}

static bool walk(Walk *w, Outcome *ret_out) {
  Machine *m = &w->machine;
  const PathQuestion *q = w->question;
  machine_init(m, q->facts, q->options);
  m->keeps_trail = true;
  w->packer = packer_new(q->joins);
  w->numbers[0] = 0;
  w->created = 1;
  vec_clear(&w->steps);
  vec_clear(&w->executed);
  bool went = machine_start(m) == OUTCOME_NEXT;
  if (went) normalise(w);
  for (uint32_t i = 0; i < w->way.len && went; i++) {
    *ret_out = go(w, i);
    bool last = i + 1 == w->way.len && q->last;
    went = last || *ret_out == OUTCOME_DONE || *ret_out == OUTCOME_STOPPED;
    if (went && !last) normalise(w);
  }
  return went;
}

static void end_walk(Walk *w) {
  machine_free(&w->machine);
  packer_free(w->packer);
}

/* ---- races ---- */

/* Once to find the step of the first access, by its mark; once more without what is behind it. */
static bool walk_to_race(Walk *w) {
  Outcome out = OUTCOME_DONE;
  bool went = walk(w, &out) && out == OUTCOME_RACE;
  w->first = w->machine.race_edges[0];
  end_walk(w);
  if (went && w->steps.len)
    memcpy(vec_extend(&w->whole, w->steps.len), w->steps.data,
           w->steps.len * sizeof *w->steps.data);
  if (!went || !w->first || w->first > w->way.len) return false;
  went = walk(w, &out) && out == OUTCOME_RACE;
  w->racers[1] = w->numbers[w->machine.t];
  end_walk(w);
  return went && w->racers[0] != w->racers[1];
}

static bool walk_to_end(Walk *w) {
  Outcome out = OUTCOME_DONE;
  bool went = walk(w, &out);
  w->racers[0] = w->numbers[w->machine.t];
  end_walk(w);
  return went;
}

bool path_find(const PathQuestion *q, Arena *arena, InterleavePath *ret) {
  Walk w = {.question = q};
  collect_way(&w);
  bool race = q->target == TARGET_RACE;
  bool went = race ? walk_to_race(&w) : walk_to_end(&w);
  if (went) {
    const GuideStep *steps =
        w.steps.len ? arena_dup(arena, w.steps.data, w.steps.len * sizeof *steps) : NULL;
    *ret = (InterleavePath){.found = true,
                            .plan = {.steps = steps,
                                     .step_count = w.steps.len,
                                     .target = q->target,
                                     .threads = {w.racers[0], w.racers[1]},
                                     .edges = {q->edges[0], q->edges[1]},
                                     .all_threads = w.created}};
    ret->whole = ret->plan;
    ret->whole.target = TARGET_UNORDERED;
    ret->whole.step_count = w.whole.len;
    ret->whole.steps =
        w.whole.len ? arena_dup(arena, w.whole.data, w.whole.len * sizeof *steps) : NULL;
    ret->lost = lost_value(q->facts->program, &w.executed, arena);
  }
  vec_free(&w.way);
  vec_free(&w.steps);
  vec_free(&w.whole);
  vec_free(&w.executed);
  return went;
}
