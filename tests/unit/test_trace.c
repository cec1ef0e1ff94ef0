/* Traces that are cut and damaged, and the ways to an order against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "predict/deadlocks.h"
#include "predict/moment.h"
#include "predict/races.h"
#include "predict/schedule.h"
#include "predict/search.h"
#include "trace/pack.h"
#include "rounds.h"
#include "trace_writer.h"

#include <stdlib.h>

static uint64_t seed;
static uint32_t dice(uint32_t sides) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % sides;
}

/* ---- a run by hand ---------------------------------------------------------------- */

enum { M = 0x5000, X = 0x6000 };

static void two_threads(Str *out) {
  TraceWriter w = {0};
  writer_event(&w, 0, TRACE_CREATE, 1, 0, 0, 0, 0);
  writer_access(&w, 0, X, TRACE_WRITE, 1);
  writer_event(&w, 0, TRACE_LOCK, M, 0, 0, 0, 0);
  writer_event(&w, 0, TRACE_UNLOCK, M, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_START, 0, 3, 0, 0, 0);
  writer_event(&w, 1, TRACE_LOCK, M, 0, 0, 0, 0);
  writer_event(&w, 1, TRACE_UNLOCK, M, 0, 0, 0, 0);
  writer_access(&w, 1, X, TRACE_WRITE, 2);
  writer_event(&w, 1, TRACE_END, 0, 0, 0, 0, 0);
  writer_event(&w, 0, TRACE_JOIN, 1, 0, 0, 0, 0);
  writer_finish(&w, out);
}

static void use(const Trace *trace) {
  Run run;
  Races races;
  Circles circles;
  run_init(&run, trace, NULL);
  races_find(&run, NULL, &races);
  deadlocks_find(&run, &circles);
  races_free(&races);
  deadlocks_free(&circles);
  run_free(&run);
}

static void test_whole(void **state) {
  (void)state;
  Str bytes = {0};
  Trace trace = {0};
  Err err = {0};
  two_threads(&bytes);
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
  assert_int_equal(trace.events.len, 8);
  assert_int_equal(trace.access_count, 2);
  assert_string_equal(trace.threads.data[1].name, "main.1");
  assert_int_equal(trace.events.data[1].op, TRACE_LOCK);
  assert_int_equal(trace.events.data[1].object, M);
  Run run;
  Races races;
  run_init(&run, &trace, NULL);
  races_find(&run, NULL, &races);
  assert_int_equal(races.candidates.len, 1);
  const RacePair *pair = &races.candidates.data[0].pairs.data[0];
  Target targets[] = {{pair->a.thread, pair->a.position},
                      {pair->b.thread, pair->b.position}};
  SolveLimits limits = {.search_states = 1000, .search_steps = 100};
  Solver *solver = solve_begin(&run, targets, 2, &limits);
  StepOrder order = {0};
  assert_int_equal(solve_next(solver, &order), SOLVE_FOUND);
  assert_string_equal(solve_way(solver), "delay");
  assert_int_equal(order.len, 4);
  solve_end(solver);
  /* The schedule says the same after it was written and read. */
  Schedule one, two;
  Str text = {0}, again = {0};
  schedule_init(&one);
  schedule_init(&two);
  schedule_from_order(&one, &run, &order, pair);
  schedule_write(&one, NULL, &text);
  assert_true(schedule_read(&two, "s", str_text(&text), text.len, &err));
  schedule_write(&two, NULL, &again);
  assert_string_equal(str_text(&text), str_text(&again));
  schedule_free(&one);
  schedule_free(&two);
  str_free(&text);
  str_free(&again);
  vec_free(&order);
  races_free(&races);
  run_free(&run);
  trace_free(&trace);
  str_free(&bytes);
}

static void try_bytes(const char *bytes, size_t size) {
  Trace trace = {0};
  Err err = {0};
  /* A copy of exactly this size, so that reading beyond it is noticed. */
  void *copy = mem_dup(bytes, size);
  bool ok = trace_read_bytes("t", copy, size, NULL, &trace, &err);
  assert_int_equal(ok, err.kind == ERR_NONE);
  if (ok) use(&trace);
  trace_free(&trace);
  err_free(&err);
  mem_free(copy);
}

