/* What the files of the model share; nobody else includes it. See model.h. */
#ifndef HEDDLE_ENGINE_CIRC_MODEL_INTERNAL_H
#define HEDDLE_ENGINE_CIRC_MODEL_INTERNAL_H

#include "base/map.h"
#include "engine/circ/model.h"

/* ---- what is followed (model_cells.c, model_objects.c) ---- */

/* Bytes of memory that are always accessed as a whole, or become anything. */
typedef struct {
  ObjectId object;
  uint32_t offset, size;
  uint32_t
      stride; /* not 0: it is the one at CircModel.element, elements being so far apart */
  bool written;    /* by somebody; otherwise it is what it was in the beginning */
  bool address;    /* it may hold one */
  uint32_t shared; /* index in CircModel.shared */
} CircCell;

/* An object of synchronisation that is one and the same whenever it is named. */
typedef struct {
  uint8_t kind; /* SyncKind */
  uint8_t lock; /* LockKind */
  ObjectId object;
  uint32_t offset;
  int type;     /* MutexType; -1: unknown */
  bool checked; /* its type may be MUTEX_ERRORCHECK */
  bool owned;   /* who has it is followed, not only whether somebody has, */
  bool counted; /* … and how often */
  bool blurred; /* an operand may mean it or something else: it is not followed */
  uint32_t shared[GHOST_ALL]; /* index in CircModel.shared + 1; 0: there is none yet */
} CircObject;

/* ---- where a path of a block stands ---- */

typedef struct {
  Term guard; /* 0: nothing comes here */
  Map values; /* CircVar → Term; absent: as before the block */
} CircHere;

/* How a path leaves its block. */
typedef enum {
  LEAVES_ON,    /* at a cut point */
  LEAVES_ENDED, /* the thread has ended, or never moves again */
  LEAVES_STOPS, /* the program ends */
  LEAVES_STAYS, /* where it was, in the middle of an operation that takes two steps */
  LEAVES_COUNT
} CircLeave;

typedef struct {
  CircModel *m;
  const Program *p;
  const PointsTo *pt;
  Terms *t;
  Arena *arena;
  uint8_t *weak; /* by ObjectId: atomics whose values are not followed */
  uint8_t *ends; /* by ObjectId: some pointer may be where it ends */
  bool any_end;  /* … where anything ends */
  VEC(CircCell) cells;
  Map cell_at;          /* object << 32 | offset → index + 1 */
  uint32_t *first_cell; /* by ObjectId; cells are sorted by object and offset */
  bool frees;           /* something is freed */
  uint32_t *made; /* by ObjectId: index in CircModel.shared + 1 of CIRC_MADE, or 0 */
  VEC(CircObject) objects;
  Map object_at;   /* object << 32 | offset → index + 1 */
  bool errorcheck; /* an attribute may say MUTEX_ERRORCHECK */
  bool robust;     /* some mutex may be robust */
  uint32_t *ended; /* by kind: index in CircModel.shared + 1 of "has ended", or 0 */
  uint32_t *ids;   /* the same of its id */
  bool joins;      /* somebody waits for the end of a thread */
  const char *why; /* not NULL: given up */
  /* the kind at hand */
  uint32_t number;
  CircKind *kind;
  const Automaton *a;
  Map local_of;  /* variable of the automaton → index in locals + 1 */
  Map ghost_of;  /* see circ_ghost_local → index in locals + 1 */
  uint32_t half; /* index in locals + 1 of "in the middle of an operation" */
  /* the block at hand */
  CircBlock block;
  uint32_t entry;
  CircHere leaves[LEAVES_COUNT];
  bool
      stay; /* steps that stay are wanted: another block from here tells them otherwise */
} CircMaker;

/* The cells that the one data access of a step may be to, as a whole. */
enum { CIRC_PLACES = 8 };
typedef struct {
  const CircCell *cell;
  Term guard;   /* it is this one */
  Term touches; /* it is to some bytes of it, if that is not the same; or 0 */
} CircPlace;

typedef struct {
  CircPlace list[CIRC_PLACES];
  uint32_t count;
  bool other; /* it may be to something else */
} CircPlaces;

/* ---- model_cells.c: memory ---- */
void circ_cells_find(CircMaker *x);
void circ_places(CircMaker *x, const CircHere *s, const AutoStep *step, CircPlaces *ret);
/* What bytes of an object are in the beginning; 0: unknown. */
Term circ_initial(CircMaker *x, ObjectId object, uint64_t offset, uint32_t size);
/* Whatever the step may write, but for those that are known, becomes anything. */
void circ_spoil(CircMaker *x, CircHere *s, const AutoStep *step, const CircPlaces *known);
/* An address may be in these bytes, or be what the expression says. */
bool circ_holds_address(const CircMaker *x, ObjectId object, uint32_t offset);
bool circ_may_be_address(const CircMaker *x, ExprId expr);
/* The local is no pointer: an address that gets there is a number that nobody knows. */
bool circ_is_number(const CircMaker *x, LocalId local);
/* What is there; and something new. */
Term circ_load(CircMaker *x, const CircHere *s, const CircPlaces *at, uint32_t size);
void circ_store(CircMaker *x, CircHere *s, const CircPlaces *at, Term value);
/* COPY and FILL, as far as it is known from where and to where. */
void circ_bulk(CircMaker *x, CircHere *s, const AutoStep *step);

/* ---- model_element.c: one element of every array ---- */
/* Whether the question is about an array; then there is CircModel.element. */
void circ_element_find(CircMaker *x);
/* How far elements are apart that are accessed by so many bytes; 0: it is in no array. */
uint32_t circ_element_stride(const CircMaker *x, ObjectId object, uint32_t offset,
                             uint32_t size);
