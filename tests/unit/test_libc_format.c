/* printf and scanf of interpreted programs against the host's own, on random formats.
 *
 * The host is called through a va_list that is built by hand: all arguments on the stack
 * part, so that one array of bytes serves the host, and its copy serves the native
 * function. */
#include "libc_machine.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  uint32_t gp_offset, fp_offset;
  void *overflow, *save;
} HostList;

/* The same arguments in three forms: for the host, for a va_list of the program, for a
 * call. */
typedef struct {
  uint8_t host[2048], program[2048];
  size_t used;
  Call call;
} Arguments;

static void add_slot(Arguments *a, const void *host, const void *program, size_t n,
                     size_t align) {
  a->used = (a->used + align - 1) & ~(align - 1);
  memcpy(a->host + a->used, host, n);
  memcpy(a->program + a->used, program, n);
  a->used += n;
}

static void add_int(Arguments *a, uint64_t value) {
  add_slot(a, &value, &value, 8, 8);
  call_int(&a->call, value);
}

static void add_pointer(Arguments *a, const void *host, uint64_t program) {
  add_slot(a, &host, &program, 8, 8);
  call_int(&a->call, program);
}

static void add_double(Arguments *a, double value) {
  add_slot(a, &value, &value, 8, 8);
  call_double(&a->call, value);
}

static void add_wide(Arguments *a, long double value) {
  uint8_t bytes[16] = {0};
  memcpy(bytes, &value, 10);
  add_slot(a, bytes, bytes, 16, 16);
  call_wide(&a->call, value);
}

/* ---- random values and directives -------------------------------------------------- */

static uint64_t any_int(void) {
  uint64_t v = any();
  switch (below(6)) {
  case 0: return v % 20;
  case 1: return (uint64_t)-(int64_t)(v % 300);
  case 2: return v & 0xffff;
  case 3: return U(1) << (v % 64);
  default: return v;
  }
}

static double any_double(void) {
  static const double special[] = {0.0,    -0.0,   1.0,       0.5,         1e300,
                                   1e-300, 5e-324, 9.9999995, 123456789.0, 0.1,
                                   1e15,   1e16,   1e-5,      0.0001};
  uint64_t bits = any();
  double value;
  switch (below(5)) {
  case 0: return special[below(sizeof special / sizeof *special)];
  case 1: return (double)(int64_t)bits / 1000.0;
  case 2: return below(2) ? INFINITY : below(2) ? -INFINITY : NAN;
  case 3: return (double)below(100000) / 100.0;
  default: memcpy(&value, &bits, 8); return value;
  }
}

static void add_string(Arguments *a, int precision, bool starred) {
  static char host[16][40]; /* alive until the host is called */
  static unsigned next;
  if (below(12) == 0) {
    add_pointer(a, NULL, 0);
    return;
  }
  char *text = host[next++ % 16];
  size_t length = below(30);
  for (size_t i = 0; i < length; i++) text[i] = (char)(1 + below(255));
  text[length] = '\0';
  /* Without its NUL where the precision does not reach it. */
  bool open = !starred && precision >= 0 && (size_t)precision <= length && precision > 0;
  add_pointer(a, text, machine_put(text, open ? (size_t)precision : length + 1));
}

static void add_value(Arguments *a, Str *format, int precision, bool starred) {
  static const char *const lengths[] = {"",  "",  "hh", "h", "l", "ll",
                                        "j", "z", "t",  "q", "L"};
  static const char ints[] = "diouxXbB", floats[] = "fFeEgGaA";
  switch (below(9)) {
  case 0:
  case 1:
  case 2:
  case 3: {
    str_addf(format, "%s%c", lengths[below(11)], ints[below(8)]);
    add_int(a, any_int());
    break;
  }
  case 4:
    str_addf(format, "%s%c", below(3) ? "" : "l", floats[below(8)]);
    add_double(a, any_double());
    break;
  case 5: {
    str_addf(format, "L%c", floats[below(8)]);
    long double value = (long double)any_double();
    if (below(2)) value *= 3.000000000000000001L;
    add_wide(a, value);
    break;
  }
  case 6:
    str_add(format, "c");
    add_int(a, below(256));
    break;
  case 7:
    str_add(format, "s");
    add_string(a, precision, starred);
    break;
  default: str_add(format, "p"); add_int(a, below(5) ? any() : 0);
  }
}

