/* Points-to: which objects and functions a pointer may designate, whole program, without
 * regard to the order of execution (inclusion-based). Field-sensitive by byte offset, with the
 * call graph built on the way; heap objects are told apart by allocation site and one level of
 * calling context (the call of the function that contains the site), so that a wrapper around
 * malloc gives each of its callers an object of its own.
 *
 * Sound for what the model says: a pointer that may come from outside (an unknown function, an
 * external variable, an integer) also has the target UNKNOWN, which stands for any memory that
 * has escaped to the outside. The result is deterministic. */
#ifndef HEDDLE_ANALYSIS_POINTSTO_H
#define HEDDLE_ANALYSIS_POINTSTO_H

#include "model/program.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct PointsTo PointsTo;

/* An abstract object: a program object, or a heap object seen from one calling context.
 * Numbers below program->objects.len are the program's own; AOBJECT_UNKNOWN is outside memory. */
typedef uint32_t AObject;
enum { AOBJECT_UNKNOWN = 0, OFFSET_ANY = UINT32_MAX };

/* What an abstract object is. */
typedef enum {
  AOBJECT_OUTSIDE, /* AOBJECT_UNKNOWN */
  AOBJECT_PROGRAM, /* an object of the program: the numbers are the same */
  AOBJECT_CONTEXT, /* a heap object of the program as one call of its allocator gives it */
  AOBJECT_ALLOCATED, /* allocated by a library function that was called through a pointer:
                        the program has no object for it; pointsto_context is the call */
  AOBJECT_VARARGS,   /* the variable arguments of one function, on its stack */
  AOBJECT_ARGUMENTS, /* argv, the environment, or their texts */
  AOBJECT_HIDDEN,    /* state inside the library that the program has no object for */
  AOBJECT_BUFFER,    /* used inside the analysis only; nothing points to it */
} AObjectKind;

typedef struct {
  AObject object;  /* when function is 0; all literals without pointers are one of them */
  FuncId function; /* or a function's address */
  /* Byte offset in the object. Elements of an array are one: a[i].f has the offset of a[0].f.
   * OFFSET_ANY: anywhere in the object. */
  uint32_t offset;
} Target;

typedef VEC(AObject) AObjectVec;

typedef struct {
  const Target *targets; /* sorted by object, function, offset; owned by the PointsTo */
  uint32_t count;
  bool unknown; /* also outside memory */
} Targets;

/* `stop` is polled now and then and ends the analysis early when it becomes non-zero: then the
 * result is NULL. */
PointsTo *pointsto_new(const Program *program, const volatile int *stop);
void pointsto_free(PointsTo *pt);

/* What the value of `expr`, evaluated in any function that mentions it, may designate.
 * Integers that were made from pointers count. */
Targets pointsto_expr(const PointsTo *pt, ExprId expr);
/* It may designate something, here or outside; otherwise it is a number that the program has computed of
 * numbers, for which pointsto_expr says "unknown" because nobody knows what lies there. */
bool pointsto_may_designate(const PointsTo *pt, ExprId expr);
/* What may be stored in the eight bytes around an offset of an object (OFFSET_ANY: anywhere in
 * it; put together when it is first asked for, so not by two threads at once). */
Targets pointsto_content(const PointsTo *pt, AObject object, uint32_t offset);
/* The objects that pointers stored in an object of `from` designate, in at most `steps` steps, each once;
 * AOBJECT_UNKNOWN is among them if outside memory is. Free `ret_objects` with vec_free. */
void pointsto_behind(const PointsTo *pt, Targets from, int steps,
                     AObjectVec *ret_objects);
/* What the library keeps in hidden state of this name (EFFECT_KEEP). */
Targets pointsto_kept(const PointsTo *pt, Sym name);
/* The same as OFFSET_ANY, but as the sets of the words, each set once: cheaper where all objects
 * are asked about. `i` counts from 0; false behind the last. Equal sets of different objects
 * have the same `targets`. */
bool pointsto_content_set(const PointsTo *pt, AObject object, uint32_t i,
                          Targets *ret_set);

/* Functions that a CALL edge may enter (with or without body), a CREATE edge may start, a ONCE
 * edge may run, or a library function called there may call back. */
uint32_t pointsto_callees(const PointsTo *pt, EdgeId edge, const FuncId **ret_functions);
/* True if the call may also go to a function outside of the program. */
bool pointsto_calls_unknown(const PointsTo *pt, EdgeId edge);
/* Functions that code outside of the program knows, and so may call at any time. Each call of
 * a function of which nothing is known has them among its callees. */
uint32_t pointsto_known_outside(const PointsTo *pt, const FuncId **ret_functions);
/* CALL, CREATE, ONCE edges that may enter a function. */
uint32_t pointsto_callers(const PointsTo *pt, FuncId function, const EdgeId **ret_edges);
/* Functions that can run at all, from main, constructors, thread entries, callbacks. */
bool pointsto_is_reachable(const PointsTo *pt, FuncId function);

uint32_t pointsto_object_count(const PointsTo *pt);
AObjectKind pointsto_object_kind(const PointsTo *pt, AObject object);
/* The program's object behind an abstract one (0: none), and its calling context: the CALL
 * edge of the wrapper (or, of an AOBJECT_ALLOCATED, of the allocation) that gives it, or 0. */
ObjectId pointsto_object(const PointsTo *pt, AObject object);
EdgeId pointsto_context(const PointsTo *pt, AObject object);
/* Of an object seen from a calling context: the object it is a copy of, seen from the next
 * inner context; 0 for all others. */
AObject pointsto_base_object(const PointsTo *pt, AObject object);
/* The object may be reached by code outside of the program (unknown functions). */
bool pointsto_escapes(const PointsTo *pt, AObject object);
/* The offset that stands for `offset` in `object` after elements of arrays are made one. */
uint32_t pointsto_fold_offset(const PointsTo *pt, AObject object, uint64_t offset);

/* An object that contains a structure which begins with an array: some pointer that moves by elements of that
 * array is taken to stay in it, though it may mean the structure. The first one, or 0. */
ObjectId pointsto_front(const PointsTo *pt);
/* The same for an array of characters elsewhere in a structure, over which a pointer moves byte by
 * byte: it stays there. */
ObjectId pointsto_text(const PointsTo *pt);

/* The offsets that a place stands for are multiples of so many bytes apart (0: there is but one): in
 * an array of scalars they are the beginnings of its elements. */
uint32_t pointsto_place_step(const PointsTo *pt, AObject object, uint32_t offset);
/* Offsets from here on fold as those do that lie so many bytes before, or not at all. */
uint64_t pointsto_folded_bytes(const PointsTo *pt, AObject object);

/* The bytes that an access may touch, as folded offsets. Accesses that may touch the same byte have
 * extents that meet. */
typedef struct {
  uint32_t from, to; /* 0 and UINT32_MAX: all of the object */
  bool
      crosses; /* it may reach from one element of an array to another, or behind the array */
} PlaceExtent;

/* Of `size` bytes (0: any number) at a folded offset, as targets have them, or (`exact`) at an offset of the
 * object itself. */
PlaceExtent pointsto_extent(const PointsTo *pt, AObject object, uint64_t offset,
                            uint32_t size, bool exact);

#endif
