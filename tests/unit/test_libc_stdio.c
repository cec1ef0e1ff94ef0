/* Streams and descriptors of interpreted programs: the same random operations on two
 * files, one through the native functions, one through the host's stdio, must give the
 * same results. */
#include "libc_machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static char *path_of(const char *name) {
  static char path[2][128];
  static int next;
  char *to = path[next++ % 2];
  snprintf(to, sizeof path[0], "%s/%s", folder, name);
  return to;
}

static int open_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/heddle-libc-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(path_of("host"));
  unlink(path_of("program"));
  return rmdir(folder);
}

static void fill_file(const char *name, const char *bytes, size_t n) {
  FILE *f = fopen(path_of(name), "w");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  fclose(f);
}

static void same_files(void) {
  char a[32768], b[32768];
  FILE *f = fopen(path_of("host"), "r"), *g = fopen(path_of("program"), "r");
  assert_non_null(f);
  assert_non_null(g);
  size_t n = fread(a, 1, sizeof a, f), m = fread(b, 1, sizeof b, g);
  fclose(f);
  fclose(g);
  assert_int_equal(n, m);
  assert_memory_equal(a, b, n);
}

/* One operation on both; what they return must agree. */
static void one_operation(FILE *host, uint64_t file, bool *writing) {
  char bytes[6000];
  uint32_t kind = below(12), n = below(10) ? below(100) : below(6000);
  /* Between reading and writing the standard wants a seek. */
  bool writes = kind < 4, reads = kind >= 4 && kind < 9;
  if ((writes && !*writing) || (reads && *writing)) {
    long to = (long)below(200);
    assert_int_equal((int32_t)call_simple("fseek", 3, file, U(to), U(SEEK_SET)),
                     fseek(host, to, SEEK_SET));
    *writing = writes;
  }
  switch (kind) {
  case 0:
  case 1: {
    for (uint32_t i = 0; i < n; i++) bytes[i] = (char)('a' + below(26));
    uint64_t from = machine_put(bytes, n + 1);
    assert_int_equal(call_simple("fwrite", 4, from, U(1), U(n), file),
                     fwrite(bytes, 1, n, host));
    break;
  }
  case 2:
    assert_int_equal((int32_t)call_simple("fputc", 2, U(n), file), fputc((int)n, host));
    break;
  case 3:
    assert_int_equal((int32_t)call_simple("fputs", 2, machine_text("line\n"), file),
                     fputs("line\n", host));
    break;
  case 4:
  case 5: {
    uint64_t to = machine_new(n + 1, false);
    size_t want = fread(bytes, 1, n, host);
    assert_int_equal(call_simple("fread", 4, to, U(1), U(n), file), want);
    assert_memory_equal(machine_at(to), bytes, want);
    break;
  }
  case 6: assert_int_equal((int32_t)call_simple("getc", 1, file), getc(host)); break;
  case 7: {
    uint64_t to = machine_new(n + 2, false);
    char *want = fgets(bytes, (int)n + 1, host);
    uint64_t got = call_simple("fgets", 3, to, U(n + 1), file);
    assert_int_equal(got != 0, want != NULL);
    if (want && n > 0) assert_string_equal(machine_at(to), bytes);
    break;
  }
  case 8: {
    int c = getc(host);
    assert_int_equal((int32_t)call_simple("fgetc", 1, file), c);
    if (c >= 0) {
      ungetc(c, host);
      call_simple("ungetc", 2, U(c), file);
    }
    break;
  }
  case 9: assert_int_equal(call_simple("ftell", 1, file), ftell(host)); break;
  case 10: {
    int whence = (int)below(3);
    long to = whence == SEEK_SET ? (long)below(3000) : -(long)below(20);
    assert_int_equal((int32_t)call_simple("fseek", 3, file, U(to), U(whence)),
                     fseek(host, to, whence));
    *writing = false;
    break;
  }
  default:
    assert_int_equal((int32_t)call_simple("feof", 1, file), feof(host));
    assert_int_equal((int32_t)call_simple("ferror", 1, file), ferror(host));
    if (*writing) assert_int_equal((int32_t)call_simple("fflush", 1, file), fflush(host));
  }
}

static void random_operations(void **state) {
  (void)state;
  static const char *const modes[] = {"r+", "w+", "r", "w", "a", "a+"};
  machine_open();
  for (int round = 0; round < 150; round++) {
    char start[5000];
    size_t n = below(5000);
    for (size_t i = 0; i < n; i++) start[i] = below(30) ? (char)('a' + below(26)) : '\n';
    fill_file("host", start, n);
    fill_file("program", start, n);
    const char *mode = modes[below(6)];
    FILE *host = fopen(path_of("host"), mode);
    assert_non_null(host);
    uint64_t file =
        call_simple("fopen", 2, machine_text(path_of("program")), machine_text(mode));
    assert_int_not_equal(file, 0);
    bool writing = mode[0] != 'r' && !mode[1];
    uint32_t kept = machine.objects.len;
    for (int i = 0; i < 100; i++) {
      machine_rewind(kept);
      if (mode[1])
        one_operation(host, file, &writing);
      else { /* one direction only */
        uint64_t seed = machine_seed;
        uint32_t kind = below(12);
        machine_seed = seed;
        if (mode[0] == 'r' ? kind >= 4 : kind < 4 || kind > 8)
          one_operation(host, file, &writing);
        else
          any();
        writing = mode[0] != 'r';
      }
    }
    assert_int_equal((int32_t)call_simple("fclose", 1, file), fclose(host));
    same_files();
  }
  machine_close();
}

