/* See woven.h. Three steps per source: clang to bitcode without any pass, the weaver in a
 * child process, and a command line with the result in place of the source. */
#include "front/woven.h"

#include "base/proc.h"
#include "base/str.h"
#include "base/temp.h"
#include "front/child.h"
#include "front/llvm/weave.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WEAVE_TIMEOUT = 300, MOST_WARNINGS = 1 << 20, MOST_SOURCE = 64 << 20 };

/* ---- clang ------------------------------------------------------------------------ */

static bool has_word(const CcArgs *args, const char *const *words) {
  for (uint32_t i = 0; i < args->words.len; i++)
    for (size_t k = 0; words[k]; k++)
      if (str_starts(args->words.data[i], words[k])) return true;
  return false;
}

/* Dependency files are named after the output, which is another one in this step. */
static void add_dependencies(const CcArgs *args, const CcArg *input, CcWords *words) {
  static const char *const wanted[] = {"-MD", "-MMD", NULL};
  static const char *const file[] = {"-MF", NULL}, *const target[] = {"-MT", "-MQ", NULL};
  if (!has_word(args, wanted)) return;
  const char *object = args->mode == CC_COMPILE && args->output
                           ? args->output
                           : ccargs_object_name(args, input);
  const char *slash = strrchr(object, '/'), *dot = strrchr(object, '.');
  size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - object) : strlen(object);
  if (!has_word(args, file)) {
    vec_push(words, "-MF");
    vec_push(words, arena_printf(args->arena, "%.*s.d", (int)stem, object));
  }
  if (!has_word(args, target)) {
    vec_push(words, "-MT");
    vec_push(words, object);
  }
}

static void front_words(const CcArgs *args, const CcArg *input, const char *output,
                        CcWords *words) {
  static const char *const own[] = {"-g",
                                    "-Xclang",
                                    "-fsanitize=thread",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-Qunused-arguments",
                                    "-emit-llvm",
                                    "-c",
                                    "-o"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) vec_push(words, own[i]);
  vec_push(words, output);
  add_dependencies(args, input, words);
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind == CC_INPUT && arg != input) continue;
    if (arg->effects & (CC_FX_OUTPUT | CC_FX_LINK_LIST | CC_FX_LIBDIR | CC_FX_LTO))
      continue;
    for (uint32_t k = 0; k < arg->count; k++)
      vec_push(words, args->words.data[arg->first + k]);
  }
}

static bool compile(const CcArgs *args, const CcArg *input, const char *clang, int in,
                    const char *output, Woven *woven, Err *err) {
  CcWords words = {0};
  ProcResult result;
  const char *path = ccargs_input_path(args, input);
  vec_push(&words, clang);
  front_words(args, input, output, &words);
  vec_push(&words, NULL);
  bool piped = in >= 0 && (str_eq(path, "-") || str_eq(path, "/dev/stdin"));
  if (piped) lseek(in, 0, SEEK_SET);
  ProcRequest request = {.argv = words.data,
                         .in = {.kind = piped ? PROC_FD : PROC_INHERIT, .fd = in},
                         .out = {.kind = PROC_INHERIT},
                         .err = {.kind = PROC_INHERIT},
                         .same_group = true};
  proc_run(&request, &result);
  bool ok = proc_ok(&result);
  if (!ok && result.end == PROC_EXITED)
    woven->status = result.code;
  else if (!ok) {
    Str how = {0};
    proc_describe(&result, &how);
    err_set(err, ERR_INTERNAL, path, 0, 0, NULL, "%s: %s", clang, str_text(&how));
    str_free(&how);
  }
  proc_result_free(&result);
  vec_free(&words);
  return ok;
}

/* ---- the weaver ------------------------------------------------------------------- */

typedef struct {
  const char *name, *from, *to;
  const Events *events;
} Task;

