/* Affine sets: what is said of the points is true of them, and nothing that they allow is excluded. */
#include "engine/circ/affine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VARIABLES = 4 };

static uint64_t mask_of(uint32_t bits) {
  return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool allows(const Affine *a, const uint64_t *point) {
  for (uint32_t i = 0; i < a->rows.len; i += a->count + 1) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < a->count; k++) sum += a->rows.data[i + k] * point[k];
    if ((sum - a->rows.data[i + a->count]) & mask_of(a->bits)) return false;
  }
  return true;
}

static uint64_t dice(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* n = a + b, and s = 2n + 7, whatever a and b are. */
static void fill(uint64_t a, uint64_t b, uint64_t *ret) {
  ret[0] = a, ret[1] = b, ret[2] = 2 * (a + b) + 7, ret[3] = a + b;
}

static void equations(void **state) {
  static const uint32_t widths[] = {8, 16, 32, 64};
  uint64_t seed = 1, point[VARIABLES];
  (void)state;
  for (uint32_t w = 0; w < 4; w++) {
    Affine a = {.count = VARIABLES, .bits = widths[w]};
    for (int i = 0; i < 20; i++) {
      fill(dice(&seed) % 50, dice(&seed) % 50, point);
      affine_add(&a, point);
      assert_true(allows(&a, point));
    }
    fill(100, 3, point);
    assert_true(allows(&a, point));
    point[2]++;
    assert_false(allows(&a, point));
    affine_add(&a, point);
    assert_true(allows(&a, point));
    affine_free(&a);
  }
}

static void congruences(void **state) {
  (void)state;
  Affine a = {.count = 1, .bits = 32};
  affine_add(&a, &(uint64_t){3});
  assert_true(allows(&a, &(uint64_t){3}));
  assert_false(allows(&a, &(uint64_t){5}));
  affine_add(&a, &(uint64_t){5});
  for (uint64_t x = 0; x < 100; x++) assert_int_equal(allows(&a, &x), x & 1);
  affine_add(&a, &(uint64_t){4});
  assert_true(allows(&a, &(uint64_t){8}));
  affine_free(&a);
}

/* Every set has all points that it was given. */
static void points(void **state) {
  uint64_t seed = 5, given[12][VARIABLES];
  (void)state;
  for (int round = 0; round < 500; round++) {
    Affine a = {.count = VARIABLES, .bits = round % 2 ? 64 : 8};
    for (int i = 0; i < 12; i++) {
      for (int k = 0; k < VARIABLES; k++)
        given[i][k] = (dice(&seed) % 8) << (dice(&seed) % a.bits) & mask_of(a.bits);
      affine_add(&a, given[i]);
      for (int k = 0; k <= i; k++) assert_true(allows(&a, given[k]));
    }
    affine_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equations),
                                     cmocka_unit_test(congruences),
                                     cmocka_unit_test(points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
