/* See clang.h. */
#include "front/clang.h"

#include "base/limit.h"
#include "base/part.h"
#include "base/str.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  LONG_WORD = 64 << 10, /* the kernel takes words of up to 128 KiB, */
  LONG_LINE = 1 << 20,  /* and 2 MiB in all, with the environment */
};

/* Variables that make clang write files or extra lines of which the real compile already
 * takes care. */
static const char *const quiet_environment[] = {
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "CC_PRINT_OPTIONS",
    "CC_PRINT_OPTIONS_FILE",
    "CC_PRINT_HEADERS",
    "CC_PRINT_HEADERS_FILE",
    "CC_LOG_DIAGNOSTICS",
    "CC_LOG_DIAGNOSTICS_FILE",
    "CC_PRINT_PROC_STAT",
    "CC_PRINT_PROC_STAT_FILE",
    "CC_PRINT_INTERNAL_STAT",
    "CC_PRINT_INTERNAL_STAT_FILE",
    "LLVM_DISABLE_SYMBOLIZATION=1", /* or a crash leaves files of its own behind */
    NULL,
};

/* heddle.h lies beside the tool. The environment tells compilers so, gcc too, without a word
 * on their command lines: behind all folders that the call itself names. */
static void offer_header(void) {
  static const char *const variables[] = {"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
  static bool offered;
  Err err = {0};
  char *header = offered ? NULL : part_find("heddle.h", &err);
  offered = true;
  err_free(&err);
  if (!header) return;
  *strrchr(header, '/') = 0;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *before = getenv(variables[i]);
    bool any = before && *before;
    char *value = str_printf("%s%s%s", any ? before : "", any ? ":" : "", header);
    setenv(variables[i], value, 1);
    mem_free(value);
  }
  mem_free(header);
}

char *clang_find(bool cxx, Err *err) {
  offer_header();
  const char *variable = cxx ? "HEDDLE_CLANGXX" : "HEDDLE_CLANG";
  const char *chosen = getenv(variable);
  if (chosen && *chosen) {
    char *path = proc_find(chosen);
    if (!path) {
      err_input(err, NULL, "set it to the path of clang 19 or unset it",
                "%s: there is no program '%s'", variable, chosen);
      return NULL;
    }
    mem_free(path);
    return str_dup(chosen);
  }
  const char *names[] = {cxx ? "clang++-19" : "clang-19",
                         cxx ? "/usr/lib/llvm-19/bin/clang++"
                             : "/usr/lib/llvm-19/bin/clang"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = proc_find(names[i]);
    mem_free(path);
    if (path) return str_dup(names[i]);
  }
  err_input(err, NULL, "run: apt-get install clang-19", "%s is not installed", names[0]);
  return NULL;
}

ClangKind clang_kind(const char *program) {
  const char *argv[] = {program, "-dM", "-E", "-x", "c", "/dev/null", NULL};
  ProcRequest request = {.argv = argv,
                         .out = {.kind = PROC_CAPTURE},
                         .err = {.kind = PROC_NULL},
                         .timeout = CLANG_TIMEOUT};
  ProcResult result;
  proc_run(&request, &result);
  const char *macros = str_text(&result.out);
  ClangKind kind = !proc_ok(&result)                                ? CLANG_MISSING
                   : strstr(macros, "#define __clang_major__ 19\n") ? CLANG_ITSELF
                   : strstr(macros, "#define __clang__ ")           ? CLANG_FOREIGN
                                                                    : CLANG_OTHER;
  proc_result_free(&result);
  return kind;
}

bool clang_is_bitcode(const void *bytes, size_t size) {
  return size >= 4 && (memcmp(bytes, "BC\xC0\xDE", 4) == 0 ||
                       memcmp(bytes, "\xDE\xC0\x17\x0B", 4) == 0);
}

/* ---- running --------------------------------------------------------------------- */

static bool is_long(const CcWords *words) {
  size_t total = 0;
  for (uint32_t i = 0; i < words->len; i++) {
    size_t length = strlen(words->data[i]);
    if (length > LONG_WORD) return true;
    total += length + 1 + sizeof(char *);
  }
  return total > LONG_LINE;
}

