/* Systems of threads for prediction, against all interleavings tried one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "base/vec.h"
#include "csp/system.h"

#include <stdio.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof *(array))

/* ---- small systems with known answers ---------------------------------------------- */

enum { MAX_EVENTS = 6, MAX_THREADS = 3, MAX_CHAIN = 4, MAX_OBJECTS = 2, MAX_ARCS = 8 };

static void add_events(CspSystem *s, uint32_t count) {
  char name[16];
  for (uint32_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "e%u", i);
    assert_int_equal(csp_system_add_event(s, name), i);
  }
}

/* Thread t: lock first, lock second, unlock second, unlock first. Events of thread t and
 * lock l: 4t + 2l lock, 4t + 2l + 1 unlock. */
static CspSystem *two_locks(uint32_t threads, const uint32_t *firsts) {
  CspSystem *s = csp_system_new(NULL);
  add_events(s, 4 * threads);
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t a = 4 * t + 2 * firsts[t], b = 4 * t + 2 * (1 - firsts[t]);
    uint32_t chain[] = {a, b, b + 1, a + 1};
    csp_system_add_thread(s, "t", chain, 4);
  }
  for (uint32_t l = 0; l < 2; l++) {
    CspArc arcs[16];
    for (uint32_t t = 0; t < threads; t++) {
      arcs[2 * t] = (CspArc){0, 4 * t + 2 * l, t + 1};
      arcs[2 * t + 1] = (CspArc){t + 1, 4 * t + 2 * l + 1, 0};
    }
    csp_system_add_object(s, "lock", arcs, 2 * threads);
  }
  return s;
}

static uint32_t count_runs(CspSystem *s, CspQuestion question) {
  CspRun run;
  uint32_t n = 0;
  while (csp_system_next(s, question, &run) == CSP_FAILS) {
    csp_run_free(&run);
    n++;
  }
  csp_run_free(&run);
  return n;
}

static void test_lock_orders(void **state) {
  (void)state;
  CspRun run;
  CspSystem *s = two_locks(2, (uint32_t[]){0, 1});
  assert_int_equal(csp_system_next(s, CSP_ASK_DEADLOCK, &run), CSP_FAILS);
  assert_int_equal(run.count, 2);
  assert_int_equal(run.events[0] + run.events[1], 0 + 6);
  assert_string_equal(csp_system_event_name(s, run.events[0]),
                      run.events[0] ? "e6" : "e0");
  assert_int_equal(run.threads[0], run.events[0] / 4);
  csp_run_free(&run);
  assert_int_equal(csp_system_next(s, CSP_ASK_DEADLOCK, &run), CSP_HOLDS);
  assert_int_equal(run.count, 0);
  csp_run_free(&run);
  csp_system_free(s);
  s = two_locks(2, (uint32_t[]){0, 0});
  assert_int_equal(count_runs(s, CSP_ASK_DEADLOCK), 0);
  csp_system_free(s);
  /* The third thread is before, after or part of the embrace. */
  s = two_locks(3, (uint32_t[]){0, 1, 1});
  assert_true(count_runs(s, CSP_ASK_DEADLOCK) >= 3);
  csp_system_free(s);
}

/* Chains of many different events: the tables must not be quadratic, and events that do
 * not touch each other need no interleaving. */
static void test_long_chains(void **state) {
  (void)state;
  enum { LENGTH = 20000 };
  CspSystem *s = csp_system_new(NULL);
  CspRun run;
  VEC(uint32_t) chain = {0};
  add_events(s, 2 * LENGTH);
  for (uint32_t t = 0; t < 2; t++) {
    vec_clear(&chain);
    for (uint32_t i = 0; i < LENGTH; i++) vec_push(&chain, t * LENGTH + i);
    csp_system_add_thread(s, "t", chain.data, chain.len);
  }
  /* The last event of the second thread must not come before the last of the first. */
  uint32_t first = LENGTH - 1, second = 2 * LENGTH - 1;
  CspArc arcs[] = {{0, first, 1}, {1, second, 1}};
  csp_system_set_rule(s, arcs, COUNT(arcs), NULL, 0);
  assert_int_equal(csp_system_next(s, CSP_ASK_DEADLOCK, &run), CSP_HOLDS);
  csp_run_free(&run);
  assert_int_equal(csp_system_next(s, CSP_ASK_RULE, &run), CSP_FAILS);
  assert_int_equal(run.events[run.count - 1], second);
  assert_true(run.states < 5 * LENGTH);
  csp_run_free(&run);
  vec_free(&chain);
  csp_system_free(s);
}

