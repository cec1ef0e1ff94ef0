/* The two halves of the translation of .sml programs: sml.c reads the text, sml_net.c
 * makes places and transitions. See sml_net.c for what each statement means. */
#ifndef HEDDLE_NET_SML_PARTS_H
#define HEDDLE_NET_SML_PARTS_H

#include "net/netlex.h"
#include "net/net.h"

typedef enum { SML_ANY, SML_DATA, SML_LOCK, SML_COND } SmlKind;

/* A shared name. Its places are made when its kind is known. */
typedef struct {
  const char *name;
  SmlKind kind;
  bool written;
  uint32_t reading, writing;    /* SML_DATA: threads that are in such an access */
  uint32_t free;                /* SML_LOCK: has a token when nobody holds it */
  uint32_t cond, signal, ready; /* SML_COND: waiting, signalled, woken */
} SmlName;

typedef struct {
  const char *name;
  uint32_t entry, ended;       /* `ended` is NET_NONE unless somebody joins */
  uint32_t steps;              /* places so far, for their names */
  bool defined, many, created; /* created: by another thread */
  LexWord first;               /* where it was first named */
  Lex *lex;                    /* the text of `first` */
} SmlThread;

typedef struct {
  const char *name;
  uint32_t place;
  uint32_t section; /* the atomic section it lies in, or 0 */
  bool defined;
  LexWord first;
} SmlLabel;

/* A step in the control flow of the thread being read, and what it does to a lock. */
typedef struct {
  uint32_t from, to;
  uint32_t takes, gives; /* places of locks, or NET_NONE */
} SmlStep;

typedef struct {
  uint32_t at;   /* the place before it */
  uint32_t lock; /* the lock's place */
  const char *name;
  LexWord word;
} SmlWait;

typedef struct Sml {
  Net *net;
  VEC(SmlName) names;
  StrMap name_index;
  VEC(SmlThread) threads;
  StrMap thread_index;
  VEC(SmlLabel) labels; /* of the thread being read */
  StrMap label_index;
  VEC(SmlStep) steps; /* of the thread being read */
  VEC(SmlWait) waits;
  uint32_t thread;   /* being read */
  uint32_t here;     /* the place before the next statement; NET_NONE after a goto */
  uint32_t atomic;   /* the place of the global token; NET_NONE without atomic sections */
  uint32_t section;  /* number of the atomic section being read, or 0 */
  uint32_t sections; /* so far */
} Sml;

/* ---- sml_net.c -------------------------------------------------------------------- */

/* A fresh place whose name begins with `name`. */
uint32_t sml_new_place(Sml *sml, const char *name, uint32_t initial);
/* A fresh place in the control flow of the thread being read. */
uint32_t sml_new_step(Sml *sml);
/* The place before the next statement; unreachable code gets one of its own. */
uint32_t sml_here(Sml *sml);

/* Gives a name its kind, with its places. False when it has another kind already. */
bool sml_set_kind(Sml *sml, SmlName *name, SmlKind kind);

/* Statements, each from sml_here to a new place. */
void sml_access(Sml *sml, SmlName *data, bool write, uint32_t line);
void sml_acquire(Sml *sml, const SmlName *lock, uint32_t line);
void sml_release(Sml *sml, const SmlName *lock, uint32_t line);
void sml_wait(Sml *sml, const SmlName *cond, const SmlName *lock, uint32_t line);
void sml_signal(Sml *sml, const SmlName *cond, bool all, uint32_t line);
void sml_create(Sml *sml, SmlThread *thread, uint32_t line);
void sml_join(Sml *sml, SmlThread *thread, uint32_t line);
void sml_atomic_begin(Sml *sml, uint32_t line);
void sml_atomic_end(Sml *sml, uint32_t line);
/* A step without effect between two places. */
void sml_jump(Sml *sml, uint32_t from, uint32_t to, const char *why, uint32_t line);
/* The first wait of the thread being read that comes to be executed without its lock on every way
 * from the beginning; NULL: there is none. */
const SmlWait *sml_unlocked_wait(const Sml *sml);
/* The end of the thread's text. */
void sml_end(Sml *sml, uint32_t line);

/* What does not belong to any one statement: signals, targets, copies that run at the
 * beginning. False when no thread would ever run. */
bool sml_finish(Sml *sml);

#endif
