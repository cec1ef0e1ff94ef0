/* Saving and mapping: what comes back is what was saved, and nothing else comes back. */
#include "model/store.h"
#include "model/validate.h"
#include "model_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int memory_file(void) {
  int fd = memfd_create("model", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  assert_true(fd >= 0);
  return fd;
}

static bool same_tables(const Program *a, const Program *b) {
#define TABLE(name)                                                                      \
  if (a->name.len != b->name.len ||                                                      \
      memcmp(a->name.data, b->name.data, a->name.len * sizeof *a->name.data) != 0)       \
    return false;
  PROGRAM_TABLES(TABLE)
#undef TABLE
  return a->main == b->main && a->errno_object == b->errno_object &&
         a->file_count == b->file_count && a->line_count == b->line_count;
}

static void saved_program_comes_back(void **state) {
  (void)state;
  Sample s;
  Program program, mapped;
  Err err = {0};
  sample_build(&s, &program);
  int fd = memory_file();
  assert_true(program_save(&program, fd, &err));
  assert_true(program_map(fd, &mapped, &err));
  assert_int_equal(write(fd, "x", 1), -1); /* sealed */
  close(fd);
  assert_true(same_tables(&program, &mapped));
  assert_true(program_validate(&mapped, &err));
  program_free(&mapped);
  assert_null(mapped.mapping);
  program_free(&program);
}

static void empty_program_comes_back(void **state) {
  (void)state;
  Program program = {0}, mapped;
  Err err = {0};
  int fd = memory_file();
  assert_true(program_save(&program, fd, &err));
  assert_true(program_map(fd, &mapped, &err));
  assert_true(program_validate(&mapped, &err));
  program_free(&mapped);
  close(fd);
}

/* Loads a changed copy of a saved file. Returns whether it could be mapped. */
static bool map_changed(const uint8_t *bytes, size_t size, size_t at, uint8_t flip) {
  int fd = memory_file();
  assert_int_equal(write(fd, bytes, size), size);
  if (flip) {
    uint8_t changed = bytes[at] ^ flip;
    assert_int_equal(pwrite(fd, &changed, 1, (off_t)at), 1);
  }
  Program mapped = {0};
  Err err = {0};
  bool ok = program_map(fd, &mapped, &err);
  assert_int_equal(err.kind, ok ? ERR_NONE : ERR_INTERNAL);
  if (ok) {
    program_validate(&mapped, &err);
    program_free(&mapped);
  }
  err_free(&err);
  close(fd);
  return ok;
}

static size_t saved_bytes(uint8_t **ret) {
  Sample s;
  Program program;
  sample_build(&s, &program);
  int fd = memory_file();
  assert_true(program_save(&program, fd, NULL));
  program_free(&program);
  size_t size = (size_t)lseek(fd, 0, SEEK_END);
  *ret = malloc(size);
  assert_int_equal(pread(fd, *ret, size, 0), size);
  close(fd);
  return size;
}

static void every_shorter_file_is_refused(void **state) {
  (void)state;
  uint8_t *bytes;
  size_t size = saved_bytes(&bytes);
  assert_true(map_changed(bytes, size, 0, 0));
  for (size_t n = 0; n < size; n++) assert_false(map_changed(bytes, n, 0, 0));
  uint8_t *longer = calloc(1, size + 8);
  memcpy(longer, bytes, size);
  assert_false(map_changed(longer, size + 8, 0, 0));
  free(longer);
  free(bytes);
}

/* Any flipped bit of the header is noticed, except in the four scalars, and in the counts
 * of tables where the change disappears in the rounding to 8 bytes. */
static void every_changed_header_is_refused(void **state) {
  (void)state;
  uint8_t *bytes;
  size_t size = saved_bytes(&bytes);
  const size_t scalars = 24, scalars_end = 40, entries = 48, header_end = 48 + 16 * 22;
  for (size_t at = 0; at < header_end; at++) {
    bool scalar = at >= scalars && at < scalars_end;
    bool count = at >= entries && (at - entries) % 16 == 8;
    for (int bit = 0; bit < 8; bit++) {
      bool mapped = map_changed(bytes, size, at, (uint8_t)(1 << bit));
      assert_true(mapped == scalar || (mapped && count && bit < 3));
    }
  }
  free(bytes);
}

/* Contents are not the mapper's business, but validating them must never crash. */
static void changed_tables_never_crash(void **state) {
  (void)state;
  uint8_t *bytes;
  size_t size = saved_bytes(&bytes);
  uint32_t random = 1;
  for (size_t at = 24; at < size; at++) {
    random = random * 1664525 + 1013904223;
    map_changed(bytes, size, at, (uint8_t)(1 + (random >> 24) % 255));
  }
  free(bytes);
}

static void full_disk_is_reported(void **state) {
  (void)state;
  int fd = open("/dev/full", O_WRONLY);
  if (fd < 0) skip();
  Program program = {0};
  Err err = {0};
  assert_false(program_save(&program, fd, &err));
  assert_int_equal(err.kind, ERR_LIMIT);
  err_free(&err);
  close(fd);
}

static void unreadable_file_is_reported(void **state) {
  (void)state;
  Program mapped;
  Err err = {0};
  assert_false(program_map(-1, &mapped, &err));
  assert_int_equal(err.kind, ERR_INTERNAL);
  err_free(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(saved_program_comes_back),
      cmocka_unit_test(empty_program_comes_back),
      cmocka_unit_test(every_shorter_file_is_refused),
      cmocka_unit_test(every_changed_header_is_refused),
      cmocka_unit_test(changed_tables_never_crash),
      cmocka_unit_test(full_disk_is_reported),
      cmocka_unit_test(unreadable_file_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
