/* What the engines that explore know about a program before they do: which locals are
 * live where, which objects are watched for races, which shortcuts are allowed.
 *
 * Facts are computed once and never change. */
#ifndef HEDDLE_ENGINE_FACTS_H
#define HEDDLE_ENGINE_FACTS_H

#include "analysis/liveness.h"
#include "analysis/pointsto.h"
#include "base/arena.h"
#include "base/vec.h"
#include "engine/absvalue.h"
#include "model/program.h"

#include <stdbool.h>

/* Where some operation of synchronisation works, in a global. */
typedef struct {
  uint32_t instance;
  uint32_t offset; /* OFFSET_ANY: anywhere */
} SyncPlace;

typedef struct Facts {
  const Program *program;
  const PointsTo *pointsto;
  Arena *arena;
  /* Instances with fixed places: globals and library objects. */
  uint32_t *static_instance; /* by ObjectId: instance + 1, or 0 */
  uint32_t static_count;
  ObjectId *static_object; /* by instance */
  uint8_t *watched;        /* by ObjectId: its accesses are checked for races */
  const uint8_t *havocked; /* by ObjectId: its contents may be anything; NULL: none */
  uint8_t *single;         /* by ObjectId: allocated at most once in a run */
  bool has_try;         /* some operation can see that a lock is held or a thread runs */
  bool weak_atomics;    /* atomic accesses weaker than sequentially consistent */
  bool relaxed;         /* … that read without acquiring, or write without releasing */
  bool cancels;         /* some thread may be cancelled */
  bool changes_cancels; /* … or change when that takes effect */
  uint8_t *cleanups;    /* by FuncId: CleanupKind */
  bool ordered_fences;  /* fences that are sequentially consistent */
  uint8_t *relaxed_writes; /* by ObjectId: some atomic write does not release */
  VEC(SyncPlace) sync_places;
  Liveness *liveness;
} Facts;

/* `watched` objects (by ObjectId, program->objects.len flags); NULL: all. `havocked` ones
 * likewise; NULL: none. It is borrowed. */
Facts *facts_new(const Program *program, const PointsTo *pointsto, const uint8_t *watched,
                 const uint8_t *havocked);
void facts_free(Facts *facts);

static inline bool facts_is_havocked(const Facts *facts, ObjectId object) {
  return facts->havocked && facts->havocked[object];
}

/* Some operation of synchronisation may work on bytes from ≤ b < to of a fixed instance. */
bool facts_is_sync(const Facts *facts, uint32_t instance, uint64_t from, uint64_t to);

/* What `size` (at most 8) bytes of an object hold at the beginning; TOP where that is no
 * number and no address. Addresses of objects are those of their fixed instances. */
AbsValue facts_initial(const Facts *facts, ObjectId object, uint64_t offset,
                       uint32_t size);

#endif
