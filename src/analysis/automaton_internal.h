/* Shared by the parts of the builder of thread automata (automaton*.c); nobody else includes it. */
#ifndef HEDDLE_ANALYSIS_AUTOMATON_INTERNAL_H
#define HEDDLE_ANALYSIS_AUTOMATON_INTERNAL_H

#include "analysis/automaton.h"
#include "analysis/liveness.h"
#include "base/map.h"

typedef VEC(Touch) TouchVec;

/* What is true for all kinds of threads (automaton_facts.c). */
struct AutomatonFacts {
  Liveness *liveness;
  uint8_t *written;    /* by key (touch.h): some edge writes it */
  uint8_t *acts;       /* by FuncId: it has more than cut edges and returns */
  uint8_t *noticeable; /* by FuncId: it, or what it calls, does something visible */
  uint32_t *setters;   /* by LocalId: how many edges set it */
  EdgeId *setter;      /* by LocalId: one of them */
  TouchVec
      *summaries; /* by FuncId: what recursive functions touch, made when asked for */
  bool ends_with_code; /* some destructor acts */
  EdgeId interrupts;   /* not 0: because of it something happens in threads at any time */
  Str interruption;    /* what */
};

AutomatonFacts *automaton_facts_new(const Automata *automata);
/* … with everything in it, when automata->facts is set. */
void automaton_facts_find(const Automata *automata);
void automaton_facts_free(AutomatonFacts *facts, const Program *program);

/* Another thread can notice the edge itself, or the question is about it. What is called has
 * steps of its own. */
bool automaton_edge_is_visible(const Automata *automata, EdgeId edge);
/* The function ends the life of objects that others can reach. */
bool automaton_return_is_visible(const Automata *automata, FuncId function);
/* A call of the function is one step: nothing of it is kept, or nobody can notice it. */
bool automaton_may_step_over(const Automata *automata, const Edge *call, FuncId function);

/* Functions that a CALL may enter or that are library functions (`targets`), and those that
 * library functions among them may call back meanwhile. */
typedef struct {
  VEC(FuncId) targets;
  VEC(FuncId) callbacks;
} AutoCallees;

void automaton_callees(const Automata *automata, EdgeId call, AutoCallees *ret);
void automaton_callees_free(AutoCallees *callees);

/* ---- the builder of one automaton (automaton.c) ---- */

typedef struct {
  const Automata *all;
  const Program *p;
  AutomatonFacts *facts;
  Automaton *a;
  Map index;   /* (frame, node or inside) to location */
  uint32_t at; /* the location whose steps are made */
} AutoBuilder;

/* Refuses the automaton: the first reason stays. */
void automaton_refuse(AutoBuilder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* … at the line of the edge. */
void automaton_refuse_at(AutoBuilder *b, EdgeId edge, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t automaton_location(AutoBuilder *b, uint32_t frame, NodeId node, EdgeId inside,
                            uint32_t depth);
uint32_t automaton_frame(AutoBuilder *b, AutoFrame frame);
/* A step from the location at hand; assignments are added to it until the next one. */
AutoStep *automaton_step(AutoBuilder *b, AutoStepKind kind, uint32_t to, EdgeId edge);
void automaton_set(AutoBuilder *b, AutoSet set);
static inline const AutoLocation *automaton_here(const AutoBuilder *b) {
  return &b->a->locations.data[b->at];
}

/* ---- the steps of an edge (automaton_call.c) ---- */
void automaton_add_call(AutoBuilder *b, EdgeId id);
void automaton_add_once(AutoBuilder *b, EdgeId id);
void automaton_add_return(AutoBuilder *b, EdgeId id);
void automaton_add_exit(AutoBuilder *b, EdgeId id);
/* The steps of a location inside of a library function. */
void automaton_add_inside(AutoBuilder *b);
/* Frames for a table of constructors or destructors, before the frame `next`; returns the first. */
uint32_t automaton_chain(AutoBuilder *b, const Startup *table, uint32_t count,
                         uint32_t up, EdgeId call, uint32_t next);

/* Private memory as variables (automaton_private.c). */
void automaton_split_memory(AutoBuilder *b);

#endif
