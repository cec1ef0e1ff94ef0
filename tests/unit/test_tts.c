/* Thread transition systems: the net of one against what it means.
 *
 * Random systems are decided in four ways: by the net, by a plain backward search for any number of
 * threads, and by looking at all states of two and of three threads. An error that two or three
 * threads reach all must see; the ways for any number must agree; each run is fired by its checker. */
#include "tts_naive.h"
#include "tts_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* How many random systems of each kind; sanitizers make it ten times as slow. */
static uint32_t system_count(void) {
  const char *text = getenv("HEDDLE_TTS_SYSTEMS");
  long long count;
  if (text && str_to_long(text, &count)) return (uint32_t)count;
#ifdef __SANITIZE_ADDRESS__
  return 30;
#else
  return 150;
#endif
}

static void describe(const Tts *tts, uint32_t number) {
  Str text = {0};
  tts_print(tts, &text);
  printf("# system %u\n%s", number, str_text(&text));
  str_free(&text);
}

typedef struct {
  uint32_t safe, unsafe, open, larger;
} Count;

static void compare(const Tts *tts, uint32_t number, Count *count) {
  Str why = {0};
  TtsAnswer answer;
  assert_true(tts_is_valid(tts, &why));
  tts_solve(tts, &(NetLimits){0}, &answer);
  bool two = naive_forward(tts, 2, 4, 20000), three = naive_forward(tts, 3, 5, 20000);
  NetVerdict plain = naive_backward(tts, 3000);
  bool wrong = answer.defect || answer.verdict == NET_UNKNOWN ||
               (plain != NET_UNKNOWN && plain != answer.verdict) ||
               ((two || three) && answer.verdict != NET_UNSAFE);
  if (answer.verdict == NET_UNSAFE && !tts_run_check(tts, &answer.run, &why))
    wrong = true;
  if (wrong) {
    describe(tts, number);
    printf("# net: %d (%s), backward: %d, two threads: %d, three: %d\n# %s\n",
           answer.verdict, answer.reason ? answer.reason : "", plain, two, three,
           str_text(&why));
  }
  assert_false(wrong);
  count->safe += answer.verdict == NET_SAFE;
  count->unsafe += answer.verdict == NET_UNSAFE;
  count->open += plain == NET_UNKNOWN;
  count->larger += answer.verdict == NET_UNSAFE && !two && !three;
  tts_answer_free(&answer);
  str_free(&why);
}

static void random_systems(const RandomOptions *options, uint32_t first) {
  Count count = {0};
  uint32_t systems = system_count();
  for (uint32_t i = 0; i < systems; i++) {
    Tts tts;
    seed_random(first + i);
    random_system(&tts, options);
    compare(&tts, first + i, &count);
    tts_free(&tts);
  }
  printf(
      "# %u safe, %u unsafe, %u of them with more threads, %u too large for the plain search\n",
      count.safe, count.unsafe, count.larger, count.open);
  assert_true(count.safe > systems / 10 && count.unsafe > systems / 10);
  assert_true(count.open < systems / 4);
}

static void plain_systems(void **state) {
  (void)state;
  random_systems(&(RandomOptions){0}, 0);
}

static void systems_with_sections(void **state) {
  (void)state;
  random_systems(&(RandomOptions){.atomic = true, .spawns = true}, 100000);
}

static void systems_with_kinds(void **state) {
  (void)state;
  random_systems(
      &(RandomOptions){.atomic = true, .spawns = true, .kinds = true, .choices = true},
      200000);
}

static void programs(void **state) {
  (void)state;
  random_systems(&(RandomOptions){.programs = true}, 400000);
  random_systems(&(RandomOptions){.programs = true,
                                  .atomic = true,
                                  .spawns = true,
                                  .kinds = true,
                                  .choices = true,
                                  .shakes = true},
                 500000);
}

static const RandomOptions with_all = {
    .atomic = true, .spawns = true, .kinds = true, .choices = true, .shakes = true};

static void systems_with_shakes(void **state) {
  (void)state;
  random_systems(
      &(RandomOptions){
          .atomic = true, .spawns = true, .kinds = true, .choices = true, .shakes = true},
      300000);
}

/* The transfers of this one's net move nothing that matters, so that the proof is one by invariants
 * after invariants, which nets with other transfers cannot have. */
static void transfers_that_do_not_matter(void **state) {
  (void)state;
  Count count = {0};
  Tts tts;
  seed_random(301074);
  random_system(&tts, &with_all);
  compare(&tts, 301074, &count);
  assert_int_equal(count.safe, 1);
  tts_free(&tts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_systems),
      cmocka_unit_test(systems_with_sections),
      cmocka_unit_test(systems_with_kinds),
      cmocka_unit_test(systems_with_shakes),
      cmocka_unit_test(programs),
      cmocka_unit_test(transfers_that_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
