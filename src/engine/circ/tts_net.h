/* Where a thread transition system lies in its net. Known to those who make the net and who read
 * its runs. */
#ifndef HEDDLE_ENGINE_CIRC_TTS_NET_H
#define HEDDLE_ENGINE_CIRC_TTS_NET_H

#include "engine/circ/tts.h"

/* What the system begins with is chosen by a transition where there is a choice: of the value of
 * a group, or of the local state of one thread. */
typedef struct {
  uint32_t group, origin; /* one is NET_NONE */
  uint32_t value;         /* that it gets; of a thread: the local state */
} TtsChoice;

typedef struct {
  Net *net;
  uint32_t *
      group_place; /* per group: of value 0, the others follow; NET_NONE: only one value */
  uint32_t
      *open_place; /* per group: its value is not chosen yet; or NET_NONE: no choice */
  uint32_t *
      start_place; /* per entry of Tts.threads: local state is not chosen yet; or NET_NONE */
  uint32_t *chosen_place; /* likewise: it is; or NET_NONE: does not matter */
  uint32_t first_local;   /* place of local state 0, the others follow */
  uint32_t quiet_place; /* nobody is in an atomic local state; NET_NONE: there are none */
  bool *quiet;          /* per step: it needs a token there, beside those inside */
  VEC(TtsChoice) choices; /* transitions behind those of steps */
} TtsLayout;

void tts_layout_new(const Tts *tts, TtsLayout *ret);
void tts_layout_free(TtsLayout *layout); /* the net, too, unless it was taken out */

/* A thread that is there from the beginning. */
typedef struct {
  uint32_t origin, start; /* of Tts.threads; a local state */
} TtsMember;

typedef VEC(TtsMember) TtsCrew;

/* The run of these steps, by these threads (some may do nothing), from these values of all groups
 * to this error. */
void tts_enact(const Tts *tts, const TtsCrew *crew, const Numbers *values,
               const Numbers *steps, uint32_t error, TtsRun *ret);

/* The run of the system that a run of the net is. */
void tts_follow(const Tts *tts, const TtsLayout *layout, const NetEvidence *evidence,
                TtsRun *ret);

#endif
