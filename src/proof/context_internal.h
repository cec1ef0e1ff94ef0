/* What the files of the checker of contexts share; nobody else includes it. See context.h. */
#ifndef HEDDLE_PROOF_CONTEXT_INTERNAL_H
#define HEDDLE_PROOF_CONTEXT_INTERNAL_H

#include "analysis/automaton.h"
#include "analysis/slice.h"
#include "base/map.h"
#include "model/lower.h"
#include "net/evidence.h"
#include "proof/context.h"
#include "solve/solver.h"

/* ---- the certificate, as it is read ---- */

#define CONTEXT_ENDED UINT32_MAX /* instead of a local state: the thread ends */

typedef struct {
  EdgeId site; /* 0: main */
  FuncId entry;
  bool once;          /* there is at most one in a run */
  uint32_t automaton; /* index in Automata.kinds */
} ContextKind;

/* A ghost of each thread, beside those of model/lower.h: its share (context_count.c). */
#define CONTEXT_COUNTS (GHOST_ALL + 1)
/* … and one that all threads see: the number of an element (context_element.c). */
#define CONTEXT_ELEMENT (GHOST_ALL + 2)
/* … and: an object of this place of allocation lies where it is looked at (context_heap.c). */
#define CONTEXT_MADE (GHOST_ALL + 3)

typedef enum { IS_MEMORY, IS_SHARED, IS_LOCAL, IS_OWN } ContextVariableKind;

/* What of a variable counts shares. */
typedef enum { SEES_NOTHING, SEES_ALL, SEES_LEFT, SEES_POSITIVE, SEES_BITS } ContextSees;
typedef struct {
  ContextSees sees;
  uint64_t start;      /* LEFT: what is gone of so many */
  uint32_t low, count; /* BITS */
} ContextView;

/* A variable that predicates are about: memory, a ghost that all threads see, a variable of an
 * automaton, a ghost of each thread (OWNER: whether it has the lock; COUNT; READS; GHOST_ALL: it is in the
 * middle of an operation). */
typedef struct {
  uint8_t what;     /* ContextVariableKind */
  uint8_t ghost;    /* Ghost */
  uint32_t kind;    /* of LOCAL and OWN */
  uint32_t counter; /* of COUNTS: the variable in memory that it is counted by */
  ContextView
      view; /* of COUNTS: what of its value counts; of MEMORY that counts: the same */
  uint32_t
      number; /* of COUNTS: what it begins with; of LOCAL: in the automaton; of GHOST_ENDED and GHOST_KNOWN (its id):
                      the kind of thread */
  ObjectId object;
  uint32_t offset, bits;
  /* Of MEMORY, not 0: the place is that many bytes further on, times the number of the element; of ELEMENT: bytes of
   * one, from `offset` on. */
  uint32_t stride;
  Term now;
} ContextVariable;

typedef struct {
  uint32_t first_token, end_token; /* of its text: ContextCertificate.tokens */
  Term term;
  bool shared, local; /* it has variables of either sort */
  uint32_t kind;      /* of local ones */
} ContextPredicate;

/* A predicate and whether it holds. */
typedef struct {
  uint32_t predicate;
  bool holds;
} ContextLiteral;

/* A row of some list: `count` entries from `first` on. */
typedef struct {
  uint32_t first, count;
} ContextRow;

typedef struct {
  ContextRow predicates; /* numbers */
  ContextRow values;     /* ContextCertificate.values: a row of literals each */
  ContextRow initials;   /* numbers: values */
} ContextGroup;

typedef struct {
  uint32_t kind, location;
  ContextRow literals;
  ContextRow
      members; /* numbers: it stands for one of these local states; none: for itself */
  bool atomic; /* by the checker: others do not move while a thread is there */
} ContextState;

typedef struct {
  uint32_t group, before, after;
} ContextTouch;

/* All other threads that are in one local state are in the other one behind the step. */
typedef struct {
  uint32_t from, to;
} ContextShake;

typedef struct {
  uint32_t from, to;
  ContextRow touches, spawns; /* spawns: numbers: local states */
  ContextRow shakes;
} ContextStep;

/* A thread in this local state may come to this edge before anybody else moves, if groups have these
 * values. */
typedef struct {
  uint32_t state;
  EdgeId edge;
  bool inside; /* of an atomic section */
  uint32_t
      breaks; /* not 0: no access, but the count of variable breaks - 1 would be wrong */
  ContextRow touches;
  uint32_t origin; /* the one that it was made of: of who stands for others; or itself */
} ContextNext;

/* Two of these, never at the same bytes. */
typedef struct {
  uint32_t one, two;
} ContextApart;

/* A way to an access of which something is said: under which condition, and to which bytes. */
typedef struct {
  uint32_t next, size, kind;
  Term holds, address; /* address 0: it is none to one place */
} ContextAccess;

