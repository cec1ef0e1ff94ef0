/* Scripts in CSP_M: the model of a run, or one run that was seen, with the names that a
 * property of the user refers to (appendix A.2 of the paper).
 *
 *   nametype thread, mutex, …          numbers
 *   channel fork, lock, …              the synchronisation
 *   sync_set                           all of it
 *   NAME_arg1, NAME_arg2, …            the values of the user's event NAME
 *   channel NAME                       unless the user's file declares it
 *   channel error, WD(E, events)       the watchdog, unless the user's file does
 *   PROGRAM                            every order of the steps, or the one that was seen
 *   include "property.csp"
 */
#ifndef HEDDLE_PREDICT_SCRIPT_H
#define HEDDLE_PREDICT_SCRIPT_H

#include "base/err.h"
#include "base/map.h"
#include "predict/intervals.h"
#include "predict/model.h"

/* What occurs. The texts are the caller's. */
typedef struct {
  uint32_t threads;
  VEC(const char *) kinds; /* as in TraceKind.text */
  VEC(const char *) names; /* events, as in ModelEvent.name */
} ScriptWorld;

void script_world_free(ScriptWorld *world);
void script_world_of_model(const RunModel *model, ScriptWorld *ret);

/* The names that a file of CSP_M declares at its top, with what it includes. False after
 * filling `err` when it cannot be read. */
bool script_scan(const char *path, StrMap *declared, Err *err);

void script_add_world(const ScriptWorld *world, const StrMap *declared, Str *out);
/* What else a model has. */
typedef struct {
  const char *tag; /* begins the names of its processes, so that several have room */
  uint32_t prefix; /* so many steps of the run come first, as they were recorded */
  const Intervals *memory; /* accesses between the steps; NULL: none */
} ScriptShape;

/* The model as the process `name`; `shape` may be NULL. False when the machines are too many
 * for a script. */
bool script_add_model(const RunModel *model, const char *name, const ScriptShape *shape,
                      Str *out);
/* The set of all events of the model's steps. */
void script_add_steps(const RunModel *model, const char *name, Str *out);
/* What a thread does not do after what it has seen: when the events of `watched` happened
 * exactly as in `history`, `never` does not come next among them. */
typedef struct {
  VEC(const char *) watched, history;
  const char *never;
} ScriptLesson;

/* PROGRAM as the process `name` without the runs that contradict a lesson. */
void script_add_lessons(const char *name, const ScriptLesson *lessons, uint32_t count,
                        Str *out);
/* A run in which exactly these events happened; `stuck`: nothing can happen after them,
 * otherwise nothing is known of that. */
void script_add_run(const char *const *names, uint32_t count, bool stuck, Str *out);
/* `full`: by its whole path, for a script that will lie elsewhere. */
void script_add_include(const char *path, bool full, Str *out);

#endif
