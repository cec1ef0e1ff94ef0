/* What happened before what, and races that were seen: one edge in each case, with and without
 * what makes it one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "predict/observe.h"
#include "trace/shorten.h"
#include "trace_writer.h"

enum {
  M = 0x5000,
  X = 0x6000,
  F = 0x7000,
  FIRST = 0x10,
  SECOND = 0x20,
  MEMORY = 1 << 24
};

static TraceWriter writer;

static void event(uint32_t t, TraceOp op, uint64_t object, unsigned count, uint64_t a,
                  uint64_t b, uint64_t c) {
  writer_event(&writer, t, op, object, count, a, b, c);
}

static uint64_t sized(int order) {
  return 4 | (uint64_t)(order + 1) << TRACE_ORDER_SHIFT;
}

static void store(uint32_t t, uint64_t before, uint64_t after, int order) {
  event(t, TRACE_ATOMIC_STORE, F, 3, sized(order), before, after);
}

static void load(uint32_t t, uint64_t value, int order) {
  event(t, TRACE_ATOMIC_LOAD, F, 2, sized(order), value, 0);
}

static void modify(uint32_t t, uint64_t before, uint64_t after, int order) {
  event(t, TRACE_ATOMIC_RMW, F, 3, sized(order), before, after);
}

static void fence(uint32_t t, int order) {
  event(t, TRACE_FENCE, 0, 1, (uint64_t)order, 0, 0);
}

static void begin(void) {
  event(0, TRACE_CREATE, 1, 0, 0, 0, 0);
  event(0, TRACE_CREATE, 2, 0, 0, 0, 0);
  event(0, TRACE_CREATE, 3, 0, 0, 0, 0);
  for (uint32_t t = 1; t <= 3; t++) event(t, TRACE_START, 0, 3, t - 1, 0, 0);
}

static void first(void) {
  writer_access(&writer, 1, X, TRACE_WRITE, FIRST);
}

static void second(void) {
  writer_access(&writer, 2, X, TRACE_WRITE, SECOND);
}

typedef enum { ORDERED, RACES, DOUBTED } Answer;

static Answer answer(void) {
  Str bytes = {0};
  Trace trace = {0};
  Run run = {0};
  Err err = {0};
  Observed seen;
  RacesOptions options = {0};
  for (uint32_t t = 1; t <= 3; t++) event(t, TRACE_END, 0, 0, 0, 0, 0);
  writer_finish(&writer, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  run_init(&run, &trace, NULL);
  observe_races(&run, &options, MEMORY, &seen);
  assert_false(seen.cut);
  assert_true(seen.races.len <= 1);
  Answer found = !seen.races.len ? ORDERED : seen.races.data[0].doubt ? DOUBTED : RACES;
  observe_free(&seen);
  run_free(&run);
  trace_free(&trace);
  str_free(&bytes);
  return found;
}

static Answer by_flag(int release, int acquire) {
  begin();
  first();
  store(1, 0, 1, release);
  load(2, 1, acquire);
  second();
  return answer();
}

static void flags(void **state) {
  (void)state;
  assert_int_equal(by_flag(__ATOMIC_RELEASE, __ATOMIC_ACQUIRE), ORDERED);
  assert_int_equal(by_flag(__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), ORDERED);
  assert_int_equal(by_flag(__ATOMIC_RELEASE, __ATOMIC_CONSUME), ORDERED);
  assert_int_equal(by_flag(__ATOMIC_RELAXED, __ATOMIC_ACQUIRE), RACES);
  assert_int_equal(by_flag(__ATOMIC_RELEASE, __ATOMIC_RELAXED), RACES);
}

static Answer by_fences(bool release, bool acquire, bool write_late) {
  begin();
  if (!write_late) first();
  if (release) fence(1, __ATOMIC_RELEASE);
  if (write_late) first();
  store(1, 0, 1, __ATOMIC_RELAXED);
  load(2, 1, __ATOMIC_RELAXED);
  if (acquire) fence(2, __ATOMIC_ACQUIRE);
  second();
  return answer();
}

static void fences(void **state) {
  (void)state;
  assert_int_equal(by_fences(true, true, false), ORDERED);
  assert_int_equal(by_fences(true, false, false), RACES);
  assert_int_equal(by_fences(false, true, false), RACES);
  assert_int_equal(by_fences(true, true, true), RACES);
}

/* Another thread comes between the release and the acquisition. */
static Answer by_sequence(bool modifies, uint32_t thread) {
  begin();
  first();
  store(1, 0, 1, __ATOMIC_RELEASE);
  if (modifies)
    modify(thread, 1, 2, __ATOMIC_RELAXED);
  else
    store(thread, 1, 2, __ATOMIC_RELAXED);
  load(2, 2, __ATOMIC_ACQUIRE);
  second();
  return answer();
}