typedef struct {
  const char *at;
  uint32_t length, line;
} ContextToken;

typedef struct {
  ContextAbout about;
  AObject object;
  uint64_t from, to;
  EdgeId edge;
  VEC(EdgeId) asked;
  VEC(ObjectId) conditions;
  VEC(ContextKind) kinds;
  VEC(ContextVariable) variables;
  VEC(ContextPredicate) predicates;
  VEC(ContextGroup) groups;
  VEC(ContextRow) values;
  VEC(ContextState) states;
  VEC(ContextStep) steps;
  VEC(ContextNext) nexts;
  VEC(ContextApart) aparts;
  VEC(ContextLiteral) literals;
  VEC(ContextTouch) touches;
  VEC(ContextShake) shakes;
  VEC(uint32_t) numbers;
  VEC(ContextToken) tokens; /* of predicates */
  ContextRow initials;      /* numbers: local states that main begins in */
  const char *evidence;     /* the rest of the text */
  size_t evidence_length;
} ContextCertificate;

/* ---- the checker ---- */

/* An object of synchronisation that some variable is a ghost of. */
typedef struct {
  ObjectId object;
  uint32_t offset;
  uint8_t kind, lock; /* SyncKind, LockKind; kind 0: no operation means it */
  int type;           /* MutexType; -1: unknown, -2: not told yet */
  bool owned;         /* who has it matters */
  bool counted;       /* … and how often */
} ContextObject;

/* Whose value: a key of a path's values. */
typedef uint64_t ContextKey;
#define KEY_LOCAL   (UINT64_C(1) << 40) /* | variable of the automaton */
#define KEY_OWN     (UINT64_C(2) << 40) /* | object << 8 | Ghost */
#define KEY_HALF    (UINT64_C(3) << 40)
#define KEY_GHOST   (UINT64_C(4) << 40) /* | object << 8 | Ghost: shared */
#define KEY_ENDED   (UINT64_C(5) << 40) /* | kind: shared */
#define KEY_SHARE   (UINT64_C(7) << 40) /* | variable that counts */
#define KEY_ID      (UINT64_C(6) << 40) /* | kind: shared; it never changes */
#define KEY_ELEMENT (UINT64_C(8) << 40) /* shared; it never changes */
#define KEY_MADE    (UINT64_C(9) << 40) /* | object: shared */
/* Without any of these: the number of a variable that is memory. */

/* A thread that a path starts: its kind, and the term that its first parameter gets, or 0. */
typedef struct {
  uint32_t kind;
  Term parameter;
} ContextStart;

typedef struct {
  Term guard;
  Map values; /* ContextKey → Term; absent: as before the block */
  VEC(ContextStart) starts;
} ContextPath;

/* What an access may be to. */
enum { CONTEXT_PLACES = 8 };
typedef struct {
  struct {
    uint32_t variable; /* all of it */
    Term guard;        /* the address is that of this one */
    Term touches;      /* some bytes of it are written, if that is not the same; or 0 */
  } list[CONTEXT_PLACES];
  uint32_t count;
  bool other; /* or to something that is no variable */
} ContextPlaces;

/* Values behind, as terms over those before. */
typedef struct ContextAfter {
  Map with;     /* what stands for a value before → the value behind */
  Term *behind; /* by predicate, or 0: not asked for yet */
} ContextAfter;

/* What has an address of its own. */
typedef struct {
  Term at;
  uint64_t size;
} ContextLaid;

/* How a path goes on behind a step. */
typedef enum { GOES_ON, GOES_STAYS, GOES_ENDS, GOES_STOPS } ContextGoes;

typedef struct {
  const ContextQuestion *q;
  ContextResult *result;
  ContextCertificate c;
  uint32_t line; /* of what is looked at, for messages */
  Program view;
  const Program *p; /* the slice */
  const PointsTo *pt;
  Automata *automata;
  Terms *t;
  Solver *solver;
  VEC(ContextObject) objects;
  Map object_at;     /* object << 32 | offset → index + 1 */
  Map memory_at;     /* object << 32 | offset → variable + 1 */
  uint8_t *weak;     /* by ObjectId */
  uint32_t element;  /* variable + 1: the number of an element; 0: there is none */
  VEC(Touch) writes; /* of the whole program, when writes_known */
  bool writes_known;
  bool ends, ends_known; /* something is freed */
  bool robust;           /* some mutex may be robust */
  const char *doubt;     /* or NULL: why a step may be missing that there is not */
  Map shared_now;        /* ContextKey → Term */
  Map *own_now;          /* by kind: ContextKey → Term */
  Map address_of;        /* object, or function with bit 32 → where it lies */
  VEC(ContextLaid) laid;
  Map counted;            /* variable that counts << 32 | kind → its ghost + 1 */
  VEC(uint32_t) counters; /* variables that count */
  Map apart;              /* of two nexts → 1: they are never at the same bytes */
  uint8_t *named;         /* by next: some of these is about it */
  VEC(ContextAccess) accesses;
  Map first_state;                  /* kind << 32 | location → local state + 1 */
  uint32_t *next_state;             /* by state: another one there; CONTEXT_ENDED: none */
  uint32_t *first_step, *next_step; /* by state: its steps, likewise */
  uint32_t *first_next, *next_next; /* … and what it comes to */
  /* the block at hand */
  uint32_t kind, entry;
  const Automaton *a;
  uint8_t *on_path; /* by location */
  uint32_t depth;
  bool mixed;                   /* some local state is about shared variables, too */
  struct ContextAfter *passive; /* by kind: variables of a thread that looks on */
  struct Modular *modular;      /* or NULL: the evidence is a net */
} Context;

