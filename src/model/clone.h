/* Copies of functions in which some parameters are known to be certain functions.
 *
 * Part of the builder's work on an unfinished program; model/specialise.c decides what is
 * copied. */
#ifndef HEDDLE_MODEL_CLONE_H
#define HEDDLE_MODEL_CLONE_H

#include "model/build.h"

/* May the body be copied at all? Not if it is variadic, is the program's start, calls
 * setjmp, or has labels whose address is taken: those are known by number elsewhere. */
bool clone_is_possible(const Program *program, FuncId function);

/* Appends a copy of `function`, for calls whose i-th argument is constants[i] wherever
 * that is not 0. These parameters are gone from the copy, so they must never be assigned
 * in the function; the others keep their order. The copy has its own locals, stack
 * objects and allocation sites; places and names are the original's, but for `name`. */
FuncId clone_function(Builder *builder, FuncId function, const FuncId *constants,
                      Sym name);

#endif
