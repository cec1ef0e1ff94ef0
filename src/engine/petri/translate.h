/* The translation in progress: local states become places, what threads do to shared
 * objects becomes transitions. Internal to src/engine/petri.
 *
 * explore.c follows threads from one visible operation to the next; visible.c says what a
 * visible operation does; memory.c and calls.c execute everything in between; emit.c
 * makes the net of it. */
#ifndef HEDDLE_ENGINE_PETRI_TRANSLATE_H
#define HEDDLE_ENGINE_PETRI_TRANSLATE_H

#include "base/str.h"
#include "engine/petri/local.h"
#include "net/net.h"

/* How much of the data the net should know. */
typedef struct {
  uint32_t values;    /* of one local: more are TOP */
  uint32_t domain;    /* values of one shared variable: more are TOP */
  uint32_t variables; /* shared ones that are followed; 0: none */
  uint32_t states;    /* places: with more the translation is given up */
  /* More values than `domain` are not taken for TOP but for an error: the net must show
   * that they do not occur. That is stronger where it holds, and useless where it does
   * not. */
  bool strict;
} TranslateLimits;

typedef enum {
  FAMILY_LOCK,
  FAMILY_SEMAPHORE,
  FAMILY_BARRIER,
  FAMILY_ONCE,
  FAMILY_SECTION
} Family;

/* An object of synchronisation that is known exactly. */
typedef struct {
  Family family;
  ObjectId object;
  uint32_t offset;
  uint32_t count;  /* barrier: participants; 0: not known yet */
  bool rw;         /* a read-write lock */
  uint32_t domain; /* lock: 1 + its number in `domains`, if variables travel with it */
} SyncObject;

/* A kind of thread: where it was created, what it runs, what it was given. */
typedef struct {
  EdgeId site; /* 0: the main thread */
  FuncId entry;
  AbsValue argument;
  uint32_t flow_thread; /* in Flow.threads; NET_NONE: not found there */
  uint32_t state;       /* its first */
} Template;

typedef struct {
  const char *bytes; /* packed LocalState */
  uint32_t len;
  uint32_t next_value; /* values of the variable that it asks for already seen to */
  int variable;        /* domain that it asks for, or -1 */
  uint32_t barrier;    /* 1 + the barrier that it waits at, or 0 */
  uint32_t released;   /* … and where it is when that has opened */
  bool expanded, queued;
} NetState;

/* What transitions take and give, beside the token of the thread itself. */
typedef enum {
  RESOURCE_STATE,       /* a: NetState */
  RESOURCE_SYNC_OBJECT, /* a: SyncObject, b: SYNC_OBJECT_… */
  RESOURCE_VALUE,       /* a: variable, b: number of the value */
  RESOURCE_ENDED,       /* a: Template */
  RESOURCE_SEEN,        /* a: Sight */
} ResourceKind;

enum {
  SYNC_OBJECT_FREE,
  SYNC_OBJECT_DONE,     /* once */
  SYNC_OBJECT_ARRIVED,  /* barrier: who waits */
  SYNC_OBJECT_ROOM,     /* … who may still come to wait */
  SYNC_OBJECT_ORDINARY, /* … results for those that it lets go */
  SYNC_OBJECT_SPECIAL,
  SYNC_OBJECT_VALUES, /* and above: a free lock with the values of its variables, by number */
};

typedef struct {
  uint8_t kind;
  uint8_t unused[3];
  uint32_t a, b, count;
} Resource;

typedef struct {
  EdgeId edge;
  uint32_t first, takes, gives; /* in `resources`: what it takes, then what it gives */
  bool spawns;
  uint32_t drops; /* 1 + the read-write lock whose readers vanish, or 0 */
  uint32_t opens; /* 1 + the barrier that opens, or 0 */
} NetStep;

/* A thread that was seen before an access, and stays there. */
typedef struct {
  EdgeId edge;
  uint32_t thread;  /* in Flow.threads, or NET_NONE */
  FuncId ends;      /* not 0: the variables of this function cease to exist */
  ObjectId object;  /* not 0: it touches this one, */
  uint32_t offset;  /* … exactly here, */
  uint32_t size;    /* … so many bytes */
  uint32_t readers; /* the locks held for reading: number in `reader_sets` */
  uint32_t fails;   /* 1: no access, but an assertion that may fail */
} Sight;

typedef VEC(uint32_t) StateNumbers;

/* Where an address may point. */
typedef struct {
  ObjectId object;
  uint64_t offset;
  bool any; /* anywhere in it */
} Spot;

typedef VEC(Spot) Spots;