static int weave_in_child(int fd, void *data) {
  const Task *task = data;
  Err err = {0};
  Str bytes = {0};
  int in = open(task->from, O_RDONLY | O_CLOEXEC);
  int out = open(task->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool ok = in >= 0 && out >= 0 && proc_read_all(in, (size_t)1 << 32, &bytes);
  if (!ok)
    err_set(&err, ERR_LIMIT, task->from, 0, 0, "make room there or set TMPDIR", "%s",
            strerror(errno));
  Str warnings = {0};
  ok = ok && weave_bitcode(task->name, str_text(&bytes), bytes.len, task->events, out,
                           &warnings, &err);
  if (ok) return proc_write_all(fd, str_text(&warnings), warnings.len) ? 0 : 1;
  child_send_error(fd, &err);
  return CHILD_FOUND_ERROR;
}

static bool weave(const Task *task, Str *warnings, Err *err) {
  ProcResult result = {0};
  int fd = -1;
  proc_fork_run(weave_in_child, (void *)task, WEAVE_TIMEOUT, child_memory_limit(), &fd,
                &result);
  bool ok = proc_ok(&result);
  if (ok && lseek(fd, 0, SEEK_SET) == 0) proc_read_all(fd, MOST_WARNINGS, warnings);
  if (!ok && result.end == PROC_EXITED && result.code == CHILD_FOUND_ERROR)
    child_receive_error(fd, err);
  if (!ok) {
    Str how = {0};
    proc_describe(&result, &how);
    err_set(err, ERR_INTERNAL, task->name, 0, 0, "report this as a defect",
            "LLVM could not add calls of the runtime (%s)", str_text(&how));
    str_free(&how);
  }
  if (fd >= 0) close(fd);
  proc_result_free(&result);
  return ok;
}

/* ---- the call that goes on -------------------------------------------------------- */

static char *add_file(Woven *woven, const char *text) {
  char *path = str_dup(text);
  vec_push(&woven->files, path);
  temp_register(path);
  return path;
}

/* The base name stays that of the source, since objects without -o are named after it. */
static bool make_unit(const CcArgs *args, const CcArg *input, uint32_t number,
                      const char *clang, int in, const Events *events, Woven *woven,
                      const char **ret, Err *err) {
  const char *object = ccargs_object_name(args, input);
  char *folder = str_printf("%s/%u", woven->folder, number);
  char *from = str_printf("%s/unit.bc", folder);
  char *to = str_printf("%s/%.*s.bc", folder, (int)(strlen(object) - 2), object);
  if (str_eq(from, to)) {
    mem_free(from);
    from = str_printf("%s/front.bc", folder);
  }
  bool ok = mkdir(folder, 0700) == 0 ||
            err_set(err, ERR_LIMIT, folder, 0, 0, "make room there or set TMPDIR", "%s",
                    strerror(errno));
  if (ok) {
    add_file(woven, folder);
    Task task = {ccargs_input_path(args, input), add_file(woven, from),
                 *ret = add_file(woven, to), events};
    ok = compile(args, input, clang, in, from, woven, err) &&
         weave(&task, &woven->warnings, err);
  }
  mem_free(folder);
  mem_free(from);
  mem_free(to);
  return ok;
}

static void add_words(const CcArgs *args, const CcArg *arg, CcWords *words) {
  for (uint32_t k = 0; k < arg->count; k++)
    vec_push(words, args->words.data[arg->first + k]);
}

/* Whether the text of a source speaks of waiting on condition variables. */
static bool mentions_wait(const char *path) {
  static const char *const words[] = {"cond_wait", "cond_timedwait", "cond_clockwait",
                                      "cnd_wait", "cnd_timedwait"};
  struct stat st;
  Str text = {0};
  int fd =
      stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  bool found = false;
  if (fd >= 0 && proc_read_all(fd, MOST_SOURCE, &text))
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      found |= memmem(str_text(&text), text.len, words[i], strlen(words[i])) != NULL;
  if (fd >= 0) close(fd);
  str_free(&text);
  return found;
}

static bool is_ours(const CcArgs *args, const CcArg *arg, const Events *events) {
  return arg->kind == CC_INPUT && arg->language == CC_LANG_SOURCE &&
         (events->arena || mentions_wait(ccargs_input_path(args, arg)));
}

bool woven_is_needed(const CcArgs *args, const Events *events) {
  for (uint32_t i = 0; i < args->args.len; i++)
    if (is_ours(args, &args->args.data[i], events)) return true;
  return false;
}

bool woven_prepare(const CcArgs *args, const char *clang, int input, const Events *events,
                   Woven *ret, Err *err) {
  CcWords words = {0};
  const CcArg *language = NULL; /* the last -x */
  bool ok = true;
  *ret = (Woven){.folder = temp_dir_new(err)};
  if (!ret->folder) return false;
  vec_push(&words, "-Qunused-arguments");
  for (uint32_t i = 0; ok && i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->effects & CC_FX_LANGUAGE) {
      language = arg;
    } else if (is_ours(args, arg, events)) {
      const char *unit;
      ok = make_unit(args, arg, i, clang, input, events, ret, &unit, err);
      if (ok) vec_push(&words, arena_strdup(args->arena, unit));
    } else if (arg->kind == CC_INPUT && language && arg->language != CC_LANG_LINK) {
      add_words(args, language, &words);
      add_words(args, arg, &words);
      vec_push(&words, "-x");
      vec_push(&words, "none");
    } else {
      add_words(args, arg, &words);
    }
  }
  if (ok) ccargs_parse(words.data, words.len, NULL, &ret->args);
  vec_free(&words);
  return ok;
}

void woven_free(Woven *woven) {
  while (woven->files.len) {
    char *path = vec_pop(&woven->files);
    temp_remove(path);
    mem_free(path);
  }
  vec_free(&woven->files);
  str_free(&woven->warnings);
  if (woven->folder) temp_remove(woven->folder);
  mem_free(woven->folder);
  if (woven->args.arena) ccargs_free(&woven->args);
  *woven = (Woven){0};
}
