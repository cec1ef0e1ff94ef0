/* What a proof looks like to people: the context that was inferred, drawn, and what its values mean. */
#ifndef HEDDLE_ENGINE_CIRC_STORY_H
#define HEDDLE_ENGINE_CIRC_STORY_H

#include "engine/circ/circ.h"

/* Of an answer that is SAFE. `drawing` gets a Graphviz graph, behind a line with `title`; `text` a sentence for each
 * access: while which values of shared variables a thread is next to it. A system whose context cannot be inferred has
 * neither; then the drawing says why. */
void circ_story(const CircAnswer *answer, const char *title, double deadline,
                Str *drawing, Str *text);

#endif
