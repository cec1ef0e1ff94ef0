/* Thread automata: what one kind of thread can do, as one graph.
 *
 * In: a program, usually the view of a slice (slice.h). Out: for each kind of thread (what main
 * runs, and each function that some CREATE may start) the control flow automaton of the whole
 * thread, in the sense of Henzinger, Jhala and Majumdar ("Race checking by context inference",
 * section 3). A location is a node of the model in an activation: calls are followed, and every
 * call string has activations of its own, so that a local of two activations is two variables.
 *
 * Calls. A step ENTER sets the parameters, a step LEAVE the result. A function whose edges were
 * all cut is stepped over; so is one that calls itself, if no other thread can notice what it
 * does: then what it may write is any value afterwards. All other recursion is refused, with
 * the name of the function. A library function is one step with its effects; if it calls back,
 * there is a location inside of it, from which it calls any of its functions any number of times.
 *
 * Memory. A stack object or thread-local object that is private (sharing.h) and that is accessed at
 * constant places only, which do not overlap, is split into variables, and its accesses become
 * assignments (automaton_private.c). All other memory stays memory.
 *
 * Every run of a thread in the interpreter (model/exec) is a path of its automaton: tests/automata
 * compares them. automaton_check decides by other code whether a step is missing.
 *
 * Index 0 of every table is reserved and means none; location 0 is the end. */
#ifndef HEDDLE_ANALYSIS_AUTOMATON_H
#define HEDDLE_ANALYSIS_AUTOMATON_H

#include "analysis/sharing.h"
#include "analysis/touch.h"
#include "base/str.h"
#include "base/vec.h"

enum { AUTOMATON_LOCATIONS = 50000 };

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const Sharing *sharing;
  /* By EdgeId: what the question is about, as a number of the caller's own (which obligation);
   * 0: not this edge. NULL: about nothing. */
  const uint8_t *asked;
  uint32_t most_locations;  /* of one kind of thread; 0: AUTOMATON_LOCATIONS */
  const volatile int *stop; /* or NULL */
} AutomatonQuestion;

/* An activation: a call string, and what runs at its end. */
typedef struct {
  uint32_t up; /* the caller's; 0: none */
  EdgeId call; /* CALL, ONCE or EXIT of the caller; 0: the thread begins with it */
  FuncId function;
  bool library; /* a library function calls it, which `call` calls */
  uint32_t
      next; /* what runs when it has returned: constructors, main, destructors; or 0 */
  uint32_t first_variable; /* of its locals, in their order */
} AutoFrame;

typedef struct {
  uint32_t frame;
  NodeId node;
  EdgeId
      inside; /* not 0: inside of the library function that this CALL of the node calls */
  uint32_t depth; /* of atomic sections: others do not move, unless this thread waits */
  uint32_t first_step, step_count;
} AutoLocation;

/* A local of an activation; or a part of a private object, of an activation or (frame 0) of the
 * thread. Locals begin with any value, and so does the memory of an activation; thread-local
 * objects begin with the bytes that the model says. */
typedef struct {
  uint32_t frame;
  LocalId local;   /* 0: memory */
  ObjectId object; /* 0: a local */
  uint32_t offset; /* of memory: bytes */
  uint32_t bits;
} AutoVariable;

typedef enum {
  SET_ANY,      /* becomes any value */
  SET_EXPR,     /* the value of `expr` in `frame` */
  SET_VARIABLE, /* the value of `variable` */
  SET_NUMBER,   /* `number` */
} AutoSetKind;

/* One assignment. Those of a step happen at the same time. A wider value loses its upper bits, a
 * narrower one gets zeros. */
typedef struct {
  uint8_t kind; /* AutoSetKind */
  uint32_t variable;
  union {
    struct {
      ExprId expr;
      uint32_t frame;
    };
    uint32_t source;
    int64_t number;
  };
} AutoSet;

typedef enum {
  STEP_EDGE,  /* the model's edge, as it is */
  STEP_SET,   /* only its assignments: ASSIGN, HAVOC, accesses to what became variables */
  STEP_ENTER, /* a call begins, by CALL, ONCE, EXIT, or a library function */
  STEP_LEAVE, /* a RETURN */
  STEP_OVER,  /* a CALL of a function that is not followed */
  STEP_LIBRARY, /* a CALL of a library function, by its effects */
  STEP_END,     /* the thread ends; by EXIT, and at the end of main, the program does */
} AutoStepKind;

typedef struct {
  uint32_t from, to; /* to 0: the end; with another kind than END it is a dead end */
  EdgeId edge;
  uint32_t frame; /* whose locals the operands of the edge are */
  uint8_t kind;   /* AutoStepKind */
  uint8_t asked;  /* as in the question */
  bool visible;   /* another thread can notice it, or the question is about it */
  FuncId callee;  /* ENTER, OVER, LIBRARY */
  /* Not 0: the only object that its one access touches in this call string, and where. */
  ObjectId object;
  uint32_t offset;
  uint32_t first_set, set_count;
} AutoStep;

/* A kind of thread. If it is refused, the tables hold what was built until then. */
typedef struct {
  FuncId entry;  /* 0: nobody knows what it runs */
  EdgeId site;   /* the first CREATE that starts it; 0: the main thread */
  bool many;     /* there may be more than one */
  char *refused; /* why there is no automaton; NULL: there is one */
  uint32_t start;
  VEC(AutoFrame) frames;
  VEC(AutoLocation) locations;
  VEC(AutoStep)
  steps; /* those of one location stand together, locations in their order */
  VEC(AutoVariable) variables;
  VEC(AutoSet) sets;
} Automaton;

typedef struct AutomatonFacts AutomatonFacts;

typedef struct {
  AutomatonQuestion question;
  VEC(Automaton) kinds; /* the main thread first */
  AutomatonFacts *facts;
} Automata;

/* The question's tables must outlive the result. */
Automata *automata_new(const AutomatonQuestion *question);
void automata_free(Automata *automata);

/* No kind of thread was refused. */
bool automata_are_complete(const Automata *automata);
/* The kind of thread that runs `entry`; NULL: there is none. */
const Automaton *automata_find(const Automata *automata, FuncId entry);

/* The memory that the step touches, without what became variables. */
void automaton_touches(const Automata *automata, const AutoStep *step, TouchVisit *visit,
                       void *user);
/* Other threads can reach the object of this key (touch.h), and somebody writes it. */
bool automaton_is_shared(const Automata *automata, uint32_t key);
/* The variable for a local of an activation. */
uint32_t automaton_variable(const Automata *automata, const Automaton *automaton,
                            uint32_t frame, LocalId local);
/* Calls `visit` for each variable that the step reads, perhaps more than once, or writes. */
typedef void VariableVisit(void *user, uint32_t variable, bool written);
void automaton_visit_variables(const Automata *automata, const Automaton *automaton,
                               const AutoStep *step, VariableVisit *visit, void *user);

/* Is every edge that the thread can come to a step, is what is stepped over harmless, and is memory
 * that became variables accessed in no other way? False after adding to `why`. Shares nothing with
 * the builder but the meaning of operations. A kind that was refused is not looked at. */
bool automaton_check(const Automata *automata, const Automaton *automaton, Str *why);

#endif
