/* The text of a harness while it is written. Only the C files of this folder include it.
 *
 * write.c writes objects, calls and callers, write_events.c what interrupts and tasks have
 * besides. */
#ifndef HEDDLE_HARNESS_WRITER_H
#define HEDDLE_HARNESS_WRITER_H

#include "harness/plan.h"

typedef struct {
  Plan plan;
  CTypes types;
  Str out;
  bool places;
  int line; /* of the harness file, for what is written next */
} Writer;

/* One line of C, which stands for `line`. */
void writer_put(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The name of a function or variable of the text that nothing of the program has which the
 * text names, too. */
const char *writer_own(Writer *w, const char *kind, const char *name);
/* What follows the declaration of a variable `name`, so that it keeps its name for reports
 * even if something of the program has it, too. */
const char *writer_label(Writer *w, const char *name);
/* The word for a C type in the names of functions that choose any value: any_WORD(). */
const char *writer_any(const char *c_type);

/* ---- write_events.c ---- */

/* Variables and locks of the events; before the calls. */
void writer_put_events(Writer *w);
/* The functions that enable, disable and post them; after the calls. */
void writer_put_hooks(Writer *w);
/* Around the routine, in the function of a call: the event begins, and ends. */
void writer_put_begin(Writer *w, const PlanCall *call);
void writer_put_end(Writer *w, const PlanCall *call);

#endif