static void lines(void **state) {
  (void)state;
  fill_file("program", "one\ntwo\n\nlast", 13);
  machine_open();
  uint64_t file =
      call_simple("fopen", 2, machine_text(path_of("program")), machine_text("r"));
  uint64_t none[2] = {0, 0}, at = machine_put(none, 16);
  static const char *const want[] = {"one\n", "two\n", "\n", "last"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(call_simple("getline", 3, at, at + 8, file), strlen(want[i]));
    assert_string_equal(machine_at(machine_u64(at)), want[i]);
  }
  assert_int_equal((int64_t)call_simple("getline", 3, at, at + 8, file), -1);
  assert_int_equal(call_simple("feof", 1, file), 1);
  call_simple("rewind", 1, file);
  Call c;
  call_begin(&c);
  uint64_t text = machine_new(16, false);
  call_int(&c, file);
  call_int(&c, machine_text("%15s"));
  call_int(&c, text);
  assert_int_equal(call_run(&c, "fscanf"), NATIVE_DONE);
  assert_string_equal(machine_at(text), "one");
  assert_int_equal(call_simple("ftell", 1, file), 3);
  machine_close();
}

static void descriptors(void **state) {
  (void)state;
  machine_open();
  uint64_t path = machine_text(path_of("program"));
  Call c;
  call_begin(&c);
  call_int(&c, path);
  call_int(&c, O_CREAT | O_RDWR | O_TRUNC);
  call_int(&c, 0600);
  assert_int_equal(call_run(&c, "open"), NATIVE_DONE);
  assert_int_equal(c.call.result,
                   3); /* the lowest free number, whatever heddle has open */
  uint64_t text = machine_text("hello"), room = machine_new(8, false);
  assert_int_equal(call_simple("write", 3, U(3), text, U(5)), 5);
  assert_int_equal(call_simple("lseek", 3, U(3), U(1), U(SEEK_SET)), 1);
  assert_int_equal(call_simple("read", 3, U(3), room, U(8)), 4);
  assert_memory_equal(machine_at(room), "ello", 4);
  assert_int_equal(call_simple("write", 3, U(1), text, U(5)), 5);
  assert_string_equal(str_text(&machine.output[1]), "hello");
  assert_int_equal(call_simple("dup2", 2, U(1), U(7)), 7);
  assert_int_equal(call_simple("write", 3, U(7), text, U(2)), 2);
  assert_string_equal(str_text(&machine.output[1]), "hellohe");
  assert_int_equal(call_simple("close", 1, U(3)), 0);
  assert_int_equal((int64_t)call_simple("write", 3, U(3), text, U(5)), -1);
  assert_int_equal(machine.error, EBADF);
  uint64_t info = machine_new(sizeof(struct stat), false);
  assert_int_equal(call_simple("stat", 2, path, info), 0);
  assert_int_equal(((const struct stat *)machine_at(info))->st_size, 5);
  machine_close();
}

static void memory_stream(void **state) {
  (void)state;
  machine_open();
  uint64_t at = machine_new(16, false);
  uint64_t file = call_simple("open_memstream", 2, at, at + 8);
  call_simple("fputs", 2, machine_text("hello "), file);
  call_simple("fputs", 2, machine_text("world"), file);
  assert_int_equal(call_simple("fclose", 1, file), 0);
  assert_int_equal(machine_u64(at + 8), 11);
  assert_string_equal(machine_at(machine_u64(at)), "hello world");
  Call c;
  call_begin(&c);
  call_int(&c, file);
  assert_int_equal(call_run(&c, "fclose"), NATIVE_STOP); /* used after it was closed */
  machine_close();
}

/* Nothing outside can be reached: every name is refused, standard input is empty. */
static void isolation(void **state) {
  (void)state;
  static const char *const names[] = {"open",   "creat",    "fopen",   "stat",   "lstat",
                                      "access", "mkdir",    "rmdir",   "unlink", "remove",
                                      "rename", "truncate", "mkstemp", "tmpfile"};
  fill_file("program", "kept", 4);
  machine_open();
  machine.isolated = true;
  uint64_t path = machine_text(path_of("program")), room = machine_new(200, false);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    bool second_text = strcmp(names[i], "fopen") == 0 || strcmp(names[i], "rename") == 0;
    machine.error = 0;
    uint64_t result =
        call_simple(names[i], 3, path, second_text ? machine_text("w") : room, U(0));
    assert_true(result == 0 || (int32_t)result == -1);
    assert_int_equal(machine.error, EACCES);
  }
  assert_int_equal((int32_t)call_simple("getchar", 0), -1);
  assert_int_equal(call_simple("read", 3, U(0), room, U(10)), 0);
  assert_int_equal(call_simple("isatty", 1, U(1)), 0);
  assert_int_equal((int32_t)call_simple("ftruncate", 2, U(1), U(0)), -1);
  assert_int_equal(call_simple("write", 3, U(1), path, U(4)), 4);
  assert_int_equal(machine.output[1].len, 4);
  machine_close();
  struct stat info;
  assert_int_equal(stat(path_of("program"), &info), 0);
  assert_int_equal(info.st_size, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(random_operations, open_folder, remove_folder),
      cmocka_unit_test_setup_teardown(lines, open_folder, remove_folder),
      cmocka_unit_test_setup_teardown(descriptors, open_folder, remove_folder),
      cmocka_unit_test_setup_teardown(isolation, open_folder, remove_folder),
      cmocka_unit_test(memory_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
