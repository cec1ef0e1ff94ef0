/* A process as a machine: components and rules.
 *
 * A component is a small explicit system. A rule says which components move together, on
 * which label each, and what event the whole then shows. A state of the machine is one
 * state per component, packed into bits; its transitions are found by the rules, so the
 * product of the components is never built. Operators that are not static (sequence,
 * choices, interrupt, …) have a small control component of their own.
 *
 * A machine is immutable after csp_machine_finish and may be used by several threads. */
#ifndef HEDDLE_CSP_MACHINE_H
#define HEDDLE_CSP_MACHINE_H

#include "csp/lts.h"

typedef VEC(uint32_t) CspRuleVec;

typedef struct CspChase CspChase;
typedef struct CspChaser CspChaser;

typedef struct CspPart {
  uint32_t component, label;
} CspPart;

typedef struct CspRule {
  uint32_t event;  /* of the whole */
  uint32_t origin; /* the event before hiding and renaming, for counterexamples */
  uint32_t count;
  CspPart *parts; /* sorted by component, each at most once */
  bool chased;    /* internal, and taken as soon as it is possible */
} CspRule;

typedef struct CspComponent {
  const char *name; /* of a process; NULL for the control of an operator */
  const CspLts *lts;
  /* ---- filled by csp_machine_finish ---- */
  uint32_t *table; /* state × column → move; NULL where that would be too large */
  uint32_t label_count;
  uint32_t word, shift;
  uint64_t mask;
  uint32_t *row_first;  /* state + 1 entries into rows */
  struct CspMove *rows; /* the moves of each state, sorted by column */
} CspComponent;

/* What a state does on a label; a column is a label that some rule uses. */
typedef struct CspMove {
  uint32_t column, move;
} CspMove;

/* A rule that a state of its owner enables as far as the owner is concerned. */
typedef struct CspOwned {
  uint32_t rule, move;
} CspOwned;

/* A part as the exploration wants it. */
typedef struct CspFastPart {
  uint32_t component, label; /* label: column of the component */
} CspFastPart;

typedef struct CspFastRule {
  uint32_t event;
  uint32_t owner;
  uint32_t count; /* of other parts */
  CspFastPart *others;
} CspFastRule;

/* Where a component stands in a packed state, and where its owned rules are: those of its
 * state s are owned[first[s]] to owned[first[s + 1]], `first` counted from here. */
typedef struct CspSlot {
  uint32_t word, shift, mask;
  uint32_t first;
} CspSlot;

typedef struct CspMachine {
  Csp *csp;
  VEC(CspComponent) components;
  VEC(CspRule) rules;
  CspFastRule *fast;
  CspSlot *slots; /* one per component: what every state needs, close together */
  uint32_t *owned_first;
  CspOwned *owned;
  uint32_t words; /* of a packed state */
  uint32_t bits;
  uint32_t *targets; /* of moves with several targets: count, then the targets */
  VEC(uint32_t) pool;
  CspChase *chase; /* NULL: no rule is chased */
} CspMachine;

/* Moves in tables: 0 none; target + 1; or MOVE_MANY | place in `targets`. */
enum { MOVE_MANY = 1u << 31 };

/* Successors of one state; the buffer is reused. */
typedef struct CspMoves {
  uint32_t *events;
  uint32_t *rules;
  uint64_t *states; /* machine->words each */
  uint32_t count, cap;
  CspOwned *ready; /* rules that are possible, with the owner's move, before firing */
  uint32_t ready_count, ready_cap;
  uint32_t *current; /* scratch: state per component */
  uint32_t *chosen;  /* scratch: targets of the parts of one rule */
  CspChaser *chaser; /* or NULL */
} CspMoves;

/* The move of a component in a state on a column; 0: none. */
uint32_t csp_component_find(const CspComponent *c, uint32_t state, uint32_t column);
static inline uint32_t csp_component_move(const CspComponent *c, uint32_t state,
                                          uint32_t column) {
  return c->table ? c->table[(size_t)state * c->label_count + column]
                  : csp_component_find(c, state, column);
}

CspMachine *csp_machine_new(Csp *csp);
uint32_t csp_machine_component(CspMachine *m, const char *name, const CspLts *lts);
/* Computes the tables. Before, rules and components may be added; afterwards not. */
void csp_machine_finish(CspMachine *m);
void csp_machine_free(CspMachine *m); /* accepts NULL */

void csp_moves_init(CspMoves *moves, const CspMachine *m);
void csp_moves_free(CspMoves *moves);
void csp_machine_start(const CspMachine *m, uint64_t *state);
void csp_machine_unpack(const CspMachine *m, const uint64_t *state, uint32_t *components);
/* All successors, after chased rules; so is the start. */
void csp_machine_moves(const CspMachine *m, const uint64_t *state, CspMoves *moves);
/* The chased rules on the way from `state` by `rule` to its successor `to`. */
void csp_machine_chased(const CspMachine *m, const uint64_t *state, uint32_t rule,
                        const uint64_t *to, CspMoves *moves, CspRuleVec *taken);
/* Moves in two steps, for those who follow only some rules: what is ready, and the
 * successors of one rule of it, which are added to those that are there. Not for machines
 * with chased rules. */
void csp_machine_ready(const CspMachine *m, const uint64_t *state, CspMoves *moves);
void csp_machine_fire(const CspMachine *m, const uint64_t *state, CspMoves *moves,
                      CspOwned ready);

/* The machine of a process; owned by the context's list and freed with it. */
CspMachine *csp_compile(Csp *csp, CspTerm *term);
/* All reachable states of a machine as one explicit system, up to `limit` states. */
CspLts *csp_machine_explicate(CspMachine *m, uint64_t limit, CspPlace place);

#endif
