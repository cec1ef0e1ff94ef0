/* The pool of a search: blocks do not overlap, come back, and are zero where asked. */
#include "csp/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 500, LINE = 64 };

static size_t size_of(unsigned i) {
  return (size_t)1 + i * 7919u % 20000;
}

static bool is_all(const uint8_t *bytes, size_t size, uint8_t value) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != value) return false;
  return true;
}

/* Every block is filled with its number; none may have changed in the end. */
static void test_blocks_are_apart(void **state) {
  (void)state;
  CspPool *pool = csp_pool_new();
  uint8_t *blocks[BLOCKS];
  for (unsigned i = 0; i < BLOCKS; i++) {
    blocks[i] = i % 3 ? csp_pool_take(pool, size_of(i)) : csp_pool_keep(pool, size_of(i));
    assert_int_equal((uintptr_t)blocks[i] % LINE, 0);
    memset(blocks[i], (int)(i & 0xff), size_of(i));
  }
  for (unsigned i = 1; i < BLOCKS; i += 3) {
    csp_pool_give(pool, blocks[i], size_of(i));
    blocks[i] = csp_pool_keep(pool, size_of(i) / 2 + 1);
    memset(blocks[i], (int)(i & 0xff), size_of(i) / 2 + 1);
  }
  for (unsigned i = 0; i < BLOCKS; i++)
    assert_true(is_all(blocks[i], i % 3 == 1 ? size_of(i) / 2 + 1 : size_of(i),
                       (uint8_t)(i & 0xff)));
  csp_pool_give(pool, NULL, 0);
  csp_pool_free(pool);
  csp_pool_free(NULL);
}

static void test_what_came_back_is_used_again(void **state) {
  (void)state;
  CspPool *pool = csp_pool_new();
  uint8_t *block = csp_pool_take(pool, 5000);
  memset(block, 0xff, 5000);
  csp_pool_give(pool, block, 5000);
  uint8_t *again = csp_pool_take_zero(pool, 6000);
  assert_ptr_equal(block, again);
  assert_true(is_all(again, 6000, 0));
  csp_pool_free(pool);
}

/* Larger than any region before, and in huge pages where there are some. */
static void test_large_blocks(void **state) {
  (void)state;
  CspPool *pool = csp_pool_new();
  size_t size = (size_t)9 << 20;
  uint8_t *block = csp_pool_take_zero(pool, size);
  assert_int_equal(block[0] | block[size - 1], 0);
  block[size - 1] = 1;
  uint8_t *small = csp_pool_keep(pool, 100);
  assert_true(small + 100 <= block || small >= block + size);
  csp_pool_free(pool);
}

static void test_lines(void **state) {
  (void)state;
  uint8_t *lines = csp_lines_new(10);
  assert_int_equal((uintptr_t)lines % LINE, 0);
  assert_true(is_all(lines, 10, 0));
  memset(lines, 7, 10);
  lines = csp_lines_grow(lines, 10, 300);
  assert_int_equal((uintptr_t)lines % LINE, 0);
  assert_true(is_all(lines, 10, 7) && is_all(lines + 10, 290, 0));
  csp_lines_free(lines);
  lines = csp_lines_grow(NULL, 0, 8);
  assert_true(is_all(lines, 8, 0));
  csp_lines_free(lines);
  csp_lines_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks_are_apart),
      cmocka_unit_test(test_what_came_back_is_used_again),
      cmocka_unit_test(test_large_blocks),
      cmocka_unit_test(test_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
