/* Terms: the pool, its rules, values. Rules are judged by numbers: beside every constructor call of a
 * random DAG the value is computed as on paper, and the term must have it. */
#include "solve/solver.h"
#include "rounds.h"
#include "solve_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>

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
    Terms *own = terms_new();
    sampler_fill(&s, own, seed, widest, SAMPLES);
    judge(&s, seed);
    terms_free(own);
  }
}

/* ---- other terms in the place of variables ---- */

typedef struct {
  Sampler *sampler;
  Map with;
} Known;

static void know(void *user, Term variable) {
  Known *known = user;
  uint64_t words[NAIVE_WORDS] = {0};
  sampler_value(known->sampler, variable, words);
  Terms *own = known->sampler->terms;
  map_put(&known->with, variable, term_wide(own, term_bits(own, variable), words));
}

/* With its value in the place of each variable, every term is its value. */
static void substitution_keeps_values(void **state) {
  (void)state;
  static Sampler s;
  for (uint64_t seed = 500001; seed < 500001 + rounds(500); seed++) {
    Terms *own = terms_new();
    sampler_fill(&s, own, seed, seed % 2 ? 8 : 70, SAMPLES);
    Known known = {.sampler = &s};
    Map seen = {0};
    for (uint32_t i = 0; i < s.count; i++)
      term_variables(own, s.sample[i].term, &seen, know, &known);
    for (uint32_t i = 0; i < s.count; i++) {
      uint64_t expected[NAIVE_WORDS];
      naive_words(&s.sample[i].value, expected);
      Term found = term_substitute(own, s.sample[i].term, &known.with);
      assert_int_equal(found, term_wide(own, s.sample[i].value.bits, expected));
    }
    map_free(&seen);
    map_free(&known.with);
    terms_free(own);
  }
}

static void rules_keep_values(void **state) {
  (void)state;
  random_range(4, 1, rounds(6000));
  random_range(8, 100001, rounds(6000));
  random_range(70, 200001, rounds(3000));
  random_range(128, 300001, rounds(1000));
  random_range(512, 400001, rounds(100));
}

/* ---- what the rules must find, so that no solver is asked ---- */

static Terms *terms;

static int fresh(void **state) {
  (void)state;
  terms = terms_new();
  return 0;
}

static int end(void **state) {
  (void)state;
  terms_free(terms);
  return 0;
}

static Term k(uint32_t bits, uint64_t value) {
  return term_const(terms, bits, value);
}

static Term var(uint32_t bits, const char *name) {
  return term_var(terms, bits, name);
}

static void same(Term found, Term expected) {
  if (found == expected) return;
  Str text = {0};
  term_print(terms, found, &text);
  str_add(&text, " instead of ");
  term_print(terms, expected, &text);
  fail_msg("%s", str_text(&text));
}

static void yes(Term found) {
  same(found, term_bool(terms, true));
}

static void no(Term found) {
  same(found, term_bool(terms, false));
}

static void sums_have_a_normal_form(void **state) {
  (void)state;
  Term x = var(32, "x"), y = var(32, "y"), z = var(32, "z");
  same(term_sub(terms, x, x), k(32, 0));
  same(term_add(terms, k(32, 3), term_add(terms, x, k(32, 4))),
       term_add(terms, x, k(32, 7)));
  same(term_add(terms, term_add(terms, x, k(32, 1)), term_add(terms, y, k(32, 2))),
       term_add(terms, term_add(terms, y, x), k(32, 3)));
  same(term_sub(terms, term_add(terms, x, y), x), y);
  same(term_sub(terms, x, term_add(terms, x, y)), term_neg(terms, y));
  same(term_add(terms, term_sub(terms, x, y), y), x);
  same(term_neg(terms, term_neg(terms, x)), x);
  same(term_sub(terms, term_sub(terms, x, k(32, 5)), term_neg(terms, k(32, 5))), x);
  same(term_mul(terms, x, k(32, 8)), term_shl(terms, x, k(32, 3)));
  same(term_add(terms, x, x), term_mul(terms, x, k(32, 2)));
  same(term_add(terms, term_mul(terms, x, k(32, 5)), term_mul(terms, x, k(32, 6))),
       term_mul(terms, x, k(32, 11)));
  same(term_mul(terms, term_add(terms, x, k(32, 2)), k(32, 3)),
       term_add(terms, term_mul(terms, k(32, 3), x), k(32, 6)));
  yes(term_eq(terms, term_add(terms, x, y), term_add(terms, y, x)));
  same(term_eq(terms, term_add(terms, x, k(32, 7)), k(32, 9)),
       term_eq(terms, x, k(32, 2)));
  same(term_eq(terms, term_add(terms, x, k(32, 7)), term_add(terms, y, k(32, 7))),
       term_eq(terms, x, y));
  same(term_eq(terms, term_sub(terms, x, y), k(32, 0)), term_eq(terms, x, y));
  same(term_eq(terms, term_add(terms, x, z), term_add(terms, z, y)),
       term_eq(terms, x, y));
  no(term_eq(terms, term_add(terms, x, k(32, 1)), x));
}