/* A write of the operation that is being executed. */
typedef struct {
  uint32_t first, count; /* in `spots` */
  uint64_t size;         /* 0: unknown */
  AbsValue value;
  bool fill, exact;
} Write;

/* Bytes that were written as plain memory, whatever lies there. */
typedef struct {
  ObjectId object;
  uint64_t from, to;
  bool zero;
} Overwritten;

/* The values of a followed variable, or of all variables that travel with a lock (then
 * they are numbers of rows of `row` values in `rows`), and the states that ask for it. */
typedef struct {
  VEC(AbsValue) values;
  StateNumbers asked;
  VEC(AbsValue) rows;
  uint32_t row;
  uint32_t excess; /* 1 + the value that stands for one too many, or 0 */
} Domain;

/* What is known of the locks under which a variable is touched. */
typedef struct {
  bool seen;
  StateNumbers common; /* held every time */
} Guarding;

typedef enum { STEP_ON, STEP_PRUNED, STEP_FAILED } StepResult;

typedef struct {
  World *w;
  const Program *p;
  TranslateLimits limits;
  Arena *arena;
  Str why;      /* after STEP_FAILED */
  bool restart; /* something was learnt: begin again */
  EdgeId edge;  /* that is being executed */
  VEC(Template) templates;
  VEC(SyncObject) sync_objects;
  VEC(NetState) states;
  StrMap state_index; /* packed to 1 + number */
  VEC(uint32_t) queue;
  uint32_t queue_at;
  VEC(NetStep) steps;
  VEC(Resource) resources;
  StrMap step_index;
  VEC(Sight) sights;
  StrMap sight_index;
  VEC(StateNumbers) reader_sets; /* sorted numbers of sync_objects */
  StrMap reader_index;
  VEC(Domain) domains; /* by variable, then by lock */
  uint32_t var_count;
  bool learning; /* which locks guard which variables: values do not matter yet */
  VEC(Guarding) guarding; /* by variable */
  StrMap closure_index;   /* packed to 1 + place in `closures` */
  VEC(StateNumbers) closures;
  Map value_counts; /* of locals and cells: see normalise */
  StrMap value_seen;
  uint64_t silent_steps;
  VEC(Overwritten) overwritten;
  /* of the operation that is being executed */
  Spots spots;
  VEC(Write) writes;
  VEC(Resource) taken, given;
  uint32_t choice, ways;
} Translation;

