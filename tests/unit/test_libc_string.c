/* Strings, bytes, characters and numbers of interpreted programs against the host's
 * own. */
#include "libc_machine.h"

#ifndef __clang__ /* the copies that cut their source short do so on purpose */
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif

#include <ctype.h>
#include <errno.h>
#include <strings.h>

int __xpg_strerror_r(int error, char *to, size_t n); /* behind strerror_r of POSIX */

/* A short string over few letters, so that searches and comparisons find something. */
static size_t any_text(char *to, size_t most) {
  size_t n = below((uint32_t)most);
  for (size_t i = 0; i < n; i++)
    to[i] = below(9) ? (char)("abAB/ 1\x80\xff"[below(9)]) : 'a';
  to[n] = '\0';
  return n;
}

static int sign(int64_t x) {
  return (x > 0) - (x < 0);
}

static uint64_t offset_or_null(uint64_t address, uint64_t base) {
  return address ? address - base + 1 : 0;
}
static uint64_t host_offset(const void *p, const void *base) {
  return p ? (uint64_t)((const char *)p - (const char *)base) + 1 : 0;
}

#define SAME(name, got, want)                                                            \
  do {                                                                                   \
    uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                           \
    if (got_ != want_)                                                                   \
      fail_msg("%s(\"%s\", \"%s\", %u): %llx, the host %llx", name, a, b, n,             \
               (unsigned long long)got_, (unsigned long long)want_);                     \
  } while (0)

static void reading(void **state) {
  (void)state;
  machine_open();
  for (int round = 0; round < 3000; round++) {
    machine_rewind(1);
    char a[32], b[8];
    size_t la = any_text(a, 30);
    any_text(b, 6);
    uint32_t n = below(12);
    int c = (uint8_t)"abAB/ 1\x80\xff"[below(9)];
    uint64_t pa = machine_text(a), pb = machine_text(b), pn = n, pc = (uint64_t)c;
    SAME("strlen", call_simple("strlen", 1, pa), strlen(a));
    SAME("strnlen", call_simple("strnlen", 2, pa, pn), strnlen(a, n));
    SAME("strcmp", sign((int32_t)call_simple("strcmp", 2, pa, pb)), sign(strcmp(a, b)));
    SAME("strncmp", sign((int32_t)call_simple("strncmp", 3, pa, pb, pn)),
         sign(strncmp(a, b, n)));
    SAME("strcasecmp", (int32_t)call_simple("strcasecmp", 2, pa, pb), strcasecmp(a, b));
    SAME("strncasecmp", (int32_t)call_simple("strncasecmp", 3, pa, pb, pn),
         strncasecmp(a, b, n));
    SAME("strverscmp", sign((int32_t)call_simple("strverscmp", 2, pa, pb)),
         sign(strverscmp(a, b)));
    SAME("strchr", offset_or_null(call_simple("strchr", 2, pa, pc), pa),
         host_offset(strchr(a, c), a));
    SAME("strrchr", offset_or_null(call_simple("strrchr", 2, pa, pc), pa),
         host_offset(strrchr(a, c), a));
    SAME("strchrnul", call_simple("strchrnul", 2, pa, pc) - pa,
         (uint64_t)(strchrnul(a, c) - a));
    SAME("memchr", offset_or_null(call_simple("memchr", 3, pa, pc, (uint64_t)la), pa),
         host_offset(memchr(a, c, la), a));
    SAME("memrchr", offset_or_null(call_simple("memrchr", 3, pa, pc, (uint64_t)la), pa),
         host_offset(memrchr(a, c, la), a));
    SAME("strstr", offset_or_null(call_simple("strstr", 2, pa, pb), pa),
         host_offset(strstr(a, b), a));
    SAME("strcasestr", offset_or_null(call_simple("strcasestr", 2, pa, pb), pa),
         host_offset(strcasestr(a, b), a));
    SAME("strpbrk", offset_or_null(call_simple("strpbrk", 2, pa, pb), pa),
         host_offset(strpbrk(a, b), a));
    SAME("strspn", call_simple("strspn", 2, pa, pb), strspn(a, b));
    SAME("strcspn", call_simple("strcspn", 2, pa, pb), strcspn(a, b));
    SAME("memmem",
         offset_or_null(
             call_simple("memmem", 4, pa, (uint64_t)la, pb, (uint64_t)strlen(b)), pa),
         host_offset(memmem(a, la, b, strlen(b)), a));
    SAME("basename", call_simple("basename", 1, pa) - pa, (uint64_t)(basename(a) - a));
  }
  machine_close();
}