static void products_are_compared_as_polynomials(void **state) {
  (void)state;
  Term a = var(16, "a"), b = var(16, "b"), c = var(16, "c");
  Term one = k(16, 1);
  yes(term_eq(terms, term_mul(terms, a, term_add(terms, b, one)),
              term_add(terms, term_mul(terms, a, b), a)));
  Term sum = term_add(terms, a, b), square = term_mul(terms, sum, sum);
  Term parts = term_add(terms, term_mul(terms, a, a), term_mul(terms, b, b));
  parts = term_add(terms, parts, term_mul(terms, term_mul(terms, a, b), k(16, 2)));
  yes(term_eq(terms, square, parts));
  yes(term_eq(terms, term_mul(terms, a, term_mul(terms, b, c)),
              term_mul(terms, term_mul(terms, a, b), c)));
  yes(term_eq(terms, term_mul(terms, term_sub(terms, a, b), term_add(terms, a, b)),
              term_sub(terms, term_mul(terms, a, a), term_mul(terms, b, b))));
  no(term_eq(terms, term_add(terms, square, one), parts));
}

static void bits_meet(void **state) {
  (void)state;
  Term x = var(32, "x"), y = var(32, "y"), p = var(1, "p"), q = var(1, "q");
  same(term_not(terms, term_not(terms, x)), x);
  same(term_and(terms, x, term_not(terms, x)), k(32, 0));
  same(term_xor(terms, x, term_xor(terms, y, x)), y);
  same(term_or(terms, term_not(terms, p), term_not(terms, q)),
       term_not(terms, term_and(terms, q, p)));
  same(term_and(terms, p, term_or(terms, q, p)), p);
  same(term_and(terms, p, term_or(terms, q, term_not(terms, p))), term_and(terms, p, q));
  same(term_concat(terms, term_extract(terms, x, 8, 24), term_extract(terms, x, 0, 8)),
       x);
  same(term_extract(terms, term_concat(terms, x, y), 32, 32), x);
  same(term_extract(terms, term_extract(terms, x, 4, 20), 2, 8),
       term_extract(terms, x, 6, 8));
  same(term_extract(terms, term_zext(terms, x, 64), 40, 8), k(8, 0));
  same(term_bswap(terms, term_bswap(terms, x)), x);
  same(term_bitrev(terms, term_bitrev(terms, x)), x);
  same(term_and(terms, x, k(32, 0xff00)),
       term_shl(terms, term_zext(terms, term_extract(terms, x, 8, 8), 32), k(32, 8)));
  Term seven = term_zext(terms, p, 32);
  same(term_eq(terms, seven, k(32, 1)), p);
  same(term_eq(terms, seven, k(32, 0)), term_not(terms, p));
  no(term_eq(terms, seven, k(32, 2)));
  same(term_and(terms, seven, term_zext(terms, q, 32)),
       term_zext(terms, term_and(terms, q, p), 32));
}

