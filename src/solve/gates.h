/* Gates: and, xor, majority and choice over literals, hash-consed and simplified as they are made,
 * and their clauses. What terms are blasted into.
 *
 * A literal is a gate's number doubled, plus one for its complement. Gate 0 is the constant, so
 * literal 0 is false and 1 is true. A gate gets a variable of the solver when it is first needed by a
 * clause, and then, with everything below it, the clauses that define it. */
#ifndef HEDDLE_SOLVE_GATES_H
#define HEDDLE_SOLVE_GATES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Lit;
#define LIT_FALSE ((Lit)0)
#define LIT_TRUE  ((Lit)1)

typedef struct Gates Gates;

Gates *gates_new(void);
void gates_free(Gates *gates); /* accepts NULL */
uint32_t gates_count(const Gates *gates);

static inline Lit lit_not(Lit a) {
  return a ^ 1;
}

Lit gate_input(Gates *gates);
Lit gate_and(Gates *gates, Lit a, Lit b);
Lit gate_xor(Gates *gates, Lit a, Lit b);
Lit gate_majority(Gates *gates, Lit a, Lit b, Lit c);
Lit gate_ite(Gates *gates, Lit condition, Lit then, Lit otherwise);

static inline Lit gate_or(Gates *gates, Lit a, Lit b) {
  return lit_not(gate_and(gates, lit_not(a), lit_not(b)));
}

static inline Lit gate_eq(Gates *gates, Lit a, Lit b) {
  return lit_not(gate_xor(gates, a, b));
}

/* ---- clauses ---- */

/* Takes clauses literal by literal; 0 ends one. Literals are numbered from 1, negative ones are
 * complements. */
typedef void ClauseSink(void *user, int literal);

/* The solver's literal of `a`, which is no constant, with all clauses that define it and have not
 * gone out yet. 0: `poll` (may be NULL) said that it is enough; asking again goes on. */
typedef bool GatePoll(void *user);
int gates_literal(Gates *gates, Lit a, ClauseSink *sink, void *user, GatePoll *poll,
                  void *poll_user);
/* The solver's literal if it has one, otherwise 0. */
int gates_known_literal(const Gates *gates, Lit a);
/* All clauses that went out so far, again. */
void gates_repeat(Gates *gates, ClauseSink *sink, void *user);
uint32_t gates_variables(const Gates *gates);
uint64_t gates_clauses(const Gates *gates);

#endif
