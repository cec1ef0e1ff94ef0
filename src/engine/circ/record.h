/* An answer on its way from the child to the engine: a record of fixed size, then what is of any length. */
#ifndef HEDDLE_ENGINE_CIRC_RECORD_H
#define HEDDLE_ENGINE_CIRC_RECORD_H

#include "engine/circ/circ.h"

typedef struct {
  uint32_t size; /* of the whole record */
  uint32_t obligation;
  uint32_t verdict; /* CircVerdict */
  uint32_t rounds, predicates, places, transitions;
  uint32_t told_count;     /* then: so many predicates as texts, each with its NUL, */
  uint32_t told_bytes;     /* … of so many bytes together */
  uint32_t relied_count;   /* then: objects */
  uint32_t step_count;     /* then: GuideStep */
  uint32_t value_count;    /* then: for each thread its number, a count, and words */
  uint32_t certificate;    /* bytes of it, at the end; 0: there is none */
  uint32_t story, drawing; /* bytes of these before it */
  Plan plan;
  char reason[160];
} CircRecord;

/* What goes with a proof; each may be empty. */
typedef struct {
  Str certificate, story, drawing;
} CircTexts;

void circ_texts_free(CircTexts *texts);

/* `answer` NULL: there is none, for this reason; then all else is NULL. `relied` by ObjectId. */
void circ_record_send(int fd, uint32_t obligation, const CircAnswer *answer,
                      const char *reason, const uint8_t *relied, uint32_t objects,
                      const CircTexts *texts);

#endif
