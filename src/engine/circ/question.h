/* Questions about single obligations, as the engines on blocks (circ, horn) ask them.
 *
 * Every open location and assertion is a question of its own, on a slice of its own. All are asked in a
 * child, because the libraries behind solvers may end their process when memory runs out; answers
 * come back as bytes. */
#ifndef HEDDLE_ENGINE_CIRC_QUESTION_H
#define HEDDLE_ENGINE_CIRC_QUESTION_H

#include "engine/circ/model.h"
#include "engine/open.h"

typedef struct {
  EngineContext *context;
  const OpenObjects *open;
  const Obligation *obligation;
  uint32_t number; /* of the obligation */
  const Flow *flow;
  const uint8_t *asked; /* by EdgeId */
  double deadline;
  bool strict; /* nothing that flow knows of objects and elements keeps accesses apart */
  int fd;      /* for the answer */
} CircAsking;

/* Why an engine on blocks does not take the obligation, or NULL. */
const char *circ_objection(const EngineContext *context, const Obligation *obligation);

/* In the child: answers one question. Without a model, `why` says why. */
typedef void CircMethod(const CircAsking *asking, CircModel *model, const char *why);
/* In the parent: what all answers wrote. */
typedef void CircTake(EngineContext *context, const uint8_t *data, size_t size);
EngineEnd circ_ask_all(EngineContext *context, const char *phase, CircMethod *method,
                       CircTake *take);

/* CircConflict, of the asking: both edges access what the obligation is about, and may race. */
bool circ_edges_conflict(void *asking, EdgeId a, EdgeId b);

/* Claims, on condition that nothing races at objects whose values the proof relies on, and at memory that
 * nobody knows. */
void circ_claim(EngineContext *context, Claim proved, const uint32_t *relied,
                uint32_t count);

/* Claims that no access is to memory that nobody knows: then there is nothing to prove. */
void circ_claim_elsewhere(EngineContext *context);

#endif
