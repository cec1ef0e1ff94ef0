/* What the translation knows about a program before it follows threads: which objects
 * have one instance, which belong to one thread alone, which accesses can conflict at
 * all, and which functions can be stepped over.
 *
 * A World is computed once for a question. What is learnt while a net is built and makes
 * the next attempt simpler (objects whose synchronisation cannot be told apart, variables
 * that are not worth following) is kept in it as well. */
#ifndef HEDDLE_ENGINE_PETRI_WORLD_H
#define HEDDLE_ENGINE_PETRI_WORLD_H

#include "engine/absvalue.h"
#include "engine/facts.h"
#include "engine/petri/petri.h"

typedef enum {
  OWNED_NOT,
  OWNED_FRAME, /* a variable on the stack that no other thread can know */
  OWNED_MAIN,  /* a global that only the main thread ever touches */
} Owned;

/* A shared variable whose value the net follows. */
typedef struct {
  ObjectId object;
  uint32_t offset, size;
  /* A variable that is only touched under one lock is known to whoever holds that, and to
   * nobody else: its value travels with the lock. */
  bool guarded;
  bool barred;  /* it is not so after all */
  bool settled; /* whether it is so has been looked at */
  bool widened; /* it has too many values: see TranslateLimits.strict */
  ObjectId lock_object;
  uint32_t lock_offset;
} WorldVar;

typedef struct {
  const PetriQuestion *question;
  const Program *program;
  const PointsTo *pointsto;
  const Flow *flow;
  Facts *facts;
  Arena *arena;
  uint8_t *single; /* by ObjectId: never more than one instance in a run */
  uint8_t *owned;  /* by ObjectId: Owned */
  /* Accesses that can conflict, by edge: numbers in Flow.accesses from
   * accesses.data[first_access[e]] up to first_access[e + 1]. */
  uint32_t *first_access;
  VEC(uint32_t) accesses;
  uint8_t *alone; /* by EdgeId: no other thread is there when it is executed */
  /* learnt */
  uint8_t *blurred; /* by ObjectId: its objects of synchronisation cannot be told apart */
  VEC(WorldVar) vars;
  uint8_t *has_var;   /* by ObjectId */
  uint8_t *unordered; /* by ObjectId: accessed by atomics that are too weak to follow */
  uint8_t *tested;    /* by LocalId: some branch may depend on it */
  /* functions; recomputed by pn_world_judge_functions */
  uint8_t *visible;   /* by FuncId: other threads can notice what it does */
  uint8_t *recursive; /* by FuncId */
  uint8_t *
      delicate; /* by ObjectId: semaphores and once flags, which data must not hit unseen */
  uint8_t *heavy;      /* by FuncId: has loops */
  uint64_t **mods;     /* by FuncId: set of owned objects that it may write */
  uint32_t *mod_index; /* by ObjectId: 1 + the place in the set, or 0 */
  uint32_t mod_words;
  const char *objection; /* why the program is out of reach, or NULL */
} World;

World *pn_world_new(const PetriQuestion *question);
void pn_world_free(World *world); /* accepts NULL */

/* Which functions can be stepped over, given the variables that are followed now. */
void pn_world_judge_functions(World *world);

/* Do two accesses (numbers in Flow.accesses) touch a common byte, one of them writing, in
 * memory that two threads share? Locks and orders are not looked at: they are the net's.
 * */
bool pn_world_may_conflict(const World *world, uint32_t a, uint32_t b);

/* The edge is executed at most once in every run. */
bool pn_world_runs_once(const World *world, EdgeId edge);

/* The offset, as points-to gives it, stands for one place: it is in no array. */
bool pn_world_is_plain(const World *world, ObjectId object, uint32_t offset);

/* The variable at exactly this place, or -1. */
int pn_world_find_var(const World *world, ObjectId object, uint64_t offset,
                      uint64_t size);

#endif
