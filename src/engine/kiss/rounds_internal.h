/* What the files of the encoding share. See kiss.h. */
#ifndef HEDDLE_ENGINE_KISS_ROUNDS_INTERNAL_H
#define HEDDLE_ENGINE_KISS_ROUNDS_INTERNAL_H

#include "engine/kiss/kiss.h"

/* A variable of the program or of its synchronisation: a cell of memory, a ghost. */
typedef struct {
  Term start; /* before the first event */
  Term now;   /* at the point that the encoding has come to */
  /* all schedules: within one unit */
  Term in;            /* what the unit finds, a variable; 0: it does not touch the slot */
  Term used, written; /* when it reads, and when it writes */
} Slot;

/* A run of bytes that every access covers wholly or not at all. */
typedef struct {
  uint32_t instance;
  uint64_t offset;
  uint32_t size;
  uint32_t slot; /* Rounds.slots */
} Cell;

/* Where an event's address leads to, as cells. */
typedef struct {
  Term guard;
  uint32_t first_cell, cell_count;
} CellPlace;

typedef struct {
  uint32_t first_place, place_count; /* Rounds.places */
  Term left; /* when it is an access elsewhere, of which nothing is known */
} EventPlaces;

/* An object of synchronisation that an event may work on. */
typedef struct {
  uint32_t object; /* Rounds.objects */
  Term guard;
} SyncPlaceOf;

typedef struct {
  uint32_t instance;
  uint64_t offset;
} SyncObject;

/* What a unit does to a slot. */
typedef struct {
  uint32_t slot, thread, unit;
  Term in, out, used, written;
} Touch;

typedef VEC(Touch) Touches;
typedef struct UnitOrder UnitOrder;

typedef struct {
  uint32_t *unit_of; /* by event: events of one unit are one step */
  uint32_t units;
  Term *ran;             /* [unit * rounds + round]: performed by the end of that round */
  EventPlaces *accesses; /* by event */
  VEC(Term) picks;       /* of its signals: whom they wake */
  uint32_t *first_pick;  /* by event: in picks, one for each thread */
} RoundsThread;

struct Rounds {
  SeqProgram *seq;
  Solver *solver;
  Terms *t;
  KissFamily family;
  RoundsThread *threads;
  VEC(Cell) cells;
  VEC(CellPlace) places;
  Map cell_at; /* instance and offset → cell + 1 */
  VEC(SyncObject) objects;
  Map object_at;
  Map ghosts; /* key → slot + 1 */
  VEC(Slot) slots;
  Term exited;
  Term lost; /* something was done of which nothing is known */
  Term here; /* the event that is encoded is performed */
  /* all schedules */
  VEC(uint32_t) open; /* slots that the unit touches */
  Touches touches;
  bool incomplete; /* there is more than could be written down */
  Term stuck, circle;
  UnitOrder *order; /* how the units are put into an order; NULL: rounds */
  /* balanced schedules: see family.c */
  Term must_start;   /* the thread that has to run now, or 0 */
  Term *waits_in_ts; /* by thread */
  Term *is_put;      /* by thread: it was put into ts when it was created */
  uint64_t size;
  SeqPlaces found;
};

static inline Term *ran_at(Rounds *r, uint32_t thread, uint32_t unit, uint32_t round) {
  assert(unit < r->threads[thread].units && round < r->family.rounds);
  return &r->threads[thread].ran[unit * r->family.rounds + round];
}

/* Facts of all schedules. */
static inline void rounds_fact(Rounds *r, Term condition, Term fact) {
  if (term_is_false(r->t, condition) || term_is_true(r->t, fact)) return;
  r->size++;
  solver_assert(r->solver, term_implies(r->t, condition, fact));
}

/* If `condition`, nothing is known of what happens. */
static inline void rounds_lose(Rounds *r, Term condition) {
  r->lost = term_or(r->t, r->lost, condition);
}

/* slots.c */
uint32_t slot_new(Rounds *r, Term start);
/* What is in the slot now; the event reads it if `condition`. */
Term slot_read(Rounds *r, uint32_t slot, Term condition);
void slot_write(Rounds *r, uint32_t slot, Term condition, Term value);
/* The unit is complete: what it does to slots becomes touches. */
void slots_close(Rounds *r, uint32_t thread, uint32_t unit);

/* unitorder.c: all schedules, by variables for the order of units */
void unitorder_link(Rounds *r);
void unitorder_free(UnitOrder *order); /* accepts NULL */
/* In a model: the units in an order that it allows, as (thread << 32 | unit). False: there is none, and
 * clauses that say so were added. */
typedef VEC(uint64_t) OrderedUnits;
bool unitorder_of_model(Rounds *r, OrderedUnits *ret_units);
/* The unit of another thread, or of this one earlier, surely comes before. */
bool unitorder_is_fixed(const Rounds *r, uint32_t thread_a, uint32_t unit_a,
                        uint32_t thread_b, uint32_t unit_b);

/* plain_order.c: all schedules, for the checker. False: there are too many units. */
bool plain_order_link(Rounds *r);

/* cells.c */
void cells_build(Rounds *r);
void cells_free(Rounds *r);
/* Ghosts begin with what is in memory: who writes there later does what is not followed. */
void cells_keep_sync_apart(Rounds *r);
/* Performs the access of the event if `performed`. */
void cells_access(Rounds *r, uint32_t thread, uint32_t event, Term performed);

/* family.c */
void family_prepare(Rounds *r);
void family_create(Rounds *r, uint32_t created, Term performed);
void family_begin(Rounds *r, uint32_t thread, Term performed);
void family_step(Rounds *r, Term performed); /* of any other event */
void family_balance(Rounds *r);

/* subjects.c */
enum { GHOST_NARROW = 8, GHOST_WIDE = 32, GHOST_PHASE = GHOST_ALL, GHOST_PLACE };
/* No object, no thread: part of keys. */
#define NO_OBJECT UINT32_MAX
#define NONE      0xfffffeu

/* What one event may be about. */
typedef struct {
  uint32_t object, lock; /* or NO_OBJECT */
  uint32_t other;        /* the thread that operand a names, or NO_OBJECT */
  Term guard;
} Subject;

typedef VEC(Subject) Subjects;

uint32_t ghost_width(uint32_t ghost);
Term ghost_get(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread);
void ghost_set(Rounds *r, uint32_t ghost, uint32_t object, uint32_t thread,
               Term condition, Term value);
/* *ret_left gets when it is about something of which nothing is known. */
void subjects_of(Rounds *r, const SeqEvent *e, Subjects *ret, Term *ret_left);

/* stuck.c: deadlocks, when all that is performed has been */
Term rounds_stuck_all(Rounds *r);
Term rounds_stuck_circle(Rounds *r);

/* ghosts.c */
enum { PHASE_AWAKE, PHASE_ASLEEP, PHASE_WOKEN_UP };
void ghosts_perform(Rounds *r, uint32_t thread, uint32_t event, Term performed);
Term ghosts_known(Rounds *r, uint32_t thread);
void ghosts_create(Rounds *r, uint32_t thread, Term performed);
void ghosts_end(Rounds *r, uint32_t thread, Term performed);
/* Some row of the event can be taken now; that waits may end for no reason does not count. */
Term ghosts_enabled(Rounds *r, uint32_t thread, uint32_t event);

#endif