Term circ_element_at(CircMaker *x, ObjectId object, uint32_t offset, uint32_t stride);
/* What all elements begin with; 0: unknown. */
Term circ_element_start(CircMaker *x, const CircCell *cell);
/* The access is to the element of what is asked about; true if there is none. */
Term circ_is_at_element(CircMaker *x, Term address, uint32_t size);

/* ---- model_heap.c: one object of every place of allocation ---- */
bool circ_is_heap(const CircMaker *x, ObjectId object);
/* When cells are known. */
void circ_heap_find(CircMaker *x);
/* The call allocates it, which is told by circ_heap instead of circ_spoil; or 0. */
ObjectId circ_allocated(const CircMaker *x, const AutoStep *step, bool *ret_zeroed);
/* What such a call does, when its result is set. */
void circ_heap(CircMaker *x, CircHere *s, const AutoStep *step);
/* Other touches, by which objects begin and end. */
void circ_heap_end(CircMaker *x, CircHere *s, const Touch *touch);
/* The object, or its element of so many bytes (or 0), is so many bytes before the address. */
Term circ_is_behind(CircMaker *x, Term address, uint32_t bytes, ObjectId object,
                    uint32_t stride);
/* The access is to the object, or the element, that is asked about; true if none is. */
Term circ_is_asked(CircMaker *x, const Edge *access, Term address);

/* ---- model_objects.c: objects of synchronisation, and their ghosts ---- */
void circ_objects_find(CircMaker *x);
/* The object that the operand means; NULL: not followed. */
CircObject *circ_object_of(CircMaker *x, ExprId address);
/* The variable for a ghost: of the object, or of this thread for it (OWNER: has it, COUNT,
 * READS). */
CircVar circ_ghost_shared(CircMaker *x, CircObject *object, Ghost ghost);
CircVar circ_ghost_local(CircMaker *x, const CircObject *object, Ghost ghost);

/* ---- model_value.c: variables and expressions ---- */
CircVar circ_local(CircMaker *x, uint32_t variable);
CircVar circ_half(CircMaker *x);
uint32_t circ_shared(CircMaker *x, CircShared variable, uint32_t bits);
Term circ_now(const CircMaker *x, CircVar variable);
Term circ_get(const CircMaker *x, const CircHere *s, CircVar variable);
void circ_put(CircMaker *x, CircHere *s, CircVar variable, Term value);
void circ_put_local(CircMaker *x, CircHere *s, uint32_t frame, LocalId local, Term value);
Term circ_any(CircMaker *x, uint32_t bits, const char *what);
Term circ_value(CircMaker *x, const CircHere *s, uint32_t frame, ExprId expr);
void circ_assume(CircMaker *x, CircHere *s, Term condition);

void circ_here_copy(const CircHere *from, CircHere *ret_to);
void circ_here_free(CircHere *s);
/* What is in either; takes `other`. Their guards must exclude each other. */
void circ_here_merge(CircMaker *x, CircHere *into, CircHere *other);
/* Makes guards exclude each other, by inputs that choose between those that do not. */
void circ_here_choose(CircMaker *x, CircHere *list, uint32_t count);
/* All of them, which may exclude each other or not, as one. Takes them. */
CircHere circ_here_join(CircMaker *x, CircHere *list, uint32_t count);

/* ---- model_address.c: where things lie ---- */
void circ_ends_find(CircMaker *x);
/* The address of a single object; 0: it has no number. */
Term circ_address(CircMaker *x, ObjectId object);
Term circ_function(CircMaker *x, FuncId function);
/* Nobody knows whether these two addresses are the same: the one may be where the other ends. */
bool circ_equal_is_open(const CircMaker *x, ExprId a, ExprId b);
/* The same of what is there, which is compared with this. */
bool circ_is_open(const CircMaker *x, const CircPlaces *at, ExprId with);

/* ---- model_block.c ---- */
void circ_blocks_make(CircMaker *x);
void circ_event(CircMaker *x, const AutoStep *step, Term guard);
/* The same of an access, with the place that it is to. */
void circ_access(CircMaker *x, const CircHere *s, const AutoStep *step);

/* ---- model_step.c ---- */
/* Takes the step: *s is then what goes on to step->to, with guard 0 if nothing does. */
void circ_step(CircMaker *x, CircHere *s, const AutoStep *step);

/* ---- model_sync.c ---- */
void circ_sync(CircMaker *x, CircHere *s, const AutoStep *step);
/* A one-time control, when its function has returned. */
void circ_once_returns(CircMaker *x, CircHere *s, const Edge *once);
/* The thread ends in it. */
void circ_once_left(CircMaker *x, CircHere *s, const Edge *e);

/* ---- model_threads.c ---- */
void circ_create(CircMaker *x, CircHere *s, const AutoStep *step);
void circ_join(CircMaker *x, CircHere *s, const AutoStep *step);
void circ_self(CircMaker *x, CircHere *s, const AutoStep *step);
void circ_end(CircMaker *x, CircHere *s, const AutoStep *step);

/* ---- model_constant.c: locals that are always one number ---- */
void circ_constants_find(CircMaker *x);

/* ---- model_count.c: variables that count threads ---- */
void circ_counters_find(CircMaker *x);

/* ---- model_view.c: what of a value counts ---- */
enum { CIRC_VIEWS = 8 };
/* The views of a variable that come into question, at most CIRC_VIEWS, the first one first. */
uint32_t circ_views_of(CircMaker *x, uint32_t shared, CircView *ret_list);
/* Does the value come from another by one more share (1), one less (-1)? Otherwise, or unknown: 0. */
int circ_view_way(Terms *terms, const CircView *view, Term value);

/* ---- model_live.c: drops what is never read ---- */
void circ_live_find(CircMaker *x);

#endif
