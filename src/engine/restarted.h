/* Handlers that let waits begin anew.
 *
 * `sigaction` sets a handler behind which interrupted waits return an error, unless the flags of its
 * structure have SA_RESTART. In: the program and a call of sigaction. Out: whether they surely have. */
#ifndef HEDDLE_ENGINE_RESTARTED_H
#define HEDDLE_ENGINE_RESTARTED_H

#include "model/program.h"

/* The structure is a variable of the calling function, to whose flags a number with SA_RESTART was
 * assigned on every way to the call, and nothing else afterwards. */
bool restarts_waits(const Program *program, EdgeId call);

#endif
