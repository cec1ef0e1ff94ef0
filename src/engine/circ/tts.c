/* See tts.h: owning, judging and printing systems. */
#include "engine/circ/tts.h"

void tts_free(Tts *tts) {
  vec_free(&tts->groups);
  vec_free(&tts->locals);
  vec_free(&tts->threads);
  vec_free(&tts->steps);
  vec_free(&tts->errors);
  vec_free(&tts->touches);
  vec_free(&tts->shakes);
  vec_free(&tts->spawns);
  vec_free(&tts->initials);
}

void tts_run_free(TtsRun *run) {
  vec_free(&run->moves);
  vec_free(&run->starts);
  vec_free(&run->parents);
  vec_free(&run->origins);
  vec_free(&run->values);
}

/* ---- is it one? ------------------------------------------------------------------- */

typedef struct {
  const Tts *tts;
  Str *why; /* or NULL */
} Judge;

static bool wrong(const Judge *j, const char *what, uint32_t number, const char *how) {
  if (j->why) str_addf(j->why, "%s %u %s", what, number, how);
  return false;
}

static bool lies_in(uint32_t first, uint32_t count, uint32_t len) {
  return first <= len && count <= len - first;
}

static bool is_local(const Tts *tts, uint32_t local) {
  return local < tts->locals.len;
}

/* A local state that a thread can begin in. */
static bool is_start(const Tts *tts, uint32_t local) {
  return is_local(tts, local) && !tts->locals.data[local].atomic;
}

static bool judge_group(const Judge *j, uint32_t number) {
  const Tts *tts = j->tts;
  const TtsGroup *g = &tts->groups.data[number];
  if (!g->initial_count ||
      !lies_in(g->first_initial, g->initial_count, tts->initials.len))
    return wrong(j, "group", number, "has no value in the beginning");
  for (uint32_t i = 0; i < g->initial_count; i++)
    if (tts->initials.data[g->first_initial + i] >= g->size)
      return wrong(j, "group", number, "begins with a value that it does not have");
  return true;
}

static bool judge_threads(const Judge *j, uint32_t number) {
  const Tts *tts = j->tts;
  const TtsThreads *t = &tts->threads.data[number];
  if (t->count > NET_MOST && t->count != NET_OMEGA)
    return wrong(j, "threads", number, "are too many");
  if (!t->initial_count ||
      !lies_in(t->first_initial, t->initial_count, tts->initials.len))
    return wrong(j, "threads", number, "begin nowhere");
  for (uint32_t i = 0; i < t->initial_count; i++)
    if (!is_start(tts, tts->initials.data[t->first_initial + i]))
      return wrong(j, "threads", number, "begin in what is atomic or no local state");
  return true;
}

static bool touches_are_valid(const Tts *tts, uint32_t first, uint32_t count,
                              bool writes) {
  if (!lies_in(first, count, tts->touches.len)) return false;
  const TtsTouch *touches = tts->touches.data + first;
  for (uint32_t i = 0; i < count; i++) {
    if (touches[i].group >= tts->groups.len) return false;
    uint32_t size = tts->groups.data[touches[i].group].size;
    if (touches[i].before >= size || (writes && touches[i].after >= size)) return false;
    for (uint32_t k = 0; k < i; k++)
      if (touches[k].group == touches[i].group) return false;
  }
  return true;
}

static bool shakes_are_valid(const Tts *tts, uint32_t first, uint32_t count) {
  if (!lies_in(first, count, tts->shakes.len)) return false;
  const TtsShake *shakes = tts->shakes.data + first;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_start(tts, shakes[i].from)) return false;
    if (shakes[i].to != TTS_NONE && !is_start(tts, shakes[i].to)) return false;
    for (uint32_t k = 0; k < i; k++)
      if (shakes[k].from == shakes[i].from) return false;
  }
  return true;
}

static bool judge_step(const Judge *j, uint32_t number) {
  const Tts *tts = j->tts;
  const TtsStep *s = &tts->steps.data[number];
  if (!is_local(tts, s->from) || (s->to != TTS_NONE && !is_local(tts, s->to)))
    return wrong(j, "step", number, "is not between local states");
  if (!touches_are_valid(tts, s->first_touch, s->touch_count, true))
    return wrong(j, "step", number, "touches what is no group or no value of it");
  if (!shakes_are_valid(tts, s->first_shake, s->shake_count))
    return wrong(j, "step", number, "shakes what cannot be shaken");
  if (!lies_in(s->first_spawn, s->spawn_count, tts->spawns.len))
    return wrong(j, "step", number, "starts unknown threads");
  for (uint32_t i = 0; i < s->spawn_count; i++)
    if (!is_start(tts, tts->spawns.data[s->first_spawn + i]))
      return wrong(j, "step", number, "starts a thread in what is atomic or no state");
  return true;
}

