/* Shared states as numbers, and what of a system is worked out once: see context_internal.h. */
#include "engine/circ/context_internal.h"

#include <stdlib.h>

enum { MOST_SHARED = 4096 };

/* ---- sets and numbers --------------------------------------------------------------- */

uint64_t *set_new(const ContextSpace *space) {
  return mem_alloc_zero(space->words * sizeof(uint64_t));
}

uint32_t space_value(const ContextSpace *space, uint32_t s, uint32_t index) {
  return s / space->strides.data[index] % space->sizes.data[index];
}

static uint32_t index_of(const ContextSpace *space, uint32_t group) {
  for (uint32_t i = 0; i < space->groups.len; i++)
    if (space->groups.data[i] == group) return i;
  return TTS_NONE;
}

bool problem_agrees(const Problem *p, uint32_t s, uint32_t first_touch, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const TtsTouch *t = &p->tts->touches.data[first_touch + i];
    uint32_t index = index_of(&p->space, t->group);
    if (index != TTS_NONE && space_value(&p->space, s, index) != t->before) return false;
  }
  return true;
}

uint32_t problem_after(const Problem *p, uint32_t s, const TtsStep *step) {
  for (uint32_t i = 0; i < step->touch_count; i++) {
    const TtsTouch *t = &p->tts->touches.data[step->first_touch + i];
    uint32_t index = index_of(&p->space, t->group);
    if (index == TTS_NONE) continue;
    s -= t->before * p->space.strides.data[index];
    s += t->after * p->space.strides.data[index];
  }
  return s;
}

void space_havoc(const ContextSpace *space, uint32_t s, uint32_t havoc, Numbers *ret) {
  vec_clear(ret);
  uint32_t base = s;
  for (uint32_t i = 0; i < space->groups.len; i++)
    if (havoc >> i & 1) base -= space_value(space, s, i) * space->strides.data[i];
  vec_push(ret, base);
  /* later groups have larger strides, so that the order stays ascending */
  for (uint32_t i = 0; i < space->groups.len; i++) {
    uint32_t len = ret->len;
    if (!(havoc >> i & 1)) continue;
    for (uint32_t value = 1; value < space->sizes.data[i]; value++)
      for (uint32_t k = 0; k < len; k++)
        vec_push(ret, ret->data[k] + value * space->strides.data[i]);
  }
}

void problem_initial(const Problem *p, Numbers *ret) {
  const Tts *tts = p->tts;
  uint64_t *seen = set_new(&p->space);
  vec_clear(ret);
  vec_push(ret, 0);
  for (uint32_t i = 0; i < p->space.groups.len; i++) {
    const TtsGroup *g = &tts->groups.data[p->space.groups.data[i]];
    Numbers next = {0};
    for (uint32_t k = 0; k < ret->len; k++)
      for (uint32_t n = 0; n < g->initial_count; n++)
        vec_push(&next, ret->data[k] + tts->initials.data[g->first_initial + n] *
                                           p->space.strides.data[i]);
    vec_free(ret);
    *ret = next;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ret->len; i++) {
    uint32_t s = ret->data[i];
    if (set_has(seen, s)) continue;
    set_add(seen, s);
    ret->data[kept++] = s;
  }
  ret->len = kept;
  mem_free(seen);
}

/* ---- the system --------------------------------------------------------------------- */

