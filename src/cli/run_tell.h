/* What `heddle run` found, in words and places: between the predictions, which speak of
 * addresses and steps, and the reports, which speak of sources.
 *
 * Everything lives in the arena that is given, or in the report it is made from. */
#ifndef HEDDLE_CLI_RUN_TELL_H
#define HEDDLE_CLI_RUN_TELL_H

#include "base/arena.h"
#include "base/json.h"
#include "trace/places.h"

typedef struct {
  const char *thread, *op;
  const char *object; /* what it acts on, or NULL */
  Place place;
} ToldStep;

/* One of two accesses that race, or one of the threads that are stuck. */
typedef struct {
  const char *thread, *kind;
  const char *object; /* what a stuck thread waits for, or NULL */
  Place place;
  const char *const *locks;
  uint32_t lock_count;
} ToldAccess;

typedef struct {
  const char *id;   /* "R1" */
  const char *kind; /* "race", "deadlock" or "property" */
  const char *name; /* of the memory, of what is waited for, or the assertion */
  const char *why;
  bool shown; /* in a replay, or while recording */
  const ToldAccess *accesses;
  uint32_t access_count;
  const ToldStep *steps;
  uint32_t step_count;
} ToldFinding;

typedef struct {
  const ToldFinding *findings;
  uint32_t count;
  bool race, deadlock, property;                   /* asked for */
  bool race_shown, deadlock_shown, property_shown; /* at least one */
  int exit_code;
  const char *const *argv; /* the program, NULL-terminated */
} Told;

/* The story of a finding, for a person: a column for each thread, with source lines. */
void told_story(const Told *told, uint32_t index, int width, bool color, Str *out);
/* Everything in SARIF 2.1.0. */
void told_sarif(const Told *told, JsonSink *sink, void *user);

#endif
