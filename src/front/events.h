/* Events of the user: which places of a program emit which event.
 *
 * One order per line, after Figure 6.3 of the paper:
 *
 *   open(#return)  after  call open_file
 *   access(#0, *#1:4)  before call write_file      -- a comment
 *   enter          before body increment
 *   x(load)        before read-global x
 *   x(store, #value, #size, #address) after write-global x
 *   here           before line prog.c:12
 *   sql(#0)        before call sqlite3_*           -- a pattern of names
 *   next(#value)   after  write-global queue.head  -- a member of a variable
 *   reset          before call reset_file optional -- it may match nothing
 *   full(#0)       before call put if #1 >= 8 and #0 != 0
 *
 * The reader fails with the place in the file; nothing is skipped. */
#ifndef HEDDLE_FRONT_EVENTS_H
#define HEDDLE_FRONT_EVENTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The section in which a program tells how many places each of its events has. */
#define EVENTS_PLACES "heddle_places"

enum { EVENTS_MOST_VALUES = 6, EVENTS_LONGEST_TEXT = 119, EVENTS_MOST_STARS = 8 };

typedef enum {
  EVENT_AT_CALL,
  EVENT_AT_BODY,
  EVENT_AT_READ,
  EVENT_AT_WRITE,
  EVENT_AT_LINE,
} EventWhat;

typedef enum {
  FIELD_NAME, /* a word or number that is the same in every occurrence */
  FIELD_ARGUMENT,
  FIELD_RETURN,
  FIELD_SIZE,
  FIELD_ADDRESS,
  FIELD_VALUE,
} EventFieldKind;

typedef struct {
  EventFieldKind kind;
  const char *name; /* FIELD_NAME */
  uint32_t index;   /* FIELD_ARGUMENT: counted from 0 */
  uint32_t stars;   /* so often what it points to is taken instead */
  uint32_t bytes;   /* of what the last star leads to; 0: as the program says */
  int column;
} EventField;

typedef enum {
  COMPARE_EQUAL,
  COMPARE_DIFFERENT,
  COMPARE_LESS,
  COMPARE_AT_MOST,
  COMPARE_MORE,
  COMPARE_AT_LEAST,
} EventCompare;

/* The event happens only when all of its conditions hold. */
typedef struct {
  EventField field;
  EventCompare compare;
  int64_t value;
} EventCondition;

typedef struct {
  const char *name;
  VEC(EventField) fields;
  VEC(EventCondition) conditions;
  bool after;
  EventWhat what;
  const char *target; /* a function, a global, a source file */
  uint32_t line;      /* EVENT_AT_LINE: in that file */
  bool optional;      /* it may match nothing */
  uint32_t values;    /* fields that are no names */
  const char *text;   /* name and fields, as in TraceEventKind */
  int place, column;  /* line in the file of events, column of the target */
} EventOrder;

typedef struct {
  Arena *arena;
  const char *path;
  VEC(EventOrder) orders;
} Events;

/* Fills a zeroed Events. False after filling `err`; call events_free in either case. */
bool events_read(const char *path, Events *ret, Err *err);
bool events_parse(const char *path, const char *text, size_t length, Events *ret,
                  Err *err);
void events_free(Events *events);

#endif