static void test_cut_everywhere(void **state) {
  (void)state;
  Str bytes = {0};
  two_threads(&bytes);
  /* The stretches of zeros at the ends of the units are all the same. */
  for (size_t size = 0; size <= bytes.len; size++)
    if (size % TRACE_UNIT < sizeof(TraceBlock) + 100 || size % 997 == 0)
      try_bytes(bytes.data, size);
  str_free(&bytes);
}

static void test_damaged(void **state) {
  (void)state;
  Str bytes = {0};
  two_threads(&bytes);
  for (unsigned round = 0; round < rounds(1000); round++) {
    seed = round;
    char *copy = mem_dup(bytes.data, bytes.len);
    for (unsigned i = 0; i <= dice(4); i++)
      copy[dice((uint32_t)(bytes.len / TRACE_UNIT)) * TRACE_UNIT +
           dice(sizeof(TraceBlock) + 64)] = (char)dice(256);
    try_bytes(copy, bytes.len);
    mem_free(copy);
  }
  str_free(&bytes);
}

/* ---- packed ones ------------------------------------------------------------------ */

/* The second thread does the same again and again, which becomes much smaller. */
enum { ROUNDS = 500 };
static void long_run(Str *out) {
  TraceWriter w = {0};
  writer_event(&w, 0, TRACE_CREATE, 1, 0, 0, 0, 0);
  writer_access(&w, 0, X, TRACE_WRITE, 1);
  writer_event(&w, 1, TRACE_START, 0, 3, 0, UINT64_MAX, UINT64_C(1) << 53);
  for (int i = 0; i < ROUNDS; i++) {
    writer_event(&w, 1, TRACE_LOCK, M, 0, 0, 0, 0);
    writer_access(&w, 1, X, TRACE_WRITE, 2);
    writer_event(&w, 1, TRACE_UNLOCK, M, 0, 0, 0, 0);
  }
  writer_event(&w, 0, TRACE_JOIN, 1, 0, 0, 0, 0);
  writer_finish(&w, out);
}

static bool to_str(void *data, const void *bytes, size_t size) {
  str_add_bytes(data, bytes, size);
  return true;
}

static bool give_up(void *data, const void *bytes, size_t size) {
  (void)bytes;
  size_t *left = data;
  if (size > *left) return false;
  *left -= size;
  return true;
}

static void test_packed(void **state) {
  (void)state;
  Str bytes = {0}, packed = {0}, again = {0};
  long_run(&bytes);
  assert_true(trace_pack_bytes(bytes.data, bytes.len, to_str, &packed));
  assert_true(packed.len < bytes.len / 4);
  assert_false(trace_pack_bytes(packed.data, packed.len, to_str, &again));
  for (size_t left = 0; left < packed.len; left += 100) {
    size_t room = left;
    assert_false(trace_pack_bytes(bytes.data, bytes.len, give_up, &room));
  }
  Trace one = {0}, two = {0};
  Err err = {0};
  assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &one, &err));
  assert_true(trace_read_bytes("t", packed.data, packed.len, NULL, &two, &err));
  assert_int_equal(one.events.len, 2 * ROUNDS + 3);
  assert_int_equal(two.events.len, one.events.len);
  assert_int_equal(two.access_count, ROUNDS + 1);
  assert_true(one.threads.data[1].stack == UINT64_MAX &&
              one.threads.data[1].stack_size == UINT64_C(1) << 53);
  assert_false(two.cut);
  for (uint32_t i = 0; i < one.events.len; i++) {
    const TraceEvent *a = &one.events.data[i], *b = &two.events.data[i];
    assert_true(a->op == b->op && a->object == b->object && a->pc == b->pc &&
                a->sequence == b->sequence && a->thread == b->thread);
  }
  trace_free(&one);
  trace_free(&two);
  str_free(&bytes);
  str_free(&packed);
  str_free(&again);
}

