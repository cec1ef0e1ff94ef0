/* Output files: complete or not there, whatever fails. */
#include "base/mem.h"
#include "base/outfile.h"
#include "base/temp.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static int enter_empty_directory(void **state) {
  char path[] = "/tmp/heddle-unit-XXXXXX";
  if (!mkdtemp(path) || chdir(path) != 0) return -1;
  *state = str_dup(path);
  return 0;
}

static int leave_directory(void **state) {
  char *command = str_printf("rm -rf '%s'", (char *)*state);
  int status = chdir("/") == 0 ? system(command) : -1;
  mem_free(command);
  mem_free(*state);
  return status;
}

static int count_files(void) {
  DIR *directory = opendir(".");
  int count = 0;
  for (struct dirent *e; (e = readdir(directory));)
    count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(directory);
  return count;
}

static void check_content(const char *path, const char *expected) {
  char text[256] = {0};
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_int_equal(n, strlen(expected));
  assert_string_equal(text, expected);
}

static void check_message(Err *err, const char *part) {
  Str line = {0};
  err_format(err, &line);
  assert_int_equal(err->kind, ERR_INPUT);
  if (!strstr(str_text(&line), part))
    fail_msg("'%s' does not mention '%s'", str_text(&line), part);
  str_free(&line);
  err_free(err);
}

static void test_commit_replaces_at_once(void **state) {
  (void)state;
  Err err = {0};
  assert_true(outfile_save("a", "old", 3, &err));
  assert_int_equal(chmod("a", 0640), 0);
  Outfile *out = outfile_open("a", &err);
  outfile_print(out, "ne");
  outfile_printf(out, "%c%d", 'w', 5);
  check_content("a", "old"); /* still the old one */
  assert_true(outfile_commit(out, &err));
  check_content("a", "new5");
  struct stat st;
  assert_int_equal(stat("a", &st), 0);
  assert_int_equal(st.st_mode & 07777, 0640);
  assert_int_equal(count_files(), 1);
}

static void test_new_files_follow_the_mask(void **state) {
  (void)state;
  Err err = {0};
  mode_t old = umask(027);
  assert_true(outfile_save("m", "x", 1, &err));
  umask(old);
  struct stat st;
  assert_int_equal(stat("m", &st), 0);
  assert_int_equal(st.st_mode & 07777, 0640);
}

static void test_discard_leaves_nothing(void **state) {
  (void)state;
  Err err = {0};
  Outfile *out = outfile_open("d", &err);
  outfile_print(out, "text");
  assert_int_equal(count_files(), 1); /* the temporary one */
  outfile_discard(out);
  outfile_discard(NULL);
  assert_int_equal(count_files(), 0);
}

static void test_large_output(void **state) {
  (void)state;
  Err err = {0};
  Outfile *out = outfile_open("l", &err);
  static char block[100000];
  memset(block, 'x', sizeof block);
  size_t total = 0;
  for (size_t n = 1; n < sizeof block; n = n * 3 + 1) {
    outfile_write(out, block, n);
    total += n;
  }
  assert_true(outfile_commit(out, &err));
  struct stat st;
  assert_int_equal(stat("l", &st), 0);
  assert_int_equal(st.st_size, total);
}