/* The sign is what the standard promises; glibc on this machine gives the difference. */
static void differences(void **state) {
  (void)state;
  machine_open();
  uint64_t a = machine_text("abz"), b = machine_text("ab\x01"), e = machine_text("");
  assert_int_equal((int32_t)call_simple("strcmp", 2, a, b), 'z' - 1);
  assert_int_equal((int32_t)call_simple("strcmp", 2, b, a), 1 - 'z');
  assert_int_equal((int32_t)call_simple("strcmp", 2, e, a), -'a');
  assert_int_equal((int32_t)call_simple("memcmp", 3, a, b, U(3)), 'z' - 1);
  assert_int_equal((int32_t)call_simple("strncmp", 3, a, b, U(2)), 0);
  machine_close();
}

/* Every copying function, on a buffer of the same contents on both sides. */
static void writing(void **state) {
  (void)state;
  machine_open();
  for (int round = 0; round < 5000; round++) {
    machine_rewind(1);
    char a[64], b[32], from[32];
    memset(a, '#', sizeof a);
    size_t la = any_text(a, 20), lf = any_text(from, 20);
    uint32_t n = below(20);
    strcpy(b, from);
    uint64_t pa = machine_put(a, sizeof a), pf = machine_text(from), pn = n, r = 0, w = 0;
    const char *name = "";
    switch (below(11)) {
    case 0:
      r = call_simple(name = "strcpy", 2, pa, pf) - pa,
      w = (uint64_t)(strcpy(a, from) - a);
      break;
    case 1:
      r = call_simple(name = "stpcpy", 2, pa, pf) - pa,
      w = (uint64_t)(stpcpy(a, from) - a);
      break;
    case 2:
      r = call_simple(name = "strncpy", 3, pa, pf, pn) - pa;
      strncpy(a, from, n);
      break;
    case 3:
      r = call_simple(name = "stpncpy", 3, pa, pf, pn) - pa,
      w = (uint64_t)(stpncpy(a, from, n) - a);
      break;
    case 4:
      r = call_simple(name = "strcat", 2, pa, pf) - pa;
      strcat(a, from);
      break;
    case 5:
      r = call_simple(name = "strncat", 3, pa, pf, pn) - pa;
      strncat(a, from, n);
      break;
    case 6:
      r = call_simple(name = "memset", 3, pa, U(0x1234), pn) - pa;
      memset(a, 0x34, n);
      break;
    case 7:
      r = call_simple(name = "memmove", 3, pa + n / 2, pa, pn) - pa - n / 2;
      memmove(a + n / 2, a, n);
      break;
    case 8:
      r = call_simple(name = "mempcpy", 3, pa, pf, (uint64_t)lf) - pa, w = lf;
      memcpy(a, from, lf);
      break;
    case 9: {
      r = offset_or_null(
          call_simple(name = "memccpy", 4, pa, pf, U('b'), (uint64_t)lf + 1), pa);
      w = host_offset(memccpy(a, from, 'b', lf + 1), a);
      break;
    }
    default: r = call_simple(name = "strxfrm", 3, pa, pf, pn), w = strxfrm(a, from, n);
    }
    SAME(name, r, w);
    if (memcmp(machine_at(pa), a, sizeof a) != 0)
      fail_msg("%s of \"%s\", %u to a text of %zu bytes leaves other bytes", name, from,
               n, la);
  }
  machine_close();
}

static void tokens(void **state) {
  (void)state;
  machine_open();
  for (int round = 0; round < 2000; round++) {
    machine_rewind(1);
    char a[32], b[4], *save, *token = a, *rest;
    any_text(a, 30);
    any_text(b, 4);
    uint32_t n = 0;
    uint64_t pa = machine_put(a, sizeof a), pb = machine_text(b), start = pa;
    uint64_t pr = machine_new(8, false);
    int kind = (int)below(3);
    rest = a;
    if (kind == 2) exec_write(&machine, pr, &pa, 8);
    do {
      uint64_t got;
      if (kind == 0)
        token = strtok(n ? NULL : a, b), got = call_simple("strtok", 2, start, pb);
      else if (kind == 1)
        token = strtok_r(n ? NULL : a, b, &save),
        got = call_simple("strtok_r", 3, start, pb, pr);
      else
        token = strsep(&rest, b), got = call_simple("strsep", 2, pr, pb);
      SAME("tokens", offset_or_null(got, pa), host_offset(token, a));
      start = 0;
      n++;
    } while (token);
    assert_memory_equal(machine_at(pa), a, sizeof a);
  }
  machine_close();
}

