/* The pairs that may race, against a comparison of every access with every other; and
 * prediction whose time or budget is over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "predict/predict.h"
#include "trace_writer.h"

static uint64_t seed;
static uint32_t dice(uint32_t sides) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % sides;
}

/* ---- random runs ------------------------------------------------------------------ */

enum { LOCKS = 12, WORDS = 4, WORKERS = 3, M = 0x5000, X = 0x6000, BEGUN = 1, ENDED = 2 };

typedef struct {
  TraceWriter writer;
  int owner[LOCKS]; /* thread + 1, or 0 */
  int readers[LOCKS];
  uint32_t held[WORKERS + 1][LOCKS];
  bool shared[WORKERS + 1][LOCKS];
  uint32_t held_count[WORKERS + 1];
  int state[WORKERS + 1];
} Maker;

static void take(Maker *m, uint32_t t, uint32_t lock, bool shared) {
  if (m->owner[lock] || (!shared && m->readers[lock])) return;
  for (uint32_t i = 0; i < m->held_count[t]; i++)
    if (m->held[t][i] == lock) return;
  m->shared[t][m->held_count[t]] = shared;
  m->held[t][m->held_count[t]++] = lock;
  if (shared)
    m->readers[lock]++;
  else
    m->owner[lock] = (int)t + 1;
  writer_event(&m->writer, t, shared ? TRACE_READ_LOCK : TRACE_LOCK, M + lock * 64, 0, 0,
               0, 0);
}

static void release(Maker *m, uint32_t t) {
  if (!m->held_count[t]) return;
  uint32_t lock = m->held[t][--m->held_count[t]];
  if (m->shared[t][m->held_count[t]])
    m->readers[lock]--;
  else
    m->owner[lock] = 0;
  writer_event(&m->writer, t, TRACE_UNLOCK, M + lock * 64, 0, 0, 0, 0);
}

/* The place tells all that groups of accesses have in common but locks and clocks. */
static void touch(Maker *m, uint32_t t) {
  uint32_t part = dice(2 * WORDS);
  bool write = dice(3) == 0;
  writer_access(&m->writer, t, X + part * 4, write ? TRACE_WRITE : 0,
                0x9000 + t * 100 + part * 2 + write);
}

static void act(Maker *m, uint32_t t, uint32_t locks) {
  uint32_t what = dice(16);
  if (what < 3) take(m, t, dice(locks), false);
  if (what == 3) take(m, t, dice(locks), true);
  if (what > 3 && what < 8) release(m, t);
  if (what >= 8) touch(m, t);
}

/* Workers that main begins and joins at random moments. */
static void random_run(uint32_t length, uint32_t locks, Str *out) {
  Maker m = {.state = {BEGUN}};
  for (uint32_t i = 0; i < length; i++) {
    uint32_t t = dice(WORKERS + 1);
    if (m.state[t] == BEGUN) act(&m, t, locks);
    if (dice(12) || t == 0) continue;
    if (!m.state[t]) {
      writer_event(&m.writer, 0, TRACE_CREATE, t, 0, 0, 0, 0);
      writer_event(&m.writer, t, TRACE_START, 0, 3, t - 1, 0, 0);
      m.state[t] = BEGUN;
    } else if (m.state[t] == BEGUN && dice(4) == 0) {
      while (m.held_count[t]) release(&m, t);
      writer_event(&m.writer, t, TRACE_END, 0, 0, 0, 0, 0);
      writer_event(&m.writer, 0, TRACE_JOIN, t, 0, 0, 0, 0);
      m.state[t] = ENDED;
    }
  }
  writer_finish(&m.writer, out);
}

/* ---- one by one ------------------------------------------------------------------- */

static uint32_t position_of(const Run *run, uint32_t t, const TraceAccess *a) {
  const RunThread *thread = &run->threads.data[t];
  return a->after < thread->positions.len ? thread->positions.data[a->after]
                                          : thread->steps.len;
}

static bool may_race(const Run *run, uint32_t t, const TraceAccess *a, uint32_t u,
                     const TraceAccess *b) {
  uint32_t p = position_of(run, t, a), q = position_of(run, u, b);
  return a->address == b->address && (a->write || b->write) &&
         !run_ordered(run, t, p, u, q) && !run_ordered(run, u, q, t, p) &&
         !run_guarded(run, run->threads.data[t].held.data[p],
                      run->threads.data[u].held.data[q]);
}

static uint64_t key_of(uint64_t a, uint64_t b) {
  return a < b ? a << 32 | b : b << 32 | a;
}

static void find_one_by_one(const Run *run, Map *keys) {
  for (uint32_t u = 0; u < run->threads.len; u++)
    for (uint32_t t = 0; t < u; t++) {
      const TraceThread *x = &run->trace->threads.data[t],
                        *y = &run->trace->threads.data[u];
      for (uint32_t i = 0; i < x->accesses.len; i++)
        for (uint32_t k = 0; k < y->accesses.len; k++)
          if (may_race(run, t, &x->accesses.data[i], u, &y->accesses.data[k]))
            *map_at(keys, key_of(x->accesses.data[i].pc, y->accesses.data[k].pc)) = 1;
    }
}

