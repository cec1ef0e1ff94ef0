/* Predicates: what an abstraction knows of the variables.
 *
 * A predicate is a term of one bit over shared variables, or over the variables of one kind of
 * thread, or over both (mixed). Those about shared variables alone make up groups: predicates that
 * have a variable in common, directly or through others, are in the same group, so groups are
 * independent of each other. */
#ifndef HEDDLE_ENGINE_CIRC_PREDICATE_H
#define HEDDLE_ENGINE_CIRC_PREDICATE_H

#include "engine/circ/model.h"

#define CIRC_NOBODY UINT32_MAX

/* Whose variable it is. */
typedef struct {
  uint32_t kind; /* CIRC_NOBODY: shared */
  CircVar variable;
} CircOwner;

typedef struct {
  Term term;
  uint32_t
      kind;   /* whose variables it is about; CIRC_NOBODY: nobody's, shared ones alone */
  bool mixed; /* … and about shared ones, too */
  uint32_t group;                    /* of shared ones */
  uint32_t first_owner, owner_count; /* CircPredicates.owners: its variables */
} CircPredicate;

typedef struct {
  CircModel *model;
  VEC(CircPredicate) list;
  VEC(CircOwner) owners;
  uint32_t group_count;
  Map owner_of; /* the variable of the pool → kind + 1, variable */
  Map numbers;  /* those that stand in the program, of progress.h */
  bool numbers_known;
  Map bounded; /* what was given bounds, of progress.h */
} CircPredicates;

CircPredicates *circ_predicates_new(CircModel *model);
void circ_predicates_free(CircPredicates *predicates); /* accepts NULL */

/* Whose the variable of the pool is; false: an input. */
bool circ_owner(const CircPredicates *predicates, Term variable, CircOwner *ret);

typedef enum {
  PREDICATE_KNOWN, /* it, or its opposite, is there already; or it is a constant */
  PREDICATE_NEW,
  PREDICATE_NONE, /* it is about inputs, or about two kinds of threads */
} PredicateAdded;
PredicateAdded circ_predicates_add(CircPredicates *predicates, Term term);

/* Counters that predicates are about are of use from now on, and who has a share is tracked. */
void circ_predicates_wake(CircPredicates *predicates);

/* The predicate is about this kind's variables, and all of them matter there. */
bool circ_is_tracked(const CircPredicates *predicates, const CircPredicate *p,
                     uint32_t kind, uint32_t location);

/* "state == 0" */
void circ_predicate_print(const CircPredicates *predicates, Term term, Str *out);

#endif
