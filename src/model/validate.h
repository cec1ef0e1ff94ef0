/* The model's own rules, checked.
 *
 * Every front runs this after building a program and everyone runs it after mapping one,
 * so that engines may index tables and trust sorts and widths without looking. The rules
 * are listed in validate.c; docs/model.md explains them. */
#ifndef HEDDLE_MODEL_VALIDATE_H
#define HEDDLE_MODEL_VALIDATE_H

#include "base/err.h"
#include "model/program.h"

#include <stdbool.h>

/* Checks every rule in time linear in the program's size. On a breach: ERR_INTERNAL with
 * the rule's number, the function and, as the error's place, the file, line and column.
 * Never crashes, whatever the tables hold. */
bool program_validate(const Program *program, Err *err);

#endif
