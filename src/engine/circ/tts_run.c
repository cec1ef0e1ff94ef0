/* The judge of runs: fires one step by step, by the definition in tts.h, with every thread of the
 * run in its local state. It shares nothing with what finds runs. */
#include "engine/circ/tts.h"

/* Where a thread is: a local state, or one of these. */
#define NOT_YET (UINT32_MAX - 1)
#define GONE    TTS_NONE

typedef struct {
  const Tts *tts;
  const TtsRun *run;
  uint32_t *where;  /* per thread */
  uint32_t *values; /* per group */
  uint32_t born;    /* threads that are there: the first ones */
  Str *why;
} Firing;

static bool refuse(Firing *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(Firing *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (f->why) str_vaddf(f->why, format, args);
  va_end(args);
  return false;
}

static bool is_one_of(const Tts *tts, uint32_t first, uint32_t count, uint32_t value) {
  for (uint32_t i = 0; i < count; i++)
    if (tts->initials.data[first + i] == value) return true;
  return false;
}

static bool begin_groups(Firing *f) {
  const Tts *tts = f->tts;
  if (f->run->values.len != tts->groups.len)
    return refuse(f, "the run has values for %u groups", f->run->values.len);
  for (uint32_t i = 0; i < tts->groups.len; i++) {
    const TtsGroup *g = &tts->groups.data[i];
    f->values[i] = f->run->values.data[i];
    if (!is_one_of(tts, g->first_initial, g->initial_count, f->values[i]))
      return refuse(f, "group %u does not begin with %u", i, f->values[i]);
  }
  return true;
}

static bool begin_threads(Firing *f) {
  const Tts *tts = f->tts;
  const TtsRun *run = f->run;
  if (run->parents.len != run->starts.len || run->origins.len != run->starts.len)
    return refuse(f, "the run does not say where all of its threads come from");
  for (uint32_t i = 0; i < run->starts.len; i++) f->where[i] = NOT_YET;
  for (; f->born < run->starts.len && run->parents.data[f->born] == TTS_NONE; f->born++) {
    uint32_t origin = run->origins.data[f->born], start = run->starts.data[f->born];
    if (origin >= tts->threads.len) return refuse(f, "thread %u has no origin", f->born);
    const TtsThreads *t = &tts->threads.data[origin];
    if (!is_one_of(tts, t->first_initial, t->initial_count, start))
      return refuse(f, "thread %u does not begin in %u", f->born, start);
    f->where[f->born] = start;
  }
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < f->born; k++) count += run->origins.data[k] == i;
    if (count > tts->threads.data[i].count)
      return refuse(f, "there are not %u threads of origin %u", count, i);
  }
  return true;
}

/* A thread in an atomic state other than this one, or TTS_NONE. */
static uint32_t another_inside(const Firing *f, uint32_t thread, uint32_t second) {
  for (uint32_t i = 0; i < f->born; i++)
    if (i != thread && i != second && f->where[i] != GONE &&
        f->tts->locals.data[f->where[i]].atomic)
      return i;
  return TTS_NONE;
}

static bool groups_agree(const Firing *f, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const TtsTouch *t = &f->tts->touches.data[first + i];
    if (f->values[t->group] != t->before) return false;
  }
  return true;
}

/* Nobody in an atomic state is ever shaken: there was only the one who moves. */
static void shake_others(Firing *f, const TtsStep *s, uint32_t mover) {
  for (uint32_t i = 0; i < f->born; i++) {
    if (i == mover) continue;
    for (uint32_t k = 0; k < s->shake_count; k++) {
      const TtsShake *shake = &f->tts->shakes.data[s->first_shake + k];
      if (f->where[i] == shake->from) {
        f->where[i] = shake->to;
        break;
      }
    }
  }
}

static bool start_threads(Firing *f, const TtsStep *s, uint32_t move) {
  for (uint32_t i = 0; i < s->spawn_count; i++, f->born++) {
    uint32_t local = f->tts->spawns.data[s->first_spawn + i];
    if (f->born >= f->run->starts.len || f->run->parents.data[f->born] != move ||
        f->run->starts.data[f->born] != local ||
        f->run->origins.data[f->born] != TTS_NONE)
      return refuse(f, "move %u does not start thread %u as the run says", move, f->born);
    f->where[f->born] = local;
  }
  return true;
}

static bool fire(Firing *f, uint32_t number) {
  TtsMove move = f->run->moves.data[number];
  if (move.step >= f->tts->steps.len || move.thread >= f->born)
    return refuse(f, "move %u is by no thread or no step", number);
  const TtsStep *s = &f->tts->steps.data[move.step];
  if (f->where[move.thread] != s->from)
    return refuse(f, "move %u: thread %u is not in %u", number, move.thread, s->from);
  uint32_t inside = another_inside(f, move.thread, TTS_NONE);
  if (inside != TTS_NONE)
    return refuse(f, "move %u: thread %u is in an atomic state", number, inside);
  if (!groups_agree(f, s->first_touch, s->touch_count))
    return refuse(f, "move %u: a group has another value", number);
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *t = &f->tts->touches.data[s->first_touch + i];
    f->values[t->group] = t->after;
  }
  f->where[move.thread] = s->to == TTS_NONE ? GONE : s->to;
  shake_others(f, s, move.thread);
  return start_threads(f, s, number);
}

static bool ends_in_error(Firing *f) {
  const TtsRun *run = f->run;
  if (run->error >= f->tts->errors.len) return refuse(f, "there is no such error");
  const TtsError *e = &f->tts->errors.data[run->error];
  if (f->born != run->starts.len) return refuse(f, "a thread is never started");
  if (run->racers[0] == run->racers[1]) return refuse(f, "a thread is in it twice");
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t racer = run->racers[i], local = e->locals[i];
    if ((local == TTS_NONE) != (racer == TTS_NONE))
      return refuse(f, "the error has another number of threads");
    if (local == TTS_NONE) continue;
    if (racer >= f->born || f->where[racer] != local)
      return refuse(f, "in the end thread %u is not in %u", racer, local);
  }
  if (another_inside(f, run->racers[0], run->racers[1]) != TTS_NONE)
    return refuse(f, "in the end another thread is in an atomic state");
  if (!groups_agree(f, e->first_touch, e->touch_count))
    return refuse(f, "in the end a group has another value");
  return true;
}

bool tts_run_check(const Tts *tts, const TtsRun *run, Str *why) {
  Firing f = {.tts = tts, .run = run, .why = why};
  f.where = mem_alloc((run->starts.len + 1) * sizeof *f.where);
  f.values = mem_alloc((tts->groups.len + 1) * sizeof *f.values);
  bool holds = begin_groups(&f) && begin_threads(&f);
  for (uint32_t i = 0; i < run->moves.len && holds; i++) holds = fire(&f, i);
  holds = holds && ends_in_error(&f);
  mem_free(f.where);
  mem_free(f.values);
  return holds;
}