static void no_end_is_needed(void **state) {
  (void)state;
  machine_open();
  uint64_t open = machine_put("abc1", 4), text = machine_text("abd");
  assert_int_equal(call_simple("strchr", 2, open, U('b')), open + 1);
  assert_true((int32_t)call_simple("strcmp", 2, open, text) < 0);
  assert_int_equal(call_simple("strncmp", 3, open, open, U(4)), 0);
  assert_int_equal(call_simple("memchr", 3, open, U('c'), UINT64_MAX), open + 2);
  uint64_t digits = machine_put("12x", 3);
  assert_int_equal(call_simple("atoi", 1, digits), 12);
  static const char *const stopping[] = {"strlen", "strdup", "atol", "puts"};
  uint64_t without = machine_put("123", 3);
  for (size_t i = 0; i < 4; i++) {
    Call c;
    call_begin(&c);
    call_int(&c, without);
    machine.stopped = false;
    assert_int_equal(call_run(&c, stopping[i]), NATIVE_STOP);
    assert_true(machine.stopped);
  }
  machine_close();
}

static void characters(void **state) {
  (void)state;
  machine_open();
  uint64_t table = machine_u64(call_simple("__ctype_b_loc", 0));
  uint64_t upper = machine_u64(call_simple("__ctype_toupper_loc", 0));
  for (int c = -128; c < 256; c++) {
    uint64_t p = U(c);
    const uint8_t *mask = machine_at(table + 2 * p);
    assert_int_equal(mask[0] | mask[1] << 8, (*__ctype_b_loc())[c]);
    assert_int_equal(machine_int(upper + 4 * p), (*__ctype_toupper_loc())[c]);
    if (c < -1) continue;
    assert_int_equal((int32_t)call_simple("isalpha", 1, p), isalpha(c));
    assert_int_equal((int32_t)call_simple("isspace", 1, p), isspace(c));
    assert_int_equal((int32_t)call_simple("isxdigit", 1, p), isxdigit(c));
    assert_int_equal((int32_t)call_simple("ispunct", 1, p), ispunct(c));
    assert_int_equal((int32_t)call_simple("toupper", 1, p), toupper(c));
    assert_int_equal((int32_t)call_simple("tolower", 1, p), tolower(c));
  }
  machine_close();
}

static void numbers(void **state) {
  (void)state;
  static const char *const parts[] = {
      "12",          "-",  "+",   " ",  "0x",  "0X1f", "077", "9",
      "99999999999", "z",  "1.5", "e",  "e10", ".",    "inf", "nan",
      "nan(12)",     "p3", "",    "\t", "b",   "400",  "-0"};
  machine_open();
  for (int round = 0; round < 20000; round++) {
    machine_rewind(1);
    Str text = {0};
    for (uint32_t n = below(6); n > 0; n--) str_add(&text, parts[below(23)]);
    const char *a = str_text(&text), *b = "";
    char *end;
    uint32_t n = below(38);
    uint64_t pa = machine_text(a), pe = machine_new(8, false);
    machine.error = errno = 0;
    Call c;
    call_begin(&c);
    call_int(&c, pa);
    call_int(&c, pe);
    call_int(&c, n);
    switch (below(5)) {
    case 0: {
      long want = strtol(a, &end, (int)n);
      call_run(&c, "strtol");
      SAME("strtol", c.call.result, want);
      break;
    }
    case 1: {
      unsigned long want = strtoul(a, &end, (int)n);
      call_run(&c, "strtoull");
      SAME("strtoull", c.call.result, want);
      break;
    }
    case 2: {
      double want = strtod(a, &end);
      call_run(&c, "strtod");
      if (memcmp(&want, &c.call.result, 8) != 0) fail_msg("strtod of \"%s\"", a);
      break;
    }
    case 3: {
      float want = strtof(a, &end);
      call_run(&c, "strtof");
      if (memcmp(&want, &c.call.result, 4) != 0) fail_msg("strtof of \"%s\"", a);
      break;
    }
    default: {
      long double want = strtold(a, &end);
      call_run(&c, "strtold");
      if (memcmp(&want, c.call.result_wide, 10) != 0) fail_msg("strtold of \"%s\"", a);
    }
    }
    if (n != 1 && n < 37) {
      SAME("end", machine_u64(pe) - pa, (uint64_t)(end - a));
    }
    SAME("errno", machine.error, errno);
    str_free(&text);
  }
  machine_close();
}

static void error_texts(void **state) {
  (void)state;
  machine_open();
  for (int e = -2; e < 140; e++) {
    uint64_t at = call_simple("strerror", 1, U(e));
    assert_string_equal(machine_at(at), strerror(e));
    char host[32], got[32];
    uint64_t room = machine_new(32, false);
    int want = __xpg_strerror_r(e, host, 20);
    assert_int_equal((int32_t)call_simple("__xpg_strerror_r", 3, U(e), room, U(20)),
                     want);
    memcpy(got, machine_at(room), 20);
    assert_string_equal(got, host);
  }
  machine_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading),          cmocka_unit_test(differences),
      cmocka_unit_test(writing),          cmocka_unit_test(tokens),
      cmocka_unit_test(no_end_is_needed), cmocka_unit_test(characters),
      cmocka_unit_test(numbers),          cmocka_unit_test(error_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