static void add_directive(Arguments *a, Str *format) {
  static const char flags[] = "-+ #0'I";
  str_add(format, "%");
  for (uint32_t n = below(4); n > 0; n--) str_add_char(format, flags[below(7)]);
  if (below(3) == 0) {
    str_addf(format, "%u", below(40));
  } else if (below(6) == 0) {
    str_add(format, "*");
    add_int(a, (uint64_t)(int64_t)((int)below(60) - 30));
  }
  int precision = -1;
  bool starred = false;
  if (below(3) == 0) {
    precision = (int)below(30);
    if (below(20) == 0) precision = 600 + (int)below(1000);
    str_addf(format, ".%d", precision);
  } else if (below(6) == 0) {
    starred = true;
    str_add(format, ".*");
    add_int(a, (uint64_t)(int64_t)((int)below(40) - 10));
  } else if (below(10) == 0) {
    str_add(format, ".");
    precision = 0;
  }
  if (below(25) == 0)
    str_add(format, below(2) ? "%" : "m");
  else
    add_value(a, format, precision, starred);
}

static void any_format(Arguments *a, Str *format) {
  for (uint32_t n = 1 + below(4); n > 0; n--) {
    if (below(2)) str_add(format, below(2) ? "x = " : "\t<\x80>");
    add_directive(a, format);
  }
  if (below(4) == 0) str_add(format, " end");
  if (below(60) == 0) str_add(format, below(2) ? "%y" : "%");
}

/* ---- comparisons ------------------------------------------------------------------- */

enum { ROOM = 65536 };

static void expect_text(const char *what, const Str *format, int got, int want,
                        const char *got_text, const char *want_text, size_t n) {
  if (got == want && (want < 0 || memcmp(got_text, want_text, n) == 0)) return;
  fail_msg("%s of \"%s\" gave %d \"%.200s\", the host %d \"%.200s\"", what,
           str_text(format), got, got_text, want, want_text);
}

static int host_print(char *to, size_t n, const Str *format, Arguments *a) {
  HostList list = {48, 176, a->host, NULL};
  va_list args;
  memcpy(args, &list, sizeof list);
  return vsnprintf(to, n, str_text(format), args);
}

static void random_prints(void **state) {
  (void)state;
  static char want[ROOM];
  static Arguments a;
  machine_open();
  for (int round = 0; round < 20000; round++) {
    machine_rewind(1);
    a.used = 0;
    Str format = {0};
    size_t size = below(4) ? ROOM : below(50);
    call_begin(&a.call);
    uint64_t to = machine_new(size ? size : 1, false);
    call_int(&a.call, to);
    call_int(&a.call, size);
    call_int(&a.call, 0);
    any_format(&a, &format);
    a.call.args[2] = machine_text(str_text(&format));
    a.call.call.result_bits = 32;
    errno = machine.error = (int)below(40);
    int wanted = host_print(want, size, &format, &a);
    NativeStatus status = call_run(&a.call, "snprintf");
    if (status != NATIVE_DONE)
      fail_msg("\"%s\" stopped: %s", str_text(&format), machine.stop);
    size_t n = wanted < 0 || size == 0 ? 0
               : (size_t)wanted < size ? (size_t)wanted + 1
                                       : size;
    expect_text("snprintf", &format, (int32_t)a.call.call.result, wanted, machine_at(to),
                want, n);

    HostList list = {48, 176, NULL, NULL};
    uint64_t overflow = machine_put(a.program, sizeof a.program);
    memcpy(&list.overflow, &overflow, 8);
    uint64_t list_at = machine_put(&list, sizeof list);
    to = machine_new(size ? size : 1, false);
    int got = (int)(int32_t)call_simple("vsnprintf", 4, to, (uint64_t)size,
                                        a.call.args[2], list_at);
    expect_text("vsnprintf", &format, got, wanted, machine_at(to), want, n);
    str_free(&format);
  }
  machine_close();
}

