/* What the parts of narrate share: the witness's threads as they stand now. Internal to
 * src/engine. */
#ifndef HEDDLE_ENGINE_NARRATE_PARTS_H
#define HEDDLE_ENGINE_NARRATE_PARTS_H

#include "base/vec.h"
#include "engine/narrate.h"

typedef struct {
  uint64_t address;
  const char *name;
} HeldLock;

typedef struct {
  const char *name; /* "main", "worker#1" */
  FuncId entry;     /* 0 for main */
  VEC(HeldLock) locks;
  bool in_wait; /* inside a condition wait, without the lock */
} Actor;

typedef struct {
  const Program *program;
  const Witness *witness;
  Arena *arena;
  VEC(Actor) threads; /* thread n of the machine is number n - 1 */
  VEC(FoundStep) steps;
  VEC(FoundAccess) accesses;
  Narration told; /* name, object, why, fix */
  /* the step that is about to be taken */
  uint64_t sync, lock;
  const char *thing, *lock_name;
  uint32_t threads_before;
  bool begun;
} Narrator;

/* The name of the machine's thread. */
const char *narrator_thread(Narrator *n, uint32_t number);
/* What the source calls the thing at an address that `edge` (or 0) works on. */
const char *narrator_thing(Narrator *n, Exec *exec, uint64_t address, EdgeId edge,
                           ExecObject *ret_object);
void narrator_tell(Narrator *n, uint32_t thread, const char *op, const char *object,
                   EdgeId edge);
FoundAccess narrator_access(Narrator *n, uint32_t thread, const char *kind, EdgeId edge);

/* Who waits for what, and why nobody can go on (narrate_deadlock.c). */
void narrate_deadlock(Narrator *n, Exec *exec);

#endif
