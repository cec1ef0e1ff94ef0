/* The environment of a program without main: a harness, compiled to one more unit.
 *
 * What the harness names is looked up in a model of the inputs; its text (harness/) is
 * compiled by clang like a source of the user, and becomes the last of the units. */
#ifndef HEDDLE_FRONT_ENVIRONMENT_H
#define HEDDLE_FRONT_ENVIRONMENT_H

#include "front/inputs.h"
#include "harness/harness.h"

/* Adds the unit and its assumptions to `inputs`. `program` is a model of the inputs as
 * they are. *ret_text says what else the translation must know (harness_text_free); it is
 * to be released in any case. */
bool environment_add(const Harness *harness, const Program *program, double timeout,
                     Inputs *inputs, HarnessText *ret_text, Err *err);

#endif