/* Up to the last whole block, and never more than there is. */
static void test_packed_cut(void **state) {
  (void)state;
  Str bytes = {0}, packed = {0};
  long_run(&bytes);
  assert_true(trace_pack_bytes(bytes.data, bytes.len, to_str, &packed));
  for (size_t size = 0; size <= packed.len; size++) {
    if (size > 100 && size < TRACE_PAGE && size % 97) continue; /* zeros */
    Trace trace = {0};
    Err err = {0};
    void *copy = mem_dup(packed.data, size);
    bool ok = trace_read_bytes("t", copy, size, NULL, &trace, &err);
    assert_int_equal(ok, size >= sizeof(TraceHeader));
    assert_true(!trace.cut || size < packed.len);
    assert_true(trace.cut || !ok || size == packed.len || size == TRACE_PAGE ||
                trace.events.len == 2); /* the whole first block */
    if (ok) use(&trace);
    trace_free(&trace);
    err_free(&err);
    mem_free(copy);
  }
  for (unsigned round = 0; round < rounds(1000); round++) {
    seed = round;
    char *copy = mem_dup(packed.data, packed.len);
    for (unsigned i = 0; i <= dice(4); i++)
      copy[dice(3) ? TRACE_PAGE + dice((uint32_t)packed.len - TRACE_PAGE) : dice(64)] =
          (char)dice(256);
    try_bytes(copy, packed.len);
    mem_free(copy);
  }
  str_free(&bytes);
  str_free(&packed);
}

/* ---- random runs ------------------------------------------------------------------ */

enum { LOCKS = 3, WORKERS = 2, STEPS = 7 };

typedef struct {
  uint32_t held[LOCKS], held_count, left;
} Worker;

/* Workers that lock, unlock, post, wait and use an atomic variable, in a random order
 * that is possible. */
static void random_run(Str *out) {
  TraceWriter w = {0};
  Worker workers[WORKERS + 1] = {0};
  int owner[LOCKS] = {0};
  uint32_t value = 1, atomic = 0;
  writer_event(&w, 0, TRACE_SEM_INIT, 0x7000, 1, 1, 0, 0);
  for (uint32_t t = 1; t <= WORKERS; t++) {
    writer_event(&w, 0, TRACE_CREATE, t, 0, 0, 0, 0);
    writer_event(&w, t, TRACE_START, 0, 3, t - 1, 0, 0);
    workers[t].left = STEPS;
  }
  for (unsigned i = 0; i < 200; i++) {
    uint32_t t = 1 + dice(WORKERS), what = dice(10), lock = dice(LOCKS);
    Worker *x = &workers[t];
    if (!x->left) {
      if (!x->held_count) continue;
      what = 5; /* release what is left */
    }
    if (what < 4 && !owner[lock]) {
      owner[lock] = (int)t;
      x->held[x->held_count++] = lock;
      writer_event(&w, t, TRACE_LOCK, M + lock * 64, 0, 0, 0, 0);
    } else if (what < 7 && x->held_count) {
      uint32_t released = x->held[--x->held_count];
      owner[released] = 0;
      writer_event(&w, t, TRACE_UNLOCK, M + released * 64, 0, 0, 0, 0);
    } else if (what == 7 && value) {
      value--;
      writer_event(&w, t, TRACE_SEM_WAIT, 0x7000, 0, 0, 0, 0);
    } else if (what == 8) {
      value++;
      writer_event(&w, t, TRACE_SEM_POST, 0x7000, 0, 0, 0, 0);
    } else if (what == 9) {
      uint32_t next = dice(3);
      if (dice(2))
        writer_event(&w, t, TRACE_ATOMIC_LOAD, 0x8000, 2, 4, atomic, 0);
      else
        writer_event(&w, t, TRACE_ATOMIC_STORE, 0x8000, 3, 4, atomic, next),
            atomic = next;
    } else {
      continue;
    }
    if (x->left) x->left--;
  }
  writer_finish(&w, out);
}

static bool possible_and_there(const Run *run, const StepOrder *order,
                               const Target *targets) {
  Moment moment;
  bool ok = true;
  moment_init(&moment, run);
  for (uint32_t i = 0; ok && i < order->len; i++) {
    const Step *s = &run->steps.data[order->data[i]];
    ok = s->place == moment.next[s->thread] && moment_allows(&moment, order->data[i]);
    if (ok) moment_take(&moment, order->data[i]);
  }
  for (int i = 0; i < 2; i++)
    ok = ok && moment.next[targets[i].thread] == targets[i].position;
  moment_free(&moment);
  return ok;
}

/* Whatever a way finds is possible; and it finds something exactly when the checker,
 * asked about the whole run, says that there is something. */
