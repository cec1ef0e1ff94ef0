/* Expressions over abstract values, for every engine that explores with them.
 *
 * Numbers of up to 64 bits (floats too) are computed by the same code as in the interpreter
 * (model/exec/value.h). Addresses keep their origin through offset arithmetic; everything else
 * that is done with them, and every wider value, is TOP. What locals hold, where objects are and
 * which addresses differ is the engine's own affair: its store. */
#ifndef HEDDLE_ENGINE_ABSEVAL_H
#define HEDDLE_ENGINE_ABSEVAL_H

#include "engine/absvalue.h"

typedef struct {
  AbsValue (*local)(void *store, LocalId local);
  AbsValue (*object)(void *store, ObjectId object); /* its address */
  /* Are they equal: 0 no, 1 yes, -1 either. Not both are numbers. */
  int (*equal)(const void *store, AbsValue a, AbsValue b);
  /* These may be NULL. Does the id of an address stand for a single instance, so that offsets
   * can be compared? NULL: always. */
  bool (*is_single)(const void *store, uint32_t id);
  void (*lose)(void *store);  /* a value does not show an address in it any more */
  void (*stray)(void *store); /* addresses in different instances are subtracted */
} AbsStore;

/* Values of expressions that were computed since `stamp` was changed; by ExprId. */
typedef struct {
  AbsValue *values;
  uint32_t *stamps;
  uint32_t stamp;
} AbsMemo;

/* `memo` may be NULL. */
AbsValue abs_eval(const Program *program, ExprId expr, const AbsStore *calls, void *store,
                  AbsMemo *memo);
/* Is it not 0: 0 no, 1 yes, -1 either. */
int abs_truth(AbsValue value);
/* A condition that holds tells the value of a local (x == 3, x, !x): true, with both. */
bool abs_learn(const Program *program, ExprId condition, LocalId *ret_local,
               AbsValue *ret_value);

#endif
