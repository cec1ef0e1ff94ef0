/* The schedules of the paper among all rounds. See kiss.h.
 *
 * Balanced: a thread that is left while another runs, which was begun after it and goes on
 * afterwards, never runs again; so no two threads take turns as i j i j. Thread starts wait in `ts`,
 * which holds so many of them: a thread that finds no room there runs at its creation, at once, or
 * never. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

static Term is_active(Rounds *r, uint32_t thread, uint32_t round) {
  Terms *t = r->t;
  Term any = term_bool(t, false);
  for (uint32_t u = 0; u < r->threads[thread].units; u++) {
    Term now = *ran_at(r, thread, u, round);
    if (round) now = term_and(t, now, term_not(t, *ran_at(r, thread, u, round - 1)));
    any = term_or(t, any, now);
  }
  return any;
}

/* The contexts of two threads, in the order in which they come. */
typedef struct {
  Term active;
  int who;
} Turn;

/* Nowhere x y x y, beginning with `first`. */
static void forbid_crossing(Rounds *r, const Turn *turns, uint32_t count, int first) {
  Terms *t = r->t;
  Term stage[3] = {term_bool(t, false), term_bool(t, false), term_bool(t, false)};
  for (uint32_t i = 0; i < count; i++) {
    Term now = turns[i].active;
    if (turns[i].who == first) {
      stage[2] = term_or(t, stage[2], term_and(t, stage[1], now));
      stage[0] = term_or(t, stage[0], now);
    } else {
      rounds_fact(r, now, term_not(t, stage[2]));
      stage[1] = term_or(t, stage[1], term_and(t, stage[0], now));
    }
  }
}

void family_balance(Rounds *r) {
  uint32_t n = r->seq->threads.len, rounds = r->family.rounds;
  Term *active = mem_alloc_zero(((size_t)n * rounds + 1) * sizeof *active);
  Turn *turns = mem_alloc_zero((2 * (size_t)rounds + 1) * sizeof *turns);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < rounds; k++) active[i * rounds + k] = is_active(r, i, k);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++) {
      for (uint32_t k = 0; k < rounds; k++) {
        turns[2 * k] = (Turn){active[i * rounds + k], 0};
        turns[2 * k + 1] = (Turn){active[j * rounds + k], 1};
      }
      forbid_crossing(r, turns, 2 * rounds, 0);
      forbid_crossing(r, turns, 2 * rounds, 1);
    }
  mem_free(active);
  mem_free(turns);
}

/* ---- ts ---- */

enum { NUMBER = 8 };

static Term number(Rounds *r, uint32_t value) {
  return term_const(r->t, NUMBER, value);
}

void family_prepare(Rounds *r) {
  uint32_t n = r->seq->threads.len;
  r->must_start = number(r, 0);
  r->waits_in_ts = mem_alloc_zero((n + 1) * sizeof *r->waits_in_ts);
  r->is_put = mem_alloc_zero((n + 1) * sizeof *r->is_put);
  for (uint32_t i = 0; i < n; i++) {
    r->waits_in_ts[i] = term_bool(r->t, false);
    r->is_put[i] = term_var(r->t, 1, "put");
  }
}

void family_create(Rounds *r, uint32_t created, Term performed) {
  Terms *t = r->t;
  Term size = number(r, 0);
  for (uint32_t i = 0; i < r->seq->threads.len; i++)
    size = term_add(t, size, term_zext(t, r->waits_in_ts[i], NUMBER));
  Term put = term_and(t, performed, r->is_put[created]);
  uint32_t most = r->family.pending < 200 ? r->family.pending : 200;
  rounds_fact(r, put, term_ult(t, size, number(r, most)));
  r->waits_in_ts[created] = term_or(t, r->waits_in_ts[created], put);
  Term begins = *ran_at(r, created, 0, r->family.rounds - 1);
  Term now = term_and(t, term_and(t, performed, term_not(t, r->is_put[created])), begins);
  r->must_start = term_ite(t, now, number(r, created), r->must_start);
}

void family_begin(Rounds *r, uint32_t thread, Term performed) {
  Terms *t = r->t;
  Term at_once = term_eq(t, r->must_start, number(r, thread));
  Term from_ts =
      term_and(t, r->waits_in_ts[thread], term_eq(t, r->must_start, number(r, 0)));
  rounds_fact(r, performed, term_or(t, at_once, from_ts));
  r->must_start = term_ite(t, performed, number(r, 0), r->must_start);
  r->waits_in_ts[thread] = term_and(t, r->waits_in_ts[thread], term_not(t, performed));
}

void family_step(Rounds *r, Term performed) {
  rounds_fact(r, performed, term_eq(r->t, r->must_start, number(r, 0)));
}
