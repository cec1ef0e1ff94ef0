/* Random thread transition systems, and a way to write some by hand. */
#ifndef TTS_RANDOM_H
#define TTS_RANDOM_H

#include "engine/circ/tts.h"

static uint64_t tts_seed;

static inline uint32_t rnd(uint32_t below) {
  tts_seed ^= tts_seed << 13;
  tts_seed ^= tts_seed >> 7;
  tts_seed ^= tts_seed << 17;
  return (uint32_t)((tts_seed >> 20) % below);
}

static inline void seed_random(uint32_t number) {
  tts_seed = 88172645463325252ull + number * 2654435761ull;
  for (int i = 0; i < 10; i++) rnd(2);
}

/* ---- building ---- */

static inline void add_group(Tts *tts, uint32_t size, uint32_t initial) {
  vec_push(&tts->groups, (TtsGroup){size, tts->initials.len, 1});
  vec_push(&tts->initials, initial);
}

static inline void add_threads(Tts *tts, uint32_t count, uint32_t start) {
  vec_push(&tts->threads, (TtsThreads){count, tts->initials.len, 1});
  vec_push(&tts->initials, start);
}

static inline uint32_t add_local(Tts *tts, uint32_t kind, bool atomic) {
  uint32_t number = tts->locals.len;
  vec_push(&tts->locals, (TtsLocal){kind, number, atomic});
  return number;
}

/* Touches, spawns and shakes that are pushed after it belong to it; see end_step. */
static inline TtsStep *begin_step(Tts *tts, uint32_t from, uint32_t to) {
  vec_push(&tts->steps, (TtsStep){.from = from,
                                  .to = to,
                                  .first_touch = tts->touches.len,
                                  .first_spawn = tts->spawns.len,
                                  .first_shake = tts->shakes.len});
  TtsStep *s = vec_last(&tts->steps);
  s->label = tts->steps.len - 1;
  return s;
}

static inline void end_step(Tts *tts) {
  TtsStep *s = vec_last(&tts->steps);
  s->touch_count = tts->touches.len - s->first_touch;
  s->spawn_count = tts->spawns.len - s->first_spawn;
  s->shake_count = tts->shakes.len - s->first_shake;
}

static inline void add_step(Tts *tts, uint32_t from, uint32_t to) {
  begin_step(tts, from, to);
  end_step(tts);
}

static inline void add_touching(Tts *tts, uint32_t from, uint32_t to, uint32_t group,
                                uint32_t before, uint32_t after) {
  begin_step(tts, from, to);
  vec_push(&tts->touches, (TtsTouch){group, before, after});
  end_step(tts);
}

static inline void add_error(Tts *tts, uint32_t a, uint32_t b) {
  vec_push(&tts->errors, (TtsError){.locals = {a, b}, .first_touch = tts->touches.len});
  vec_last(&tts->errors)->label = tts->errors.len - 1;
}

/* ---- random ---- */

typedef struct {
  bool shakes, choices, spawns, kinds, atomic;
  bool
      programs; /* local states have one operation each: an assignment, a test, or nothing */
} RandomOptions;

static inline void random_touches(Tts *tts, bool all) {
  for (uint32_t g = 0; g < tts->groups.len; g++) {
    uint32_t size = tts->groups.data[g].size;
    if (!all && rnd(2)) continue;
    uint32_t before = rnd(size), after = rnd(3) ? before : rnd(size);
    vec_push(&tts->touches, (TtsTouch){g, before, after});
  }
}

/* A local state of the same kind, mostly the next one. */
static inline uint32_t random_target(const Tts *tts, uint32_t from) {
  uint32_t kind = tts->locals.data[from].kind;
  for (;;) {
    uint32_t to = rnd(2) ? (from + 1) % tts->locals.len : rnd(tts->locals.len);
    if (tts->locals.data[to].kind == kind) return to;
    if (rnd(20) == 0) return from;
  }
}

static inline uint32_t random_outside(const Tts *tts) {
  for (;;) {
    uint32_t local = rnd(tts->locals.len);
    if (!tts->locals.data[local].atomic) return local;
  }
}

