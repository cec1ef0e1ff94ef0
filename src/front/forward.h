/* Signals for a process that waits for a compiler. `make` and the terminal speak to
 * heddle; the compiler must hear it, to remove what it has half written. How the compiler
 * ends then decides how heddle ends. */
#ifndef HEDDLE_FRONT_FORWARD_H
#define HEDDLE_FRONT_FORWARD_H

#include <signal.h>
#include <sys/types.h>

enum { FORWARD_SIGNALS = 4 };

/* What the signals did before, and which were blocked. */
typedef struct {
  struct sigaction before[FORWARD_SIGNALS];
  sigset_t mask;
} Forward;

/* To be called before the process is started: a signal that comes between its start and
 * forward_start waits, instead of ending heddle alone and leaving the compiler behind. */
void forward_hold(Forward *forward);

/* From now on the signals that end programs go to the process `pid` only, those that were
 * held included, until forward_stop or, when it has ended, forward_gone. One at a time. */
void forward_start(Forward *forward, pid_t pid);
void forward_gone(void);
void forward_stop(const Forward *forward);

#endif
