/* Between clang's front end and its optimiser, calls of the runtime are put into
 * instrumented code: the user's events (`heddle cc --instrument --events FILE`) and the
 * exits of loops that wait on condition variables.
 *
 * Each source is compiled to bitcode first (all messages and dependency files come from
 * there), the calls are added (front/llvm/weave.h), and the compile that was asked for
 * goes on from that bitcode. */
#ifndef HEDDLE_FRONT_WOVEN_H
#define HEDDLE_FRONT_WOVEN_H

#include "base/str.h"
#include "front/ccargs.h"
#include "front/events.h"

typedef struct {
  char *folder;      /* temporary; holds everything below */
  VEC(char *) files; /* to remove */
  CcArgs args;       /* the call with bitcode in place of the sources */
  Str warnings;      /* lines about waits, see front/llvm/waitloop.h */
  int status;        /* of the compiler that failed, or 0 */
} Woven;

/* Whether a source of the call has something to add. Events without an arena are none. */
bool woven_is_needed(const CcArgs *args, const Events *events);

/* `clang` compiles; `input` is a descriptor for a source on standard input, or -1. False
 * when a compiler failed (`status` is set, it has said why) or after filling `err`. Call
 * woven_free in either case. */
bool woven_prepare(const CcArgs *args, const char *clang, int input, const Events *events,
                   Woven *ret, Err *err);
void woven_free(Woven *woven);

#endif
