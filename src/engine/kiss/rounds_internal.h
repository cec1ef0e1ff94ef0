/* What the files of the encoding share. See kiss.h. */
#ifndef HEDDLE_ENGINE_KISS_ROUNDS_INTERNAL_H
#define HEDDLE_ENGINE_KISS_ROUNDS_INTERNAL_H

#include "engine/kiss/kiss.h"

/* A run of bytes that every access covers wholly or not at all. */
typedef struct {
  uint32_t instance;
  uint64_t offset;
  uint32_t size;
  Term now; /* its contents at the point that the encoding has come to */
} Cell;

/* Where an event's address leads to, as cells. */
typedef struct {
  Term guard;
  uint32_t first_cell, cell_count;
} CellPlace;

typedef struct {
  uint32_t first_place, place_count; /* Rounds.places */
  bool known;
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
  Map ghosts; /* key → term: the present value */
  Term exited;
  /* balanced schedules: see family.c */
  Term must_start;   /* the thread that has to run now, or 0 */
  Term *waits_in_ts; /* by thread */
  Term *is_put;      /* by thread: it was put into ts when it was created */
  uint64_t size;
  SeqPlaces found;
};

static inline Term *ran_at(Rounds *r, uint32_t thread, uint32_t unit, uint32_t round) {
  return &r->threads[thread].ran[unit * r->family.rounds + round];
}

/* Facts of all schedules. */
static inline void rounds_fact(Rounds *r, Term condition, Term fact) {
  if (term_is_false(r->t, condition) || term_is_true(r->t, fact)) return;
  r->size++;
  solver_assert(r->solver, term_implies(r->t, condition, fact));
}

/* cells.c */
void cells_build(Rounds *r);
void cells_free(Rounds *r);
/* Performs the access of the event if `performed`. */
void cells_access(Rounds *r, uint32_t thread, uint32_t event, Term performed);

/* family.c */
void family_prepare(Rounds *r);
void family_create(Rounds *r, uint32_t created, Term performed);
void family_begin(Rounds *r, uint32_t thread, Term performed);
void family_step(Rounds *r, Term performed); /* of any other event */
void family_balance(Rounds *r);

/* ghosts.c */
enum { PHASE_AWAKE, PHASE_ASLEEP, PHASE_WOKEN_UP };
void ghosts_perform(Rounds *r, uint32_t thread, uint32_t event, Term performed);
Term ghosts_known(Rounds *r, uint32_t thread);
void ghosts_create(Rounds *r, uint32_t thread, Term performed);
void ghosts_end(Rounds *r, uint32_t thread, Term performed);
/* Some row of the event can be taken now. */
Term ghosts_enabled(Rounds *r, uint32_t thread, uint32_t event);

#endif
