/* Thread automata and their blocks for people: as text and as a Graphviz graph. */
#ifndef HEDDLE_ANALYSIS_AUTOMATON_PRINT_H
#define HEDDLE_ANALYSIS_AUTOMATON_PRINT_H

#include "analysis/block.h"
#include "model/print.h"

/* Each kind of thread: its size, the variables that memory became, and its blocks, one after the
 * other with their steps; or why there is no automaton. */
void automata_print(const Automata *automata, TextSink *sink, void *user);
/* One cluster for each kind of thread. Cut points are numbered nodes, blocks are arrows. */
void automata_dot(const Automata *automata, TextSink *sink, void *user);

/* ---- the pieces ---- */

/* "worker > append", the functions of the call string. */
void automaton_frame_text(const Automata *automata, const Automaton *automaton,
                          uint32_t frame, Str *out);
/* What the step does, on one line. */
void automaton_step_text(const Automata *automata, const Automaton *automaton,
                         Printer *printer, const AutoStep *step, Str *out);
/* "main", "worker, any number", … */
void automaton_kind_text(const Automata *automata, const Automaton *automaton, Str *out);

#endif
