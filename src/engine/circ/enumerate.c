/* See enumerate.h. A question is remembered by its terms: equal terms have equal numbers, so the
 * same block with the same predicates is the same question, in whichever round it is asked. */
#include "engine/circ/enumerate.h"

#include "base/arena.h"
#include "base/mem.h"

#include <assert.h>

enum { MOST_COMBINATIONS = 4096 };

struct CircSolver {
  Terms *terms;
  Solver *solver;
  StrMap known; /* the question's terms → index of `answers`, + 1 */
  VEC(Combinations) answers;
  Map substitutions; /* key → index of `maps`, + 1 */
  VEC(Map *) maps;
  Arena *arena;
};

CircSolver *circ_solver_new(Terms *terms, Err *err) {
  Solver *solver = solver_new(terms, SOLVER_SAT, err);
  if (!solver) return NULL;
  CircSolver *s = mem_alloc_zero(sizeof *s);
  *s = (CircSolver){.terms = terms, .solver = solver, .arena = arena_new()};
  return s;
}

void circ_solver_free(CircSolver *s) {
  if (!s) return;
  solver_free(s->solver);
  strmap_free(&s->known);
  vec_free(&s->answers);
  for (uint32_t i = 0; i < s->maps.len; i++) {
    map_free(s->maps.data[i]);
    mem_free(s->maps.data[i]);
  }
  vec_free(&s->maps);
  map_free(&s->substitutions);
  arena_free(s->arena);
  mem_free(s);
}

Solver *circ_solver_plain(CircSolver *s) {
  return s->solver;
}

Map *circ_substitution(CircSolver *s, uint64_t key) {
  uint64_t *slot = map_at(&s->substitutions, key);
  if (!*slot) {
    vec_push(&s->maps, mem_alloc_zero(sizeof(Map)));
    *slot = s->maps.len;
  }
  return s->maps.data[*slot - 1];
}

/* The combination that the solver has found, and a clause that forbids it from now on. */
static uint64_t take(CircSolver *s, const TermList *what, Term here) {
  uint64_t bits = 0;
  Term other = term_not(s->terms, here);
  for (uint32_t i = 0; i < what->len; i++)
    if (solver_number(s->solver, what->data[i]) & 1) bits |= UINT64_C(1) << i;
  for (uint32_t i = 0; i < what->len; i++) {
    Term t = what->data[i];
    other = term_or(s->terms, other, bits >> i & 1 ? term_not(s->terms, t) : t);
  }
  solver_assert(s->solver, other);
  return bits;
}

static bool ask(CircSolver *s, const TermList *given, const TermList *what,
                const SolveLimit *limit, Combinations *ret) {
  VEC(uint64_t) found = {0};
  TermList assumed = {0};
  Term here = term_var(s->terms, 1, "here");
  for (uint32_t i = 0; i < given->len; i++) vec_push(&assumed, given->data[i]);
  if (what->len) vec_push(&assumed, here);
  SolveAnswer answer = SOLVE_SAT;
  while (answer == SOLVE_SAT && found.len <= MOST_COMBINATIONS) {
    answer = solver_check(s->solver, assumed.data, assumed.len, limit);
    if (answer != SOLVE_SAT) break;
    vec_push(&found, what->len ? take(s, what, here) : 0);
    if (!what->len) answer = SOLVE_UNSAT;
  }
  if (what->len) solver_assert(s->solver, term_not(s->terms, here));
  if (answer == SOLVE_UNSAT) {
    uint64_t *kept = arena_alloc(s->arena, (found.len + 1) * sizeof *kept);
    if (found.len) memcpy(kept, found.data, found.len * sizeof *kept);
    *ret = (Combinations){kept, found.len};
  }
  vec_free(&assumed);
  vec_free(&found);
  return answer == SOLVE_UNSAT;
}

bool circ_enumerate(CircSolver *s, const TermList *given, const TermList *what,
                    const SolveLimit *limit, Combinations *ret) {
  assert(what->len <= 64); /* a combination is a word */
  TermList key = {0};
  for (uint32_t i = 0; i < given->len; i++) {
    if (term_is_false(s->terms, given->data[i])) {
      vec_free(&key);
      *ret = (Combinations){0};
      return true;
    }
    vec_push(&key, given->data[i]);
  }
  vec_push(&key, 0);
  for (uint32_t i = 0; i < what->len; i++) vec_push(&key, what->data[i]);
  uint64_t *slot =
      strmap_at(&s->known, (const char *)key.data, key.len * sizeof *key.data);
  vec_free(&key);
  if (*slot) {
    *ret = s->answers.data[*slot - 1];
    return true;
  }
  if (!ask(s, given, what, limit, ret)) return false;
  assert(ret->len <= MOST_COMBINATIONS + 1);
  vec_push(&s->answers, *ret);
  *slot = s->answers.len;
  return true;
}
