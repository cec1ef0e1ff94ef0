/* Steps in parts, for contexts that need more detail.
 *
 * An edge of a context has no condition: what a step needs shows only in the labels of where it comes
 * from and where it goes to, and these become wide where other threads move. So a step that tests
 * and sets a group in one go is taken by the context whatever the value is. In parts it is not:
 * "the group has the value" is an atomic local state of its own, whose label nobody else
 * widens, and so is, behind the change, "the group has its new value". As only the thread in an
 * atomic state moves, the system stays the same. Parts are made when a context turned out to be too
 * coarse: they make contexts larger. */
#include "engine/circ/context_internal.h"

typedef struct {
  const Tts *tts;
  Tts *out;
  StrMap guards;
} Splitter;

static bool is_inside(const Tts *tts, uint32_t local) {
  return local != TTS_NONE && tts->locals.data[local].atomic;
}

static bool changes(const Tts *tts, const TtsStep *s) {
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *t = &tts->touches.data[s->first_touch + i];
    if (t->before != t->after) return true;
  }
  return false;
}

static uint32_t add_part(Splitter *x, uint32_t from) {
  TtsLocal part = x->tts->locals.data[from];
  part.atomic = true;
  vec_push(&x->out->locals, part);
  return x->out->locals.len - 1;
}

/* A step that needs what `s` needs (or has made), and changes nothing. */
static void add_test(Splitter *x, const TtsStep *s, uint32_t from, uint32_t to,
                     bool made) {
  TtsStep test = {.from = from, .to = to, .label = s->label};
  test.first_touch = x->out->touches.len;
  test.touch_count = s->touch_count;
  for (uint32_t i = 0; i < s->touch_count; i++) {
    TtsTouch t = x->tts->touches.data[s->first_touch + i];
    uint32_t value = made ? t.after : t.before;
    vec_push(&x->out->touches, (TtsTouch){t.group, value, value});
  }
  vec_push(&x->out->steps, test);
}

/* The local state behind the test of a step: one for all steps from there with the same test. */
static uint32_t behind_test(Splitter *x, const TtsStep *s) {
  Str key = {0};
  str_add_bytes(&key, &s->from, sizeof s->from);
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *t = &x->tts->touches.data[s->first_touch + i];
    str_add_bytes(&key, &t->group, sizeof t->group);
    str_add_bytes(&key, &t->before, sizeof t->before);
  }
  uint64_t *slot = strmap_at(&x->guards, key.data, key.len);
  if (!*slot) {
    uint32_t part = add_part(x, s->from);
    *slot = part;
    add_test(x, s, s->from, part, false);
  }
  str_free(&key);
  return (uint32_t)*slot;
}

static void split_step(Splitter *x, uint32_t number, ContextDetail detail) {
  const Tts *tts = x->tts;
  TtsStep s = tts->steps.data[number];
  uint32_t to = s.to;
  bool sets = changes(tts, &s), outside = !is_inside(tts, to);
  if (detail >= DETAIL_TESTS && s.touch_count && !is_inside(tts, s.from) &&
      (sets || outside))
    s.from = behind_test(x, &tts->steps.data[number]);
  if (detail >= DETAIL_RESULTS && sets && outside && to != TTS_NONE) {
    s.to = add_part(x, tts->steps.data[number].from);
    add_test(x, &tts->steps.data[number], s.to, to, true);
  }
  vec_push(&x->out->steps, s);
}

#define COPY(field)                                                                      \
  for (uint32_t i = 0; i < tts->field.len; i++) vec_push(&ret->field, tts->field.data[i])

void context_split(const Tts *tts, ContextDetail detail, Tts *ret) {
  Splitter x = {.tts = tts, .out = ret};
  *ret = (Tts){0};
  COPY(groups);
  COPY(locals);
  COPY(threads);
  COPY(errors);
  COPY(touches);
  COPY(spawns);
  COPY(initials);
  for (uint32_t i = 0; i < tts->steps.len; i++) split_step(&x, i, detail);
  strmap_free(&x.guards);
}
