/* Memory, arenas, vectors and maps, each against a naive reference where there is one. */
#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* A small generator of its own, so that a failure repeats everywhere. */
static uint64_t random_state;
static uint64_t next_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state >> 33;
}

static jmp_buf on_failure;
static size_t failed_size;
static void jump_out(size_t wanted) {
  failed_size = wanted;
  longjmp(on_failure, 1);
}

static void test_zero_sizes(void **state) {
  (void)state;
  void *a = mem_alloc(0), *b = mem_alloc_zero(0), *c = mem_dup(NULL, 0);
  assert_non_null(a);
  assert_non_null(b);
  assert_non_null(c);
  a = mem_realloc(a, 0);
  assert_non_null(a);
  mem_free(a);
  mem_free(b);
  mem_free(c);
  mem_free(NULL);
}

static void test_nth_allocation_fails(void **state) {
  (void)state;
  mem_on_exhaustion(jump_out);
  for (unsigned long n = 1; n <= 5; n++) {
    volatile unsigned long done = 0;
    void *volatile kept[5] = {0};
    mem_fail_at(n);
    if (setjmp(on_failure) == 0) {
      for (; done < 5; done++)
        kept[done] = done % 2 ? mem_alloc_zero(done + 1) : mem_alloc(done + 1);
      fail_msg("allocation %lu did not fail", n);
    }
    assert_int_equal(done, n - 1);
    assert_int_equal(failed_size, n);
    for (unsigned i = 0; i < 5; i++) mem_free(kept[i]);
  }
  mem_fail_at(0);
  mem_free(mem_alloc(8));
  mem_on_exhaustion(NULL);
}

static void test_absurd_sizes_reach_the_handler(void **state) {
  (void)state;
  mem_on_exhaustion(jump_out);
  Arena *volatile arena = arena_new();
  VEC(char) numbers = {0};
  if (setjmp(on_failure) == 0) {
    arena_alloc(arena, SIZE_MAX - 3);
    fail_msg("the arena gave what cannot be");
  }
  if (setjmp(on_failure) == 0) {
    vec_reserve(&numbers, (size_t)UINT32_MAX + 1);
    fail_msg("the vector gave what it cannot number");
  }
  arena_free(arena);
  vec_free(&numbers);
  mem_on_exhaustion(NULL);
}

/* Blocks are aligned, do not overlap and keep their bytes. */
static void test_arena_blocks(void **state) {
  (void)state;
  enum { BLOCKS = 3000 };
  static unsigned char *blocks[BLOCKS];
  static size_t sizes[BLOCKS];
  random_state = 1;
  Arena *arena = arena_new();
  size_t total = 0;
  for (int i = 0; i < BLOCKS; i++) {
    sizes[i] = next_random() % 50 == 0 ? next_random() % 100000 : next_random() % 200;
    blocks[i] = i % 2 ? arena_alloc_zero(arena, sizes[i]) : arena_alloc(arena, sizes[i]);
    assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
    for (size_t k = 0; i % 2 && k < sizes[i]; k++) assert_int_equal(blocks[i][k], 0);
    memset(blocks[i], i & 0xff, sizes[i]);
    total += sizes[i];
  }
  assert_true(arena_used(arena) >= total);
  for (int i = 0; i < BLOCKS; i++)
    for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i & 0xff);
  arena_free(arena);
  arena_free(NULL);
}

static void test_arena_texts(void **state) {
  (void)state;
  Arena *arena = arena_new();
  assert_string_equal(arena_strdup(arena, ""), "");
  assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
  assert_string_equal(arena_printf(arena, "%s-%d", "x", 42), "x-42");
  char *wide = arena_printf(arena, "%9000d", 7);
  assert_int_equal(strlen(wide), 9000);
  assert_memory_equal(arena_dup(arena, "a\0b", 3), "a\0b", 3);
  arena_free(arena);
}

