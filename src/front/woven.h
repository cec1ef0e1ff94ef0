/* `heddle cc --instrument --events`: between clang's front end and its optimiser, the
 * user's events are put into the code.
 *
 * Each source is compiled to bitcode first (all messages and dependency files come from
 * there), the calls are added (front/llvm/weave.h), and the compile that was asked for
 * goes on from that bitcode. */
#ifndef HEDDLE_FRONT_WOVEN_H
#define HEDDLE_FRONT_WOVEN_H

#include "front/ccargs.h"
#include "front/events.h"

typedef struct {
  char *folder;      /* temporary; holds everything below */
  VEC(char *) files; /* to remove */
  CcArgs args;       /* the call with bitcode in place of the sources */
  int status;        /* of the compiler that failed, or 0 */
} Woven;

/* `clang` compiles; `input` is a descriptor for a source on standard input, or -1. False
 * when a compiler failed (`status` is set, it has said why) or after filling `err`. Call
 * woven_free in either case. */
bool woven_prepare(const CcArgs *args, const char *clang, int input, const Events *events,
                   Woven *ret, Err *err);
void woven_free(Woven *woven);

#endif
