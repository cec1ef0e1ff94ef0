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

#include <string.h>
#include <unistd.h>

char *instrument_find(const char *name, Err *err) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = 0;
  char *slash = strrchr(self, '/');
  if (slash) *slash = 0;
  static const char *const folders[] = {"", "/../lib/heddle"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char *path = str_printf("%s%s/%s", self, folders[i], name);
    if (access(path, R_OK) == 0) return path;
    mem_free(path);
  }
  err_set(err, ERR_INTERNAL, NULL, 0, 0, "build or install heddle again",
          "%s is neither beside heddle nor in %s/../lib/heddle", name, self);
  return NULL;
}

static bool has_word(const CcArgs *args, const char *word) {
  for (uint32_t i = 0; i < args->words.len; i++)
    if (str_eq(args->words.data[i], word)) return true;
  return false;
}

static bool makes_program(const CcArgs *args) {
  return args->mode == CC_LINK && !has_word(args, "-shared") && !has_word(args, "-r") &&
         !has_word(args, "-static");
}

static bool add_kept(const CcArgs *args, const char *format, const char *file,
                     CcWords *out, Err *err) {
  char *path = instrument_find(file, err);
  if (!path) return false;
  vec_push(out, arena_printf(args->arena, format, path));
  mem_free(path);
  return true;
}

bool instrument_words(const CcArgs *args, bool gcc, CcWords *out, Err *err) {
  if (has_word(args, "-static") && args->mode == CC_LINK)
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
