/* See woven.h. Up to four steps per source: clang to bitcode without any pass and the
 * weaver in a child process, where there is something to weave; clang to bitcode with all
 * passes and the second bodies, where they can be had; and a command line with the result
 * in place of the source. */
#include "front/woven.h"

#include "base/map.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/temp.h"
#include "front/child.h"
#include "front/forward.h"
#include "front/llvm/twin.h"
#include "front/llvm/weave.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  WEAVE_TIMEOUT = 300,
  MOST_WARNINGS = 1 << 20,
  MOST_SOURCE = 64 << 20,
  MOST_HEADERS = 1000
};

/* ---- clang ------------------------------------------------------------------------ */

static bool has_word(const CcArgs *args, const char *const *words) {
  for (uint32_t i = 0; i < args->words.len; i++)
    for (size_t k = 0; words[k]; k++)
      if (str_starts(args->words.data[i], words[k])) return true;
  return false;
}

/* Dependency files are named after the output, which is another one in this step. */
static void add_dependencies(const CcArgs *args, const CcArg *input, CcWords *words) {
  static const char *const wanted[] = {"-MD", "-MMD", "-Wp,-MD", "-Wp,-MMD", NULL};
  static const char *const file[] = {"-MF", "-Wp,-M", NULL}, *const target[] = {
                                                                 "-MT", "-MQ", NULL};
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

/* One compile to bitcode. */
typedef struct {
  const CcArgs *args;
  const CcArg *input;
  const char *clang;
  int in;           /* for a source on standard input, or -1 */
  const char *from; /* bitcode to take in place of the source, or NULL */
  const char *output;
  bool passes; /* all of them, the instrumentation too; or none */
} Compile;

/* What a step after the first must not say again: it was said about the words. */
#define SAID "-Wno-unknown-warning-option"

static void compile_words(const Compile *c, CcWords *words) {
  static const char *const own[] = {
      "-g", "-Xclang", "-fsanitize=thread", "-Qunused-arguments", "-emit-llvm",
      "-c", "-o"};
  uint32_t skipped = CC_FX_OUTPUT | CC_FX_LINK_LIST | CC_FX_LIBDIR | CC_FX_LTO |
                     (c->from ? CC_FX_LANGUAGE : 0);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) vec_push(words, own[i]);
  vec_push(words, c->output);
  if (!c->passes) {
    vec_push(words, "-Xclang");
    vec_push(words, "-disable-llvm-passes");
  }
  if (c->from) {
    vec_push(words, SAID);
    vec_push(words, c->from);
  } else
    add_dependencies(c->args, c->input, words);
  for (uint32_t i = 0; i < c->args->args.len; i++) {
    const CcArg *arg = &c->args->args.data[i];
    if (arg->kind == CC_INPUT && (arg != c->input || c->from)) continue;
    if (arg->effects & skipped || (arg > c->input && arg->effects & CC_FX_LANGUAGE))
      continue;
    for (uint32_t k = 0; k < arg->count; k++)
      vec_push(words, c->args->words.data[arg->first + k]);
  }
}