static void positions(void **state) {
  (void)state;
  static const char *const formats[] = {
      "%2$d %1$d", "%1$s-%1$s %3$s", "%3$*1$d|", "%2$*1$.*3$f", "%1$d %1$x %1$o",
      "%3$s",      "%1$s %s",        "%1$d%",    "%1$y",        "%2$lld %1$hhd"};
  static char want[ROOM];
  static Arguments a;
  machine_open();
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    Str format = {0};
    str_add(&format, formats[i]);
    a.used = 0;
    call_begin(&a.call);
    uint64_t to = machine_new(ROOM, false);
    call_int(&a.call, to);
    call_int(&a.call, ROOM);
    call_int(&a.call, machine_text(formats[i]));
    bool strings = strchr(formats[i], 's') != NULL;
    for (int k = 0; k < 3; k++) {
      if (strings)
        add_pointer(&a, "text", machine_text("text"));
      else if (strchr(formats[i], 'f') && k == 1)
        add_double(&a, 2.5);
      else
        add_int(&a, (uint64_t)(7 + k));
    }
    int wanted = host_print(want, ROOM, &format, &a);
    assert_int_equal(call_run(&a.call, "snprintf"), NATIVE_DONE);
    expect_text("positions", &format, (int32_t)a.call.call.result, wanted, machine_at(to),
                want, (size_t)wanted + 1);
    str_free(&format);
  }
  machine_close();
}

/* Widths and precisions that would need gigabytes: only counted where nothing is kept. */
static void absurd_widths(void **state) {
  (void)state;
  machine_open();
  struct {
    const char *format;
    int want;
  } cases[] = {{"%2000000000d", 2000000000},  {"%.2000000000d", 2000000000},
               {"%.2000000000f", 2000000002}, {"%-2147483647d", INT_MAX},
               {"%2147483647dx", -1},         {"%99999999999d", -1},
               {"%.99999999999d", -1},        {"%#.100000g", 100001},
               {"%.100000e", 100006},         {"%.100000a", 100007}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Call c;
    call_begin(&c);
    uint64_t to = machine_new(64, false);
    call_int(&c, to);
    call_int(&c, 64);
    call_int(&c, machine_text(cases[i].format));
    if (strpbrk(cases[i].format, "fgea"))
      call_double(&c, 1.5);
    else
      call_int(&c, 5);
    c.call.result_bits = 32;
    assert_int_equal(call_run(&c, "snprintf"), NATIVE_DONE);
    if ((int32_t)c.call.result != cases[i].want)
      fail_msg("%s gives %d", cases[i].format, (int32_t)c.call.result);
    if (cases[i].want < 0) assert_int_equal(machine.error, EOVERFLOW);
  }
  machine_close();
}

static void wrong_arguments_stop(void **state) {
  (void)state;
  machine_open();
  static const char *const formats[] = {"%d %d", "%f", "%s", "%n", "%Lf"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    Call c;
    call_begin(&c);
    call_int(&c, machine_text(formats[i]));
    call_int(&c, 0x99);
    machine.stopped = false;
    assert_int_equal(call_run(&c, "printf"), NATIVE_STOP);
    assert_true(machine.stopped);
  }
  Call c; /* sprintf past the end of its buffer, a format without end */
  call_begin(&c);
  call_int(&c, machine_new(4, false));
  call_int(&c, machine_text("12345"));
  assert_int_equal(call_run(&c, "sprintf"), NATIVE_STOP);
  call_begin(&c);
  call_int(&c, machine_put("abc", 3));
  assert_int_equal(call_run(&c, "printf"), NATIVE_STOP);
  machine_close();
}

/* ---- scanf ------------------------------------------------------------------------- */

enum { TARGET = 64 };

static void any_input(Str *text) {
  static const char *const parts[] = {
      "12",    "-7",        "0x1f",  "0x",
      "0",     "077",       "+",     "-",
      " ",     "  ",        "\t",    "\n",
      "abc",   "a",         "1.5",   "1e5",
      "1e",    "1e+",       ".5",    ".",
      "inf",   "infinity",  "infin", "nan",
      "na",    "0x1.8p3",   "0x.p",  "99999999999999999999",
      "(nil)", "%",         "x",     ",",
      "]",     "^",         "-5",    "e",
      "1.2.3", "08",        "0x1p",  "1234567890123456789",
      "\x80",  "-0",        "1e400", "-inf",
      "0xg",   "4294967296"};
  for (uint32_t n = below(8); n > 0; n--) {
    str_add(text, parts[below(sizeof parts / sizeof *parts)]);
    if (below(2)) str_add(text, " ");
  }
}

