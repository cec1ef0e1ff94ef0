/* An operation of synchronisation in front of which a thread stands, and the ghosts of
 * model/lower.h as the state has them. Internal to sync.c and sync_ghosts.c.
 *
 * Ghosts that count threads are not kept as numbers, for the state has the threads themselves:
 * Sync.readers are those that read, that sleep at a condition or have arrived at a barrier.
 * READERS, READS, WAITERS and MISSING follow from it. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_SYNC_H
#define HEDDLE_ENGINE_INTERLEAVE_SYNC_H

#include "engine/interleave/machine.h"
#include "model/lower.h"

typedef struct {
  Machine *m;
  const Edge *e;
  /* in State.syncs; -1: none, or not followed */
  int a, lock, section;
  int readers;      /* carries what readers of the lock release */
  int thread;       /* the slot that operand a names; -1: it may be any */
  int64_t operand;  /* of an initialisation; of a mutex, its kind */
  bool robust;      /* … and whether it is robust */
  bool guessed;     /* what is not known decides whether a row can be taken */
  bool failed;      /* a change could not be made: the machine has given up */
  AbsValue results; /* JOIN: what the thread has ended with */
} SyncOp;

/* Finds the objects and operands. OUTCOME_NEXT: get, set and term of the rows can follow. */
Outcome il_ghosts_find(SyncOp *op);
/* `data` is the SyncOp. */
extern const LowerMachine il_ghosts;
/* The object; NULL where it is none or not followed. */
Sync *il_ghosts_object(const SyncOp *op, LowerWhose whose);

#endif