StepResult translate_fail(Translation *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- explore.c ---- */

/* Builds states and steps. False: t->restart, or given up with t->why. */
bool translate_explore(Translation *t);
void translate_free(Translation *t);
/* Makes a place of the state. */
uint32_t translate_state(Translation *t, LocalState *s);
/* Records the step of a token from state `from` with what t->taken and t->given say to
 * every visible state that `after` leads to. */
StepResult translate_step(Translation *t, uint32_t from, LocalState *after, NetStep how);
/* … to this state and no other. */
void translate_step_to(Translation *t, uint32_t from, uint32_t to, NetStep how);
void translate_take(Translation *t, ResourceKind kind, uint32_t a, uint32_t b,
                    uint32_t count);
void translate_give(Translation *t, ResourceKind kind, uint32_t a, uint32_t b,
                    uint32_t count);
/* The number of a value of a variable; that of TOP when there are too many. */
uint32_t translate_value(Translation *t, uint32_t variable, AbsValue value);
/* What a variable holds at the beginning. */
AbsValue translate_first_value(const Translation *t, uint32_t variable);
/* The domain has a new value: whoever asks for it is expanded again. */
void translate_ask_again(Translation *t, uint32_t domain);
uint32_t translate_template(Translation *t, EdgeId site, FuncId entry, AbsValue argument);

/* ---- memory.c ---- */

/* Where `value`, of `expr`, may point: appended to t->spots. *ret_exact: one place,
 * surely. */
StepResult pn_memory_find(Translation *t, AbsValue value, ExprId expr, bool *ret_exact);
/* The writes of the edge in this state, into t->writes. */
StepResult pn_memory_collect_writes(Translation *t, LocalState *s, const Edge *e);
/* What a followed variable holds after one of them; false: it does not touch it. */
bool pn_memory_after(const Translation *t, uint32_t write, uint32_t variable,
                     AbsValue *ret_value);
/* How many followed variables they write in places of the net, and what the n-th then
 * holds. */
uint32_t pn_memory_count_updates(Translation *t, LocalState *s);
bool pn_memory_update(Translation *t, LocalState *s, uint32_t n, uint32_t *ret_variable,
                      AbsValue *ret_value);
/* Carries out the writes to owned memory. */
void pn_memory_apply_owned(Translation *t, LocalState *s);
/* What a load gives: *ret_variable is the followed variable to ask, or -1. */
StepResult pn_memory_load(Translation *t, LocalState *s, const Edge *e, int *ret_variable,
                          AbsValue *ret_value);

/* ---- guarded.c: variables that travel with a lock ---- */

/* The lock with which the variable travels; SYNC_OBJECT_NONE: it does not. */
int guarded_lock(Translation *t, uint32_t variable);
/* The state holds the lock of the variable, so it knows the value. */
bool guarded_is_known(Translation *t, LocalState *s, uint32_t variable);
AbsValue guarded_value(Translation *t, LocalState *s, uint32_t variable);
/* Carries out the writes to variables whose lock is held. */
void guarded_apply(Translation *t, LocalState *s);
/* Learns which locks are held at accesses; bars variables that are written without
 * theirs. */
void guarded_note_read(Translation *t, LocalState *s, uint32_t variable);
void guarded_note_writes(Translation *t, LocalState *s, const Edge *e);
void guarded_start(Translation *t, uint32_t sync_object);
bool guarded_review(Translation *t);
/* The lock is taken with its values `number`; or given back with those of the state,
 * which forgets them. */
void guarded_take(Translation *t, LocalState *next, uint32_t sync_object,
                  uint32_t number);
void guarded_give(Translation *t, LocalState *next, uint32_t sync_object);
/* The lock is given back by a thread that does not hold it: nothing travels with it. */
void guarded_give_any(Translation *t, uint32_t sync_object);
/* The number of the lock's values when one of the variables is replaced. */
uint32_t guarded_replaced(Translation *t, uint32_t sync_object, uint32_t number,
                          uint32_t variable, AbsValue value);
/* The lock's variables have too many values: one of them is widened from now on. */
void guarded_widen(Translation *t, uint32_t sync_object);
AbsValue guarded_at(const Translation *t, uint32_t sync_object, uint32_t number,
                    uint32_t variable);

/* ---- calls.c ---- */
StepResult calls_enter(Translation *t, LocalState *s, FuncId function,
                       const AbsValue *args, uint32_t count, CallKind kind, EdgeId call);
StepResult calls_step(Translation *t, LocalState *s, const Edge *e);
/* Leaves the top frame, which is not the bottom one. */
StepResult calls_return(Translation *t, LocalState *s, AbsValue value);
/* The functions that a call may enter: chosen by t->choice. */
StepResult calls_callee(Translation *t, LocalState *s, ExprId callee,
                        FuncId *ret_function);
/* The value that a library function returns. */
AbsValue calls_library_result(Translation *t, LocalState *s, const Edge *e,
                              const Function *f);

/* ---- sync_objects.c ---- */

enum { SYNC_OBJECT_NONE = -1 };
/* The object of synchronisation that the operand designates. SYNC_OBJECT_NONE: it is not known
 * exactly, and then no object that it may be is followed. */
StepResult sync_objects_find(Translation *t, LocalState *s, ExprId operand, Family family,
                             int *ret_thing);
uint32_t sync_objects_section(Translation *t);
/* Objects of synchronisation that lie in `object` cannot be told apart after all. */
void sync_objects_blur(Translation *t, ObjectId object);
/* Bytes that an operation writes as plain memory. */
void sync_objects_note_writes(Translation *t);
/* At the end: true if something must be learnt first. */
bool sync_objects_review(Translation *t);

/* SYNC_NO_TIME: as SYNC_FAILED, because the time is none. */
typedef enum { SYNC_OK, SYNC_FAILED, SYNC_NO_TIME, SYNC_SPECIAL, SYNC_ANY } ResultKind;
/* Writes the result of the call and goes on behind the edge. */
StepResult sync_objects_finish(Translation *t, LocalState *s, const Edge *e,
                               ResultKind kind);

/* ---- silent.c, visible.c ---- */

/* Can other threads notice what the state does next? */
StepResult visible_is(Translation *t, LocalState *s, EdgeId edge, bool *ret_visible);
/* Records everything that the state can do by this edge. */
StepResult visible_expand(Translation *t, uint32_t state, LocalState *s, EdgeId edge);
/* Executes an edge that nobody else notices. */
StepResult silent_step(Translation *t, LocalState *s, EdgeId edge);

/* ---- emit.c ---- */

/* The net of all that was explored. Its transitions are t->steps, in the same order; its
 * targets are pairs of Sights, whose numbers are put into `ret_sights`; of an assertion the second
 * is NET_NONE; where the target is a value too many they are NET_NONE and the number of the variable, or t->var_count
 * and more for the lock that the variable travels with. NULL: there are too many targets.
 * */
Net *translate_emit(Translation *t, Numbers *ret_sights);

#endif
