/* Thread templates: which kinds of threads a program starts, and how often each. */
#ifndef HEDDLE_MODEL_TEMPLATES_H
#define HEDDLE_MODEL_TEMPLATES_H

#include "model/program.h"

/* Fills Program.templates (replacing what was there) and sets FUNCTION_ADDRESS_TAKEN
 * where an address is used other than as the callee. Called by the fronts on the finished
 * tables, before the program is saved; the tables must be growable, not mapped.
 *
 * Template 1 is the main thread. Each CREATE edge then has one template if its function
 * is known, and otherwise one for each function with a body that fits the call (one
 * pointer parameter or none) and whose address is taken, or one with entry 0 if there is
 * none. The CREATE edges of a function that nothing in a whole program starts have
 * none. */
void templates_compute(Program *program);

#endif
