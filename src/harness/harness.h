/* Harnesses: who calls a library or a driver that has no main, with what, and which calls
 * never overlap.
 *
 * A Harness is what a harness file says (docs/harness.md), or the list of --entry, which
 * is a short form of one. harness_write turns it into C for one program: a start function
 * that makes the objects, calls what comes first, and starts the callers as threads. That
 * text is compiled and linked with the program like any other source, so every engine
 * understands it, and a user can read it (--emit-harness).
 *
 * A Harness owns all that it points to. */
#ifndef HEDDLE_HARNESS_HARNESS_H
#define HEDDLE_HARNESS_HARNESS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The start function of every harness, and the file name under which --entry has one. */
#define HARNESS_START "heddle_start"
#define HARNESS_ENTRY "--entry"

typedef struct {
  int line, column;
} HarnessPlace;

typedef enum {
  VALUE_ANY,    /* of the parameter's type; for a pointer: of unknown origin */
  VALUE_OWN,    /* automatic: a shared object of the pointer's type, or any value */
  VALUE_NULL,   /* the null pointer */
  VALUE_RANGE,  /* from low to high */
  VALUE_CHOICE, /* one of several numbers */
  VALUE_OBJECT, /* the address of an object */
} HarnessValueKind;

typedef struct {
  HarnessValueKind kind;
  HarnessPlace place;
  int64_t low, high;
  const int64_t *choice;
  uint32_t choice_count;
  const char *object; /* its name */
} HarnessValue;

typedef struct {
  const char *routine;
  const char *name; /* as the file calls it; the routine's own name by default */
  bool automatic;   /* no arguments are listed: they are VALUE_OWN */
  const HarnessValue *args;
  uint32_t arg_count;
  const char *promise; /* a C expression over the parameters, or NULL */
  bool has_result;     /* only runs in which the result is `result` count */
  HarnessValue result;
  HarnessPlace place;
} HarnessCall;

typedef enum { SHARING_ALL, SHARING_CALLER, SHARING_CALL } HarnessSharing;

typedef struct {
  const char *path; /* a.b.c */
  HarnessValue value;
  HarnessPlace place;
} HarnessField;

typedef VEC(HarnessField) HarnessFields;

typedef struct {
  const char *name;
  const char *type; /* `struct s`, `union u`, a typedef; NULL: that of the parameter */
  uint64_t bytes;   /* not 0: so many bytes instead of a type */
  HarnessSharing sharing;
  bool any; /* any contents; otherwise zeroed */
  HarnessFields fields;
  HarnessPlace place;
} HarnessObject;

typedef struct {
  uint32_t number; /* 0: any number */
  bool repeat;     /* any of the calls, again and again; otherwise one of them, once */
  uint32_t first_call, call_count;
  uint32_t event; /* index + 1 in Harness.events: any number of threads that repeat it */
  HarnessPlace place;
} HarnessCallers;

typedef struct {
  const char *name;
  HarnessPlace place;
} HarnessName;

typedef VEC(HarnessName) HarnessNames;

/* Calls named on the left never overlap calls named on the right. */
typedef struct {
  HarnessNames left, right;
  bool all;    /* the right side is every call */
  bool itself; /* each name on the left with itself alone */
  HarnessPlace place;
} HarnessExclude;

/* What an argument of a call must be. */
typedef enum {
  PATTERN_ANY,
  PATTERN_ITSELF, /* the address of the routine of the event */
  PATTERN_NUMBER,
} HarnessPatternKind;

typedef struct {
  HarnessPatternKind kind;
  int64_t number;
} HarnessPattern;

/* Calls, with such arguments, of a function that the program calls and does not define. */
typedef struct {
  const char *function;
  const HarnessPattern *patterns; /* arguments beyond them may be anything */
  uint32_t pattern_count;
  HarnessPlace place;
} HarnessHook;

typedef VEC(HarnessHook) HarnessHooks;

/* An interrupt handler, which begins at any time while it is enabled; or a task, which
 * begins when no other task and no handler runs. */
typedef struct {
  bool task;
  uint32_t call;
  HarnessNames when; /* global variables, none of which may be 0 */
  HarnessHooks enable, disable, post;
  bool enabled_first;   /* with `enable`: from the beginning; otherwise it always is */
  bool disables_itself; /* when it begins */
  bool queued;          /* happens as often as it was posted */
  bool atomic;          /* is one step, together with its beginning */
  HarnessPlace place;
} HarnessEvent;

enum { HARNESS_CALLERS_MAX = 64, HARNESS_CALLS_MAX = 128, HARNESS_OBJECTS_MAX = 256 };

typedef struct {
  Arena *arena;
  const char *file;
  VEC(HarnessObject) objects;
  VEC(HarnessCall) calls; /* first calls, then those of the callers, in order */
  VEC(HarnessCallers) callers;
  VEC(HarnessEvent) events;
  VEC(HarnessExclude) excludes;
  VEC(uint32_t) first, last; /* indices in `calls` */
  bool short_form;           /* made from --entry */
} Harness;

/* Reads a harness from a text. On false the error has file, line, column and remedy. */
bool harness_read(const char *file, const char *text, size_t length, Harness *ret,
                  Err *err);
bool harness_read_file(const char *path, Harness *ret, Err *err);
/* Reads the list of --entry: `f,g*`. */
bool harness_read_entries(const char *list, Harness *ret, Err *err);
void harness_free(Harness *harness);

/* What a harness takes for granted, for the list of assumptions. */
typedef struct {
  char *what;
  int line;
} HarnessNote;

typedef struct {
  Str text;  /* C */
  bool open; /* some pointer may be anything: others may know what the program exports */
  VEC(HarnessNote) notes;
  VEC(char *) used; /* functions and variables of the program, which may be static */
} HarnessText;

/* Writes the harness as C for `program`, which need not have a main. With `places` every
 * line says by #line which line of the harness file it stands for. */
bool harness_write(const Harness *harness, const Program *program, bool places,
                   HarnessText *ret, Err *err);
void harness_text_free(HarnessText *text);

#endif
