/* From a run of the net to a run of the system: tokens become threads.
 *
 * Choices come first, wherever the net made them. A step that needs not wait for a section to end
 * (tts_net.c) is put behind the section. Then the steps are done one after another by threads with
 * names; where several are in the right local state, the one that moved last moves on, so that the
 * run has few switches. Threads that never do anything are left out in the end. */
#include "engine/circ/tts_net.h"

typedef struct {
  uint32_t where;  /* local state, or TTS_NONE: it has ended */
  uint32_t last;   /* 1 + its last move; 0: none yet */
  uint32_t start;  /* local state that it began in */
  uint32_t origin; /* of Tts.threads; TTS_NONE: started by a move */
  uint32_t parent;
  bool needed;
  uint32_t name; /* in the run */
} Thread;

typedef struct {
  const Tts *tts;
  const TtsLayout *layout;
  VEC(Thread) threads;
  Numbers steps; /* in their final order */
  TtsRun *run;
} Follower;

/* ---- which steps, in which order ---------------------------------------------------- */

static void flush(Numbers *late, Numbers *steps) {
  for (uint32_t i = 0; i < late->len; i++) vec_push(steps, late->data[i]);
  vec_clear(late);
}

/* What is late when the run ends inside of a section does not matter for the error: it names
 * nobody but the thread inside. */
static void order_steps(Follower *f, const Numbers *firings) {
  const Tts *tts = f->tts;
  Numbers late = {0};
  bool inside = false;
  for (uint32_t i = 0; i < firings->len; i++) {
    uint32_t number = firings->data[i];
    if (number >= tts->steps.len) continue;
    const TtsStep *s = &tts->steps.data[number];
    bool mine = tts->locals.data[s->from].atomic;
    if (inside && !mine) {
      vec_push(&late, number);
      continue;
    }
    vec_push(&f->steps, number);
    inside = s->to != TTS_NONE && tts->locals.data[s->to].atomic;
    if (!inside) flush(&late, &f->steps);
  }
  vec_free(&late);
}

/* ---- what there is in the beginning -------------------------------------------------- */

static void add_threads(Follower *f, uint32_t origin, uint32_t start, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(&f->threads, (Thread){.where = start,
                                   .start = start,
                                   .origin = origin,
                                   .parent = TTS_NONE,
                                   .name = TTS_NONE});
}

static bool begins_in(const Tts *tts, uint32_t origin, uint32_t local) {
  const TtsThreads *t = &tts->threads.data[origin];
  for (uint32_t i = 0; i < t->initial_count; i++)
    if (tts->initials.data[t->first_initial + i] == local) return true;
  return false;
}

/* Of those of a place with any number the run says how many it needs. */
static void begin_any_number(Follower *f, const Marking *start) {
  const Tts *tts = f->tts;
  for (uint32_t i = 0; i < start->len; i++) {
    uint32_t local = start->data[i].place - f->layout->first_local, origin = 0;
    while (tts->threads.data[origin].count != NET_OMEGA || !begins_in(tts, origin, local))
      origin++;
    add_threads(f, origin, local, start->data[i].count);
  }
}

/* More threads than there are moves and racers are never needed. */
static void begin_threads(Follower *f, const NetEvidence *evidence) {
  const Tts *tts = f->tts;
  begin_any_number(f, &evidence->start);
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    const TtsThreads *t = &tts->threads.data[i];
    uint32_t most = evidence->firings.len + 2;
    if (t->count == NET_OMEGA || f->layout->start_place[i] != NET_NONE) continue;
    add_threads(f, i, tts->initials.data[t->first_initial],
                t->count < most ? t->count : most);
  }
}

static void choose(Follower *f, const Numbers *firings) {
  const Tts *tts = f->tts;
  for (uint32_t i = 0; i < tts->groups.len; i++)
    vec_push(&f->run->values, tts->initials.data[tts->groups.data[i].first_initial]);
  for (uint32_t i = 0; i < firings->len; i++) {
    if (firings->data[i] < tts->steps.len) continue;
    const TtsChoice *c = &f->layout->choices.data[firings->data[i] - tts->steps.len];
    if (c->group != NET_NONE)
      f->run->values.data[c->group] = c->value;
    else
      add_threads(f, c->origin, c->value, 1);
  }
}

/* ---- moving -------------------------------------------------------------------------- */

