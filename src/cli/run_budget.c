/* See run_budget.h. */
#include "cli/run_budget.h"

#include <stdlib.h>
#include <unistd.h>

enum {
  TIMES = 10,   /* the program's own time, */
  AT_LEAST = 2, /* and so many seconds */
  USUAL =
      60, /* the --timeout for which that holds; in proportion more with a longer one */
  SLOWER = 4,     /* so many times as long does a program compute while it is recorded */
  MOST_LONGER = 2 /* so many times as long at most on a machine that is busy */
};

/* How many programs want each processor. */
static double crowd(void) {
  double load = 0;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (getloadavg(&load, 1) != 1 || processors < 1) return 1;
  load /= (double)processors;
  return load < 1 ? 1 : load;
}

double run_budget(const ProcResult *end, double timeout) {
  double crowded = crowd(), computed = end->processor_seconds * crowded;
  if (computed > end->seconds) computed = end->seconds;
  double own = end->seconds - computed + computed / SLOWER;
  double longer = crowded < MOST_LONGER ? crowded : MOST_LONGER;
  double seconds = TIMES * own + AT_LEAST * longer - end->seconds; /* a last replay */
  return (seconds > AT_LEAST ? seconds : AT_LEAST) *
         (timeout > USUAL ? timeout / USUAL : 1);
}
