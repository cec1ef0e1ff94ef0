/* From the options of a command that reads C sources to the model of the program. */
#ifndef HEDDLE_CLI_LOAD_H
#define HEDDLE_CLI_LOAD_H

#include "cli/cli.h"

#include "base/arena.h"
#include "model/program.h"

/* Loads all inputs of `source` as one program. `more_flags` are compiler flags that stood
 * after `--`, or NULL. Log and progress go to the screen, whose live line is gone when
 * this returns. */
bool cli_load(const SourceOptions *source, const OptStrings *more_flags, Screen *screen,
              Program *ret_program, Err *err);

/* The compiler flags in the order: those among the options, --cflags, those of `more` (or
 * NULL), which stood after `--`. New texts live in the arena. */
bool cli_flags(const SourceOptions *source, const OptStrings *more, Arena *arena,
               OptStrings *flags, Err *err);

#endif
