/* What the engines that explore know about a program before they do: which locals are
 * live where, which objects are watched for races, which shortcuts are allowed.
 *
 * Facts are computed once and never change. Liveness of a function is computed when it is
 * first asked for. */
#ifndef HEDDLE_ENGINE_FACTS_H
#define HEDDLE_ENGINE_FACTS_H

#include "analysis/pointsto.h"
#include "base/arena.h"
#include "engine/absvalue.h"
#include "model/program.h"

#include <stdbool.h>

typedef struct Facts {
  const Program *program;
  const PointsTo *pointsto;
  Arena *arena;
  /* Instances with fixed places: globals and library objects. */
  uint32_t *static_instance; /* by ObjectId: instance + 1, or 0 */
  uint32_t static_count;
  ObjectId *static_object; /* by instance */
  uint8_t *watched;        /* by ObjectId: its accesses are checked for races */
  const uint8_t *wild;     /* by ObjectId: its contents may be anything; NULL: none */
  bool has_try;      /* some operation can see that a lock is held or a thread runs */
  bool weak_atomics; /* atomic accesses weaker than sequentially consistent */
  bool relaxed;      /* … that read without acquiring, or write without releasing */
  bool ordered_fences;     /* fences that are sequentially consistent */
  uint8_t *relaxed_writes; /* by ObjectId: some atomic write does not release */
  uint64_t **live;   /* by NodeId: set of the function's locals, or NULL: not yet known */
} Facts;

/* `watched` objects (by ObjectId, program->objects.len flags); NULL: all. `wild` ones
 * likewise; NULL: none. It is borrowed. */
Facts *facts_new(const Program *program, const PointsTo *pointsto, const uint8_t *watched,
                 const uint8_t *wild);
void facts_free(Facts *facts);

static inline bool facts_is_wild(const Facts *facts, ObjectId object) {
  return facts->wild && facts->wild[object];
}

/* Locals that are read before they are written, from this node on: bit i is the i-th
 * local of the function. */
const uint64_t *facts_live_at(Facts *facts, NodeId node);
static inline bool facts_is_live(const uint64_t *set, uint32_t local) {
  return set[local / 64] >> (local % 64) & 1;
}

/* What `size` (at most 8) bytes of an object hold at the beginning; TOP where that is no
 * number and no address. Addresses of objects are those of their fixed instances. */
AbsValue facts_initial(const Facts *facts, ObjectId object, uint64_t offset,
                       uint32_t size);

/* NULL, or why the program is out of reach as a whole. */
const char *facts_objection(const Facts *facts);

#endif
