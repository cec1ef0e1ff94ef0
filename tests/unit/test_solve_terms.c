/* Terms: the pool, its rules, values. Rules are judged by numbers: beside every constructor call of a
 * random DAG the value is computed as on paper, and the term must have it. */
#include "solve/solver.h"
#include "solve_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>

/* HEDDLE_SOLVE_CASES makes the random tests longer: `tests/run --slow` does. */
static uint32_t cases(uint32_t usual) {
  const char *text = getenv("HEDDLE_SOLVE_CASES");
  return text ? usual * (uint32_t)atoi(text) : usual;
}

static void judge(Sampler *s, uint64_t seed) {
  for (uint32_t i = 0; i < s->count; i++) {
    uint64_t expected[NAIVE_WORDS], found[NAIVE_WORDS];
    const Sample *sample = &s->sample[i];
    assert_int_equal(term_bits(s->terms, sample->term), sample->value.bits);
    naive_words(&sample->value, expected);
    term_eval(s->terms, sample->term, sampler_value, s, found);
    if (memcmp(expected, found, (sample->value.bits + 63) / 64 * 8) == 0) continue;
    Str text = {0};
    term_print(s->terms, sample->term, &text);
    fail_msg("seed %llu, sample %u: 0x%llx instead of 0x%llx: %s",
             (unsigned long long)seed, i, (unsigned long long)found[0],
             (unsigned long long)expected[0], str_text(&text));
  }
}

static void random_range(uint32_t widest, uint64_t first, uint32_t count) {
  static Sampler s;
  for (uint64_t seed = first; seed < first + count; seed++) {
    Terms *terms = terms_new();
    sampler_fill(&s, terms, seed, widest, SAMPLES);
    judge(&s, seed);
    terms_free(terms);
  }
}

static void rules_keep_values(void **state) {
  (void)state;
  random_range(4, 1, cases(6000));
  random_range(8, 100001, cases(6000));
  random_range(70, 200001, cases(3000));
  random_range(128, 300001, cases(1000));
  random_range(512, 400001, cases(100));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_keep_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
