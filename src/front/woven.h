/* Between clang's front end and its code generator, heddle changes instrumented code:
 * calls of the runtime are put in for the user's events (`heddle cc --events
 * FILE`) and the exits of loops that wait on condition variables, and each function gets
 * a second body without instrumentation, for runs that nobody watches.
 *
 * Each source is compiled to bitcode (all messages and dependency files come from the
 * first such compile), changed (front/llvm/weave.h before the passes, front/llvm/twin.h
 * behind them), and the compile that was asked for goes on from that bitcode. */
#ifndef HEDDLE_FRONT_WOVEN_H
#define HEDDLE_FRONT_WOVEN_H

#include "base/str.h"
#include "front/ccargs.h"
#include "front/events.h"

typedef struct {
  char *folder;      /* temporary; holds everything below */
  VEC(char *) files; /* to remove */
  CcArgs args;       /* the call with bitcode in place of the changed sources */
  Str warnings;      /* lines about waits, see front/llvm/waitloop.h */
  int status;        /* of the compiler that failed, or 0 */
  int signal;        /* that ended the compiler, or 0 */
} Woven;

/* Whether a source of the call is to be changed. Events without an arena are none. */
bool woven_is_needed(const CcArgs *args, const Events *events);

/* `clang` compiles; `input` is a descriptor for a source on standard input, or -1. False
 * when a compiler failed (`status` is set, it has said why) or after filling `err`. Call
 * woven_free in either case. */
bool woven_prepare(const CcArgs *args, const char *clang, int input, const Events *events,
                   Woven *ret, Err *err);
void woven_free(Woven *woven);

#endif
