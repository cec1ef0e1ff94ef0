/* See instrument.h.
 *
 * The instrumentation is the compiler's own, that of -fsanitize=thread, but only its
 * compiling half is told so: the driver would link the compiler's runtime. clang takes
 * the option past the driver with -Xclang; for gcc a specs file does it. The archive with
 * heddle's runtime is linked as a whole, since nobody refers to most of it by name: it
 * stands in front of functions of the C library. Shared libraries get none, they use that
 * of the program. */
#include "front/instrument.h"

#include "base/mem.h"
#include "base/part.h"

#include <string.h>
#include <unistd.h>

static bool has_word(const CcArgs *args, const char *word) {
  for (uint32_t i = 0; i < args->words.len; i++)
    if (str_eq(args->words.data[i], word)) return true;
  return false;
}

/* ---- which calls it suits --------------------------------------------------------- */

/* Other sanitizers want the memory, or the calls, for themselves. */
static bool sanitizes(const char *word) {
  static const char *const others[] = {"address", "hwaddress", "memory",
                                       "thread",  "dataflow",  "safe-stack",
                                       "kcfi",    "kernel-",   NULL};
  if (!str_starts(word, "-fsanitize=")) return false;
  for (size_t i = 0; others[i]; i++)
    if (strstr(word, others[i])) return true;
  return false;
}

static bool has_source(const CcArgs *args) {
  for (uint32_t i = 0; i < args->args.len; i++)
    if (args->args.data[i].kind == CC_INPUT &&
        args->args.data[i].language == CC_LANG_SOURCE)
      return true;
  return false;
}

/* clang takes a precompiled header only in compiles of the same kind, and the one for the
 * model has no instrumentation. It also takes one that lies beside an included file. */
static bool uses_precompiled(const CcArgs *args) {
  static const char *const endings[] = {"pch", "gch"};
  for (uint32_t i = 0; i < args->words.len; i++) {
    if (str_starts(args->words.data[i], "-include-pch")) return true;
    if (!str_eq(args->words.data[i], "-include") || i + 1 == args->words.len) continue;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
      if (access(arena_printf(args->arena, "%s.%s", args->words.data[i + 1], endings[k]),
                 F_OK) == 0)
        return true;
  }
  return false;
}

/* clang is to complain of a file that is not there, and of having none at all: the
 * runtime would be one. */
static bool is_there(const CcArgs *args, const CcArg *input) {
  const char *path = ccargs_input_path(args, input);
  return str_eq(path, "-") || args->working_dir || access(path, F_OK) == 0;
}

bool instrument_suits(const CcArgs *args) {
  uint32_t inputs = 0;
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind == CC_INPUT &&
        (arg->language == CC_LANG_HEADER || !is_there(args, arg)))
      return false;
    inputs += arg->kind == CC_INPUT;
    if (arg->kind != CC_OPTION) continue;
    if (arg->effects & CC_FX_PLAIN || sanitizes(args->words.data[arg->first]))
      return false;
  }
  return inputs > 0 && (args->mode == CC_LINK || has_source(args)) &&
         !uses_precompiled(args);
}

/* ---- its words -------------------------------------------------------------------- */

/* Only a program that is linked dynamically and with the C library has the runtime. */
static bool makes_program(const CcArgs *args) {
  static const char *const without[] = {
      "-shared",        "-r",      "-static",     "-nostdlib",
      "-nodefaultlibs", "-nolibc", "-static-pie", NULL};
  for (size_t i = 0; without[i]; i++)
    if (has_word(args, without[i])) return false;
  return args->mode == CC_LINK;
}

static bool add_kept(const CcArgs *args, const char *format, const char *file,
                     CcWords *out, Err *err) {
  char *path = part_find(file, err);
  if (!path) return false;
  vec_push(out, arena_printf(args->arena, format, path));
  mem_free(path);
  return true;
}

bool instrument_words(const CcArgs *args, bool gcc, CcWords *out, Err *err) {
  if (args->mode == CC_LINK &&
      (has_word(args, "-static") || has_word(args, "-static-pie")))
    return err_input(err, NULL, "link without -static",
                     "a static program cannot be recorded: nothing can stand in front of "
                     "the C library");
  vec_push(out, "-g");
  if (gcc) {
    if (!add_kept(args, "-specs=%s", "heddle-gcc.specs", out, err)) return false;
  } else {
    vec_push(out, "-Xclang");
    vec_push(out, "-fsanitize=thread");
  }
  if (args->lto)
    ccargs_words_without_lto(args, out);
  else
    for (uint32_t i = 0; i < args->words.len; i++) vec_push(out, args->words.data[i]);
  if (!makes_program(args)) return true;
  /* Libraries that the program loads later find the runtime in it. */
  vec_push(out, "-Wl,--export-dynamic-symbol=__tsan_*,--export-dynamic-symbol=__heddle_*,"
                "--export-dynamic-symbol=Annotate*");
  return add_kept(args, "-Wl,--whole-archive,%s,--no-whole-archive",
                  "libheddle-runtime.a", out, err);
}
