/* See rebuild.h. One call of clang: compiled as for the model (ccargs.c), so that every
 * access of the model is one in the program and has the same place; the instrumentation
 * sees all of them, also a read that a write of the same bytes follows. */
#include "front/rebuild.h"

#include "base/mem.h"
#include "base/part.h"
#include "base/proc.h"
#include "front/ccargs.h"
#include "front/clang.h"
#include "front/instrument.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define ARCHIVE "libheddle-verifier.a"

static bool is_source(const char *path) {
  static const char *const endings[] = {".c", ".i"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (str_ends(path, endings[i])) return true;
  return false;
}

bool rebuild_suits(const char *const *inputs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_source(inputs[i])) return false;
  return count > 0;
}

/* The archive has heddle_NAME for names that are always taken as the library table says. */
static bool archive_has(const char *archive, const char *name) {
  const void *bytes;
  size_t size;
  int fd = open(archive, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool mapped = proc_map_fd(fd, &bytes, &size);
  close(fd);
  if (!mapped) return false;
  char *symbol = str_printf("heddle_%s", name);
  bool found = memmem(bytes, size, symbol, strlen(symbol) + 1) != NULL;
  mem_free(symbol);
  proc_unmap(bytes, size);
  return found;
}

static void add_replaced(const RebuildRequest *r, const char *archive, Arena *arena,
                         CcWords *words) {
  for (size_t i = 0; i < r->defined_count; i++) {
    const char *name = r->defined[i];
    bool always = str_starts(name, "__VERIFIER_") || str_eq(name, "reach_error");
    if (!always || str_eq(name, "__VERIFIER_assert") || !archive_has(archive, name))
      continue;
    vec_push(words, arena_printf(arena, "-Wl,-u,heddle_%s,--defsym=%s=heddle_%s", name,
                                 name, name));
  }
}

/* All but the compiler and what instruments. */
static bool add_words(const RebuildRequest *r, Arena *arena, CcWords *words, Err *err) {
  static const char *const before[] = {
      "-O0", "-U_FORTIFY_SOURCE", "-w", "-fno-omit-frame-pointer",
      /* as for the model */
      "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-mempcpy",
      "-fno-builtin-memset", "-fno-builtin-bzero", "-fno-builtin-bcopy", "-mllvm",
      "-tsan-instrument-read-before-write=1"};
  static const char *const after[] = {"-pthread", "-lm",
                                      "-Wl,--unresolved-symbols=ignore-all"};
  char *archive = part_find(ARCHIVE, err);
  if (!archive) return false;
  for (size_t i = 0; i < r->flag_count; i++) vec_push(words, r->flags[i]);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) vec_push(words, before[i]);
  for (size_t i = 0; i < r->input_count; i++) vec_push(words, r->inputs[i]);
  vec_push(words, "-o");
  vec_push(words, r->output);
  vec_push(words, arena_strdup(arena, archive));
  for (size_t i = 0; i < sizeof after / sizeof *after; i++) vec_push(words, after[i]);
  add_replaced(r, archive, arena, words);
  mem_free(archive);
  return true;
}

static bool compile(const RebuildRequest *r, const CcWords *argv, Err *err) {
  ProcRequest request = {.argv = argv->data,
                         .out = {.kind = PROC_CAPTURE},
                         .err = {.kind = PROC_CAPTURE},
                         .timeout = r->timeout,
                         .memory_limit = (size_t)CLANG_MEMORY_GIB << 30};
  ProcResult result = {0};
  proc_run(&request, &result);
  bool ok = proc_ok(&result);
  if (!ok && result.end == PROC_EXITED) {
    clang_first_error(str_text(&result.err), r->inputs[0], NULL, err);
  } else if (!ok) {
    Str how = {0};
    proc_describe(&result, &how);
    err_set(err, ERR_LIMIT, r->inputs[0], 0, 0, NULL, "clang: %s", str_text(&how));
    str_free(&how);
  }
  proc_result_free(&result);
  return ok;
}

bool rebuild(const RebuildRequest *r, Err *err) {
  Arena *arena = arena_new();
  CcWords words = {0}, argv = {0};
  CcArgs args = {0};
  char *clang = clang_find(false, err);
  bool ok = clang && add_words(r, arena, &words, err);
  if (ok) {
    ccargs_parse(words.data, words.len, NULL, &args);
    vec_push(&argv, clang);
    ok = (instrument_suits(&args) ||
          err_input(err, r->inputs[0], NULL, "these flags forbid instrumentation")) &&
         instrument_words(&args, false, &argv, err);
    vec_push(&argv, NULL);
    ok = ok && compile(r, &argv, err);
    ccargs_free(&args);
  }
  vec_free(&argv);
  vec_free(&words);
  mem_free(clang);
  arena_free(arena);
  return ok;
}
