/* From addresses of a recorded program to its source: lines of code, names of functions
 * and of global variables, by the debug information and symbols of the program's files.
 */
#ifndef HEDDLE_TRACE_PLACES_H
#define HEDDLE_TRACE_PLACES_H

#include "base/str.h"
#include "trace/trace.h"

typedef struct Places Places;

typedef struct {
  const char *file; /* or NULL when there is no debug information; owned by the Places */
  int line, column;
  const char *function; /* or NULL */
  const char *module;   /* file name of the program or library, or NULL */
} Place;

Places *places_new(const Trace *trace);
void places_free(Places *places); /* accepts NULL */

/* The place of a call, by the address it returns to. */
Place places_find(Places *places, uint64_t return_address);
/* The name of a file, seen from the folder that heddle runs in. */
const char *places_short(const Places *places, const char *file);
/* "prog.c:12", or what else is known. */
void places_add(Places *places, uint64_t return_address, Str *out);
/* The name of the global variable at an address, or of what lies in it there ("x",
 * "table[2].next"; "table+16" without debug information), or false. */
bool places_add_variable(Places *places, uint64_t address, Str *out);

#endif
