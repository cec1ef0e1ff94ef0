/* What the two files of visible operations share. Internal to src/engine/petri. */
#ifndef HEDDLE_ENGINE_PETRI_VISIBLE_H
#define HEDDLE_ENGINE_PETRI_VISIBLE_H

#include "engine/petri/translate.h"

/* Transitions of operations on threads and objects of synchronisation. */
StepResult visible_expand_sync(Translation *t, uint32_t state, LocalState *s,
                               const Edge *e);
/* The state asks for a domain: it is expanded again when that gets a new value. Returns
 * the first value that it has not been expanded for. */
uint32_t visible_ask(Translation *t, uint32_t state, uint32_t domain);
/* The operation is executed like one that nobody notices. */
StepResult visible_pass(Translation *t, uint32_t state, const LocalState *s);

#endif
