/* Every native function with arguments that are wrong in every way: the run may stop, the
 * host must not crash (this test runs under the sanitizers). Also: the tables are
 * sorted. */
#include "libc_machine.h"

#include "model/exec/libc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const NativeTable *const tables[] = {
#define T(name) &libc_natives_##name,
    LIBC_TABLES(T)
#undef T
};
enum { TABLES = sizeof tables / sizeof *tables };

static void sorted_and_unique(void **state) {
  (void)state;
  size_t count = 0;
  for (size_t t = 0; t < TABLES; t++) {
    for (size_t i = 0; i < tables[t]->count; i++) {
      const Native *native = &tables[t]->natives[i];
      if (i && strcmp(native[-1].name, native->name) >= 0)
        fail_msg("%s stands after %s", native->name, native[-1].name);
      if (native_find(native->name) != native)
        fail_msg("%s is in two tables", native->name);
      count++;
    }
  }
  assert_true(count > 600);
  assert_null(native_find("no_such_function"));
  assert_null(native_find(""));
}

/* Functions that would touch the real file system with any name that they are given, and
 * those that take time in proportion to a number (here and natively). */
static bool is_left_out(const char *name) {
  static const char *const names[] = {
      "unlink",     "remove",  "rmdir",     "rename",  "mkdir",   "open",      "open64",
      "creat",      "creat64", "fopen",     "fopen64", "freopen", "freopen64", "truncate",
      "truncate64", "mkstemp", "mkstemp64", "sync",    "link",    "symlink",   "chmod",
      "mkdtemp",    "jn",      "jnf",       "jnl",     "yn",      "ynf",       "ynl"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static uint64_t any_argument(const uint64_t *objects, uint32_t count) {
  switch (below(12)) {
  case 0: return 0;
  case 1: return UINT64_MAX;
  case 2: return any();
  case 3: return below(20);
  case 4: return UINT64_C(1) << below(64);
  case 5: return machine.libc->standard[below(3)];
  case 6: return U(-1 - (int)below(5));
  default: return objects[below(count)] + (below(3) ? 0 : below(40));
  }
}

static void one_call(const Native *native, const uint64_t *objects, uint32_t count) {
  Call c;
  call_begin(&c);
  static const uint32_t widths[] = {0, 32, 64, 80, 128};
  uint32_t argc = native->min_args + below(4);
  for (uint32_t i = 0; i < argc; i++) {
    uint32_t kind = below(10);
    if (kind == 0)
      call_double(&c, (double)(int64_t)any());
    else if (kind == 1)
      call_wide(&c, (long double)any());
    else
      call_int(&c, any_argument(objects, count));
  }
  c.call.result_bits = widths[below(5)];
  machine.stopped = false;
  NativeStatus status;
  int rounds = 0;
  do {
    status = native->run(&c.call);
    c.call.stage++;
    c.call.returned = below(3) - UINT64_C(1);
  } while (status == NATIVE_CALL && ++rounds < 200);
  if (c.call.drop) c.call.drop(c.call.state);
  if (status == NATIVE_STOP && !machine.stopped)
    fail_msg("%s stops without a reason", native->name);
}

static void misuse(void **state) {
  (void)state;
  int keyboard = open("/dev/null", O_RDONLY);
  assert_true(keyboard >= 0);
  dup2(keyboard, 0); /* whoever reads input gets none */
  close(keyboard);
  for (int round = 0; round < 150; round++) {
    machine_open();
    uint64_t objects[12];
    uint32_t count = 0;
    static const char *const texts[] = {
        "", "%d %s", "12", "a,b", "%99999d%n", "/nowhere/x", "NAME=value", "%1$s%9$d"};
    for (size_t i = 0; i < 8; i++) objects[count++] = machine_text(texts[i]);
    objects[count++] = machine_put("open end", 8);
    objects[count++] = machine_new(300, false);
    objects[count++] = exec_heap_alloc(&machine, 64, 16, true);
    objects[count++] = machine_new(24, false);
    for (int i = 0; i < 3; i++) libc_file_standard(&machine, machine.libc, i);
    for (size_t t = 0; t < TABLES; t++)
      for (size_t i = 0; i < tables[t]->count; i++)
        if (!is_left_out(tables[t]->natives[i].name))
          one_call(&tables[t]->natives[i], objects, count);
    libc_flush(&machine, machine.libc);
    machine_close();
  }
}

static void library_objects(void **state) {
  (void)state;
  machine_open();
  static const char *const names[] = {"stdin",
                                      "stdout",
                                      "stderr",
                                      "environ",
                                      "optind",
                                      "optarg",
                                      "ctype_class",
                                      "ctype_lower",
                                      "ctype_upper",
                                      "tzname",
                                      "program_invocation_name",
                                      "program_invocation_short_name"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint8_t bytes[16];
    memset(bytes, 0xaa, sizeof bytes);
    assert_true(libc_init_object(&machine, machine.libc, names[i], bytes, 8));
    assert_int_equal(bytes[8], 0xaa);
  }
  uint8_t bytes[8];
  uint64_t name;
  libc_init_object(&machine, machine.libc, "program_invocation_short_name", bytes, 8);
  memcpy(&name, bytes, 8);
  assert_string_equal(machine_at(name), "prog");
  assert_false(libc_init_object(&machine, machine.libc, "unheard_of", bytes, 8));
  machine_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorted_and_unique),
      cmocka_unit_test(misuse),
      cmocka_unit_test(library_objects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
