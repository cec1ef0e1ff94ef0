/* Evidence that is an invariant about few threads at a time, instead of a net. What the files of its checker
 * share; nobody outside of src/proof includes it. See context_internal.h for the rest of the certificate.
 *
 *   modular LEVEL           the first line behind `evidence`
 *   tuple KIND LOCATION …   threads at these places, at most LEVEL of them, in ascending order. Of
 *                           tuples that are not listed nothing is said, but that nobody is at a
 *                           place that is not listed by itself
 *   holds TERM              of the last tuple: vN is a shared variable, vN@S that of its thread number S
 *
 * A tuple of different threads at these places fulfils what is listed, in either order of threads at one
 * place. Checked is: main alone fulfils it in the beginning. Whenever a thread takes a way from stop to stop
 * beside bystanders, and all tuples of these threads hold before it, all tuples hold behind it that have every
 * bystander and any of the thread itself and those that it started. (Tuples without some of the bystanders are
 * those of the same way beside fewer.) Two threads are never next to do what may race, and no assertion
 * fails. So what holds of all tuples in the beginning holds forever, whatever the number of threads. */
#ifndef HEDDLE_PROOF_MODULAR_H
#define HEDDLE_PROOF_MODULAR_H

#include "proof/context_internal.h"

enum { MODULAR_LEVELS = 4, MODULAR_THREADS = MODULAR_LEVELS + 8 };

typedef struct {
  uint32_t kind, location;
} ModularPlace;

typedef struct {
  uint32_t count;
  ModularPlace at[MODULAR_LEVELS];
  uint32_t first_term, term_count; /* Modular.terms */
} ModularTuple;

/* On this way the thread comes to what is asked about. */
typedef struct {
  ModularPlace at;
  EdgeId edge;
  bool inside;
  Term guard;
} ModularEvent;

typedef struct Modular {
  uint32_t level;
  VEC(ModularTuple) tuples;
  VEC(Term) terms;
  VEC(ModularPlace) places; /* of tuples of one thread, ascending */
  VEC(ModularEvent) events;
  /* Variables that stand for those of threads: of the thread in a slot of a tuple, of the bystander with a
   * number. slot << 32 | variable → Term */
  Map in_slot, of_bystander;
  Map listed; /* hash of a tuple's places → number + 1 */
} Modular;

/* A thread in a question: where it is, and what its variables are. */
typedef struct {
  ModularPlace at;
  Term *values; /* by variable of the certificate; 0: as it is called there; or NULL */
  bool bystander;
} ModularThread;

/* ---- modular_read.c ---- */
bool modular_is(const Context *x);
bool modular_read(Context *x);
void modular_free(Context *x);
/* The tuple of these places, which are in order; NULL: it is not listed. */
const ModularTuple *modular_find(const Modular *m, const ModularPlace *at,
                                 uint32_t count);
int modular_compare(const void *a, const void *b); /* ModularPlace */
Term modular_slot(Context *x, uint32_t slot, uint32_t variable);

/* ---- modular.c: the questions ---- */
bool modular_check_begin(Context *x);
void modular_way(Context *x, const ContextPath *path, uint32_t to, EdgeId edge);
void modular_event(Context *x, const AutoStep *step, const ContextPath *path,
                   Term condition);
bool modular_check_errors(Context *x);

/* ---- modular_tuple.c: what tuples of threads say ---- */

/* Everything that is listed about tuples of these threads, where shared variables are as before; its
 * conjuncts are noted in `ret_known`, if it is not NULL. */
Term modular_known(Context *x, const ModularThread *threads, uint32_t count,
                   Map *ret_known);
/* The same for tuples that have all bystanders, except what `known` has, and where shared variables have
 * these values (by variable; 0: as before). If the way writes no shared variable, nothing new is said about
 * bystanders alone. */
Term modular_demanded(Context *x, const ModularThread *threads, uint32_t count,
                      const Term *shared, const Map *known, bool writes);

#endif
