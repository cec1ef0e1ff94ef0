/* Figure 1 of the paper as a thread transition system, with its racy relatives, and a larger family.
 *
 * Any number of threads: in a section, `old` becomes `state`, and state becomes 1 if it was 0; then
 * whoever has old = 0 accesses x and sets state back. The group is "state = 0" (value 0: it is),
 * local states are locations with "old = 0" where it matters. */
#ifndef TTS_FIGURE_H
#define TTS_FIGURE_H

#include "tts_random.h"

typedef enum {
  FIGURE_SAFE,
  FIGURE_TWO_SECTIONS,  /* the section is left between test and set */
  FIGURE_LATE_ACCESS,   /* x is accessed after state was set back */
  FIGURE_WITHOUT_CHECK, /* x is accessed whatever `old` is */
} Figure;

static inline void figure_1(Tts *tts, Figure figure) {
  *tts = (Tts){0};
  add_group(tts, 2, 0);
  bool split = figure == FIGURE_TWO_SECTIONS;
  uint32_t l1 = add_local(tts, 0, false), l2 = add_local(tts, 0, true);
  uint32_t l3[2], l4[2], l5[2];
  for (uint32_t old = 0; old < 2; old++) {
    l3[old] = add_local(tts, 0, true);
    l4[old] = add_local(tts, 0, !split);
    l5[old] = add_local(tts, 0, false);
  }
  uint32_t l6 = add_local(tts, 0, false), l7 = add_local(tts, 0, false);
  add_threads(tts, NET_OMEGA, l1);
  add_step(tts, l1, l2);
  for (uint32_t value = 0; value < 2; value++)
    add_touching(tts, l2, l3[value], 0, value, value);
  for (uint32_t old = 0; old < 2; old++) {
    add_touching(tts, l3[old], l4[old], 0, 0, 0);
    add_touching(tts, l3[old], l5[old], 0, 1, 1);
    for (uint32_t value = 0; value < 2; value++)
      add_touching(tts, l4[old], l5[old], 0, value, 1);
  }
  add_step(tts, l5[0], l6);
  add_step(tts, l5[1], figure == FIGURE_WITHOUT_CHECK ? l6 : l1);
  if (figure == FIGURE_LATE_ACCESS) {
    for (uint32_t value = 0; value < 2; value++) add_touching(tts, l6, l7, 0, value, 0);
    add_step(tts, l7, l1);
    add_error(tts, l7, l7);
  } else {
    add_step(tts, l6, l7);
    for (uint32_t value = 0; value < 2; value++) add_touching(tts, l7, l1, 0, value, 0);
    add_error(tts, l6, l6);
  }
}

/* Three values: free, busy, done. Whoever is done says so, and somebody else frees it. Racy: x is
 * accessed when it is done, too. */
static inline void three_values(Tts *tts, bool racy) {
  *tts = (Tts){0};
  add_group(tts, 3, 0);
  uint32_t start = add_local(tts, 0, false), busy = add_local(tts, 0, false);
  uint32_t done = add_local(tts, 0, false);
  add_threads(tts, NET_OMEGA, start);
  add_touching(tts, start, busy, 0, 0, 1);
  add_touching(tts, busy, done, 0, 1, 2);
  add_step(tts, done, start);
  add_touching(tts, start, start, 0, 2, 0);
  add_error(tts, busy, busy);
  if (racy) add_error(tts, busy, done);
}

/* A state variable that runs through `stages` free values with a busy value behind each; in stage i
 * a thread sets busy, does `length` steps of its own with an access in the middle, and sets the next
 * free value. All pairs of accesses are errors. Racy: one stage sets its own free value before its
 * access. Whole: every step is split by the shared state, though it does not touch it. */
static inline void stages(Tts *tts, uint32_t count, uint32_t length, bool racy,
                          bool whole) {
  *tts = (Tts){0};
  VEC(uint32_t) accesses = {0};
  add_group(tts, 2 * count, 0);
  uint32_t home = add_local(tts, 0, false);
  add_threads(tts, NET_OMEGA, home);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t from = add_local(tts, 0, false);
    add_touching(tts, home, from, 0, 2 * i, 2 * i + 1);
    for (uint32_t k = 0; k + 2 < length; k++) {
      uint32_t to = add_local(tts, 0, false);
      if (k == length / 2) vec_push(&accesses, from);
      if (racy && i == 1 && k == 1)
        add_touching(tts, from, to, 0, 2 * i + 1, 2 * i);
      else if (whole)
        for (uint32_t v = 0; v < 2 * count; v++) add_touching(tts, from, to, 0, v, v);
      else
        add_step(tts, from, to);
      from = to;
    }
    add_touching(tts, from, home, 0, 2 * i + 1, (2 * i + 2) % (2 * count));
  }
  for (uint32_t i = 0; i < accesses.len; i++)
    for (uint32_t k = i; k < accesses.len; k++)
      add_error(tts, accesses.data[i], accesses.data[k]);
  vec_free(&accesses);
}

#endif
