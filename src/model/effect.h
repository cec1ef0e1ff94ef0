/* What a function without a body does to memory and control, as told by the library table.
 *
 * A declared function has a list of effects. A call to it reads and writes exactly what they
 * say, and it calls back exactly what they say. A function without a body and without a rule
 * (FUNCTION_UNKNOWN) may do anything with what it can reach, and is an assumption. */
#ifndef HEDDLE_MODEL_EFFECT_H
#define HEDDLE_MODEL_EFFECT_H

#include "model/ids.h"

#include <limits.h>

typedef enum {
  EFFECT_NONE,
  EFFECT_READ,  /* reads the memory that argument `arg` points to */
  EFFECT_WRITE, /* writes it */
  EFFECT_FREE,  /* ends the life of the object that `arg` points to */
  EFFECT_ALLOC, /* returns a new object (contents undefined, zero, or copied from `other`);
                          with an `arg`, its address is stored at *arg instead (posix_memalign) */
  /* A call returns what one of its RETURN_* and ALLOC effects says; any value if it has none. */
  EFFECT_RETURN_ARG, /* returns argument `arg`, or a pointer into the same object (INSIDE); or
                          a pointer that is stored in what it points to (CONTENT) */
  EFFECT_STORE, /* stores argument `other` (or a pointer into its object, or one that is
                          stored in what it points to) at *arg */
  EFFECT_KEEP, /* keeps argument `arg` for later: it escapes into hidden state `name`; `other`, if
                          there is one, is what this function is called with from there (ARG_WITH) */
  EFFECT_CALL, /* calls argument `arg` during the call, passing arguments `pass` */
  EFFECT_CALL_LATER, /* the same at an unknown later time, in the thread that registered it or at exit */
  EFFECT_HIDDEN_READ,  /* reads the library's own state (or variable) called `name` */
  EFFECT_HIDDEN_WRITE, /* writes it */
  EFFECT_RETURN_HIDDEN, /* returns the address of the library object `name` (`size` bytes) */
  EFFECT_RETURN_KEPT, /* returns something that was kept (EFFECT_KEEP) in hidden state `name` */
  EFFECT_KIND_COUNT
} EffectKind;

/* How many bytes an EFFECT_READ, _WRITE or _ALLOC covers. */
typedef enum {
  EXTENT_OBJECT, /* any part of the object */
  EXTENT_BYTES,  /* `size` bytes */
  EXTENT_ARG, /* as many bytes as argument `size` says (times argument `times` - 1 if not 0,
                    times `scale` if not 0) */
  EXTENT_STRING, /* up to and including the terminating NUL, at most argument `size` - 1 bytes if not 0 */
  EXTENT_VARARGS, /* the pointers among the variable arguments (printf %s, scanf) */
} Extent;

enum {
  EFFECT_INSIDE = 1, /* RETURN_*, STORE: the pointer may be anywhere inside the object */
  EFFECT_LATER =
      1, /* READ, WRITE: also at any time after the call, in any thread (setvbuf) */
  EFFECT_VARIABLE =
      1, /* HIDDEN_*: of a variable that the program knows by name, too (optind):
                          the object `size` */
  EFFECT_ZEROED = 2,   /* ALLOC: contents are zero */
  EFFECT_THREAD = 2,   /* CALL_LATER, and READ and WRITE with LATER: in a thread of the
                          library's own, also where the program has only one */
  EFFECT_IF_NULL = 2,  /* HIDDEN_*: only if `arg` is NULL (mbrtowc without a state) */
  EFFECT_TLS = 4,      /* RETURN_HIDDEN and HIDDEN_*: each thread has its own */
  EFFECT_MAY_NULL = 8, /* the result may also be NULL */
  EFFECT_SYNCED =
      16, /* HIDDEN_*, READ, WRITE: the library holds the object's own lock meanwhile
                         (stdio streams; the lock that flockfile takes): two such never race */
  EFFECT_CONTENT =
      32,            /* READ/WRITE: also through the pointers stored in it (argv, iovec),
                          EFFECT_DEEP_STEPS far;
                          CALL*: calls the functions stored in what `arg` points to (sigaction);
                          KEEP: keeps the pointers stored in it (epoll_ctl);
                          RETURN_ARG, STORE: a pointer that is stored in it (strsep) */
  EFFECT_GLIBC = 64, /* with SYNCED: glibc locks it, POSIX does not promise so (rand) */
  EFFECT_OUTSIDE =
      128, /* READ: the bytes leave the program (write); WRITE: they are bytes that
                           left it, here or elsewhere, and come back (read from a pipe) */
};

/* How far the library follows the pointers stored in what it is given: from a message to its vector
 * to the buffers, from a list of variable arguments to the area where they are to what they point
 * to. Code of which nothing is known follows them to the end. */
enum { EFFECT_DEEP_STEPS = 2, EFFECT_ALL_STEPS = INT_MAX };

enum {
  ARG_NONE = 255,
  ARG_VARARGS = 254,
  ARG_RETURN = 253,
  ARG_KEPT =
      252, /* in `pass`, `arg` of CALL, READ and WRITE, and `other` of STORE: something kept in
                     hidden state `name` (destructors of keys, epoll_wait, strtok) */
  ARG_WITH = 251, /* in `pass` where `arg` is ARG_KEPT: what was kept together with the
                     function that is called (`other` of KEEP), not with another one */
  EFFECT_PASS_MAX = 4
};

typedef struct {
  uint8_t kind;   /* EffectKind */
  uint8_t extent; /* Extent */
  uint8_t flags;
  uint8_t arg;                   /* counted from 0; ARG_NONE when unused */
  uint8_t other;                 /* second argument, as the kind says, or ARG_NONE */
  uint8_t pass[EFFECT_PASS_MAX]; /* EFFECT_CALL: what the callback gets, by parameter */
  uint8_t times;                 /* EXTENT_ARG: a factor argument + 1, or 0 */
  uint16_t scale;                /* EXTENT_ARG: a constant factor, or 0 */
  uint32_t size;
  Sym name; /* hidden state */
} Effect;

#endif
