/* What thread transition systems mean, by definition only: a search of all states with so many
 * threads, and backward coverability for any number. */
#ifndef TTS_NAIVE_H
#define TTS_NAIVE_H

#include "base/map.h"
#include "engine/circ/tts.h"

enum { NAIVE_GROUPS = 4, NAIVE_LOCALS = 16, NAIVE_INSIDE_NONE = 255 };

/* Who is inside is in `inside`, everybody else is counted. For the search backward the counts are
 * lower bounds; the rest is exact. */
typedef struct {
  uint8_t values[NAIVE_GROUPS];
  uint8_t inside;
  uint8_t counts[NAIVE_LOCALS];
} Naive;

typedef VEC(Naive) NaiveVec;

static inline bool naive_groups_agree(const Tts *tts, const Naive *n, uint32_t first,
                                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const TtsTouch *t = &tts->touches.data[first + i];
    if (n->values[t->group] != t->before) return false;
  }
  return true;
}

static inline bool naive_is_error(const Tts *tts, const Naive *n, const TtsError *e) {
  if (!naive_groups_agree(tts, n, e->first_touch, e->touch_count)) return false;
  uint8_t counts[NAIVE_LOCALS];
  memcpy(counts, n->counts, sizeof counts);
  uint8_t inside = n->inside;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t local = e->locals[i];
    if (local == TTS_NONE) continue;
    if (tts->locals.data[local].atomic) {
      if (inside != local) return false;
      inside = NAIVE_INSIDE_NONE; /* a second one cannot be there */
    } else if (counts[local]-- == 0) {
      return false;
    }
  }
  return inside == NAIVE_INSIDE_NONE;
}

/* ---- forward, with so many threads ---- */

static inline bool naive_fire(const Tts *tts, const Naive *n, const TtsStep *s,
                              Naive *after) {
  if (!naive_groups_agree(tts, n, s->first_touch, s->touch_count)) return false;
  *after = *n;
  if (tts->locals.data[s->from].atomic) {
    if (n->inside != s->from) return false;
    after->inside = NAIVE_INSIDE_NONE;
  } else {
    if (n->inside != NAIVE_INSIDE_NONE || !n->counts[s->from]) return false;
    after->counts[s->from]--;
  }
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *t = &tts->touches.data[s->first_touch + i];
    after->values[t->group] = (uint8_t)t->after;
  }
  Naive before = *after;
  for (uint32_t i = 0; i < s->shake_count; i++)
    after->counts[tts->shakes.data[s->first_shake + i].from] = 0;
  for (uint32_t i = 0; i < s->shake_count; i++) {
    TtsShake shake = tts->shakes.data[s->first_shake + i];
    if (shake.to != TTS_NONE) after->counts[shake.to] += before.counts[shake.from];
  }
  for (uint32_t i = 0; i < s->spawn_count; i++)
    after->counts[tts->spawns.data[s->first_spawn + i]]++;
  if (s->to == TTS_NONE) return true;
  if (tts->locals.data[s->to].atomic)
    after->inside = (uint8_t)s->to;
  else
    after->counts[s->to]++;
  return true;
}

static inline void naive_see(StrMap *seen, NaiveVec *list, const Naive *n) {
  uint64_t *slot = strmap_at(seen, (const char *)n, sizeof *n);
  if (*slot) return;
  *slot = 1;
  vec_push(list, *n);
}

/* All ways to choose what the system begins with, `many` threads for any number. */
static inline void naive_begin(const Tts *tts, uint32_t many, Naive n, uint32_t group,
                               uint32_t set, uint32_t left, StrMap *seen,
                               NaiveVec *list) {
  if (group < tts->groups.len) {
    const TtsGroup *g = &tts->groups.data[group];
    for (uint32_t i = 0; i < g->initial_count; i++) {
      n.values[group] = (uint8_t)tts->initials.data[g->first_initial + i];
      naive_begin(tts, many, n, group + 1, set, left, seen, list);
    }
  } else if (left == 0 && set == tts->threads.len) {
    naive_see(seen, list, &n);
  } else if (left == 0) {
    uint32_t count = tts->threads.data[set].count;
    if (count == 0)
      naive_begin(tts, many, n, group, set + 1, 0, seen, list);
    else
      naive_begin(tts, many, n, group, set + 1, count == NET_OMEGA ? many : count, seen,
                  list);
  } else {
    const TtsThreads *t = &tts->threads.data[set - 1];
    for (uint32_t i = 0; i < t->initial_count; i++) {
      uint32_t local = tts->initials.data[t->first_initial + i];
      n.counts[local]++;
      naive_begin(tts, many, n, group, set, left - 1, seen, list);
      n.counts[local]--;
    }
  }
}

