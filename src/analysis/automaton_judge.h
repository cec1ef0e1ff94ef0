/* Shared by automaton_check.c and automaton_judge.c; nobody else includes it. */
#ifndef HEDDLE_ANALYSIS_AUTOMATON_JUDGE_H
#define HEDDLE_ANALYSIS_AUTOMATON_JUDGE_H

#include "analysis/automaton.h"

typedef struct {
  const Automata *all;
  const AutomatonQuestion *q;
  const Program *p;
  const Automaton *a;
  uint8_t *written;     /* by key */
  uint8_t *split;       /* by ObjectId: became variables */
  uint32_t *setters;    /* by LocalId: how many edges set it, */
  ExprId *settings;     /* … and to what the last one that was seen */
  uint8_t *harmless;    /* by FuncId: 1: it is, 2: it is not, 0: not asked yet */
  VEC(uint32_t) memory; /* the variables that are memory */
  uint32_t at;          /* the location */
  bool interrupted;     /* something happens in threads at any time */
  bool bad;
} AutoJudge;

/* Fills in what follows from the program and the automaton; release with automaton_judge_free. */
void automaton_judge_prepare(AutoJudge *j);
void automaton_judge_free(AutoJudge *j);

/* The function has nothing but cut edges and returns. */
bool automaton_judge_does_nothing(const AutoJudge *j, FuncId function);
/* Nothing in it, or in what it calls, concerns others, or memory that became variables. */
bool automaton_judge_is_harmless(AutoJudge *j, FuncId function);
/* What is wrong with the step: it is noticed and not marked, or touches memory that became variables
 * other than by an assignment to them. NULL: nothing. */
const char *automaton_judge_step(AutoJudge *j, const AutoStep *step);
/* What is wrong with a variable that is memory, or NULL. */
const char *automaton_judge_variable(const AutoJudge *j, uint32_t variable);

#endif
