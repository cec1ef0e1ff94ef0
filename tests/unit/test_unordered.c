/* The happens-before detector of guided replays (predict/unordered.h), on logs that are
 * written out: thread 0 makes the first access, thread 1 the second, and in between comes
 * what may order them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "predict/unordered.h"

#include <string.h>

enum { X = 0x1000, LOCK = 0x2000, MUTEX = 0x3000, FLAG = 0x4000 };

/* One of the two accesses: who makes it, where, and its bits of TRACE_WRITE and
 * TRACE_ATOMIC. */
#define ACCESS(number, mark, address, bits)                                              \
  {.thread = number,                                                                     \
   .op = CONTROL_WRITE,                                                                  \
   .object = address,                                                                    \
   .size = 4,                                                                            \
   .flags = CONTROL_##mark | (bits) << 8}
#define FIRST                     ACCESS(0, FIRST, X, TRACE_WRITE)
#define SECOND                    ACCESS(1, SECOND, X, 0)
#define STEP(number, what, where) {.thread = number, .op = TRACE_##what, .object = where}
#define ATOMIC(number, what, memory_order)                                               \
  {.thread = number,                                                                     \
   .op = TRACE_ATOMIC_##what,                                                            \
   .object = FLAG,                                                                       \
   .size = 4,                                                                            \
   .order = __ATOMIC_##memory_order}
#define FENCE(number, memory_order)                                                      \
  {.thread = number, .op = TRACE_NONE, .order = __ATOMIC_##memory_order}

static bool showed(const ControlLog *log, uint32_t count) {
  Control numbers = {.thread_count = 3, .log_room = count, .log_count = count};
  Control *c = mem_alloc_zero(control_size(&numbers));
  *c = numbers;
  memcpy(control_log(c), log, count * sizeof *log);
  bool found = unordered_showed(c);
  mem_free(c);
  return found;
}

#define SHOWED(...)                                                                      \
  showed((const ControlLog[]){__VA_ARGS__},                                              \
         sizeof((const ControlLog[]){__VA_ARGS__}) / sizeof(ControlLog))

static void test_accesses(void **state) {
  (void)state;
  assert_true(SHOWED(FIRST, SECOND));
  assert_false(SHOWED(FIRST));
  assert_false(SHOWED(SECOND, FIRST));
  assert_false(SHOWED(FIRST, ACCESS(0, SECOND, X, 0)));
  assert_false(SHOWED(FIRST, ACCESS(1, SECOND, X + 4, 0)));
  assert_true(SHOWED(FIRST, ACCESS(1, SECOND, X + 3, 0)));
  assert_false(SHOWED(ACCESS(0, FIRST, X, 0), SECOND)); /* two reads */
  assert_false(SHOWED(ACCESS(0, FIRST, X, TRACE_WRITE | TRACE_ATOMIC),
                      ACCESS(1, SECOND, X, TRACE_ATOMIC)));
  assert_true(SHOWED(FIRST, ACCESS(1, SECOND, X, TRACE_ATOMIC)));
}

static void test_objects(void **state) {
  (void)state;
  assert_false(SHOWED(FIRST, STEP(0, UNLOCK, LOCK), STEP(1, LOCK, LOCK), SECOND));
  assert_true(SHOWED(FIRST, STEP(0, UNLOCK, LOCK), STEP(1, LOCK, MUTEX), SECOND));
  assert_true(SHOWED(STEP(0, UNLOCK, LOCK), FIRST, STEP(1, LOCK, LOCK), SECOND));
  assert_true(SHOWED(FIRST, STEP(1, LOCK, LOCK), STEP(0, UNLOCK, LOCK), SECOND));
  assert_false(SHOWED(FIRST, STEP(0, SEM_POST, LOCK), STEP(1, SEM_WAIT, LOCK), SECOND));
  assert_false(
      SHOWED(FIRST, STEP(0, BARRIER_ENTER, LOCK), STEP(1, BARRIER_EXIT, LOCK), SECOND));
  assert_false(SHOWED(FIRST, STEP(0, ONCE_END, LOCK), STEP(1, ONCE_SEEN, LOCK), SECOND));
  assert_false(SHOWED(FIRST, STEP(0, SIGNAL, LOCK),
                      {.thread = 1, .op = TRACE_WOKEN, .object = LOCK, .size = MUTEX},
                      SECOND));
  /* A wait gives its mutex back. */
  assert_false(SHOWED(FIRST,
                      {.thread = 0, .op = TRACE_WAIT, .object = LOCK, .size = MUTEX},
                      STEP(1, LOCK, MUTEX), SECOND));
  /* By way of a third thread. */
  assert_false(SHOWED(FIRST, STEP(0, UNLOCK, LOCK), STEP(2, LOCK, LOCK),
                      STEP(2, UNLOCK, MUTEX), STEP(1, LOCK, MUTEX), SECOND));
}

static void test_threads(void **state) {
  (void)state;
  assert_false(SHOWED(FIRST, {.thread = 0, .op = TRACE_CREATE, .size = 1}, SECOND));
  assert_false(SHOWED(FIRST, {.thread = 1, .op = TRACE_JOIN, .size = 0}, SECOND));
  assert_true(SHOWED({.thread = 0, .op = TRACE_CREATE, .size = 1}, FIRST, SECOND));
  assert_true(SHOWED(FIRST, {.thread = 1, .op = TRACE_JOIN, .size = 2}, SECOND));
  /* One that the schedule does not know. */
  assert_true(SHOWED(FIRST, {.thread = 0, .op = TRACE_CREATE, .size = CONTROL_NO_THREAD},
                     SECOND));
}

static void test_atomics(void **state) {
  (void)state;
  assert_false(
      SHOWED(FIRST, ATOMIC(0, STORE, RELEASE), ATOMIC(1, LOAD, ACQUIRE), SECOND));
  assert_true(SHOWED(FIRST, ATOMIC(0, STORE, RELAXED), ATOMIC(1, LOAD, ACQUIRE), SECOND));
  assert_true(SHOWED(FIRST, ATOMIC(0, STORE, RELEASE), ATOMIC(1, LOAD, RELAXED), SECOND));
  assert_false(SHOWED(FIRST, ATOMIC(0, RMW, SEQ_CST), ATOMIC(1, RMW, ACQ_REL), SECOND));
  /* What is released goes on over read-modify-writes of anybody, and stores of its thread. */
  assert_false(SHOWED(FIRST, ATOMIC(0, STORE, RELEASE), ATOMIC(2, RMW, RELAXED),
                      ATOMIC(1, LOAD, ACQUIRE), SECOND));
  assert_false(SHOWED(FIRST, ATOMIC(0, STORE, RELEASE), ATOMIC(0, STORE, RELAXED),
                      ATOMIC(1, LOAD, ACQUIRE), SECOND));
  assert_true(SHOWED(FIRST, ATOMIC(0, STORE, RELEASE), ATOMIC(2, STORE, RELAXED),
                     ATOMIC(1, LOAD, ACQUIRE), SECOND));
}

static void test_fences(void **state) {
  (void)state;
  assert_false(SHOWED(FIRST, FENCE(0, RELEASE), ATOMIC(0, STORE, RELAXED),
                      ATOMIC(1, LOAD, RELAXED), FENCE(1, ACQUIRE), SECOND));
  assert_true(SHOWED(FIRST, ATOMIC(0, STORE, RELAXED), FENCE(0, RELEASE),
                     ATOMIC(1, LOAD, RELAXED), FENCE(1, ACQUIRE), SECOND));
  assert_true(SHOWED(FIRST, FENCE(0, RELEASE), ATOMIC(0, STORE, RELAXED),
                     FENCE(1, ACQUIRE), ATOMIC(1, LOAD, RELAXED), SECOND));
  assert_true(SHOWED(FENCE(0, RELEASE), FIRST, ATOMIC(0, STORE, RELAXED),
                     ATOMIC(1, LOAD, ACQUIRE), SECOND));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accesses), cmocka_unit_test(test_objects),
      cmocka_unit_test(test_threads),  cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_fences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