static void release_sequences(void **state) {
  (void)state;
  assert_int_equal(by_sequence(true, 3), ORDERED);
  assert_int_equal(by_sequence(false, 3), RACES);
  assert_int_equal(by_sequence(false, 1), ORDERED);
}

/* The access that an acquiring operation makes itself comes after what it acquires. */
static void own_access(void **state) {
  (void)state;
  begin();
  writer_access(&writer, 1, F, 0, FIRST);
  store(1, 0, 1, __ATOMIC_RELEASE);
  modify(2, 1, 2, __ATOMIC_ACQUIRE);
  assert_int_equal(answer(), ORDERED);
  begin();
  writer_access(&writer, 1, F, 0, FIRST);
  modify(2, 0, 2, __ATOMIC_ACQUIRE);
  assert_int_equal(answer(), RACES);
}

/* A load that finds the same value again is not told again. */
static void same_value_again(void **state) {
  (void)state;
  begin();
  load(2, 1, __ATOMIC_ACQUIRE);
  first();
  store(1, 1, 1, __ATOMIC_RELEASE);
  second();
  assert_int_equal(answer(), ORDERED);
}

static Answer by_lock(TraceOp one, TraceOp other, uint64_t lock) {
  begin();
  event(1, one, M, 0, 0, 0, 0);
  first();
  event(1, TRACE_UNLOCK, M, 0, 0, 0, 0);
  event(2, other, lock, 0, 0, 0, 0);
  second();
  event(2, TRACE_UNLOCK, lock, 0, 0, 0, 0);
  return answer();
}

static void locks(void **state) {
  (void)state;
  assert_int_equal(by_lock(TRACE_LOCK, TRACE_LOCK, M), ORDERED);
  assert_int_equal(by_lock(TRACE_LOCK, TRACE_LOCK, M + 64), RACES);
  assert_int_equal(by_lock(TRACE_LOCK, TRACE_READ_LOCK, M), ORDERED);
  assert_int_equal(by_lock(TRACE_READ_LOCK, TRACE_LOCK, M), ORDERED);
  assert_int_equal(by_lock(TRACE_READ_LOCK, TRACE_READ_LOCK, M), RACES);
  assert_int_equal(by_lock(TRACE_LOCK, TRACE_FAILED_LOCK, M), RACES);
}

/* Who leaves a round late does not know what others do before the next. */
static Answer by_barrier(bool before) {
  begin();
  event(0, TRACE_BARRIER_INIT, M, 1, 2, 0, 0);
  if (before) first();
  event(1, TRACE_BARRIER_ENTER, M, 0, 0, 0, 0);
  event(2, TRACE_BARRIER_ENTER, M, 0, 0, 0, 0);
  event(1, TRACE_BARRIER_EXIT, M, 0, 0, 0, 0);
  if (!before) first();
  event(1, TRACE_BARRIER_ENTER, M, 0, 0, 0, 0);
  event(2, TRACE_BARRIER_EXIT, M, 0, 0, 0, 0);
  second();
  return answer();
}

static void barriers(void **state) {
  (void)state;
  assert_int_equal(by_barrier(true), ORDERED);
  assert_int_equal(by_barrier(false), RACES);
}