static void test_vector_against_array(void **state) {
  (void)state;
  enum { MOST = 5000 };
  static uint32_t naive[MOST];
  VEC(uint32_t) v = {0};
  uint32_t length = 0;
  random_state = 2;
  for (int step = 0; step < 20000; step++) {
    uint32_t value = (uint32_t)next_random();
    if (value % 3 && length < MOST) {
      vec_push(&v, value);
      naive[length++] = value;
    } else if (value % 97 == 0 && length + 7 < MOST) {
      uint32_t *added = vec_extend(&v, 7);
      for (int i = 0; i < 7; i++) {
        assert_int_equal(added[i], 0);
        naive[length++] = 0;
      }
    } else if (length) {
      assert_int_equal(*vec_last(&v), naive[length - 1]);
      assert_int_equal(vec_pop(&v), naive[--length]);
    }
    assert_int_equal(v.len, length);
  }
  for (uint32_t i = 0; i < length; i++) assert_int_equal(*vec_at(&v, i), naive[i]);
  vec_clear(&v);
  assert_int_equal(v.len, 0);
  vec_free(&v);
  assert_null(v.data);
}

/* The key of a map may be anything, 0 and all ones included; order is that of insertion.
 */
static void test_map_against_list(void **state) {
  (void)state;
  enum { MOST = 600 };
  static MapEntry naive[MOST];
  random_state = 3;
  for (int round = 0; round < 20; round++) {
    Map map = {0};
    uint32_t length = 0;
    assert_null(map_get(&map, 5));
    for (int step = 0; step < 2000; step++) {
      uint64_t key = next_random() % 500, value = next_random();
      if (round % 2)
        key = key * 4096 - 1; /* like pointers, and with 2^64 - 1 among them */
      uint32_t i = 0;
      while (i < length && naive[i].key != key) i++;
      if (value % 2) {
        map_put(&map, key, value);
        naive[i] = (MapEntry){key, value};
        length += i == length;
      } else {
        uint64_t *found = map_get(&map, key);
        assert_int_equal(found != NULL, i < length);
        assert_int_equal(map_find(&map, key, 77), i < length ? naive[i].value : 77);
      }
    }
    assert_int_equal(map.len, length);
    for (uint32_t i = 0; i < length; i++) {
      assert_int_equal(map.entries[i].key, naive[i].key);
      assert_int_equal(map.entries[i].value, naive[i].value);
    }
    map_clear(&map);
    assert_null(map_get(&map, naive[0].key));
    *map_at(&map, 9) += 3;
    *map_at(&map, 9) += 3;
    assert_int_equal(map_find(&map, 9, 0), 6);
    map_free(&map);
  }
}

static void test_strmap_against_list(void **state) {
  (void)state;
  enum { MOST = 500 };
  static char keys[MOST][8];
  static size_t lengths[MOST];
  static uint64_t values[MOST];
  StrMap map = {0};
  uint32_t count = 0;
  random_state = 4;
  for (int step = 0; step < 4000; step++) {
    char key[8];
    size_t length = next_random() % 4;
    for (size_t i = 0; i < length; i++)
      key[i] = "ab\0c"[next_random() % 4]; /* zero bytes are part of a key */
    uint32_t i = 0;
    while (i < count && (lengths[i] != length || memcmp(keys[i], key, length))) i++;
    uint64_t *found = strmap_get(&map, key, length);
    assert_int_equal(found != NULL, i < count);
    if (i == count) {
      memcpy(keys[i], key, length);
      lengths[i] = length;
      count++;
    }
    values[i] = next_random();
    *strmap_at(&map, key, length) = values[i];
  }
  assert_int_equal(map.len, count);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(map.entries[i].length, lengths[i]);
    assert_memory_equal(map.entries[i].key, keys[i], lengths[i]);
    assert_int_equal(map.entries[i].key[lengths[i]], 0);
    assert_int_equal(map.entries[i].value, values[i]);
  }
  strmap_put(&map, "name", 4);
  assert_int_equal(strmap_find(&map, "name", 0), 4);
  assert_int_equal(strmap_find(&map, "nam", 1), 1);
  strmap_free(&map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zero_sizes),
      cmocka_unit_test(test_nth_allocation_fails),
      cmocka_unit_test(test_absurd_sizes_reach_the_handler),
      cmocka_unit_test(test_arena_blocks),
      cmocka_unit_test(test_arena_texts),
      cmocka_unit_test(test_vector_against_array),
      cmocka_unit_test(test_map_against_list),
      cmocka_unit_test(test_strmap_against_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