static bool compile(const Compile *c, Woven *woven, Err *err) {
  CcWords words = {0};
  ProcResult result;
  const char *clang = c->clang, *path = ccargs_input_path(c->args, c->input);
  int in = c->in;
  vec_push(&words, clang);
  compile_words(c, &words);
  vec_push(&words, NULL);
  bool piped = in >= 0 && !c->from && (str_eq(path, "-") || str_eq(path, "/dev/stdin"));
  if (piped) lseek(in, 0, SEEK_SET);
  ProcRequest request = {.argv = words.data,
                         .in = {.kind = piped ? PROC_FD : PROC_INHERIT, .fd = in},
                         .out = {.kind = PROC_INHERIT},
                         .err = {.kind = PROC_INHERIT},
                         .same_group = true};
  Forward forward;
  forward_hold(&forward);
  Proc *proc = proc_start(&request);
  forward_start(&forward, proc_id(proc));
  proc_wait(proc, &result);
  forward_stop(&forward);
  bool ok = proc_ok(&result);
  if (!ok && result.end == PROC_EXITED)
    woven->status = result.code;
  else if (!ok && result.end == PROC_SIGNALLED)
    woven->signal = result.code;
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

/* ---- heddle's own passes ---------------------------------------------------------- */

typedef struct {
  const char *name, *from, *to;
  const Events *events; /* to weave in; NULL: second bodies */
} Task;

static int work_in_child(int fd, void *data) {
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
  if (ok && task->events)
    ok = weave_bitcode(task->name, str_text(&bytes), bytes.len, task->events, out,
                       &warnings, &err);
  else if (ok)
    ok = twin_bitcode(task->name, str_text(&bytes), bytes.len, out, &err);
  if (ok) return proc_write_all(fd, str_text(&warnings), warnings.len) ? 0 : 1;
  child_send_error(fd, &err);
  return CHILD_FOUND_ERROR;
}

static bool work(const Task *task, Str *warnings, Err *err) {
  ProcResult result = {0};
  int fd = -1;
  proc_fork_run(work_in_child, (void *)task, WEAVE_TIMEOUT, child_memory_limit(), &fd,
                &result);
  bool ok = proc_ok(&result);
  if (ok && lseek(fd, 0, SEEK_SET) == 0) proc_read_all(fd, MOST_WARNINGS, warnings);
  if (!ok && result.end == PROC_EXITED && result.code == CHILD_FOUND_ERROR)
    child_receive_error(fd, err);
  if (!ok) {
    Str how = {0};
    proc_describe(&result, &how);
    err_set(
        err, ERR_INTERNAL, task->name, 0, 0,
        "please report it with this file, its compiler flags and what `heddle doctor` prints",
        "this is heddle's own defect: it failed while changing this unit for the runtime (%s)",
        str_text(&how));
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

/* A file of a unit's folder that is made. */
static const char *new_file(const CcArgs *args, Woven *woven, const char *folder,
                            const char *name) {
  return add_file(woven, arena_printf(args->arena, "%s/%s", folder, name));
}

static bool make_unit(const Compile *how, uint32_t number, const Events *events,
                      bool woven_in, bool twins, Woven *woven, const char **ret,
                      Err *err) {
  const CcArgs *args = how->args;
  Compile c = *how;
  const char *source = ccargs_input_path(args, c.input), *name;
  const char *folder = arena_printf(args->arena, "%s/%u", woven->folder, number);
  const char *last = arena_printf(args->arena, "%s/last", folder);
  if (mkdir(folder, 0700) != 0)
    return err_set(err, ERR_LIMIT, folder, 0, 0, "make room there or set TMPDIR", "%s",
                   strerror(errno));
  add_file(woven, folder);
  if (mkdir(last, 0700) != 0)
    return err_set(err, ERR_LIMIT, last, 0, 0, "make room there or set TMPDIR", "%s",
                   strerror(errno));
  add_file(woven, last);
  /* The base name stays that of the source, since objects without -o are named after
   * it. */
  const char *object = ccargs_object_name(args, c.input);
  name = arena_printf(args->arena, "last/%.*s.bc", (int)(strlen(object) - 2), object);
  *ret = new_file(args, woven, folder, name);
  if (woven_in) {
    c.output = new_file(args, woven, folder, "front.bc");
    const char *to = twins ? new_file(args, woven, folder, "woven.bc") : *ret;
    Task task = {source, c.output, to, events};
    if (!compile(&c, woven, err) || !work(&task, &woven->warnings, err)) return false;
    c.from = to;
  }
  if (!twins) return true;
  c.output = new_file(args, woven, folder, "single.bc");
  c.passes = true;
  Task task = {source, c.output, *ret, NULL};
  return compile(&c, woven, err) && work(&task, &woven->warnings, err);
}

static void add_words(const CcArgs *args, const CcArg *arg, CcWords *words) {
  for (uint32_t k = 0; k < arg->count; k++)
    vec_push(words, args->words.data[arg->first + k]);
}

/* The files that were looked at for waits. */
typedef struct {
  const CcArgs *args;
  Map seen; /* inode and device → 1 */
} Waits;

static bool mentions_wait(Waits *w, const char *path);

/* A header of the project itself: next to the file that includes it, or in a folder of
 * -I. */
static bool header_mentions(Waits *w, const char *path, const char *name, size_t length) {
  const CcArgs *args = w->args;
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  if (mentions_wait(
          w, arena_printf(args->arena, "%.*s%.*s", folder, path, (int)length, name)))
    return true;
  for (uint32_t i = 0; i < args->words.len; i++) {
    const char *word = args->words.data[i];
    if (!str_starts(word, "-I")) continue;
    const char *in = word[2]                   ? word + 2
                     : i + 1 < args->words.len ? args->words.data[i + 1]
                                               : ".";
    if (mentions_wait(w, arena_printf(args->arena, "%s/%.*s", in, (int)length, name)))
      return true;
  }
  return false;
}

static bool headers_mention(Waits *w, const char *path, const char *text) {
  static const char directive[] = "include";
  for (const char *at = text; (at = strstr(at, directive));) {
    at += strlen(directive);
    while (*at == ' ' || *at == '\t') at++;
    if (*at != '"') continue;
    size_t length = strcspn(++at, "\"\n");
    if (at[length] == '"' && header_mentions(w, path, at, length)) return true;
  }
  return false;
}

/* Whether the text of a source, or of a header that it includes by name, speaks of waiting
 * on condition variables. */
static bool mentions_wait(Waits *w, const char *path) {
  static const char *const words[] = {"cond_wait",      "cond_timedwait",
                                      "cond_clockwait", "cnd_wait",
                                      "cnd_timedwait",  "condition_variable"};
  struct stat st;
  Str text = {0};
  if (w->seen.len >= MOST_HEADERS || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
    return false;
  uint64_t *known = map_at(&w->seen, (uint64_t)st.st_ino ^ (uint64_t)st.st_dev << 48);
  if (*known) return false;
  *known = 1;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool found = false;
  if (fd >= 0 && proc_read_all(fd, MOST_SOURCE, &text)) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      found |= memmem(str_text(&text), text.len, words[i], strlen(words[i])) != NULL;
    found = found || headers_mention(w, path, str_text(&text));
  }
  if (fd >= 0) close(fd);
  str_free(&text);
  return found;
}

static bool is_source(const CcArg *arg) {
  return arg->kind == CC_INPUT && arg->language == CC_LANG_SOURCE;
}

static bool has_calls(const CcArgs *args, const CcArg *arg, const Events *events) {
  if (!is_source(arg) || events->arena) return is_source(arg);
  Waits w = {.args = args};
  bool found = mentions_wait(&w, ccargs_input_path(args, arg));
  map_free(&w.seen);
  return found;
}

/* The compile that goes on from second bodies runs no passes: there must be nothing else
 * in it that needs some, nor may the passes make files that are named after the output.
 */
static bool can_have_twins(const CcArgs *args) {
  static const char *const named[] = {"--coverage",      "-fprofile-",
                                      "-ftest-coverage", "-save-temps",
                                      "--save-temps",    "-gsplit-dwarf",
                                      "-fcs-profile",    "-ftime-report",
                                      "-fsave-opt",      "-foptimization-record",
                                      "-fembed-bitcode", NULL};
  bool any = false;
  if (has_word(args, named)) return false;
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind == CC_INPUT && arg->language != CC_LANG_LINK &&
        arg->language != CC_LANG_ASM && !is_source(arg))
      return false;
    any |= is_source(arg);
  }
  return any;
}

bool woven_is_needed(const CcArgs *args, const Events *events) {
  if (can_have_twins(args)) return true;
  for (uint32_t i = 0; i < args->args.len; i++)
    if (has_calls(args, &args->args.data[i], events)) return true;
  return false;
}

bool woven_prepare(const CcArgs *args, const char *clang, int input, const Events *events,
                   Woven *ret, Err *err) {
  CcWords words = {0};
  const CcArg *language = NULL; /* the last -x */
  bool ok = true, twins = can_have_twins(args);
  *ret = (Woven){.folder = temp_dir_new(err)};
  if (!ret->folder) return false;
  vec_push(&words, "-Qunused-arguments");
  vec_push(&words, SAID);
  if (twins) {
    vec_push(&words, "-Xclang");
    vec_push(&words, "-disable-llvm-passes");
  }
  for (uint32_t i = 0; ok && i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    bool woven_in = has_calls(args, arg, events);
    if (arg->effects & CC_FX_LANGUAGE) {
      language = arg;
    } else if (woven_in || (twins && is_source(arg))) {
      const char *unit = NULL;
      Compile how = {.args = args, .input = arg, .clang = clang, .in = input};
      ok = make_unit(&how, i, events, woven_in, twins, ret, &unit, err);
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