/* False, after noting why. */
bool context_reject(Context *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool context_open(Context *x, const char *why);

/* ---- context_read.c ---- */
bool context_read(Context *x);
void context_certificate_free(ContextCertificate *c);
/* ---- context_term.c: predicates as terms, when variables have theirs ---- */
bool context_read_terms(Context *x);
/* The term of these tokens, a truth value; 0 after noting why. What variables stand for is asked: `slot` is
 * the number behind an @, or CONTEXT_SHARED; 0: there is none. */
#define CONTEXT_SHARED UINT32_MAX
typedef Term ContextSlot(Context *x, void *user, uint32_t variable, uint32_t slot);
Term context_parse(Context *x, uint32_t first, uint32_t end, ContextSlot *slot,
                   void *user);

/* ---- context_place.c: which variables may be followed ---- */
bool context_check_variables(Context *x);
/* The variables that the step's one access may be to. */
void context_places(Context *x, const ContextPath *path, const AutoStep *step,
                    ContextPlaces *ret);
Term context_load(Context *x, const ContextPath *path, const AutoStep *step,
                  const ContextPlaces *at, uint32_t size);
void context_store(Context *x, ContextPath *path, const ContextPlaces *at, Term value);
/* Whatever the step may write, but `known` (or NULL), becomes anything. */
void context_spoil(Context *x, ContextPath *path, const AutoStep *step,
                   const ContextPlaces *known);
/* COPY and FILL. */
void context_bulk(Context *x, ContextPath *path, const AutoStep *step);
/* What a place that nobody ever writes holds; 0: the step's access is to no such place. */
Term context_constant(Context *x, const AutoStep *step);
/* The bytes that a global or thread-local object begins with; 0: unknown. */
Term context_initial(Context *x, ObjectId object, uint64_t offset, uint32_t size);

/* ---- context_element.c: one element of every array ---- */
bool context_check_element(Context *x, uint32_t variable);
/* The access is to the element of what is in question; true if there is none, or the address is 0. */
Term context_at_element(Context *x, Term address, uint32_t size);
/* An access of as many bytes is to this cell; to some bytes of it. */
void context_at_cell(Context *x, const ContextVariable *v, Term address, Term *ret_is,
                     Term *ret_touches);
/* ---- context_heap.c: one object of every place of allocation ---- */
bool context_is_heap(const Context *x, ObjectId object);
/* The object that the call allocates and returns, and nothing else; or 0. context_allocate says what it does, when its
 * result is set. */
ObjectId context_allocates(const Context *x, const AutoStep *step, bool *ret_zeroed);
void context_allocate(Context *x, ContextPath *path, const AutoStep *step);
/* Whatever else begins or ends objects. */
void context_heap_touched(Context *x, ContextPath *path, const Touch *touch);
/* The access is to the object, or the element, in question; true if none is, or the address is 0. */
Term context_in_question(Context *x, const AutoStep *step, Term address, uint32_t size);

/* What memory is in the beginning; 0: unknown. */
Term context_memory_start(Context *x, const ContextVariable *v);

/* ---- context_sync.c: objects of synchronisation ---- */
bool context_find_objects(Context *x);
ContextObject *context_object_of(Context *x, ExprId address);
void context_sync(Context *x, ContextPath *path, const AutoStep *step);
void context_once_returns(Context *x, ContextPath *path, const Edge *once);
/* What a ghost is in the beginning; 0: any. */
Term context_ghost_start(Context *x, const ContextVariable *v);

/* ---- context_value.c: values and expressions ---- */
Term context_now(Context *x, uint32_t kind, ContextKey key);
Term context_get(Context *x, const ContextPath *path, ContextKey key);
void context_put(Context *x, ContextPath *path, ContextKey key, Term value);
void context_put_local(Context *x, ContextPath *path, uint32_t frame, LocalId local,
                       Term value);
Term context_any(Context *x, uint32_t bits);
Term context_value(Context *x, const ContextPath *path, uint32_t frame, ExprId expr);
void context_assume(Context *x, ContextPath *path, Term condition);
void context_path_copy(const ContextPath *from, ContextPath *ret_to);
void context_path_free(ContextPath *path);

/* ---- context_address.c: where things lie ---- */
Term context_address(Context *x, ObjectId object);
Term context_function(Context *x, FuncId function);
/* Any number but 0. */
Term context_any_address(Context *x);
/* There is one of it, and it lies on top of nothing else. */
bool context_has_address(const Context *x, ObjectId object);

/* ---- context_step.c: one step; tells context_goes about each way that it can go ---- */
void context_step(Context *x, const ContextPath *path, const AutoStep *step);
/* ---- context_thread.c ---- */
void context_create(Context *x, ContextPath *path, const AutoStep *step);
void context_join(Context *x, ContextPath *path, const AutoStep *step);
/* The id of the thread that is started, or that moves: not 0, and no other's. */
Term context_id(Context *x, ContextPath *path, uint32_t kind);
bool context_check_kinds(Context *x);
void context_assume_ids(Context *x);

/* ---- context_block.c: blocks and the questions about them ---- */
bool context_check_blocks(Context *x);
/* The path, which is taken, goes on behind the step. */
void context_goes(Context *x, ContextPath *path, const AutoStep *step, ContextGoes how);
/* On this path the thread comes to what is asked about. */
void context_event(Context *x, const AutoStep *step, const ContextPath *path,
                   Term condition);

/* ---- context_ask.c: the questions ---- */

/* Every solution of the way to this location (0: the thread ends), from each local state of the stop, is
 * allowed by some step. */
void context_ask(Context *x, const ContextPath *path, uint32_t to, EdgeId edge);
/* What main and the groups begin with is listed. */
bool context_check_begin(Context *x);
void context_assume_known(Context *x);
uint32_t context_first_state(const Context *x, uint32_t kind, uint32_t location);
bool context_is_over(Context *x);
uint32_t context_line(const Context *x, EdgeId edge);
/* True: there is no solution. */
bool context_never(Context *x, Term guard, Term bad);
Term context_state_holds(Context *x, uint32_t state, ContextAfter *after);
Term context_group_is(Context *x, uint32_t group, uint32_t value, ContextAfter *after);
void context_after_new(Context *x, ContextAfter *ret);
/* What shared variables, and those of a new thread, are in the beginning. */
void context_begin_shared(Context *x, ContextAfter *ret);
void context_begin_thread(Context *x, const ContextStart *start, const Map *shared,
                          ContextAfter *ret);
void context_after_free(ContextAfter *after);

/* ---- context_passive.c: threads that look on ---- */

/* What the step of a way makes of what is known of other threads: solutions that are not as it says. */
Term context_passive_wrong(Context *x, uint32_t step, Term allowed,
                           const ContextAfter *after);
bool context_check_members(Context *x);

/* ---- context_count.c: variables that count threads ---- */
bool context_find_counters(Context *x);
bool context_check_counters(Context *x);
/* At the end of a way: the thread's share behind it. Rejects what counts wrongly. */
void context_count(Context *x, ContextPath *path, bool ends, EdgeId edge);
/* The groups have values for which the certificate says that no thread is ever in this local state, because it
 * would count wrongly there: a target of the net. */
Term context_excluded(Context *x, uint32_t state);
/* What is true of the variables of a thread of this kind; of one and another, whose variables have these
 * names. */
Term context_count_of(Context *x, uint32_t kind);
Term context_count_of_two(Context *x, uint32_t kind, uint32_t other, Map *names);

/* ---- context_apart.c: accesses that never meet ---- */
void context_index_apart(Context *x);
/* Where the step's access is, and how many bytes; 0: it is none to one place. */
Term context_access_address(Context *x, const AutoStep *step, const ContextPath *path,
                            uint32_t *ret_size);
/* The way leads to what this next is about. */
void context_note_access(Context *x, uint32_t next, const AutoStep *step,
                         const ContextPath *path, Term guard);
/* All that the certificate says of these is true. */
bool context_check_apart(Context *x);
bool context_is_apart(const Context *x, const ContextNext *a, const ContextNext *b);

/* ---- context_net.c ---- */
bool context_check_net(Context *x);
/* ---- context_pair.c: accesses to what the question is about ---- */
bool context_check_asked(Context *x);
bool context_conflict(const Context *x, EdgeId a, EdgeId b);
/* The byte of the object may be one of those. */
bool context_is_in_question(const Context *x, uint32_t byte);

#endif