static void test_limits(void **state) {
  (void)state;
  atomic_bool stop = true;
  CspOptions options = {.stop = &stop};
  CspSystem *s = csp_system_new(&options);
  CspRun run;
  add_events(s, 1);
  csp_system_add_thread(s, "t", (uint32_t[]){0}, 1);
  assert_int_equal(csp_system_next(s, CSP_ASK_DEADLOCK, &run), CSP_UNDECIDED);
  assert_non_null(run.why);
  csp_run_free(&run);
  stop = false;
  assert_int_equal(csp_system_next(s, CSP_ASK_DEADLOCK, &run), CSP_HOLDS);
  csp_run_free(&run);
  csp_system_free(s);
  csp_system_free(NULL);
}

/* ---- random systems against brute force -------------------------------------------- */

typedef struct {
  uint32_t events, threads, objects, length[MAX_THREADS], chain[MAX_THREADS][MAX_CHAIN];
  uint32_t arc_count[MAX_OBJECTS + 1]; /* the last one is the rule */
  CspArc arcs[MAX_OBJECTS + 1][MAX_ARCS];
} Plan;

typedef struct {
  uint32_t events[MAX_THREADS * MAX_CHAIN], count;
} Sequence;

typedef struct {
  const Plan *plan;
  CspQuestion question;
  uint32_t place[MAX_THREADS], state[MAX_OBJECTS + 1];
  Sequence now;
  VEC(Sequence) found;
} Brute;

static uint32_t seed_state;

static uint32_t roll(uint32_t below) {
  seed_state = seed_state * 1664525u + 1013904223u;
  return (seed_state >> 8) % below;
}

static void make_plan(Plan *p) {
  *p = (Plan){.events = 2 + roll(MAX_EVENTS - 1),
              .threads = 1 + roll(MAX_THREADS),
              .objects = roll(MAX_OBJECTS + 1)};
  for (uint32_t t = 0; t < p->threads; t++) {
    p->length[t] = roll(MAX_CHAIN + 1);
    /* Mostly events of its own, sometimes one that is shared. */
    for (uint32_t i = 0; i < p->length[t]; i++)
      p->chain[t][i] = roll(4) ? (t + roll(2) * p->threads) % p->events : roll(p->events);
  }
  for (uint32_t o = 0; o <= MAX_OBJECTS; o++) {
    bool used[3][MAX_EVENTS] = {0};
    uint32_t wanted = 1 + roll(MAX_ARCS);
    for (uint32_t i = 0; i < wanted; i++) {
      CspArc arc = {roll(3), roll(p->events), roll(3)};
      /* The rule is deterministic; objects may choose. */
      if (o == MAX_OBJECTS && used[arc.from][arc.event]) continue;
      used[arc.from][arc.event] = true;
      p->arcs[o][p->arc_count[o]++] = arc;
    }
  }
}

static bool knows(const Plan *p, uint32_t o, uint32_t event) {
  for (uint32_t i = 0; i < p->arc_count[o]; i++)
    if (p->arcs[o][i].event == event) return true;
  return false;
}

static bool thread_knows(const Plan *p, uint32_t t, uint32_t event) {
  for (uint32_t i = 0; i < p->length[t]; i++)
    if (p->chain[t][i] == event) return true;
  return false;
}

static bool ready(const Brute *b, uint32_t event) {
  bool some = false;
  for (uint32_t t = 0; t < b->plan->threads; t++) {
    if (!thread_knows(b->plan, t, event)) continue;
    if (b->place[t] == b->plan->length[t] || b->plan->chain[t][b->place[t]] != event)
      return false;
    some = true;
  }
  return some;
}

static bool explore(Brute *b);

/* All choices of the objects from `o` on; true when the event was possible. */
static bool objects_move(Brute *b, uint32_t event, uint32_t o) {
  const Plan *p = b->plan;
  bool possible = false;
  if (o == p->objects) {
    explore(b);
    return true;
  }
  if (!knows(p, o, event)) return objects_move(b, event, o + 1);
  uint32_t from = b->state[o];
  for (uint32_t i = 0; i < p->arc_count[o]; i++) {
    if (p->arcs[o][i].from != from || p->arcs[o][i].event != event) continue;
    b->state[o] = p->arcs[o][i].to;
    possible |= objects_move(b, event, o + 1);
  }
  b->state[o] = from;
  return possible;
}

/* The rule after the event; 3 is broken. */
static uint32_t rule_after(const Brute *b, uint32_t event) {
  const Plan *p = b->plan;
  uint32_t at = b->state[MAX_OBJECTS];
  if (at == 3 || !knows(p, MAX_OBJECTS, event)) return at;
  for (uint32_t i = 0; i < p->arc_count[MAX_OBJECTS]; i++)
    if (p->arcs[MAX_OBJECTS][i].from == at && p->arcs[MAX_OBJECTS][i].event == event)
      return p->arcs[MAX_OBJECTS][i].to;
  return 3;
}

