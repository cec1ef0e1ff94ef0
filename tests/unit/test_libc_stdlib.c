/* Sorting, random numbers, environment, exit handlers, allocation, mathematics, time and
 * getopt of interpreted programs against the host's own. */
#include "libc_machine.h"

#include <complex.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* ---- qsort: the same comparisons in the same order --------------------------------- */

typedef struct {
  int64_t a, b; /* offsets from the base */
} Pair;

static VEC(Pair) host_pairs;
static const char *host_base;

static int compare_first(const void *a, const void *b) {
  return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int host_compare(const void *a, const void *b) {
  vec_push(&host_pairs, (Pair){(const char *)a - host_base, (const char *)b - host_base});
  return compare_first(a, b);
}

/* The sanitizer's own qsort compares more than glibc's: there only the result counts. */
#if defined(__SANITIZE_ADDRESS__)
enum { EXACT = 0 };
#else
enum { EXACT = 1 };
#endif

static void sorting(void **state) {
  (void)state;
  machine_open();
  for (int round = 0; round < 600; round++) {
    machine_rewind(1);
    uint64_t n = below(40), size = 1 + below(70);
    uint8_t *host = mem_alloc(n * size + 1);
    for (uint64_t i = 0; i < n * size; i++) host[i] = (uint8_t)below(12);
    uint64_t base = machine_put(host, n * size + 1);
    host_base = (const char *)host;
    vec_clear(&host_pairs);
    qsort(host, n, size, host_compare);
    Call c;
    call_begin(&c);
    call_int(&c, base);
    call_int(&c, n);
    call_int(&c, size);
    call_int(&c, 0x77);
    NativeStatus status;
    uint32_t i = 0;
    while ((status = call_run(&c, "qsort")) == NATIVE_CALL) {
      assert_int_equal(c.call.callback, 0x77);
      assert_int_equal(c.call.callback_argc, 2);
      if (EXACT) {
        assert_true(i < host_pairs.len);
        assert_int_equal(c.call.callback_args[0] - base, host_pairs.data[i].a);
        assert_int_equal(c.call.callback_args[1] - base, host_pairs.data[i].b);
      }
      c.call.returned = (uint32_t)compare_first(machine_at(c.call.callback_args[0]),
                                                machine_at(c.call.callback_args[1]));
      c.call.stage = ++i;
    }
    assert_int_equal(status, NATIVE_DONE);
    if (EXACT) assert_int_equal(i, host_pairs.len);
    assert_memory_equal(machine_at(base), host, n * size);
    if (c.call.drop) c.call.drop(c.call.state);
    mem_free(host);
  }
  vec_free(&host_pairs);
  machine_close();
}

static void searching(void **state) {
  (void)state;
  machine_open();
  int numbers[50];
  for (int i = 0; i < 50; i++) numbers[i] = 2 * i;
  uint64_t base = machine_put(numbers, sizeof numbers);
  for (int wanted = -3; wanted < 110; wanted++) {
    uint64_t key = machine_put(&wanted, sizeof wanted);
    Call c;
    call_begin(&c);
    uint64_t args[] = {key, base, 50, sizeof(int), 0x55};
    for (int i = 0; i < 5; i++) call_int(&c, args[i]);
    while (call_run(&c, "bsearch") == NATIVE_CALL) {
      int a = machine_int(c.call.callback_args[0]),
          b = machine_int(c.call.callback_args[1]);
      c.call.returned = (uint32_t)((a > b) - (a < b));
      c.call.stage++;
    }
    bool there = wanted >= 0 && wanted < 100 && wanted % 2 == 0;
    assert_int_equal(c.call.result, there ? base + 2 * (uint64_t)wanted : 0);
    c.call.drop(c.call.state);
  }
  machine_close();
}

/* ---- random numbers ---------------------------------------------------------------- */

static void random_numbers(void **state) {
  (void)state;
  machine_open();
  srandom(1);
  for (int i = 0; i < 1000; i++)
    assert_int_equal((int32_t)call_simple("rand", 0), random());
  srand(77);
  call_simple("srand", 1, U(77));
  for (int i = 0; i < 1000; i++) assert_int_equal(call_simple("random", 0), rand());
  unsigned seed = 5;
  uint64_t at = machine_put(&seed, sizeof seed);
  for (int i = 0; i < 100; i++)
    assert_int_equal((int32_t)call_simple("rand_r", 1, at), rand_r(&seed));
  for (int i = 0; i < 100; i++) assert_int_equal(call_simple("lrand48", 0), lrand48());
  srand48(9);
  call_simple("srand48", 1, U(9));
  for (int i = 0; i < 100; i++) {
    double want = drand48();
    uint64_t got = call_simple("drand48", 0);
    assert_memory_equal(&want, &got, 8);
    assert_int_equal(call_simple("mrand48", 0), mrand48());
  }
  unsigned short own[3] = {1, 2, 3};
  uint64_t own_at = machine_put(own, sizeof own);
  for (int i = 0; i < 100; i++)
    assert_int_equal(call_simple("nrand48", 1, own_at), nrand48(own));
  machine_close();
}

/* ---- environment and exit ---------------------------------------------------------- */

static const char *environment(const char *name) {
  uint64_t at = call_simple("getenv", 1, machine_text(name));
  return at ? machine_at(at) : NULL;
}

static void variables(void **state) {
  (void)state;
  setenv("HEDDLE_TEST", "inherited", 1);
  machine_open();
  assert_string_equal(environment("HEDDLE_TEST"), "inherited");
  assert_null(environment("HEDDLE_TES"));
  assert_null(environment("HEDDLE_TEST="));
  uint64_t name = machine_text("HEDDLE_TEST"), value = machine_text("changed");
  assert_int_equal(call_simple("setenv", 3, name, value, U(0)), 0);
  assert_string_equal(environment("HEDDLE_TEST"), "inherited");
  assert_int_equal(call_simple("setenv", 3, name, value, U(1)), 0);
  assert_string_equal(environment("HEDDLE_TEST"), "changed");
  assert_int_equal(call_simple("putenv", 1, machine_text("NEW_ONE=1")), 0);
  assert_string_equal(environment("NEW_ONE"), "1");
  assert_int_equal(call_simple("unsetenv", 1, name), 0);
  assert_null(environment("HEDDLE_TEST"));
  assert_string_equal(environment("NEW_ONE"), "1");
  assert_int_equal((int32_t)call_simple("setenv", 3, machine_text("A=B"), value, U(1)),
                   -1);
  assert_int_equal(machine.error, EINVAL);
  /* A library string is not the program's to free. */
  Call c;
  call_begin(&c);
  call_int(&c, machine.libc->environment);
  assert_int_equal(call_run(&c, "free"), NATIVE_STOP);
  machine_close();
  unsetenv("HEDDLE_TEST");
}

static void exit_handlers(void **state) {
  (void)state;
  machine_open();
  call_simple("atexit", 1, U(0x10));
  call_simple("on_exit", 2, U(0x20), U(7));
  call_simple("__cxa_atexit", 3, U(0x30), U(8), U(0));
  uint64_t function, args[NATIVE_CALLBACK_ARGS];
  uint32_t argc;
  assert_true(libc_next_exit_handler(machine.libc, 3, &function, args, &argc));
  assert_int_equal(function, 0x30);
  assert_int_equal(argc, 1);
  assert_int_equal(args[0], 8);
  assert_true(libc_next_exit_handler(machine.libc, 3, &function, args, &argc));
  assert_int_equal(function, 0x20);
  assert_int_equal(argc, 2);
  assert_int_equal(args[0], 3);
  assert_int_equal(args[1], 7);
  assert_true(libc_next_exit_handler(machine.libc, 3, &function, args, &argc));
  assert_int_equal(function, 0x10);
  assert_false(libc_next_exit_handler(machine.libc, 3, &function, args, &argc));
  Call c;
  call_begin(&c);
  call_int(&c, 300);
  assert_int_equal(call_run(&c, "exit"), NATIVE_EXIT);
  assert_int_equal(c.call.result, 300 & 0xff);
  call_begin(&c);
  assert_int_equal(call_run(&c, "abort"), NATIVE_ABORT);
  machine_close();
}

static void signals(void **state) {
  (void)state;
  machine_open();
  Call c;
  assert_int_equal(call_simple("signal", 2, U(SIGUSR1), U(0x40)), 0);
  call_begin(&c);
  call_int(&c, SIGUSR1);
  assert_int_equal(call_run(&c, "raise"), NATIVE_CALL);
  assert_int_equal(c.call.callback, 0x40);
  assert_int_equal(c.call.callback_args[0], SIGUSR1);
  c.call.stage = 1;
  assert_int_equal(call_run(&c, "raise"), NATIVE_DONE);
  c.call.drop(c.call.state);
  assert_int_equal(call_simple("signal", 2, U(SIGUSR1), U(1)), 0x40);
  assert_int_equal(call_simple("raise", 1, U(SIGUSR1)), 0);
  call_begin(&c);
  call_int(&c, SIGABRT);
  assert_int_equal(call_run(&c, "raise"), NATIVE_ABORT);
  machine_close();
}

/* ---- allocation -------------------------------------------------------------------- */

static void allocation(void **state) {
  (void)state;
  machine_open();
  uint64_t p = call_simple("malloc", 1, U(10));
  assert_int_equal(p % 16, 0);
  assert_true(exec_write(&machine, p, "0123456789", 10));
  p = call_simple("realloc", 2, p, U(20));
  assert_memory_equal(machine_at(p), "0123456789", 10);
  assert_int_equal(call_simple("realloc", 2, p, U(0)), 0);
  assert_int_equal(call_simple("malloc", 1, UINT64_MAX), 0);
  assert_int_equal(machine.error, ENOMEM);
  assert_int_equal(call_simple("calloc", 2, U(1) << 40, U(1) << 40), 0);
  uint64_t slot = machine_new(8, false);
  assert_int_equal(call_simple("posix_memalign", 3, slot, U(3), U(8)), EINVAL);
  assert_int_equal(call_simple("posix_memalign", 3, slot, U(256), U(8)), 0);
  p = machine_u64(slot);
  assert_int_equal(p % 256, 0);
  assert_int_equal(call_simple("aligned_alloc", 2, U(64), U(100)) % 64, 0);
  call_simple("free", 1, p);
  Call c;
  call_begin(&c);
  call_int(&c, p);
  assert_int_equal(call_run(&c, "free"), NATIVE_STOP);
  machine_close();
}

/* ---- mathematics ------------------------------------------------------------------- */

static double any_double(void) {
  uint64_t bits = any();
  double value;
  if (below(2)) return (double)(int32_t)bits / 65536.0;
  memcpy(&value, &bits, 8);
  return value;
}

static bool same_bits(const void *a, const void *b, size_t n) {
  return memcmp(a, b, n) == 0;
}

static void mathematics(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double (*host)(double);
    float (*hostf)(float);
    long double (*hostl)(long double);
  } one[] = {
      {"sin", sin, sinf, sinl},        {"exp", exp, expf, expl},
      {"sqrt", sqrt, sqrtf, sqrtl},    {"floor", floor, floorf, floorl},
      {"log", log, logf, logl},        {"tgamma", tgamma, tgammaf, tgammal},
      {"fabs", fabs, fabsf, fabsl},    {"roundeven", roundeven, roundevenf, roundevenl},
      {"cbrt", cbrt, cbrtf, cbrtl},    {"lgamma", lgamma, lgammaf, lgammal},
      {"trunc", trunc, truncf, truncl}};
  machine_open();
  for (int round = 0; round < 5000; round++) {
    machine_rewind(1);
    size_t i = below(sizeof one / sizeof *one);
    double x = any_double(), y = any_double();
    Call c;
    char name[32];
    call_begin(&c);
    call_double(&c, x);
    machine.error = errno = 0;
    double want = one[i].host(x);
    call_run(&c, one[i].name);
    assert_int_equal(machine.error, errno);
    if (!same_bits(&want, &c.call.result, 8)) fail_msg("%s(%a)", one[i].name, x);
    call_begin(&c);
    call_float(&c, (float)x);
    float wantf = one[i].hostf((float)x);
    snprintf(name, sizeof name, "%sf", one[i].name);
    call_run(&c, name);
    if (!same_bits(&wantf, &c.call.result, 4)) fail_msg("%s(%a)", name, (float)x);
    call_begin(&c);
    call_wide(&c, (long double)x);
    long double wantl = one[i].hostl((long double)x);
    snprintf(name, sizeof name, "%sl", one[i].name);
    call_run(&c, name);
    if (!same_bits(&wantl, c.call.result_wide, 10)) fail_msg("%s(%a)", name, x);
    call_begin(&c);
    call_double(&c, x);
    call_double(&c, y);
    want = round % 2 ? pow(x, y) : fmod(x, y);
    call_run(&c, round % 2 ? "pow" : "fmod");
    if (!same_bits(&want, &c.call.result, 8)) fail_msg("pow or fmod(%a, %a)", x, y);
    int exponent;
    uint64_t at = machine_new(8, false);
    call_begin(&c);
    call_double(&c, x);
    call_int(&c, at);
    want = frexp(x, &exponent);
    call_run(&c, "frexp");
    if (!same_bits(&want, &c.call.result, 8) ||
        (isfinite(x) && machine_int(at) != exponent))
      fail_msg("frexp(%a)", x);
  }
  machine_close();
}

