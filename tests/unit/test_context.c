/* Contexts that are inferred against the nets of the same systems.
 *
 * A context proves or shows nothing that the net denies; unknown is allowed, but for few. The three
 * mistakes of the printed algorithm, made on purpose, are noticed by the same comparison. */
#include "engine/circ/context.h"
#include "tts_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t system_count(void) {
  const char *text = getenv("HEDDLE_TTS_SYSTEMS");
  long long count;
  if (text && str_to_long(text, &count)) return (uint32_t)count;
#ifdef __SANITIZE_ADDRESS__
  return 20;
#else
  return 150;
#endif
}

typedef struct {
  uint32_t safe, unsafe, open;
  uint32_t wrong_safe, wrong_unsafe;
} Count;

static void compare(const Tts *tts, const ContextOptions *options, NetVerdict truth,
                    Count *count) {
  ContextAnswer answer;
  context_infer(tts, options, &answer);
  count->safe += answer.verdict == NET_SAFE;
  count->unsafe += answer.verdict == NET_UNSAFE;
  count->open += answer.verdict == NET_UNKNOWN;
  count->wrong_safe += answer.verdict == NET_SAFE && truth == NET_UNSAFE;
  count->wrong_unsafe += answer.verdict == NET_UNSAFE && truth == NET_SAFE;
  if (answer.verdict == NET_UNKNOWN) assert_null(strstr(answer.reason, "does not hold"));
  if (answer.verdict == NET_UNKNOWN && getenv("HEDDLE_TTS_VERBOSE"))
    printf("# %s\n", answer.reason);
  context_answer_free(&answer);
}

static Count random_systems(const RandomOptions *random, const ContextOptions *options,
                            uint32_t first, uint32_t systems) {
  Count count = {0};
  for (uint32_t i = 0; i < systems; i++) {
    Tts tts;
    TtsAnswer truth;
    seed_random(first + i);
    random_system(&tts, random);
    tts_solve(&tts, &(NetLimits){0}, &truth);
    compare(&tts, options, truth.verdict, &count);
    tts_answer_free(&truth);
    tts_free(&tts);
  }
  printf("# %u safe, %u unsafe, %u unknown; wrong: %u safe, %u unsafe\n", count.safe,
         count.unsafe, count.open, count.wrong_safe, count.wrong_unsafe);
  return count;
}

static void agrees(const RandomOptions *random, const ContextOptions *options,
                   uint32_t first) {
  Count count = random_systems(random, options, first, system_count());
  assert_int_equal(count.wrong_safe, 0);
  assert_int_equal(count.wrong_unsafe, 0);
  assert_true(count.safe && count.unsafe && count.open <= 2 + system_count() / 100);
}

static const RandomOptions one_kind = {.atomic = true};
static const RandomOptions kinds = {
    .atomic = true, .spawns = true, .kinds = true, .choices = true};

static const RandomOptions programs = {.atomic = true, .programs = true};
static const RandomOptions large_programs = {
    .atomic = true, .spawns = true, .kinds = true, .choices = true, .programs = true};

static void any_number(void **state) {
  (void)state;
  agrees(&one_kind, &(ContextOptions){0}, 0);
  agrees(&kinds, &(ContextOptions){0}, 100000);
  agrees(&programs, &(ContextOptions){0}, 200000);
  agrees(&large_programs, &(ContextOptions){0}, 300000);
}

static void from_zero(void **state) {
  (void)state;
  agrees(&one_kind, &(ContextOptions){.from_zero = true}, 0);
  agrees(&kinds, &(ContextOptions){.from_zero = true}, 100000);
  agrees(&programs, &(ContextOptions){.from_zero = true}, 200000);
  agrees(&large_programs, &(ContextOptions){.from_zero = true}, 300000);
}

static void exact_start(void **state) {
  (void)state;
  agrees(&one_kind, &(ContextOptions){.exact_start = true}, 0);
  agrees(&kinds, &(ContextOptions){.exact_start = true}, 100000);
  agrees(&programs, &(ContextOptions){.exact_start = true}, 200000);
  agrees(&large_programs, &(ContextOptions){.exact_start = true}, 300000);
}

/* Systems that need more threads than the first search has, and whose labels show it: others can
 * change the shared state in a way that was not seen. */
static void labels_that_few_keep(void **state) {
  (void)state;
  static const uint32_t seeds[] = {200616, 200748, 201763, 205389};
  for (uint32_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    Count count =
        random_systems(&programs, &(ContextOptions){.exact_start = true}, seeds[i], 1);
    assert_int_equal(count.unsafe, 1);
    assert_int_equal(count.wrong_unsafe, 0);
  }
}

/* ---- mistakes ---- */

/* Each of the printed text's mistakes makes a proof of something false among few systems. */
static void labels_after_the_step(void **state) {
  (void)state;
  ContextOptions options = {.labels_after = true};
  assert_true(random_systems(&programs, &options, 200000, 150).wrong_safe > 0);
}

static void omega_that_remains(void **state) {
  (void)state;
  ContextOptions options = {.omega_remains = true, .from_zero = true};
  assert_true(random_systems(&programs, &options, 200000, 150).wrong_safe > 0);
}

static void omega_that_trusts(void **state) {
  (void)state;
  ContextOptions options = {.omega_trusts = true, .exact_start = true};
  assert_true(random_systems(&programs, &options, 200600, 60).wrong_safe > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number),
      cmocka_unit_test(from_zero),
      cmocka_unit_test(exact_start),
      cmocka_unit_test(labels_that_few_keep),
      cmocka_unit_test(labels_after_the_step),
      cmocka_unit_test(omega_that_remains),
      cmocka_unit_test(omega_that_trusts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
