/* The ghost variables of one run, kept beside the interpreter and changed by the rows of
 * model/lower.h alone. What a row takes for given is taken from the machine: the bytes of
 * objects, the values of operands, whether a thread has ended or is to be cancelled. */
#ifndef HEDDLE_TESTS_LOWERING_SHADOW_H
#define HEDDLE_TESTS_LOWERING_SHADOW_H

#include "model/exec/sync.h"
#include "model/lower.h"

enum { SHADOW_THREADS = 256 };

typedef struct {
  uint64_t address;
  uint8_t kind; /* SyncKind; SYNC_NONE: a free entry */
  bool typed;   /* its type was given by an initialisation */
  int64_t ghost[GHOST_ALL];
  uint16_t reads[SHADOW_THREADS];
} ShadowObject;

typedef struct {
  LowerPhase phase;
  EdgeId edge;      /* of the operation in which it sleeps */
  uint64_t a, lock; /* … and its objects */
  uint32_t joins;   /* … or the thread that it waits for */
  bool detached, joined, ended;
  VEC(EdgeId) once_edges; /* once functions that it runs, innermost last */
  VEC(uint64_t) once_flags;
} ShadowThread;

typedef struct {
  Exec *exec;
  VEC(ShadowObject) objects;
  ShadowThread threads[SHADOW_THREADS];
  int64_t section[2]; /* owner, count */
  /* the step at hand */
  uint32_t self;
  const Edge *edge;
  uint64_t a, lock;
  uint32_t named;         /* thread that operand a names; 0: none */
  uint32_t operand, kind; /* *_INIT: operand b; the kind that a LOCK_INIT asks for */
} Shadow;

extern const LowerMachine shadow_machine;

/* The edge that thread `self` is about to take, for shadow_machine. */
void shadow_look(Shadow *s, uint32_t self, EdgeId edge);
/* As shadow_look, for an operation that has begun already. */
void shadow_look_again(Shadow *s, uint32_t self);
/* Those that sleep at the object (kind of the operation at hand) are woken as the row says.
 * False: the interpreter woke nobody where somebody had to be woken. */
bool shadow_wake(Shadow *s, const LowerRow *row, uint32_t waiter);
/* What happened beside the rows: threads ended, memory died, mutexes were repaired. */
void shadow_catch_up(Shadow *s);
void shadow_free(Shadow *s);

#endif