static inline void random_extras(Tts *tts, const RandomOptions *o) {
  if (o->spawns && rnd(8) == 0) vec_push(&tts->spawns, random_outside(tts));
  if (o->shakes && rnd(4) == 0) {
    uint32_t shaken = random_outside(tts);
    vec_push(&tts->shakes, (TtsShake){shaken, rnd(5) ? random_outside(tts) : TTS_NONE});
  }
}

static inline void random_steps(Tts *tts, const RandomOptions *o) {
  for (uint32_t n = tts->locals.len + rnd(tts->locals.len + 3); n > 0; n--) {
    uint32_t from = rnd(3) ? n % tts->locals.len : rnd(tts->locals.len);
    begin_step(tts, from, rnd(12) ? random_target(tts, from) : TTS_NONE);
    if (rnd(3)) random_touches(tts, rnd(3) == 0);
    if (o->spawns && rnd(8) == 0) vec_push(&tts->spawns, random_outside(tts));
    if (o->shakes && rnd(4) == 0) {
      uint32_t shaken = random_outside(tts);
      vec_push(&tts->shakes, (TtsShake){shaken, rnd(5) ? random_outside(tts) : TTS_NONE});
    }
    end_step(tts);
  }
}

/* Whatever the shared state, a thread can go on, but for waiting. */
static inline void random_operation(Tts *tts, const RandomOptions *o, uint32_t from) {
  uint32_t group = rnd(tts->groups.len), size = tts->groups.data[group].size;
  uint32_t operation = rnd(5), next = random_target(tts, from), value = rnd(size);
  if (operation == 0) {
    begin_step(tts, from, rnd(8) ? next : TTS_NONE);
    random_extras(tts, o);
    end_step(tts);
  } else if (operation == 1) { /* wait for a value, and set another */
    begin_step(tts, from, next);
    vec_push(&tts->touches, (TtsTouch){group, value, rnd(2) ? rnd(size) : value});
    random_extras(tts, o);
    end_step(tts);
  } else {
    uint32_t other = operation == 2 ? next : random_target(tts, from);
    for (uint32_t v = 0; v < size; v++) {
      begin_step(tts, from, v == value ? other : next);
      uint32_t after = operation == 2 ? value : v;
      if (operation == 3 && v == value) after = (v + 1) % size; /* test and set */
      vec_push(&tts->touches, (TtsTouch){group, v, after});
      end_step(tts);
    }
  }
}

static inline void random_system(Tts *tts, const RandomOptions *o) {
  uint32_t groups = 1 + rnd(3), locals = 4 + rnd(5);
  uint32_t kinds = o->kinds ? 1 + rnd(2) : 1;
  *tts = (Tts){0};
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t size = 2 + rnd(3);
    add_group(tts, size, rnd(size));
    if (o->choices && rnd(3) == 0) {
      tts->groups.data[g].initial_count++;
      vec_push(&tts->initials, rnd(size));
    }
  }
  /* the first local state of each kind is where it begins */
  for (uint32_t i = 0; i < locals; i++)
    add_local(tts, i * kinds / locals, o->atomic && rnd(4) == 0);
  for (uint32_t k = 0; k < kinds; k++) {
    uint32_t first = 0;
    while (tts->locals.data[first].kind != k) first++;
    tts->locals.data[first].atomic = false;
    add_threads(tts, rnd(3) ? NET_OMEGA : 1 + rnd(2), first);
    uint32_t other = first + rnd(2);
    if (o->choices && rnd(2) && other < locals && tts->locals.data[other].kind == k &&
        !tts->locals.data[other].atomic) {
      tts->threads.data[k].initial_count++;
      vec_push(&tts->initials, other);
    }
  }
  for (uint32_t i = 0; i < locals && o->programs; i++) random_operation(tts, o, i);
  if (!o->programs) random_steps(tts, o);
  for (uint32_t n = 1 + rnd(2); n > 0; n--) {
    add_error(tts, rnd(locals), rnd(6) ? rnd(locals) : TTS_NONE);
    if (rnd(3) == 0) random_touches(tts, false);
    TtsError *e = vec_last(&tts->errors);
    e->touch_count = tts->touches.len - e->first_touch;
  }
}

#endif