static void compare(uint32_t length, uint32_t locks) {
  Str bytes = {0};
  Trace trace = {0};
  Err err = {0};
  Run run;
  Races races;
  Map keys = {0};
  random_run(length, locks, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  run_init(&run, &trace, NULL);
  races_find(&run, NULL, &races);
  find_one_by_one(&run, &keys);
  assert_int_equal(races.candidates.len, keys.len);
  for (uint32_t i = 0; i < races.candidates.len; i++) {
    const RaceCandidate *c = &races.candidates.data[i];
    assert_true(c->pairs.len > 0);
    for (uint32_t k = 0; k < c->pairs.len; k++) {
      const RacePair *p = &c->pairs.data[k];
      assert_non_null(map_get(&keys, key_of(p->a.pc, p->b.pc)));
      assert_false(
          run_ordered(&run, p->a.thread, p->a.position, p->b.thread, p->b.position));
    }
  }
  map_free(&keys);
  races_free(&races);
  run_free(&run);
  trace_free(&trace);
  str_free(&bytes);
}

static void test_all_pairs_are_found(void **state) {
  (void)state;
  for (unsigned round = 0; round < 400; round++) {
    seed = round * 104729 + 3;
    compare(60 + dice(600), 1 + dice(LOCKS));
  }
}

/* ---- barriers --------------------------------------------------------------------- */

/* Each of two threads passes a barrier for two, both together or each with somebody else, who is
 * in another process. */
static bool barrier_orders(bool together) {
  enum { B = 0x7000, LAST = 9 };
  TraceWriter w = {0};
  Str bytes = {0};
  Trace trace = {0};
  Err err = {0};
  Run run;
  writer_event(&w, 0, TRACE_BARRIER_INIT, B, 1, 2, 0, 0);
  for (uint32_t t = 1; t <= 2; t++) {
    writer_event(&w, 0, TRACE_CREATE, t, 0, 0, 0, 0);
    writer_event(&w, t, TRACE_START, 0, 3, t - 1, 0, 0);
  }
  writer_access(&w, 1, X, TRACE_WRITE, 0x9000);
  writer_event(&w, 1, TRACE_BARRIER_ENTER, B, 0, 0, 0, 0);
  if (!together) writer_event(&w, 1, TRACE_BARRIER_EXIT, B, 0, 0, 0, 0);
  for (uint32_t i = 0; i < 3; i++) {
    writer_event(&w, 2, TRACE_LOCK, M, 0, 0, 0, 0);
    writer_event(&w, 2, TRACE_UNLOCK, M, 0, 0, 0, 0);
  }
  writer_event(&w, 2, TRACE_BARRIER_ENTER, B, 0, 0, 0, 0);
  if (together) writer_event(&w, 1, TRACE_BARRIER_EXIT, B, 0, 0, 0, 0);
  writer_event(&w, 2, TRACE_BARRIER_EXIT, B, 0, 0, 0, 0);
  writer_access(&w, 2, X, TRACE_WRITE, 0x9001);
  writer_finish(&w, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  run_init(&run, &trace, NULL);
  assert_int_equal(run.threads.data[2].steps.len, LAST);
  bool ordered = run_ordered(&run, 1, 1, 2, LAST);
  run_free(&run);
  trace_free(&trace);
  str_free(&bytes);
  return ordered;
}

static void test_barriers_order_who_passes_together(void **state) {
  (void)state;
  assert_true(barrier_orders(true));
  assert_false(barrier_orders(false));
}

/* ---- limits ----------------------------------------------------------------------- */

static void predict(const PredictOptions *options, PredictStats *ret, uint32_t *found) {
  Str bytes = {0};
  Trace trace = {0};
  Err err = {0};
  Run run;
  Predictions all;
  seed = 17;
  random_run(600, 3, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  run_init(&run, &trace, NULL);
  assert_true(predict_all(&run, options, &all, &err));
  *ret = all.stats;
  *found = all.predictions.len;
  predict_free(&all);
  run_free(&run);
  trace_free(&trace);
  str_free(&bytes);
}

static void test_limits_are_told(void **state) {
  (void)state;
  PredictStats stats;
  uint32_t found, few;
  PredictOptions options = {.race = true,
                            .deadlock = true,
                            .orders = 6,
                            .limits = {.search_states = 100000, .search_steps = 20000}};
  predict(&options, &stats, &found);
  assert_true(found > 1);
  assert_int_equal(stats.unexplored + stats.unasked, 0);
  assert_false(stats.races_cut);
  options.deadline = 1e-9; /* long ago */
  predict(&options, &stats, &few);
  assert_int_equal(few, 0);
  assert_true(stats.races_cut);
  assert_true(stats.deadlock_undecided);
  /* Hardly any work: some are found, and what was not asked is counted. */
  options.deadline = 0;
  options.limits.search_states = 1;
  predict(&options, &stats, &few);
  assert_true(few <= found);
  assert_true(few == found || stats.unasked + stats.undecided > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_pairs_are_found),
      cmocka_unit_test(test_barriers_order_who_passes_together),
      cmocka_unit_test(test_limits_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
