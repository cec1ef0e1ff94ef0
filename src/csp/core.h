/* What every part of the CSP checker shares: one context, places in the source, names,
 * and the way out when something is wrong.
 *
 * A Csp owns an arena; syntax, types, values and process terms live in it and die with
 * it. An error deep inside parser, type checker or evaluator is raised with csp_fail,
 * which fills the Err of the context and jumps back to the entry point that set `out`.
 * Between that entry point and csp_fail nothing may own heap memory that the context does
 * not know: everything temporary comes from the arena. */
#ifndef HEDDLE_CSP_CORE_H
#define HEDDLE_CSP_CORE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct CspPlace {
  uint16_t file; /* index into Csp.files */
  uint16_t column;
  uint32_t line; /* 0: no place */
} CspPlace;

/* An interned name: equal names are equal pointers. */
typedef struct CspName {
  const char *text;
  uint32_t length;
  uint32_t id;
} CspName;

/* Bounds that keep bad scripts from eating the machine; see docs/csp.md. */
typedef struct CspLimits {
  uint64_t steps;     /* evaluation steps between two answers of the evaluator */
  uint64_t component; /* states of one component */
  uint64_t set;       /* elements of one set */
  uint64_t memory;    /* bytes, for states and for the evaluator together */
  uint64_t states;    /* states of one check; 0: only memory bounds them */
} CspLimits;

typedef struct CspNode CspNode;
typedef struct CspGlobals CspGlobals;
typedef struct CspTypes CspTypes;
typedef struct CspTerms CspTerms;

typedef struct Csp {
  Arena *arena;
  Err *err;
  jmp_buf *out;
  CspLimits limits;
  Progress *progress;
  const atomic_bool *stop; /* set from outside: give up soon; or NULL */

  VEC(const char *) files;
  StrMap names; /* text → CspName * */
  uint32_t name_count;

  CspGlobals *globals; /* evaluator: values of the script */
  CspTypes *types;     /* type checker */
  CspTerms *terms;     /* events and process terms */

  uint32_t task;   /* its number, from 1 on. What is marked with an older one was left
                    unfinished when that task failed */
  char *stack_end; /* lowest address that recursion may reach; NULL: not bounded */
  uint64_t steps;  /* left to the evaluator */
  uint64_t used_before; /* bytes of the arena when the present assertion was begun */
  CspPlace at; /* what is being evaluated, for errors without a place of their own */
} Csp;

/* Fills the error (kind ERR_INPUT unless csp_limit) and jumps to csp->out. */
_Noreturn void csp_fail(Csp *csp, CspPlace place, const char *remedy, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
/* The same for a limit of the checker (ERR_LIMIT). */
_Noreturn void csp_limit(Csp *csp, CspPlace place, const char *remedy, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* Fails with a limit when evaluation was stopped from outside, or what it made takes more
 * memory than its share. To be asked now and then by everything that may go on for long. */
void csp_check_limits(Csp *csp, CspPlace place);

const CspName *csp_name(Csp *csp, const char *text, size_t length);
const CspName *csp_name_of(Csp *csp, const char *text);

/* Fails with a clear error when recursion has used up the stack; `what` is the activity.
 * */
void csp_check_stack(Csp *csp, CspPlace place, const char *what);

/* Growing arrays inside the arena: what a failing jump may drop without a leak. */
typedef struct CspList {
  void **data;
  uint32_t len, cap;
} CspList;
void csp_list_push(Csp *csp, CspList *list, void *item);

typedef struct CspIds {
  uint32_t *data;
  uint32_t len, cap;
} CspIds;
void csp_ids_push(Csp *csp, CspIds *ids, uint32_t id);

#endif
