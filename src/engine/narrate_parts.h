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
  bool in_wait;     /* inside a condition wait, without the lock */
  EdgeId last_edge; /* the access that was told last, and how */
  const char *last_op;
} Actor;

typedef struct {
  const Program *program;
  const Witness *witness;
  Arena *arena;
  VEC(Actor) threads; /* thread n of the machine is number n - 1 */
  VEC(FoundStep) steps;
  VEC(FoundAccess) accesses;
  Narration told;  /* name, object, why, fix */
  OrderLog log;    /* of a race whose accesses are unordered */
  uint32_t step;   /* which one of the witness */
  uint8_t *marked; /* by step: its access is worth telling */
  uint32_t values_told;
  /* the step that is about to be taken */
  uint64_t sync, lock;
  const char *thing, *lock_name;
  uint32_t threads_before;
  uint64_t access, before; /* the place that a marked one touches, and what is there */
  uint32_t access_size;    /* 0: none */
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

const char *narrator_kind(unsigned access); /* "write", "atomic read", "free" */

/* Values (narrate_values.c): which steps are worth telling (mem_free); a look before one
 * of them is taken; telling of it afterwards. */
uint8_t *narrate_mark(const Program *program, const Witness *witness);
void narrate_look(Narrator *n, Exec *exec, const HuntStep *step);
void narrate_value(Narrator *n, Exec *exec, const HuntStep *step);

/* A race whose accesses are unordered (narrate_order.c): its first access when that step
 * has been taken, and the rest at the end. */
void narrate_first(Narrator *n, Exec *exec);
void narrate_unordered(Narrator *n, Exec *exec);

/* Who waits for what, and why nobody can go on (narrate_deadlock.c). */
void narrate_deadlock(Narrator *n, Exec *exec);

#endif