static void any_scan(Arguments *a, Str *format, uint8_t *host, uint64_t program) {
  static const char *const directives[] = {
      "d",   "i",  "u",     "o",    "x",    "X",     "hhd",    "hd", "ld",
      "lld", "zu", "jd",    "f",    "lf",   "Lf",    "e",      "lg", "a",
      "s",   "c",  "[a-z]", "[^ ]", "[]x]", "[^]]",  "[0-9-]", "n",  "hhn",
      "ln",  "p",  "%",     "li",   "lx",   "[z-a]", "[a",     "y"};
  static const char *const literals[] = {" ", ",", "x", "  ", "1", "a", "%%", "-"};
  for (uint32_t n = 1 + below(5); n > 0; n--) {
    if (below(3) == 0) str_add(format, literals[below(8)]);
    if (below(5) == 0) str_add(format, " ");
    bool suppress = below(6) == 0;
    str_add(format, suppress ? "%*" : "%");
    if (below(4) == 0) str_addf(format, "%u", below(6));
    str_add(format, directives[below(sizeof directives / sizeof *directives)]);
    add_pointer(a, host + TARGET * (n - 1), program + TARGET * (n - 1));
  }
}

static void random_scans(void **state) {
  (void)state;
  static Arguments a;
  machine_open();
  for (int round = 0; round < 60000; round++) {
    machine_rewind(1);
    uint8_t host[TARGET * 6];
    Str text = {0}, format = {0};
    memset(host, 0xaa, sizeof host);
    a.used = 0;
    any_input(&text);
    call_begin(&a.call);
    call_int(&a.call, machine_text(str_text(&text)));
    call_int(&a.call, 0);
    uint64_t program = machine_put(host, sizeof host);
    any_scan(&a, &format, host, program);
    a.call.args[1] = machine_text(str_text(&format));
    a.call.call.result_bits = 32;
    HostList list = {48, 176, a.host, NULL};
    va_list args;
    memcpy(args, &list, sizeof list);
    int want = vsscanf(str_text(&text), str_text(&format), args);
    NativeStatus status = call_run(&a.call, "__isoc99_sscanf");
    if (status != NATIVE_DONE)
      fail_msg("\"%s\" stopped: %s", str_text(&format), machine.stop);
    int got = (int32_t)a.call.call.result;
    if (got != want || memcmp(host, machine_at(program), sizeof host) != 0)
      fail_msg("sscanf(\"%s\", \"%s\") gives %d, the host %d%s", str_text(&text),
               str_text(&format), got, want,
               got == want ? "; the stored values differ" : "");
    str_free(&text);
    str_free(&format);
  }
  machine_close();
}

/* ---- streams ----------------------------------------------------------------------- */

static void output_is_buffered(void **state) {
  (void)state;
  machine_open();
  Call c;
  char block[5000];
  memset(block, 'x', sizeof block);
  call_begin(&c);
  call_int(&c, machine_text("hello %d\n"));
  call_int(&c, 5);
  assert_int_equal(call_run(&c, "printf"), NATIVE_DONE);
  assert_int_equal(c.call.result, 8);
  assert_int_equal(machine.output[1].len, 0); /* a pipe: nothing before 4096 bytes */
  uint64_t out = call_simple("fflush", 1, U(0));
  assert_int_equal(out, 0);
  assert_string_equal(str_text(&machine.output[1]), "hello 5\n");
  uint64_t many = machine_put(block, sizeof block);
  uint64_t stdout_at = machine.libc->standard[1];
  assert_int_equal(call_simple("fwrite", 4, many, U(1), U(5000), stdout_at), 5000);
  assert_int_equal(machine.output[1].len, 8 + 4096);
  call_begin(&c);
  call_int(&c, machine_text("seen"));
  machine.error = ENOENT;
  assert_int_equal(call_run(&c, "perror"), NATIVE_DONE);
  assert_string_equal(str_text(&machine.output[2]), "seen: No such file or directory\n");
  libc_flush(&machine, machine.libc);
  assert_int_equal(machine.output[1].len, 8 + 5000);
  machine_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_prints), cmocka_unit_test(positions),
      cmocka_unit_test(absurd_widths), cmocka_unit_test(wrong_arguments_stop),
      cmocka_unit_test(random_scans),  cmocka_unit_test(output_is_buffered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