static void compare(const Run *run, uint32_t p, uint32_t q) {
  Target targets[] = {{1, p}, {2, q}};
  SolveLimits limits = {.search_states = 1000000, .search_steps = 1000};
  uint32_t length[] = {run->threads.data[0].steps.len, p, q};
  OrderSearch *judge = order_search_begin(run, length, 0, targets, 2, &limits);
  StepOrder order = {0};
  SolveAnswer wanted = order_search_next(judge, &order);
  assert_int_not_equal(wanted, SOLVE_UNDECIDED);
  if (wanted == SOLVE_FOUND) assert_true(possible_and_there(run, &order, targets));
  order_search_end(judge);
  Solver *solver = solve_begin(run, targets, 2, &limits);
  SolveAnswer answer = solve_next(solver, &order);
  bool blind = answer == SOLVE_FOUND && strcmp(solve_way(solver), "blind") == 0;
  assert_int_equal(blind ? SOLVE_NONE : answer, wanted);
  if (answer == SOLVE_FOUND && !blind)
    assert_true(possible_and_there(run, &order, targets));
  solve_end(solver);
  vec_free(&order);
}

static void test_ways_agree(void **state) {
  (void)state;
  for (unsigned round = 0; round < 60; round++) {
    Str bytes = {0};
    Trace trace = {0};
    Err err = {0};
    Run run;
    seed = round * 7919 + 1;
    random_run(&bytes);
    assert_true(trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err));
    run_init(&run, &trace, NULL);
    for (uint32_t p = 1; p <= run.threads.data[1].steps.len; p++)
      for (uint32_t q = 1; q <= run.threads.data[2].steps.len; q++) compare(&run, p, q);
    run_free(&run);
    trace_free(&trace);
    str_free(&bytes);
  }
}

/* ---- blocks that are open -------------------------------------------------------- */

/* The file of long_run with the block of its second thread behind another one, which is
 * open and has this number and one more event. */
static void with_open(uint32_t number, Str *out) {
  TraceWriter w = {.sequence = 10 * ROUNDS};
  Str one = {0}, two = {0};
  long_run(&one);
  writer_event(&w, 1, TRACE_END, 0, 0, 0, 0, 0);
  writer_finish(&w, &two);
  TraceBlock *block = (TraceBlock *)(two.data + TRACE_UNIT);
  block->magic = TRACE_OPEN_MAGIC;
  block->number = number;
  str_add_bytes(out, one.data, 2 * TRACE_UNIT);
  str_add_bytes(out, two.data + TRACE_UNIT, TRACE_UNIT);
  str_add_bytes(out, one.data + 2 * TRACE_UNIT, one.len - 2 * TRACE_UNIT);
  str_free(&one);
  str_free(&two);
}

/* How many events are read, also from the packed file; -1 when it is damaged. */
static int read_open(uint32_t number, bool *ret_cut) {
  Str bytes = {0}, packed = {0};
  Trace trace = {0}, other = {0};
  Err err = {0};
  with_open(number, &bytes);
  bool ok = trace_read_bytes("t", bytes.data, bytes.len, NULL, &trace, &err);
  int count = ok ? (int)trace.events.len : -1;
  *ret_cut = trace.cut;
  err_free(&err);
  if (ok && !trace.cut) {
    assert_true(trace_pack_bytes(bytes.data, bytes.len, to_str, &packed));
    assert_true(trace_read_bytes("t", packed.data, packed.len, NULL, &other, &err));
    assert_int_equal(other.events.len, count);
    assert_int_equal(other.access_count, trace.access_count);
  }
  trace_free(&trace);
  trace_free(&other);
  str_free(&bytes);
  str_free(&packed);
  return count;
}

static void test_open(void **state) {
  (void)state;
  bool cut;
  assert_int_equal(read_open(1, &cut), 2 * ROUNDS + 4); /* the last one of the thread */
  assert_false(cut);
  assert_int_equal(read_open(0, &cut), 2 * ROUNDS + 3); /* emptied, but not begun again */
  assert_false(cut);
  assert_int_equal(read_open(7, &cut), 2 * ROUNDS + 3); /* some before it are missing */
  assert_true(cut);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole),      cmocka_unit_test(test_cut_everywhere),
      cmocka_unit_test(test_damaged),    cmocka_unit_test(test_open),
      cmocka_unit_test(test_packed),     cmocka_unit_test(test_packed_cut),
      cmocka_unit_test(test_ways_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
