/* Words that serve as locks: a spin lock that a program makes of an atomic word.
 *
 * The word is free when it is 0. Who finds 0 in one atomic step that leaves something else has taken it;
 * who stores 0 frees it. The first must acquire and the second release, so that what was done under the lock
 * happens before what the next one does, on every machine: the one who finds 0 reads the very store that freed
 * it. That nobody else writes the word, and only who has it frees it, is for the analyses to find out; no order between
 * different words, and none of atomics in general, is needed for this. */
#ifndef HEDDLE_MODEL_WORD_H
#define HEDDLE_MODEL_WORD_H

#include "model/program.h"

typedef enum {
  WORD_NO_USE,
  WORD_TAKES, /* RMW: taken if it yields 0; CMPXCHG: if it stores. Otherwise as before */
  WORD_FREES, /* leaves 0, whoever has taken it */
} WordUse;

/* What the operation does if its address is that of such a word, and its operands b and c have these values; NULL:
 * it is not known which. */
WordUse word_use(const Edge *edge, const int64_t *b, const int64_t *c);

/* There are values for which it takes the word, or frees it. */
bool word_may_be_taken(const Edge *edge);
bool word_may_be_freed(const Edge *edge);

/* What it writes to the word whenever it writes to it, if that is one number: the operand is a constant, or a local
 * that is assigned in one place. */
bool word_written(const Program *program, const Edge *edge, uint64_t *ret);

/* The variable is 0, all of it, when the program begins. */
bool word_begins_free(const Program *program, ObjectId object);

#endif