/* Is an error reached with so many threads where there may be any number? States with more threads
 * than `most` (by steps that start some) are left out, and so are those beyond `states`. */
static inline bool naive_forward(const Tts *tts, uint32_t many, uint32_t most,
                                 uint32_t states) {
  StrMap seen = {0};
  NaiveVec list = {0};
  bool found = false;
  naive_begin(tts, many, (Naive){.inside = NAIVE_INSIDE_NONE}, 0, 0, 0, &seen, &list);
  for (uint32_t i = 0; i < list.len && list.len < states && !found; i++) {
    Naive n = list.data[i], after;
    for (uint32_t k = 0; k < tts->errors.len; k++)
      found = found || naive_is_error(tts, &n, &tts->errors.data[k]);
    uint32_t threads = 0;
    for (uint32_t k = 0; k < tts->locals.len; k++) threads += n.counts[k];
    if (threads > most) continue;
    for (uint32_t k = 0; k < tts->steps.len; k++)
      if (naive_fire(tts, &n, &tts->steps.data[k], &after))
        naive_see(&seen, &list, &after);
  }
  strmap_free(&seen);
  vec_free(&list);
  return found;
}

/* ---- backward, for any number ---- */

typedef struct {
  const Tts *tts;
  NaiveVec items;
  uint32_t most;
  bool reached, full;
} NaiveBack;

/* Can the threads that are there in the beginning be in these local states? Those of any number
 * first; the others are tried in all ways. */
static inline bool naive_place(const Tts *tts, uint8_t *counts, uint32_t *used) {
  uint32_t local = 0;
  while (local < tts->locals.len && !counts[local]) local++;
  if (local == tts->locals.len) return true;
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    const TtsThreads *t = &tts->threads.data[i];
    if (t->count != NET_OMEGA && used[i] == t->count) continue;
    for (uint32_t k = 0; k < t->initial_count; k++) {
      if (tts->initials.data[t->first_initial + k] != local) continue;
      counts[local]--, used[i]++;
      bool placed = naive_place(tts, counts, used);
      counts[local]++, used[i]--;
      if (placed) return true;
      break;
    }
  }
  return false;
}

static inline bool naive_is_initial(const Tts *tts, const Naive *n) {
  uint32_t used[NAIVE_LOCALS] = {0};
  uint8_t counts[NAIVE_LOCALS];
  if (n->inside != NAIVE_INSIDE_NONE) return false;
  for (uint32_t g = 0; g < tts->groups.len; g++) {
    bool found = false;
    const TtsGroup *x = &tts->groups.data[g];
    for (uint32_t i = 0; i < x->initial_count; i++)
      found = found || tts->initials.data[x->first_initial + i] == n->values[g];
    if (!found) return false;
  }
  memcpy(counts, n->counts, sizeof counts);
  return naive_place(tts, counts, used);
}

static inline bool naive_below(const Naive *a, const Naive *b) {
  if (memcmp(a->values, b->values, sizeof a->values) != 0 || a->inside != b->inside)
    return false;
  for (uint32_t i = 0; i < NAIVE_LOCALS; i++)
    if (a->counts[i] > b->counts[i]) return false;
  return true;
}

static inline void naive_insert(NaiveBack *b, const Naive *n) {
  if (naive_is_initial(b->tts, n)) b->reached = true;
  for (uint32_t i = 0; i < b->items.len; i++)
    if (naive_below(&b->items.data[i], n)) return;
  if (b->items.len >= b->most) {
    b->full = true;
    return;
  }
  vec_push(&b->items, *n);
}

