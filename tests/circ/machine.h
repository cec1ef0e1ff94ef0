/* What the variables of a model are in the interpreter, between two steps. See follow.c. */
#ifndef HEDDLE_TESTS_CIRC_MACHINE_H
#define HEDDLE_TESTS_CIRC_MACHINE_H

#include "analysis/slice.h"
#include "engine/circ/model.h"
#include "model/exec/sync.h"

enum { MACHINE_THREADS = 64 };

typedef struct {
  bool known; /* otherwise it may be anything */
  uint64_t value;
} Concrete;

/* All shared variables, and the locals of one thread at one location. */
typedef struct {
  VEC(Concrete) shared;
  VEC(Concrete) locals;
} Snapshot;

typedef struct {
  const CircModel *model;
  const Slice *slice; /* what the model is about; NULL: everything */
  Exec *exec;
  uint32_t kind[MACHINE_THREADS]; /* of the thread, + 1; 0: not known */
  bool half[MACHINE_THREADS];     /* it is in the middle of an operation */
  uint32_t element;               /* which element of every array is followed */
} Machine;

/* `location` 0: the thread has ended, only shared variables count. */
void machine_look(const Machine *machine, uint32_t thread, uint32_t location,
                  Snapshot *ret);
/* A value of the interpreter in the words of the model: ids of threads have other numbers. */
uint64_t machine_number(const Machine *machine, uint64_t value, uint32_t bits);
void snapshot_free(Snapshot *snapshot);

#endif