/* The thread in this local state that moved last, other than one. */
static uint32_t thread_in(const Follower *f, uint32_t local, uint32_t other) {
  uint32_t best = TTS_NONE;
  for (uint32_t i = 0; i < f->threads.len; i++)
    if (i != other && f->threads.data[i].where == local &&
        (best == TTS_NONE || f->threads.data[i].last > f->threads.data[best].last))
      best = i;
  return best;
}

/* Threads that were there are named when the run first needs them; the others, behind them, when
 * the number of those is known. */
static void need(Follower *f, uint32_t thread) {
  Thread *t = &f->threads.data[thread];
  if (t->needed || t->origin == TTS_NONE) return;
  t->needed = true;
  t->name = f->run->starts.len;
  vec_push(&f->run->starts, t->start);
  vec_push(&f->run->parents, TTS_NONE);
  vec_push(&f->run->origins, t->origin);
}

static void shake_others(Follower *f, const TtsStep *s, uint32_t mover) {
  for (uint32_t i = 0; i < f->threads.len && s->shake_count; i++)
    for (uint32_t k = 0; k < s->shake_count && i != mover; k++) {
      TtsShake shake = f->tts->shakes.data[s->first_shake + k];
      if (f->threads.data[i].where != shake.from) continue;
      f->threads.data[i].where = shake.to;
      break;
    }
}

static bool move(Follower *f, uint32_t number) {
  const TtsStep *s = &f->tts->steps.data[f->steps.data[number]];
  uint32_t mover = thread_in(f, s->from, TTS_NONE);
  if (mover == TTS_NONE) return false;
  need(f, mover);
  vec_push(&f->run->moves, (TtsMove){f->steps.data[number], mover});
  shake_others(f, s, mover);
  f->threads.data[mover].where = s->to;
  f->threads.data[mover].last = number + 1;
  for (uint32_t i = 0; i < s->spawn_count; i++) {
    uint32_t local = f->tts->spawns.data[s->first_spawn + i];
    vec_push(&f->threads, (Thread){.where = local,
                                   .start = local,
                                   .origin = TTS_NONE,
                                   .parent = number,
                                   .name = TTS_NONE});
  }
  return true;
}

static void name_the_others(Follower *f) {
  TtsRun *run = f->run;
  for (uint32_t i = 0; i < f->threads.len; i++) {
    Thread *t = &f->threads.data[i];
    if (t->origin != TTS_NONE) continue;
    t->name = run->starts.len;
    vec_push(&run->starts, t->start);
    vec_push(&run->parents, t->parent);
    vec_push(&run->origins, TTS_NONE);
  }
  for (uint32_t i = 0; i < run->moves.len; i++)
    run->moves.data[i].thread = f->threads.data[run->moves.data[i].thread].name;
  for (uint32_t i = 0; i < 2; i++)
    if (run->racers[i] != TTS_NONE) run->racers[i] = f->threads.data[run->racers[i]].name;
}

/* Threads, values and the order of steps are there. */
static void enact(Follower *f, uint32_t error) {
  const TtsError *e = &f->tts->errors.data[error];
  TtsRun *run = f->run;
  run->error = error;
  run->racers[0] = run->racers[1] = TTS_NONE;
  bool moved = true;
  for (uint32_t i = 0; i < f->steps.len && moved; i++) moved = move(f, i);
  for (uint32_t i = 0; i < 2; i++) {
    if (e->locals[i] == TTS_NONE) continue;
    run->racers[i] = thread_in(f, e->locals[i], run->racers[0]);
    if (run->racers[i] != TTS_NONE) need(f, run->racers[i]);
  }
  name_the_others(f);
  vec_free(&f->threads);
  vec_free(&f->steps);
}

void tts_follow(const Tts *tts, const TtsLayout *layout, const NetEvidence *evidence,
                TtsRun *ret) {
  Follower f = {.tts = tts, .layout = layout, .run = ret};
  *ret = (TtsRun){0};
  begin_threads(&f, evidence);
  choose(&f, &evidence->firings);
  order_steps(&f, &evidence->firings);
  enact(&f, evidence->target);
}

void tts_enact(const Tts *tts, const TtsCrew *crew, const Numbers *values,
               const Numbers *steps, uint32_t error, TtsRun *ret) {
  Follower f = {.tts = tts, .run = ret};
  *ret = (TtsRun){0};
  for (uint32_t i = 0; i < crew->len; i++)
    add_threads(&f, crew->data[i].origin, crew->data[i].start, 1);
  for (uint32_t i = 0; i < values->len; i++) vec_push(&ret->values, values->data[i]);
  for (uint32_t i = 0; i < steps->len; i++) vec_push(&f.steps, steps->data[i]);
  enact(&f, error);
}
