/* Children: how each of them can end, what is captured, and that none is left behind. */
#include "base/mem.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static ProcRequest shell(const char *const *argv) {
  return (ProcRequest){.argv = argv,
                       .out = {.kind = PROC_CAPTURE},
                       .err = {.kind = PROC_CAPTURE},
                       .timeout = 30};
}

static int open_descriptors(void) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static void test_exit_and_capture(void **state) {
  (void)state;
  int before = open_descriptors();
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "echo out; echo err >&2; exit 7"));
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_EXITED);
  assert_int_equal(r.code, 7);
  assert_false(proc_ok(&r));
  assert_string_equal(str_text(&r.out), "out\n");
  assert_string_equal(str_text(&r.err), "err\n");
  proc_result_free(&r);
  assert_int_equal(open_descriptors(), before);
}

static void test_not_found(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request = shell(ARGV("heddle-no-such-program"));
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_NOT_FOUND);
  proc_result_free(&r);
  request = shell(ARGV("/etc/passwd")); /* there, but not executable */
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_NOT_FOUND);
  proc_result_free(&r);
  request = shell(ARGV("true"));
  request.cwd = "/no/such/directory";
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_NOT_STARTED);
  assert_int_equal(r.code, ENOENT);
  proc_result_free(&r);
  request = shell(ARGV("true"));
  request.in = (ProcStream){.kind = PROC_FILE, .path = "/no/such/file"};
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_NOT_STARTED);
  proc_result_free(&r);
}

static void test_signal(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "kill -SEGV $$"));
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_SIGNALLED);
  assert_int_equal(r.code, SIGSEGV);
  Str text = {0};
  proc_describe(&r, &text);
  assert_non_null(strstr(str_text(&text), "signal 11"));
  str_free(&text);
  proc_result_free(&r);
}

/* The grandchild would go on for ever: the whole group must go. */
static void test_timeout_kills_group(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request =
      shell(ARGV("sh", "-c", "sleep 1000 & echo $!; while :; do sleep 0.01; done"));
  request.timeout = 0.3;
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_TIMED_OUT);
  assert_true(r.seconds < 20);
  pid_t grandchild = (pid_t)atoi(str_text(&r.out));
  assert_true(grandchild > 1);
  /* It is an orphan now; whoever adopted it needs a moment to collect it. */
  char stat_path[64], stat_line[256] = "";
  snprintf(stat_path, sizeof stat_path, "/proc/%d/stat", (int)grandchild);
  bool gone = false;
  for (int i = 0; i < 500 && !gone; i++) {
    FILE *file = fopen(stat_path, "r");
    gone =
        !file || !fgets(stat_line, sizeof stat_line, file) || strstr(stat_line, ") Z ");
    if (file) fclose(file);
    usleep(10000);
  }
  assert_true(gone);
  proc_result_free(&r);
}

/* A descendant that keeps the pipe open must not keep us waiting. */
static void test_daemon_does_not_block(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "sleep 5 & echo done"));
  proc_run(&request, &r);
  assert_true(proc_ok(&r));
  assert_string_equal(str_text(&r.out), "done\n");
  assert_true(r.seconds < 4);
  proc_result_free(&r);
}

static void test_environment_and_directory(void **state) {
  (void)state;
  setenv("HEDDLE_TEST_A", "old", 1);
  setenv("HEDDLE_TEST_B", "old", 1);
  ProcResult r;
  ProcRequest request =
      shell(ARGV("sh", "-c", "echo \"$HEDDLE_TEST_A.${HEDDLE_TEST_B-none}.$PWD\""));
  request.env = ARGV("HEDDLE_TEST_A=new", "HEDDLE_TEST_B");
  request.cwd = "/usr";
  proc_run(&request, &r);
  assert_string_equal(str_text(&r.out), "new.none./usr\n");
  proc_result_free(&r);
}

static void test_streams(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-test-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "echo to-file; cat"));
  request.out = (ProcStream){.kind = PROC_FILE, .path = path};
  int memory = proc_memory_file("from-fd\n", 8);
  request.in = (ProcStream){.kind = PROC_FD, .fd = memory};
  proc_run(&request, &r);
  assert_true(proc_ok(&r));
  assert_int_equal(r.out.len, 0);
  Str text = {0};
  assert_true(proc_read_all(fd, 100, &text));
  assert_string_equal(str_text(&text), "to-file\nfrom-fd\n");
  str_free(&text);
  lseek(fd, 0, SEEK_SET);
  assert_false(proc_read_all(fd, 5, &text));
  assert_int_equal(errno, EFBIG);
  str_free(&text);
  proc_result_free(&r);
  close(memory);
  close(fd);
  unlink(path);
}

static void test_large_output_and_limit(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c",
                                   "head -c 3000000 /dev/zero; "
                                   "head -c 3000000 /dev/zero >&2"));
  proc_run(&request, &r);
  assert_true(proc_ok(&r));
  assert_int_equal(r.out.len, 3000000);
  assert_int_equal(r.err.len, 3000000);
  assert_false(r.cut);
  proc_result_free(&r);
  request.capture_limit = 1000;
  proc_run(&request, &r);
  assert_true(proc_ok(&r));
  assert_int_equal(r.out.len, 1000);
  assert_true(r.cut);
  proc_result_free(&r);
}