static bool make_space(const Tts *tts, ContextSpace *ret) {
  ret->count = 1;
  for (uint32_t i = 0; i < tts->groups.len; i++) {
    uint32_t size = tts->groups.data[i].size;
    if (size < 2) continue;
    if (size > MOST_SHARED / ret->count) return false;
    vec_push(&ret->groups, i);
    vec_push(&ret->sizes, size);
    vec_push(&ret->strides, ret->count);
    ret->count *= size;
  }
  ret->words = (ret->count + 63) / 64;
  return true;
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The row of these local states in any order. */
static uint32_t intern_spawns(Problem *p, StrMap *rows, const uint32_t *spawns,
                              uint32_t count) {
  Numbers sorted = {0};
  for (uint32_t i = 0; i < count; i++) vec_push(&sorted, spawns[i]);
  if (count) qsort(sorted.data, count, sizeof *sorted.data, compare_numbers);
  uint64_t *slot = strmap_at(rows, count ? (const char *)sorted.data : "",
                             count * sizeof *sorted.data);
  if (!*slot) {
    for (uint32_t i = 0; i < count; i++) vec_push(&p->spawns.items, sorted.data[i]);
    vec_push(&p->spawns.ends, p->spawns.items.len);
    *slot = p->spawns.ends.len;
  }
  vec_free(&sorted);
  return (uint32_t)*slot - 1;
}

static void look_at_steps(Problem *p) {
  const Tts *tts = p->tts;
  StrMap rows = {0};
  intern_spawns(p, &rows, NULL, 0);
  for (uint32_t i = 0; i < tts->steps.len; i++) {
    const TtsStep *s = &tts->steps.data[i];
    p->step_spawns[i] =
        intern_spawns(p, &rows, tts->spawns.data + s->first_spawn, s->spawn_count);
    for (uint32_t k = 0; k < s->touch_count; k++) {
      const TtsTouch *t = &tts->touches.data[s->first_touch + k];
      if (t->before != t->after)
        p->step_writes[i] |= UINT32_C(1) << index_of(&p->space, t->group);
    }
  }
  strmap_free(&rows);
  for (uint32_t i = 0; i < tts->locals.len; i++) {
    for (uint32_t k = 0; k < tts->steps.len; k++)
      if (tts->steps.data[k].from == i) vec_push(&p->steps_of.items, k);
    vec_push(&p->steps_of.ends, p->steps_of.items.len);
  }
}

static void look_at_locals(Problem *p) {
  const Tts *tts = p->tts;
  for (uint32_t i = 0; i < tts->errors.len; i++)
    for (uint32_t k = 0; k < 2; k++)
      if (tts->errors.data[i].locals[k] != TTS_NONE)
        p->marked[tts->errors.data[i].locals[k]] = true;
  for (uint32_t i = 0; i < tts->threads.len; i++)
    for (uint32_t k = 0; k < tts->threads.data[i].initial_count; k++)
      p->begins[tts->initials.data[tts->threads.data[i].first_initial + k]] = true;
  for (uint32_t i = 0; i < tts->spawns.len; i++) p->begins[tts->spawns.data[i]] = true;
  for (uint32_t i = 0; i < tts->locals.len; i++) {
    uint32_t kind = tts->locals.data[i].kind;
    bool known = false;
    for (uint32_t k = 0; k < p->kinds.len; k++) known = known || p->kinds.data[k] == kind;
    if (!known) vec_push(&p->kinds, kind);
  }
}

static const char *refusal(const Tts *tts) {
  for (uint32_t i = 0; i < tts->steps.len; i++) {
    const TtsStep *s = &tts->steps.data[i];
    if (s->shake_count) return "what a thread knows of its variables depends on others";
    if (s->to != TTS_NONE &&
        tts->locals.data[s->from].kind != tts->locals.data[s->to].kind)
      return "a thread changes its kind";
  }
  for (uint32_t i = 0; i < tts->threads.len; i++)
    if (tts->threads.data[i].initial_count > 1 && tts->threads.data[i].count > 64 &&
        tts->threads.data[i].count != NET_OMEGA)
      return "too many threads can begin in several ways";
  for (uint32_t i = 0; i < tts->locals.len; i++)
    if (tts->locals.data[i].kind >= MAIN_UNBORN) return "a kind has too large a number";
  return NULL;
}

bool problem_new(const Tts *tts, const ContextOptions *options, ContextDetail detail,
                 Problem *ret, const char **ret_reason) {
  *ret = (Problem){.original = tts, .options = options, .few = options->exact_start};
  ret->tts = &ret->parts;
  ret->most_states = options->most_states ? options->most_states : 200000;
  *ret_reason = refusal(tts);
  if (!*ret_reason && !make_space(tts, &ret->space))
    *ret_reason = "there are too many shared states for a context";
  if (*ret_reason) return false;
  context_split(tts, detail, &ret->parts);
  tts = ret->tts;
  ret->step_spawns = mem_alloc_zero((tts->steps.len + 1) * sizeof(uint32_t));
  ret->step_writes = mem_alloc_zero((tts->steps.len + 1) * sizeof(uint32_t));
  ret->marked = mem_alloc_zero(tts->locals.len + 1);
  ret->begins = mem_alloc_zero(tts->locals.len + 1);
  look_at_steps(ret);
  look_at_locals(ret);
  return true;
}

void problem_free(Problem *p) {
  tts_free(&p->parts);
  vec_free(&p->space.groups);
  vec_free(&p->space.sizes);
  vec_free(&p->space.strides);
  vec_free(&p->spawns.items);
  vec_free(&p->spawns.ends);
  vec_free(&p->steps_of.items);
  vec_free(&p->steps_of.ends);
  vec_free(&p->kinds);
  mem_free(p->step_spawns);
  mem_free(p->step_writes);
  mem_free(p->marked);
  mem_free(p->begins);
}