static void complex_numbers(void **state) {
  (void)state;
  machine_open();
  for (int round = 0; round < 500; round++) {
    double complex z = any_double() + 0.5 * I, want = csqrt(z);
    double parts[2] = {creal(want), cimag(want)};
    Call c;
    call_begin(&c);
    call_double(&c, creal(z));
    call_double(&c, cimag(z));
    call_run(&c, "csqrt");
    assert_memory_equal(c.call.result_wide, parts, 16);
    call_begin(&c);
    float pair[2] = {(float)round, 2.0f};
    uint64_t bits;
    memcpy(&bits, pair, 8);
    call_int(&c, bits);
    call_run(&c, "cabsf");
    float size = cabsf((float)round + 2.0f * I);
    assert_memory_equal(&c.call.result, &size, 4);
  }
  assert_int_equal(call_simple("div", 2, U(-7), U(2)),
                   (uint32_t)-3 | (uint64_t)(uint32_t)-1 << 32);
  machine_close();
}

/* ---- time -------------------------------------------------------------------------- */

static void calendar(void **state) {
  (void)state;
  machine_open();
  machine.clock = 3500000000;
  assert_int_equal(call_simple("time", 1, U(0)), EXEC_EPOCH + 3);
  uint64_t spec = machine_new(16, false);
  assert_int_equal(call_simple("clock_gettime", 2, U(CLOCK_MONOTONIC), spec), 0);
  assert_int_equal(((const uint64_t *)machine_at(spec))[1], 500000000);
  for (int round = 0; round < 2000; round++) {
    machine_rewind(2);
    machine.libc->statics[STATIC_ZONE_UTC] = machine.libc->statics[STATIC_ZONE_GMT] = 0;
    time_t t = (time_t)(int32_t)any();
    struct tm want;
    gmtime_r(&t, &want);
    uint64_t at = machine_put(&t, 8), to = machine_new(56, false),
             room = machine_new(200, false);
    assert_int_equal(call_simple("gmtime_r", 2, at, to), to);
    assert_memory_equal(machine_at(to), &want, 36);
    assert_int_equal(call_simple("mktime", 1, to), t);
    static const char format[] = "%Y-%m-%d %H:%M:%S %a %b %j %U %p %Z%%";
    char text[200];
    want.tm_zone = "UTC";
    size_t length = strftime(text, sizeof text, format, &want);
    assert_int_equal(call_simple("strftime", 4, room, U(200), machine_text(format), to),
                     length);
    assert_string_equal(machine_at(room), text);
  }
  machine_close();
}