/* Where the others go that are in this local state; TTS_NONE: away. */
static inline uint32_t naive_goes(const Tts *tts, const TtsStep *s, uint32_t local) {
  for (uint32_t i = 0; i < s->shake_count; i++)
    if (tts->shakes.data[s->first_shake + i].from == local)
      return tts->shakes.data[s->first_shake + i].to;
  return local;
}

/* `want` is what the others must have made of themselves after the step: spread over where they
 * come from. */
static inline void naive_spread(NaiveBack *b, const TtsStep *s, const Naive *want,
                                uint32_t local, uint32_t source, uint32_t left,
                                Naive *before) {
  const Tts *tts = b->tts;
  if (source == tts->locals.len) {
    if (left > 0) return;
    if (++local >= tts->locals.len)
      naive_insert(b, before);
    else
      naive_spread(b, s, want, local, 0, want->counts[local], before);
    return;
  }
  naive_spread(b, s, want, local, source + 1, left, before);
  if (naive_goes(tts, s, source) != local || tts->locals.data[source].atomic) return;
  for (uint32_t n = 1; n <= left; n++) {
    before->counts[source] += (uint8_t)n;
    naive_spread(b, s, want, local, source + 1, left - n, before);
    before->counts[source] -= (uint8_t)n;
  }
}

static inline void naive_pre(NaiveBack *b, const TtsStep *s, const Naive *after) {
  const Tts *tts = b->tts;
  bool enters = s->to != TTS_NONE && tts->locals.data[s->to].atomic;
  if (after->inside != (enters ? s->to : NAIVE_INSIDE_NONE)) return;
  Naive want = *after, before = {.inside = NAIVE_INSIDE_NONE};
  memcpy(before.values, after->values, sizeof before.values);
  for (uint32_t i = 0; i < s->touch_count; i++) {
    const TtsTouch *t = &tts->touches.data[s->first_touch + i];
    if (after->values[t->group] != t->after) return;
    before.values[t->group] = (uint8_t)t->before;
  }
  if (s->to != TTS_NONE && !enters && want.counts[s->to]) want.counts[s->to]--;
  for (uint32_t i = 0; i < s->spawn_count; i++) {
    uint32_t local = tts->spawns.data[s->first_spawn + i];
    if (want.counts[local]) want.counts[local]--;
  }
  if (tts->locals.data[s->from].atomic)
    before.inside = (uint8_t)s->from;
  else
    before.counts[s->from] = 1;
  naive_spread(b, s, &want, 0, 0, want.counts[0], &before);
}

static inline void naive_targets(NaiveBack *b, const TtsError *e, Naive n, uint32_t g) {
  const Tts *tts = b->tts;
  if (g == tts->groups.len) {
    if (naive_is_error(tts, &n, e)) naive_insert(b, &n);
    return;
  }
  for (uint32_t v = 0; v < tts->groups.data[g].size; v++) {
    n.values[g] = (uint8_t)v;
    naive_targets(b, e, n, g + 1);
  }
}

/* NET_UNKNOWN: more than `most` minimal elements. */
static inline NetVerdict naive_backward(const Tts *tts, uint32_t most) {
  NaiveBack b = {.tts = tts, .most = most};
  for (uint32_t i = 0; i < tts->errors.len; i++) {
    const TtsError *e = &tts->errors.data[i];
    Naive n = {.inside = NAIVE_INSIDE_NONE};
    for (uint32_t k = 0; k < 2; k++) {
      if (e->locals[k] == TTS_NONE) continue;
      if (tts->locals.data[e->locals[k]].atomic)
        n.inside = (uint8_t)e->locals[k];
      else
        n.counts[e->locals[k]]++;
    }
    naive_targets(&b, e, n, 0);
  }
  for (uint32_t i = 0; i < b.items.len && !b.reached && !b.full; i++) {
    Naive n = b.items.data[i];
    for (uint32_t k = 0; k < tts->steps.len; k++) naive_pre(&b, &tts->steps.data[k], &n);
  }
  vec_free(&b.items);
  return b.reached ? NET_UNSAFE : b.full ? NET_UNKNOWN : NET_SAFE;
}

#endif