static void test_links_stay_links(void **state) {
  (void)state;
  Err err = {0};
  assert_int_equal(mkdir("sub", 0755), 0);
  assert_true(outfile_save("sub/real", "1", 1, &err));
  assert_int_equal(symlink("sub/real", "link"), 0);
  assert_true(outfile_save("link", "22", 2, &err));
  struct stat st;
  assert_int_equal(lstat("link", &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  check_content("sub/real", "22");
}

static void test_longest_names(void **state) {
  (void)state;
  Err err = {0};
  char name[257];
  memset(name, 'n', sizeof name);
  name[255] = 0;
  assert_true(outfile_save(name, "1", 1, &err));
  check_content(name, "1");
  name[255] = 'n';
  name[256] = 0;
  assert_false(outfile_save(name, "1", 1, &err));
  check_message(&err, "shorter name");
}

static void test_places_that_cannot_be_written(void **state) {
  (void)state;
  Err err = {0};
  assert_int_equal(mkdir("dir", 0755), 0);
  assert_null(outfile_open("dir", &err));
  check_message(&err, "dir: cannot write: Is a directory; give the name of a file");
  assert_null(outfile_open("none/file", &err));
  check_message(&err,
                "none/file: cannot create the file: No such file or directory; create");
  assert_true(outfile_save("file", "1", 1, &err));
  assert_null(outfile_open("file/below", &err));
  check_message(&err, "file/below: cannot write: Not a directory");
  assert_null(outfile_open("", &err));
  check_message(&err, "empty name");
  assert_int_equal(count_files(), 2);
}

static void test_full_disk(void **state) {
  (void)state;
  Err err = {0};
  Outfile *out = outfile_open("/dev/full", &err);
  assert_non_null(out);
  outfile_print(out, "x");
  assert_false(outfile_failed(out));
  outfile_flush(out);
  assert_true(outfile_failed(out));
  outfile_print(out, "more");
  assert_false(outfile_commit(out, &err));
  check_message(&err,
                "/dev/full: cannot write: No space left on device; free some space");
  struct stat st;
  assert_int_equal(stat("/dev/full", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
}

/* A limit on the size of files fails in the middle of a write, as a full disk does. */
static void test_failing_write_removes_the_file(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    static char block[50000];
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = {20000, 20000};
    setrlimit(RLIMIT_FSIZE, &small);
    Err err = {0};
    bool saved = outfile_save("big", block, sizeof block, &err);
    bool told = err.file && str_eq(err.file, "big");
    err_free(&err);
    _exit(!saved && told && count_files() == 0 ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(count_files(), 0);
}

static void test_closed_pipe(void **state) {
  (void)state;
  Err err = {0};
  assert_int_equal(mkfifo("pipe", 0600), 0);
  int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  Outfile *out = outfile_open("pipe", &err);
  assert_non_null(out);
  close(reader);
  signal(SIGPIPE, SIG_IGN);
  outfile_print(out, "x");
  assert_false(outfile_commit(out, &err));
  check_message(&err, "pipe: cannot write: Broken pipe");
  assert_int_equal(count_files(), 1);
}

static void test_remove_all(void **state) {
  (void)state;
  Err err = {0};
  Outfile *first = outfile_open("one", &err), *second = outfile_open("two", &err);
  char *directory = temp_dir_new(&err);
  char *inside = str_printf("%s/file", directory);
  temp_register(inside);
  close(open(inside, O_WRONLY | O_CREAT, 0600));
  pid_t child = fork();
  if (child == 0) { /* a child owns nothing of this and must leave it alone */
    temp_remove_all();
    _exit(access(inside, F_OK) == 0 ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(count_files(), 2);
  temp_remove_all();
  assert_int_equal(count_files(), 0);
  assert_int_not_equal(access(directory, F_OK), 0);
  outfile_discard(first);
  outfile_discard(second);
  temp_forget(inside);
  temp_forget(directory);
  mem_free(inside);
  mem_free(directory);
}

static void test_registry_is_bounded(void **state) {
  (void)state;
  char name[32];
  for (int i = 0; i < TEMP_SLOTS; i++) {
    snprintf(name, sizeof name, "t%d", i);
    assert_true(temp_register(name));
  }
  assert_false(temp_register("one too many"));
  for (int i = 0; i < TEMP_SLOTS; i++) {
    snprintf(name, sizeof name, "t%d", i);
    temp_forget(name);
  }
  assert_true(temp_register("again"));
  temp_forget("again");
  temp_forget("never known");
}

#define IN_DIRECTORY(test)                                                               \
  cmocka_unit_test_setup_teardown(test, enter_empty_directory, leave_directory)

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_DIRECTORY(test_commit_replaces_at_once),
      IN_DIRECTORY(test_new_files_follow_the_mask),
      IN_DIRECTORY(test_discard_leaves_nothing),
      IN_DIRECTORY(test_large_output),
      IN_DIRECTORY(test_links_stay_links),
      IN_DIRECTORY(test_longest_names),
      IN_DIRECTORY(test_places_that_cannot_be_written),
      IN_DIRECTORY(test_full_disk),
      IN_DIRECTORY(test_failing_write_removes_the_file),
      IN_DIRECTORY(test_closed_pipe),
      IN_DIRECTORY(test_remove_all),
      IN_DIRECTORY(test_registry_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
