/* Waypoints: the way to an error as witnesses in the exchange format of verifiers tell it, a
 * sequence of places of the source that an execution passes in this order. Nothing says which
 * thread it is that passes, and nothing has to be right.
 *
 * report/witnessfile.h writes and reads them, engine/hunt/through.h looks for an execution. */
#ifndef HEDDLE_VERDICT_WAYPOINT_H
#define HEDDLE_VERDICT_WAYPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* X(kind, its word in the format). */
#define WAYPOINT_KINDS(X)                                                                \
  X(NONE, "")                                                                            \
  X(ASSUMPTION, "assumption")  /* a statement begins here */                             \
  X(BRANCHING, "branching")    /* a condition is decided here */                         \
  X(ENTER, "function_enter")   /* the call that ends here is made */                     \
  X(RETURN, "function_return") /* … and has come back */                                 \
  X(TARGET, "target")          /* the error */

#define WAYPOINT_ENUM(kind, word) WAYPOINT_##kind,
typedef enum { WAYPOINT_KINDS(WAYPOINT_ENUM) WAYPOINT_KIND_COUNT } WaypointKind;

typedef struct {
  WaypointKind kind;
  bool avoid;            /* not passed before the next one that is to be followed */
  const char *file;      /* NULL: that of the task */
  uint32_t line, column; /* no column, 0: the first of its kind in the line */
  bool has_value;        /* RETURN: what the function returns, */
  int64_t value;         /* … this */
} Waypoint;

#endif