static void test_run_all_keeps_order(void **state) {
  (void)state;
  ProcRequest requests[9];
  ProcResult results[9];
  char texts[9][32];
  const char *argvs[9][4];
  for (int i = 0; i < 9; i++) {
    snprintf(texts[i], sizeof texts[i], "sleep 0.0%d; echo %d", 9 - i, i);
    argvs[i][0] = "sh", argvs[i][1] = "-c", argvs[i][2] = texts[i], argvs[i][3] = NULL;
    requests[i] = shell(argvs[i]);
  }
  requests[4].argv = ARGV("heddle-no-such-program");
  int before = open_descriptors();
  proc_run_all(requests, 9, 3, results);
  for (int i = 0; i < 9; i++) {
    if (i == 4) {
      assert_int_equal(results[i].end, PROC_NOT_FOUND);
    } else {
      assert_true(proc_ok(&results[i]));
      assert_int_equal(atoi(str_text(&results[i].out)), i);
    }
    proc_result_free(&results[i]);
  }
  assert_int_equal(open_descriptors(), before);
}

/* A program may be given heddle's standard streams as closed descriptors. */
static int with_closed_streams(int result_fd, void *data) {
  (void)data;
  close(0);
  close(1);
  close(2);
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "echo out; echo err >&2"));
  proc_run(&request, &r);
  bool good = proc_ok(&r) && str_eq(str_text(&r.out), "out\n") &&
              str_eq(str_text(&r.err), "err\n");
  proc_result_free(&r);
  return proc_write_all(result_fd, good ? "good" : "bad", good ? 4 : 3) ? 0 : 1;
}

static int crash(int result_fd, void *data) {
  (void)data;
  fprintf(stderr, "about to crash\n");
  proc_write_all(result_fd, "half", 4);
  raise(SIGKILL);
  return 0;
}

static int hang(int result_fd, void *data) {
  (void)result_fd, (void)data;
  for (;;) pause();
  return 0;
}

static int exhaust(int result_fd, void *data) {
  (void)result_fd, (void)data;
  mem_fail_at(1);
  mem_alloc(10);
  return 0;
}

static int answer(int result_fd, void *data) {
  return proc_write_all(result_fd, data, strlen(data)) ? 5 : 1;
}

static void fork_and_expect(ProcForkFunction *run, void *data, double timeout,
                            ProcEnd end, int code, const char *result, const char *said) {
  int before = open_descriptors(), fd;
  ProcResult r;
  proc_fork_run(run, data, timeout, 0, &fd, &r);
  assert_int_equal(r.end, end);
  if (code >= 0) assert_int_equal(r.code, code);
  const void *bytes;
  size_t size;
  assert_true(proc_map_fd(fd, &bytes, &size));
  assert_int_equal(size, strlen(result));
  assert_memory_equal(bytes, result, size);
  proc_unmap(bytes, size);
  if (said) assert_string_equal(str_text(&r.err), said);
  close(fd);
  proc_result_free(&r);
  assert_int_equal(open_descriptors(), before);
}

static void test_fork(void **state) {
  (void)state;
  fork_and_expect(answer, (char *)"hello", 10, PROC_EXITED, 5, "hello", "");
  fork_and_expect(crash, NULL, 10, PROC_SIGNALLED, SIGKILL, "half", "about to crash\n");
  fork_and_expect(hang, NULL, 0.2, PROC_TIMED_OUT, -1, "", "");
  fork_and_expect(exhaust, NULL, 10, PROC_EXITED, 4, "", "out of memory\n");
  fork_and_expect(with_closed_streams, NULL, 20, PROC_EXITED, 0, "good", NULL);
}

static volatile sig_atomic_t handled;
static void handler(int number) {
  (void)number, handled = 1;
}

static int die_of_term(int result_fd, void *data) {
  (void)data;
  raise(SIGTERM); /* the parent's handler must not run here */
  proc_write_all(result_fd, "handled", 7);
  return 0;
}

static void test_fork_has_default_signals(void **state) {
  (void)state;
  signal(SIGTERM, handler);
  fork_and_expect(die_of_term, NULL, 10, PROC_SIGNALLED, SIGTERM, "", NULL);
  signal(SIGTERM, SIG_DFL);
  assert_int_equal(handled, 0);
}

static void test_ignored_children(void **state) {
  (void)state;
  signal(SIGCHLD, SIG_IGN);
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "exit 3"));
  proc_run(&request, &r);
  assert_int_equal(r.end, PROC_EXITED);
  assert_int_equal(r.code, 3);
  proc_result_free(&r);
  signal(SIGCHLD, SIG_DFL);
}

static void test_memory_limit(void **state) {
  (void)state;
  ProcResult r;
  ProcRequest request = shell(ARGV("sh", "-c", "ulimit -v"));
  request.memory_limit = (size_t)1 << 30;
  proc_run(&request, &r);
  assert_string_equal(str_text(&r.out), "1048576\n");
  proc_result_free(&r);
}

static void test_find(void **state) {
  (void)state;
  char *path = proc_find("sh");
  assert_non_null(path);
  assert_true(strchr(path, '/') != NULL);
  mem_free(path);
  assert_null(proc_find("heddle-no-such-program"));
  assert_null(proc_find(""));
  assert_null(proc_find("/etc/passwd"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exit_and_capture),
      cmocka_unit_test(test_not_found),
      cmocka_unit_test(test_signal),
      cmocka_unit_test(test_timeout_kills_group),
      cmocka_unit_test(test_daemon_does_not_block),
      cmocka_unit_test(test_environment_and_directory),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_large_output_and_limit),
      cmocka_unit_test(test_run_all_keeps_order),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_fork_has_default_signals),
      cmocka_unit_test(test_ignored_children),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_find),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