/* A response file with all the words, in memory. */
static int response_file(const CcWords *words) {
  Str text = {0};
  for (uint32_t i = 0; i < words->len; i++) {
    str_add_char(&text, '"');
    for (const char *p = words->data[i]; *p; p++) {
      if (*p == '"' || *p == '\\') str_add_char(&text, '\\');
      str_add_char(&text, *p);
    }
    str_add(&text, "\"\n");
  }
  int fd = proc_memory_file(str_text(&text), text.len);
  str_free(&text);
  return fd;
}

static size_t memory_limit(void) {
  size_t own = (size_t)CLANG_MEMORY_GIB << 30, all = limit_child_bytes();
  return all && all < own ? all : own;
}

void clang_start(const ClangJob *job, ClangRun *ret_run) {
  ClangRun run = {.bitcode_fd = proc_memory_file(NULL, 0), .words_fd = -1};
  CcWords argv = {0};
  char *response = NULL;
  vec_push(&argv, job->program);
  if (is_long(&job->words)) {
    /* Descriptors of ours are not inherited, but the child may open them by our name. */
    run.words_fd = response_file(&job->words);
    response = str_printf("@/proc/%d/fd/%d", (int)getpid(), run.words_fd);
    vec_push(&argv, response);
  } else {
    for (uint32_t i = 0; i < job->words.len; i++) vec_push(&argv, job->words.data[i]);
  }
  vec_push(&argv, NULL);
  ProcRequest request = {
      .argv = argv.data,
      .cwd = job->directory,
      .env = quiet_environment,
      .in = {.kind = job->input >= 0 ? PROC_FD : PROC_NULL, .fd = job->input},
      .out = {.kind = PROC_FD, .fd = run.bitcode_fd},
      .err = {.kind = PROC_CAPTURE},
      .timeout = job->timeout > 0 ? job->timeout : CLANG_TIMEOUT,
      .memory_limit = memory_limit(),
  };
  run.proc = proc_start(&request);
  vec_free(&argv);
  mem_free(response);
  *ret_run = run;
}

static void release(ClangRun *run) {
  if (run->bitcode_fd >= 0) close(run->bitcode_fd);
  if (run->words_fd >= 0) close(run->words_fd);
  *run = (ClangRun){.bitcode_fd = -1, .words_fd = -1};
}

void clang_cancel(ClangRun *run) {
  proc_signal(run->proc, SIGKILL);
  proc_wait(run->proc, NULL);
  release(run);
}

static bool take_bitcode(const ClangJob *job, const ClangRun *run, void **ret_bytes,
                         size_t *ret_size, Err *err) {
  const void *data;
  size_t size;
  if (!proc_map_fd(run->bitcode_fd, &data, &size))
    return err_set(err, ERR_INTERNAL, job->source, 0, 0, NULL,
                   "the bitcode that clang made cannot be read");
  bool good = clang_is_bitcode(data, size);
  if (good) {
    *ret_bytes = mem_dup(data, size);
    *ret_size = size;
  }
  proc_unmap(data, size);
  return good || err_set(err, ERR_INTERNAL, job->source, 0, 0, NULL,
                         "clang ended well but made no bitcode");
}

static bool is_out_of_memory(const ProcResult *result) {
  const char *said = str_text(&result->err);
  return strstr(said, "out of memory") || strstr(said, "bad_alloc") ||
         strstr(said, "annot allocate memory") || strstr(said, "failed to map segment");
}