static Answer by_pair(TraceOp tells, TraceOp hears, bool early) {
  begin();
  event(0, TRACE_SEM_INIT, M, 1, early ? 1 : 0, 0, 0);
  if (early) event(2, hears, M, 0, 0, 0, 0);
  first();
  event(1, tells, M, 0, 0, 0, 0);
  if (!early) event(2, hears, M, 0, 0, 0, 0);
  second();
  return answer();
}

static void pairs(void **state) {
  (void)state;
  assert_int_equal(by_pair(TRACE_SEM_POST, TRACE_SEM_WAIT, false), ORDERED);
  assert_int_equal(by_pair(TRACE_SEM_POST, TRACE_SEM_WAIT, true), RACES);
  assert_int_equal(by_pair(TRACE_ONCE_END, TRACE_ONCE_SEEN, false), ORDERED);
  assert_int_equal(by_pair(TRACE_BEFORE, TRACE_AFTER, false), ORDERED);
  assert_int_equal(by_pair(TRACE_FAILED_LOCK, TRACE_FAILED_LOCK, false), RACES);
}

/* What is not understood leaves a doubt, where it lies between the two. */
static Answer by_means(uint64_t given, uint64_t taken, bool late) {
  begin();
  if (!late) first();
  event(1, TRACE_GIVE, given, 0, 0, 0, 0);
  if (late) first();
  event(2, TRACE_TAKE, taken, 0, 0, 0, 0);
  second();
  return answer();
}

static void means(void **state) {
  (void)state;
  uint64_t pipe = 5 << TRACE_MEANS_BITS | TRACE_BY_PIPE,
           other = 6 << TRACE_MEANS_BITS | TRACE_BY_PIPE;
  assert_int_equal(by_means(pipe, pipe, false), DOUBTED);
  assert_int_equal(by_means(pipe, other, false), RACES);
  assert_int_equal(by_means(pipe, pipe, true), RACES);
  assert_int_equal(by_means(pipe, TRACE_BY_ANY, false), DOUBTED);
}

static void signals_and_values(void **state) {
  (void)state;
  begin();
  first();
  event(1, TRACE_GIVE, TRACE_BY_SIGNAL, 0, 0, 0, 0);
  second();
  assert_int_equal(answer(), DOUBTED);
  begin();
  first();
  store(1, 0, 1, __ATOMIC_RELAXED);
  load(2, 77, __ATOMIC_RELAXED); /* nobody was seen to write it */
  second();
  assert_int_equal(answer(), DOUBTED);
  begin();
  event(0, TRACE_SEM_INIT, M, 1, 0, 0, 0);
  first();
  event(1, TRACE_SIGNAL, F, 0, 0, 0, 0);
  event(2, TRACE_SEM_WAIT, M, 0, 0, 0, 0); /* nobody was seen to post */
  second();
  assert_int_equal(answer(), DOUBTED);
}

/* The beginning of a run has all threads up to the same moment. */
static void shortened(void **state) {
  (void)state;
  Str bytes = {0};
  Trace trace = {0};
  Err err = {0};
  begin();
  first();
  event(1, TRACE_LOCK, M, 0, 0, 0, 0);
  second();
  event(1, TRACE_UNLOCK, M, 0, 0, 0, 0);
  first();
  writer_finish(&writer, &bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  uint64_t last = trace.events.data[trace.events.len - 2].sequence;
  trace_shorten(&trace, last);
  assert_int_equal(trace.events.len, 7);
  assert_int_equal(trace.threads.data[1].events.len, 2);
  assert_int_equal(trace.threads.data[1].accesses.len, 1);
  assert_int_equal(trace.threads.data[2].accesses.len, 1);
  assert_int_equal(trace.access_count, 2);
  trace_shorten(&trace, trace.events.data[3].sequence);
  assert_false(trace.threads.data[3].started);
  trace_free(&trace);
  str_free(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flags),      cmocka_unit_test(fences),
      cmocka_unit_test(own_access), cmocka_unit_test(release_sequences),
      cmocka_unit_test(locks),      cmocka_unit_test(same_value_again),
      cmocka_unit_test(barriers),   cmocka_unit_test(pairs),
      cmocka_unit_test(means),      cmocka_unit_test(signals_and_values),
      cmocka_unit_test(shortened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
