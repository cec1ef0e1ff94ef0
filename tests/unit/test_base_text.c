/* Strings, errors, the log and the progress line. */
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static void test_str_grows(void **state) {
  (void)state;
  Str s = {0};
  assert_string_equal(str_text(&s), "");
  for (int i = 0; i < 1000; i++) {
    str_addf(&s, "%d,", i);
    assert_int_equal(strlen(str_text(&s)), s.len);
  }
  assert_true(str_starts(str_text(&s), "0,1,2,"));
  assert_true(str_ends(str_text(&s), ",998,999,"));
  str_clear(&s);
  assert_string_equal(str_text(&s), "");
  str_add_bytes(&s, "a\0b", 3);
  assert_int_equal(s.len, 3);
  str_pad(&s, 0, 6);
  assert_memory_equal(s.data, "a\0b   ", 7);
  str_free(&s);
  char *taken = str_take(&s);
  assert_string_equal(taken, "");
  mem_free(taken);
}

static void test_str_copies(void **state) {
  (void)state;
  char *a = str_dup("x"), *b = str_ndup("hello", 2), *c = str_printf("%s%03d", "n", 5);
  assert_string_equal(a, "x");
  assert_string_equal(b, "he");
  assert_string_equal(c, "n005");
  mem_free(a);
  mem_free(b);
  mem_free(c);
  assert_true(str_eq("", ""));
  assert_false(str_eq("a", "b"));
  assert_true(str_starts("abc", ""));
  assert_false(str_starts("ab", "abc"));
  assert_true(str_ends("abc", "c"));
  assert_false(str_ends("c", "bc"));
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool ok;
    long long value;
  } rows[] = {{"0", true, 0},
              {"42", true, 42},
              {"-7", true, -7},
              {"010", true, 10},
              {"0x1f", true, 31},
              {"-0x10", true, -16},
              {"9223372036854775807", true, INT64_MAX},
              {"-9223372036854775808", true, INT64_MIN},
              {"9223372036854775808", false, 0},
              {"", false, 0},
              {"-", false, 0},
              {"+1", false, 0},
              {" 1", false, 0},
              {"1 ", false, 0},
              {"- 1", false, 0},
              {"--1", false, 0},
              {"0x", false, 0},
              {"0xg", false, 0},
              {"12a", false, 0},
              {"a", false, 0},
              {"1e3", false, 0},
              {"-0x-1", false, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    long long value = 99;
    bool ok = str_to_long(rows[i].text, &value);
    if (ok != rows[i].ok || (ok && value != rows[i].value))
      fail_msg("'%s' gave %d %lld", rows[i].text, ok, value);
    if (!ok) assert_int_equal(value, 99);
  }
}

static void check_err(Err *err, const char *text, int code) {
  Str line = {0};
  err_format(err, &line);
  assert_string_equal(str_text(&line), text);
  assert_int_equal(err_exit_code(err), code);
  str_free(&line);
  err_free(err);
  assert_int_equal(err->kind, ERR_NONE);
}

static void test_errors(void **state) {
  (void)state;
  Err err = {0};
  assert_false(err_set(&err, ERR_INPUT, "a.c", 3, 5, "fix it", "bad %s", "thing"));
  assert_false(err_input(&err, "b.c", NULL, "a later one does not win"));
  check_err(&err, "a.c:3:5: bad thing; fix it", 3);
  err_set(&err, ERR_LIMIT, "a.c", 3, 0, NULL, "slow");
  check_err(&err, "a.c:3: slow", 4);
  err_set(&err, ERR_INTERNAL, NULL, 3, 4, NULL, "odd");
  check_err(&err, "odd", 4);
  err_input(&err, "a\nb\033[1m.c", "r\r1", "m\t2");
  check_err(&err, "a b?[1m.c: m 2; r 1", 3);
  assert_false(err_input(NULL, "a", NULL, "nobody cares"));
  assert_int_equal(err_exit_code(&err), 0);
}

typedef struct {
  Str text;
  int count;
} Heard;

static void hear(void *user, LogLevel level, const char *text) {
  Heard *heard = user;
  heard->count++;
  str_addf(&heard->text, "%s:%s|", log_level_name(level), text);
}

static void test_log_levels(void **state) {
  (void)state;
  static const char *const expected[] = {"error:e 0|", "error:e 1|warning:w|",
                                         "error:e 2|warning:w|info:i|",
                                         "error:e 3|warning:w|info:i|debug:d|"};
  for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
    Heard heard = {0};
    Log log = {hear, &heard, (LogLevel)level};
    log_put(&log, LOG_ERROR, "e %d\n\n", level);
    log_put(&log, LOG_WARNING, "w");
    log_put(&log, LOG_INFO, "i");
    log_put(&log, LOG_DEBUG, "d");
    assert_string_equal(str_text(&heard.text), expected[level]);
    str_free(&heard.text);
  }
  log_put(NULL, LOG_ERROR, "dropped");
  Log silent = {0};
  log_put(&silent, LOG_ERROR, "dropped");
  assert_false(log_enabled(&silent, LOG_ERROR));
}

static void draw(void *user, const char *line) {
  Heard *heard = user;
  heard->count++;
  str_clear(&heard->text);
  str_add(&heard->text, line);
}

static void pass_time(long milliseconds) {
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&t, NULL);
}

static void test_progress_is_rate_limited(void **state) {
  (void)state;
  Heard heard = {0};
  Progress progress;
  progress_init(&progress, draw, &heard);
  progress_step(&progress, 1, NULL); /* outside a phase */
  progress_phase(&progress, "compile", 100000);
  for (int i = 0; i < 1000; i++) progress_step(&progress, 1, NULL);
  assert_int_equal(heard.count, 0); /* too early to show anything */
  pass_time(300);
  for (int i = 0; i < 1000; i++) progress_step(&progress, 1, "b.c");
  assert_in_range(heard.count, 1, 5);
  assert_non_null(strstr(str_text(&heard.text), "compile"));
  assert_non_null(strstr(str_text(&heard.text), "/100000  b.c"));
  progress_end(&progress);
  assert_string_equal(str_text(&heard.text), "");
  int before = heard.count;
  progress_end(&progress);
  assert_int_equal(heard.count, before); /* nothing on the screen: nothing to erase */
  str_free(&heard.text);
}

static void test_silent_progress(void **state) {
  (void)state;
  Progress progress;
  progress_init(&progress, NULL, NULL);
  progress_phase(&progress, "x", 0);
  progress_step(&progress, 1, NULL);
  progress_end(&progress);
  progress_phase(NULL, "x", 0);
  progress_step(NULL, 1, NULL);
  progress_hide(NULL);
  progress_end(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_str_grows),
      cmocka_unit_test(test_str_copies),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_log_levels),
      cmocka_unit_test(test_progress_is_rate_limited),
      cmocka_unit_test(test_silent_progress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