static void choices_meet(void **state) {
  (void)state;
  Term x = var(8, "x"), y = var(8, "y"), z = var(8, "z");
  Term p = var(1, "p"), q = var(1, "q");
  Term choice = term_ite(terms, p, k(8, 3), k(8, 5));
  same(term_eq(terms, choice, k(8, 3)), p);
  same(term_eq(terms, choice, k(8, 5)), term_not(terms, p));
  no(term_eq(terms, choice, k(8, 4)));
  same(term_ult(terms, choice, k(8, 4)), p);
  same(term_add(terms, choice, k(8, 1)), term_ite(terms, p, k(8, 4), k(8, 6)));
  same(term_ite(terms, p, x, x), x);
  same(term_ite(terms, term_not(terms, p), x, y), term_ite(terms, p, y, x));
  same(term_ite(terms, p, term_ite(terms, p, x, y), z), term_ite(terms, p, x, z));
  same(term_ite(terms, p, x, term_ite(terms, q, x, y)),
       term_ite(terms, term_or(terms, q, p), x, y));
  same(term_ite(terms, p, q, k(1, 0)), term_and(terms, p, q));
  same(term_ite(terms, p, k(1, 0), k(1, 1)), term_not(terms, p));
  same(term_ite(terms, term_eq(terms, x, y), x, y), y);
  no(term_and(terms, term_eq(terms, x, k(8, 1)), term_eq(terms, x, k(8, 2))));
  no(term_ult(terms, x, k(8, 0)));
  same(term_ult(terms, x, k(8, 1)), term_eq(terms, x, k(8, 0)));
  same(term_slt(terms, x, k(8, 0)), term_extract(terms, x, 7, 1));
  yes(term_ult(terms, term_zext(terms, x, 16), k(16, 256)));
  yes(term_sle(terms, k(16, 0), term_zext(terms, x, 16)));
}

static void wide_constants_fold(void **state) {
  (void)state;
  uint64_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Term wide = term_wide(terms, 512, words);
  same(wide, term_wide(terms, 512, words));
  for (uint32_t i = 0; i < 8; i++)
    same(term_extract(terms, wide, i * 64, 64), k(64, i + 1));
  uint64_t value = 0;
  assert_false(term_get_const(terms, wide, &value));
  assert_true(term_get_const(terms, term_const(terms, 512, 77), &value));
  assert_int_equal(value, 77);
  assert_memory_equal(term_const_words(terms, wide), words, sizeof words);
  same(term_add(terms, wide, term_neg(terms, wide)), term_const(terms, 512, 0));
  /* An aggregate of bytes and one byte of it. */
  Term bytes[64], all = 0;
  for (uint32_t i = 0; i < 64; i++) {
    bytes[i] = var(8, "byte");
    all = all ? term_concat(terms, bytes[i], all) : bytes[i];
  }
  for (uint32_t i = 0; i < 64; i++) same(term_extract(terms, all, i * 8, 8), bytes[i]);
}

/* ---- size ---- */

static void one(void *user, Term v, uint64_t *words) {
  (void)user;
  (void)v;
  words[0] = 1;
}

/* Neither construction nor evaluation nor text may use the machine's stack by depth. */
static void deep_terms(void **state) {
  (void)state;
  enum { DEPTH = 1000000 };
  Term x = var(32, "x"), y = var(32, "y"), p = var(1, "p"), t = x;
  for (uint32_t i = 0; i < DEPTH; i++) {
    t = i % 2 ? term_add(terms, t, y) : term_xor(terms, t, x);
    if (i % 1000 == 0) t = term_ite(terms, p, t, y);
  }
  uint64_t value = 0;
  term_eval(terms, t, one, NULL, &value);
  uint32_t expected = 1;
  for (uint32_t i = 0; i < DEPTH; i++) expected = i % 2 ? expected + 1 : expected ^ 1;
  assert_int_equal(value, expected);
  Str text = {0};
  term_print(terms, t, &text);
  assert_true(text.len > DEPTH);
  str_free(&text);
}

static void equal_terms_are_one(void **state) {
  (void)state;
  enum { COUNT = 200000 };
  Term x = var(32, "x"), *made = calloc(COUNT, sizeof *made);
  for (uint32_t i = 0; i < COUNT; i++) made[i] = term_mul(terms, x, k(32, i * 2 + 3));
  uint32_t count = terms_count(terms);
  for (uint32_t i = 0; i < COUNT; i++)
    assert_int_equal(made[i], term_mul(terms, k(32, i * 2 + 3), x));
  assert_int_equal(terms_count(terms), count);
  free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_keep_values),
      cmocka_unit_test(substitution_keeps_values),
      cmocka_unit_test_setup_teardown(sums_have_a_normal_form, fresh, end),
      cmocka_unit_test_setup_teardown(products_are_compared_as_polynomials, fresh, end),
      cmocka_unit_test_setup_teardown(bits_meet, fresh, end),
      cmocka_unit_test_setup_teardown(choices_meet, fresh, end),
      cmocka_unit_test_setup_teardown(wide_constants_fold, fresh, end),
      cmocka_unit_test_setup_teardown(deep_terms, fresh, end),
      cmocka_unit_test_setup_teardown(equal_terms_are_one, fresh, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