/* ---- getopt ------------------------------------------------------------------------ */

static const struct option host_options[] = {{"all", no_argument, NULL, 'A'},
                                             {"also", required_argument, NULL, 'L'},
                                             {"brief", optional_argument, NULL, 'B'},
                                             {"create", required_argument, NULL, 'c'},
                                             {NULL, 0, NULL, 0}};

static uint64_t program_options(void) {
  uint8_t bytes[5 * 32] = {0};
  for (int i = 0; i < 4; i++) {
    uint64_t name = machine_text(host_options[i].name);
    memcpy(bytes + 32 * i, &name, 8);
    memcpy(bytes + 32 * i + 8, &host_options[i].has_arg, 4);
    memcpy(bytes + 32 * i + 24, &host_options[i].val, 4);
  }
  return machine_put(bytes, sizeof bytes);
}

static void options(void **state) {
  (void)state;
  static const char *const words[] = {
      "-a",        "-b",        "-bx",     "-abc",   "file",     "-",
      "--",        "--all",     "--al",    "--also", "--also=1", "--brief",
      "--brief=2", "--nothing", "--all=3", "-z",     "--create", "-c",
      "-ovalue",   "-o",        "--br",    "x y"};
  static const char *const letters[] = {"ab:c", "+ab:c",
                                        "-ab:co::", ":ab:o::", "abc:o::"};
  machine_open();
  for (int round = 0; round < 20000; round++) {
    machine_rewind(1);
    machine.libc->standard[2] = 0;
    char *argv[10] = {(char *)"prog"};
    int argc = 1 + (int)below(8);
    uint64_t pointers[10] = {0};
    const char *set = letters[below(5)];
    bool use_long = below(3) > 0;
    for (int i = 0; i < argc; i++) {
      if (i) argv[i] = (char *)words[below(sizeof words / sizeof *words)];
      pointers[i] = machine_text(argv[i]);
    }
    argv[argc] = NULL;
    uint64_t program = machine_put(pointers, sizeof pointers),
             letters_at = machine_text(set);
    uint64_t longs = program_options();
    optind = machine.libc->optind = 0;
    opterr = machine.libc->opterr = 0;
    int want;
    do {
      want = use_long ? getopt_long(argc, argv, set, host_options, NULL)
                      : getopt(argc, argv, set);
      int got = use_long
                    ? (int32_t)call_simple("getopt_long", 5, U(argc), program, letters_at,
                                           longs, U(0))
                    : (int32_t)call_simple("getopt", 3, U(argc), program, letters_at);
      const char *arg = machine.libc->optarg ? machine_at(machine.libc->optarg) : NULL;
      if (got != want || machine.libc->optind != optind || !arg != !optarg ||
          (arg && strcmp(arg, optarg) != 0) ||
          (want == '?' && machine.libc->optopt != optopt))
        fail_msg("getopt \"%s\" gives %d (optind %d), the host %d (optind %d)", set, got,
                 machine.libc->optind, want, optind);
    } while (want != -1);
    for (int i = 0; i < argc; i++) {
      assert_string_equal(machine_at(machine_u64(program + 8 * (uint64_t)i)), argv[i]);
    }
  }
  machine_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorting),         cmocka_unit_test(searching),
      cmocka_unit_test(random_numbers),  cmocka_unit_test(variables),
      cmocka_unit_test(exit_handlers),   cmocka_unit_test(signals),
      cmocka_unit_test(allocation),      cmocka_unit_test(mathematics),
      cmocka_unit_test(complex_numbers), cmocka_unit_test(calendar),
      cmocka_unit_test(options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
