/* Clean-up handlers, as the macros of C make them (pthread_cleanup_push): a jump buffer is saved by
 * setjmp and registered; when the thread ends by pthread_exit or a cancellation, setjmp returns for a
 * second time, and the branch behind it runs the handler and goes on to unwind. So the landing of a
 * buffer is the edge of that setjmp, in the same function. */
#ifndef HEDDLE_ENGINE_CLEANUP_H
#define HEDDLE_ENGINE_CLEANUP_H

#include "model/program.h"

#include <stdbool.h>

typedef enum {
  CLEANUP_NONE,
  CLEANUP_REGISTER,   /* the buffer is the innermost one from now on */
  CLEANUP_UNREGISTER, /* the innermost one is gone */
  CLEANUP_UNWIND,     /* behind a handler: to the next one, or to the end of the thread */
} CleanupKind;

/* What the library function does, by its name. */
CleanupKind cleanup_kind(const Program *program, FuncId function);
/* The call changes when or whether cancellations take effect. */
bool cleanup_changes_cancellation(const Program *program, FuncId function);

/* The setjmp of the buffer that this call registers; 0: it is not known. */
EdgeId cleanup_landing(const Program *program, EdgeId registering);
/* The call is a setjmp that serves a handler and nothing else. */
bool cleanup_is_landing(const Program *program, EdgeId call);

#endif