static bool step(Brute *b, uint32_t event) {
  Brute saved = *b;
  if (!ready(b, event)) return false;
  for (uint32_t t = 0; t < b->plan->threads; t++)
    b->place[t] += thread_knows(b->plan, t, event);
  b->state[MAX_OBJECTS] = rule_after(b, event);
  b->now.events[b->now.count++] = event;
  bool possible = objects_move(b, event, 0);
  saved.found.data = b->found.data;
  saved.found.len = b->found.len;
  saved.found.cap = b->found.cap;
  *b = saved;
  return possible;
}

static bool explore(Brute *b) {
  bool possible = false, ended = true;
  if (b->question == CSP_ASK_RULE && b->state[MAX_OBJECTS] == 3) {
    vec_push(&b->found, b->now);
    return true;
  }
  for (uint32_t e = 0; e < b->plan->events; e++) possible |= step(b, e);
  for (uint32_t t = 0; t < b->plan->threads; t++)
    ended &= b->place[t] == b->plan->length[t];
  if (b->question == CSP_ASK_DEADLOCK && !possible && !ended) vec_push(&b->found, b->now);
  return possible;
}

/* Whether the sequences of some object's events contradict each other. */
static bool contradict(const Plan *p, const Sequence *x, const Sequence *y) {
  for (uint32_t o = 0; o < p->objects; o++) {
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
      while (i < x->count && !knows(p, o, x->events[i])) i++;
      while (k < y->count && !knows(p, o, y->events[k])) k++;
      if (i == x->count || k == y->count) break;
      if (x->events[i] != y->events[k]) return true;
    }
  }
  return false;
}

static bool same(const Sequence *x, const Sequence *y) {
  return x->count == y->count &&
         memcmp(x->events, y->events, x->count * sizeof *x->events) == 0;
}

static CspSystem *build_plan(const Plan *p) {
  CspSystem *s = csp_system_new(NULL);
  add_events(s, p->events);
  for (uint32_t t = 0; t < p->threads; t++)
    csp_system_add_thread(s, "t", p->chain[t], p->length[t]);
  for (uint32_t o = 0; o < p->objects; o++)
    csp_system_add_object(s, "o", p->arcs[o], p->arc_count[o]);
  csp_system_set_rule(s, p->arcs[MAX_OBJECTS], p->arc_count[MAX_OBJECTS], NULL, 0);
  return s;
}

/* Every run given is real and new; every real run is like one given. */
static uint32_t compare(const Plan *p, CspSystem *s, CspQuestion question) {
  Brute b = {.plan = p, .question = question};
  VEC(Sequence) given = {0};
  CspRun run;
  CspVerdict verdict;
  explore(&b);
  while ((verdict = csp_system_next(s, question, &run)) == CSP_FAILS) {
    Sequence now = {.count = run.count};
    bool real = false;
    memcpy(now.events, run.events, run.count * sizeof *run.events);
    for (uint32_t i = 0; i < b.found.len && !real; i++)
      real = same(&now, &b.found.data[i]);
    assert_true(real);
    for (uint32_t i = 0; i < given.len; i++)
      assert_true(contradict(p, &now, &given.data[i]));
    vec_push(&given, now);
    csp_run_free(&run);
  }
  assert_int_equal(verdict, CSP_HOLDS);
  for (uint32_t i = 0; i < b.found.len; i++) {
    bool like = false;
    for (uint32_t k = 0; k < given.len && !like; k++)
      like = !contradict(p, &b.found.data[i], &given.data[k]);
    assert_true(like);
  }
  uint32_t count = given.len;
  vec_free(&given);
  vec_free(&b.found);
  csp_run_free(&run);
  return count;
}

static void test_random(void **state) {
  (void)state;
  uint32_t runs = 0, several = 0;
  for (uint32_t seed = 1; seed <= 3000; seed++) {
    Plan p;
    seed_state = seed * 2654435761u;
    make_plan(&p);
    CspSystem *s = build_plan(&p);
    for (int q = 0; q < 2; q++) {
      uint32_t n = compare(&p, s, q ? CSP_ASK_RULE : CSP_ASK_DEADLOCK);
      runs += n;
      several += n > 1;
    }
    csp_system_free(s);
  }
  /* The plans must not be so tame that nothing was tested. */
  assert_true(runs > 1000 && several > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lock_orders),
      cmocka_unit_test(test_long_chains),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
