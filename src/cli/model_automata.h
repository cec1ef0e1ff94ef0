/* heddle model --automata: the automata of the threads of a program. */
#ifndef HEDDLE_CLI_MODEL_AUTOMATA_H
#define HEDDLE_CLI_MODEL_AUTOMATA_H

#include "base/err.h"
#include "model/print.h"

/* `about`: the variable whose accesses the question is about, or NULL for the whole program. False:
 * there is none, or heddle is wrong. */
bool cli_write_automata(const Program *program, const char *about, bool dot,
                        TextSink *sink, void *user, Err *err);

#endif
