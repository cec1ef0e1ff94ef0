/* Runs in which another thread runs the routine of pthread_once (predict/once.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "predict/once.h"
#include "predict/races.h"
#include "trace_writer.h"

enum { ONCE = 0x4000, M = 0x5000, X = 0x6000, Y = 0x7000, MADE = 0x8000 };

static const SolveLimits limits = {.search_states = 1000, .search_steps = 100};

/* main.1 writes X and runs the routine, which locks M and writes MADE; main.2 finds it
 * done and writes X. */
static void hidden(Trace *trace) {
  TraceWriter w = {0};
  Str bytes = {0};
  Err err = {0};
  for (uint64_t child = 1; child <= 2; child++)
    writer_event(&w, 0, TRACE_CREATE, child, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_START, 0, 3, 0, 0, 0);
  writer_access(&w, 1, X, TRACE_WRITE, 1);
  writer_event(&w, 1, TRACE_ONCE_RUN, ONCE, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_LOCK, M, 0, 0, 0, 0);
  writer_access(&w, 1, MADE, TRACE_WRITE, 2);
  writer_event(&w, 1, TRACE_ALLOC, 0x9000, 1, 16, 0, 0);
  writer_event(&w, 1, TRACE_UNLOCK, M, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_ONCE_END, ONCE, 0, 0, 0, 0);
  writer_access(&w, 1, Y, TRACE_WRITE, 3);
  writer_event(&w, 2, TRACE_START, 0, 3, 1, 0, 0);
  writer_event(&w, 2, TRACE_ONCE_SEEN, ONCE, 0, 0, 0, 0);
  writer_access(&w, 2, X, TRACE_WRITE, 4);
  writer_event(&w, 2, TRACE_END, 0, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_END, 0, 0, 0, 0, 0);
  for (uint64_t child = 1; child <= 2; child++)
    writer_event(&w, 0, TRACE_JOIN, child, 0, 0, 0, 0);
  writer_finish(&w, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, trace, &err));
  str_free(&bytes);
}

static uint32_t candidates(const Trace *trace) {
  Run run;
  Races races;
  run_init(&run, trace, NULL);
  races_find(&run, NULL, &races);
  uint32_t count = races.candidates.len;
  races_free(&races);
  run_free(&run);
  return count;
}

static TraceOp op_of(const Trace *t, uint32_t thread, uint32_t place) {
  return t->events.data[t->threads.data[thread].events.data[place]].op;
}

static void test_swap(void **state) {
  (void)state;
  Trace trace = {0}, other = {0};
  Run run;
  OnceSwaps swaps = {0};
  hidden(&trace);
  assert_int_equal(candidates(&trace), 0);
  run_init(&run, &trace, NULL);
  once_find(&run, &swaps);
  assert_int_equal(swaps.len, 1);
  assert_true(once_swap(&run, &swaps.data[0], &limits, &other));
  /* Nothing is lost: the routine changed hands, and the calls their words. */
  assert_int_equal(other.events.len, trace.events.len);
  assert_int_equal(other.access_count, trace.access_count);
  static const TraceOp first[] = {TRACE_START, TRACE_ONCE_SEEN, TRACE_END};
  static const TraceOp second[] = {TRACE_START,  TRACE_ONCE_RUN, TRACE_LOCK, TRACE_ALLOC,
                                   TRACE_UNLOCK, TRACE_ONCE_END, TRACE_END};
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(op_of(&other, 1, i), first[i]);
  for (uint32_t i = 0; i < 7; i++) assert_int_equal(op_of(&other, 2, i), second[i]);
  const TraceThread *t = &other.threads.data[1], *u = &other.threads.data[2];
  assert_int_equal(t->accesses.len, 2);
  assert_int_equal(t->accesses.data[0].address, X);
  assert_int_equal(t->accesses.data[0].after, 1);
  assert_int_equal(t->accesses.data[1].address, Y);
  assert_int_equal(t->accesses.data[1].after, 2);
  assert_int_equal(u->accesses.len, 2);
  assert_int_equal(u->accesses.data[0].address, MADE);
  assert_int_equal(u->accesses.data[0].after, 3);
  assert_int_equal(u->accesses.data[1].address, X);
  assert_int_equal(u->accesses.data[1].after, 6);
  assert_int_equal(candidates(&other), 1);
  trace_free(&other);
  vec_free(&swaps);
  run_free(&run);
  trace_free(&trace);
}

/* Events in any order, as no program has them: whatever comes out, nothing breaks, and a
 * thread's own events keep their number. */
static void test_any_events(void **state) {
  (void)state;
  uint64_t seed = 1;
  uint32_t swapped = 0;
  for (int round = 0; round < 3000; round++) {
    static const TraceOp ops[] = {TRACE_ONCE_RUN, TRACE_ONCE_END, TRACE_ONCE_SEEN,
                                  TRACE_LOCK,     TRACE_UNLOCK,   TRACE_SEM_POST,
                                  TRACE_SEM_WAIT};
    TraceWriter w = {0};
    Str bytes = {0};
    Trace trace = {0};
    Err err = {0};
    Run run;
    OnceSwaps swaps = {0};
    for (uint64_t child = 1; child <= 2; child++) {
      writer_event(&w, 0, TRACE_CREATE, child, 0, 0, 0, 0);
      writer_event(&w, (uint32_t)child, TRACE_START, 0, 3, child - 1, 0, 0);
    }
    for (int i = 0; i < 16; i++) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      uint32_t thread = (uint32_t)(seed >> 33) % 3, op = (uint32_t)(seed >> 40) % 7;
      if (round % 2 && i % 4 == 0) { /* a routine that runs, in every other round */
        thread = i < 8 ? 1 : 2;
        op = i < 8 ? (uint32_t)i / 4 : 2;
      } else if (round % 2) {
        op = 3 + op % 4;
      }
      writer_event(&w, thread, ops[op], op < 3 ? ONCE : M + op / 5, 0, 0, 0, 0);
      writer_access(&w, thread, X + 8 * (uint32_t)(seed >> 60), TRACE_WRITE, 1 + op);
    }
    writer_finish(&w, &bytes);
    assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
    run_init(&run, &trace, NULL);
    once_find(&run, &swaps);
    for (uint32_t i = 0; i < swaps.len; i++) {
      Trace other = {0};
      if (!once_swap(&run, &swaps.data[i], &limits, &other)) continue;
      swapped++;
      assert_true(other.events.len <= trace.events.len);
      assert_true(other.access_count <= trace.access_count);
      (void)candidates(&other);
      trace_free(&other);
    }
    vec_free(&swaps);
    run_free(&run);
    trace_free(&trace);
    str_free(&bytes);
  }
  assert_true(swapped > 100); /* some are possible */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_swap),
                                     cmocka_unit_test(test_any_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