static bool judge_error(const Judge *j, uint32_t number) {
  const Tts *tts = j->tts;
  const TtsError *e = &tts->errors.data[number];
  if (!is_local(tts, e->locals[0]) ||
      (e->locals[1] != TTS_NONE && !is_local(tts, e->locals[1])))
    return wrong(j, "error", number, "is not about local states");
  if (!touches_are_valid(tts, e->first_touch, e->touch_count, false))
    return wrong(j, "error", number, "names what is no group or no value of it");
  return true;
}

bool tts_is_valid(const Tts *tts, Str *why) {
  const Judge j = {tts, why};
  uint64_t threads = 0;
  for (uint32_t i = 0; i < tts->groups.len; i++)
    if (!judge_group(&j, i)) return false;
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    if (!judge_threads(&j, i)) return false;
    if (tts->threads.data[i].count != NET_OMEGA) threads += tts->threads.data[i].count;
  }
  if (threads > NET_MOST) return wrong(&j, "threads:", (uint32_t)threads, "are too many");
  for (uint32_t i = 0; i < tts->steps.len; i++)
    if (!judge_step(&j, i)) return false;
  for (uint32_t i = 0; i < tts->errors.len; i++)
    if (!judge_error(&j, i)) return false;
  return true;
}

/* ---- printing --------------------------------------------------------------------- */

static void print_local(uint32_t local, Str *out) {
  if (local == TTS_NONE)
    str_add(out, "end");
  else
    str_addf(out, "l%u", local);
}

static void print_touches(const Tts *tts, uint32_t first, uint32_t count, bool writes,
                          Str *out) {
  for (uint32_t i = 0; i < count; i++) {
    const TtsTouch *t = &tts->touches.data[first + i];
    str_addf(out, " g%u=%u", t->group, t->before);
    if (writes && t->after != t->before) str_addf(out, "->%u", t->after);
  }
}

static void print_initials(const Tts *tts, uint32_t first, uint32_t count,
                           const char *prefix, Str *out) {
  for (uint32_t i = 0; i < count; i++)
    str_addf(out, " %s%u", prefix, tts->initials.data[first + i]);
}

static void print_step(const Tts *tts, uint32_t number, Str *out) {
  const TtsStep *s = &tts->steps.data[number];
  str_addf(out, "step %u: ", number);
  print_local(s->from, out);
  str_add(out, " -> ");
  print_local(s->to, out);
  print_touches(tts, s->first_touch, s->touch_count, true, out);
  for (uint32_t i = 0; i < s->spawn_count; i++)
    str_addf(out, " starts l%u", tts->spawns.data[s->first_spawn + i]);
  for (uint32_t i = 0; i < s->shake_count; i++) {
    const TtsShake *shake = &tts->shakes.data[s->first_shake + i];
    str_addf(out, " shakes l%u -> ", shake->from);
    print_local(shake->to, out);
  }
  str_addf(out, " (label %u)\n", s->label);
}

void tts_print(const Tts *tts, Str *out) {
  for (uint32_t i = 0; i < tts->groups.len; i++) {
    const TtsGroup *g = &tts->groups.data[i];
    str_addf(out, "group g%u: %u values, begins with", i, g->size);
    print_initials(tts, g->first_initial, g->initial_count, "", out);
    str_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < tts->locals.len; i++) {
    const TtsLocal *l = &tts->locals.data[i];
    str_addf(out, "local l%u: kind %u, location %u%s\n", i, l->kind, l->location,
             l->atomic ? ", atomic" : "");
  }
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    const TtsThreads *t = &tts->threads.data[i];
    str_addf(out, "threads %u: ", i);
    if (t->count == NET_OMEGA)
      str_add(out, "any number, in");
    else
      str_addf(out, "%u, in", t->count);
    print_initials(tts, t->first_initial, t->initial_count, "l", out);
    str_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < tts->steps.len; i++) print_step(tts, i, out);
  for (uint32_t i = 0; i < tts->errors.len; i++) {
    const TtsError *e = &tts->errors.data[i];
    str_addf(out, "error %u: l%u", i, e->locals[0]);
    if (e->locals[1] != TTS_NONE) str_addf(out, " l%u", e->locals[1]);
    print_touches(tts, e->first_touch, e->touch_count, false, out);
    str_addf(out, " (label %u)\n", e->label);
  }
}