static bool explain(const ClangJob *job, const ProcResult *result, Err *err) {
  Str how = {0};
  proc_describe(result, &how);
  const char *leave_out = "leave this file out, or give its bitcode instead";
  if (result->end == PROC_TIMED_OUT) {
    err_set(err, ERR_LIMIT, job->source, 0, 0, leave_out,
            "clang did not finish within %.0f s",
            job->timeout > 0 ? job->timeout : (double)CLANG_TIMEOUT);
  } else if (result->end == PROC_NOT_FOUND || result->end == PROC_NOT_STARTED) {
    if (job->directory && access(job->directory, X_OK) != 0)
      err_input(err, job->directory, "build the project first",
                "the directory to compile %s in is not there", job->source);
    else
      err_set(err, ERR_INTERNAL, job->source, 0, 0, NULL, "%s: %s", job->program,
              str_text(&how));
  } else if (is_out_of_memory(result)) {
    err_set(err, ERR_LIMIT, job->source, 0, 0,
            "raise --memory, or the limit of the shell (ulimit -v)",
            "clang has not enough memory for it");
  } else if (result->end == PROC_SIGNALLED && result->code == SIGXFSZ) {
    err_set(err, ERR_LIMIT, job->source, 0, 0, "raise the limit of the shell (ulimit -f)",
            "what clang makes of it is longer than files may be here");
  } else if (result->end == PROC_SIGNALLED || result->code >= 128 ||
             strstr(str_text(&result->err), "PLEASE submit a bug report")) {
    err_set(err, ERR_INTERNAL, job->source, 0, 0, leave_out, "clang crashed on it (%s)",
            str_text(&how));
  } else {
    clang_first_error(str_text(&result->err), job->source, job->directory, err);
  }
  str_free(&how);
  return false;
}

bool clang_finish(const ClangJob *job, ClangRun *run, void **ret_bytes, size_t *ret_size,
                  Str *ret_said, Err *err) {
  ProcResult result;
  proc_wait(run->proc, &result);
  bool ok = proc_ok(&result) ? take_bitcode(job, run, ret_bytes, ret_size, err)
                             : explain(job, &result, err);
  if (ret_said) {
    *ret_said = result.err;
    result.err = (Str){0};
  }
  proc_result_free(&result);
  release(run);
  return ok;
}

/* ---- what clang says ------------------------------------------------------------- */

/* Cuts ":NUMBER" off the end of text[0..*length]. */
static bool cut_number(const char *text, size_t *length, int *ret_number) {
  size_t n = *length;
  while (n > 0 && isdigit((unsigned char)text[n - 1])) n--;
  if (n == *length || n == 0 || text[n - 1] != ':' || *length - n > 9) return false;
  *ret_number = (int)strtol(text + n, NULL, 10);
  *length = n - 1;
  return true;
}

static const char *remedy_for(const char *message, bool has_place) {
  if (strstr(message, "file not found"))
    return "pass its include paths with -I, among the options or after --";
  if (strstr(message, "unknown argument") || strstr(message, "unsupported"))
    return "leave this compiler flag out";
  return has_place ? "heddle reads what clang-19 compiles; pass the file's flags after --"
                   : "check the compiler flags";
}

/* One line of clang's output; false when it reports no error. */
static bool error_of_line(const char *line, size_t length, const char *source,
                          const char *directory, Err *err) {
  static const char *const marks[] = {"fatal error: ", "error: "};
  for (size_t k = 0; k < 2; k++) {
    const char *mark = memmem(line, length, marks[k], strlen(marks[k]));
    if (!mark || (mark != line && (mark < line + 2 || memcmp(mark - 2, ": ", 2) != 0)))
      continue;
    const char *message = mark + strlen(marks[k]);
    char *text = str_ndup(message, length - (size_t)(message - line));
    size_t place = mark == line ? 0 : (size_t)(mark - 2 - line);
    int first = 0, second = 0;
    bool has_line = cut_number(line, &place, &second);
    bool has_both = has_line && cut_number(line, &place, &first);
    char *file = has_line ? str_ndup(line, place) : str_dup(source);
    if (has_line && directory && file[0] != '/' && file[0] != '<') {
      char *joined = str_printf("%s/%s", directory, file);
      mem_free(file);
      file = joined;
    }
    err_set(err, ERR_INPUT, file, has_both ? first : second, has_both ? second : 0,
            remedy_for(text, has_line), "%s", text);
    mem_free(file);
    mem_free(text);
    return true;
  }
  return false;
}

bool clang_first_error(const char *said, const char *source, const char *directory,
                       Err *err) {
  for (const char *line = said; *line;) {
    size_t length = strcspn(line, "\n");
    if (error_of_line(line, length, source, directory, err)) return false;
    line += length + (line[length] == '\n');
  }
  return err_input(err, source, "compile it with clang-19 to see why",
                   "clang failed without saying why");
}
