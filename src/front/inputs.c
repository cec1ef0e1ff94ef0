/* See inputs.h.
 *
 * Two passes. The first looks at each input and either takes its units at once (bitcode,
 * binaries) or notes a compile (sources, entries of a compilation database). The second
 * runs the compiles, several at a time. A compile holds a place among the units from the
 * start, so their order does not depend on which compile ends first, and of several
 * failing compiles the first in that order is reported. */
#include "front/inputs.h"

#include "base/map.h"
#include "base/proc.h"
#include "base/str.h"
#include "front/carried.h"
#include "front/ccargs.h"
#include "front/clang.h"
#include "front/compdb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A source to compile. */
typedef struct {
  uint32_t unit; /* its place among the units */
  CcArgs args;
  const CcArg *input; /* in args */
  char *directory;    /* or NULL: the current one */
  char *name;
  char *program;
  bool lenient; /* flags that clang does not know are left out, with a note */
  ClangJob job;
  ClangRun run;
  bool running, done;
  Err err;
} Compile;

typedef struct {
  const InputsRequest *request;
  Inputs inputs;
  VEC(Compile) compiles;
  /* Real paths of sources and other named files, to take each once; the value is 1 + the
   * index of its compile, or 0. */
  StrMap named;
  Carried carried;
} Work;

void inputs_add_note(Inputs *inputs, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Str what = {0};
  str_vaddf(&what, format, args);
  va_end(args);
  vec_push(&inputs->notes,
           (InputNote){.what = str_take(&what), .file = file ? str_dup(file) : NULL});
}

void inputs_free(Inputs *inputs) {
  for (uint32_t i = 0; i < inputs->units.len; i++) {
    mem_free(inputs->units.data[i].name);
    mem_free(inputs->units.data[i].origin);
    mem_free(inputs->units.data[i].bytes);
  }
  for (uint32_t i = 0; i < inputs->notes.len; i++) {
    mem_free(inputs->notes.data[i].what);
    mem_free(inputs->notes.data[i].file);
  }
  vec_free(&inputs->units);
  vec_free(&inputs->notes);
}

static void work_free(Work *work) {
  for (uint32_t i = 0; i < work->compiles.len; i++) {
    Compile *compile = &work->compiles.data[i];
    ccargs_free(&compile->args);
    vec_free(&compile->job.words);
    mem_free(compile->directory);
    mem_free(compile->name);
    mem_free(compile->program);
    err_free(&compile->err);
  }
  vec_free(&work->compiles);
  strmap_free(&work->named);
  carried_free(&work->carried);
}

/* ---- sources --------------------------------------------------------------------- */

static char *joined(const char *directory, const char *file) {
  while (str_starts(file, "./")) file += 2;
  return file[0] == '/' || !directory || str_eq(directory, ".")
             ? str_dup(file)
             : str_printf("%s/%s", directory, file);
}

/* The slot of a file among those already taken: *ret_first says whether it is new. */
static uint64_t *named_slot(Work *work, const char *path, bool *ret_first) {
  char *real = realpath(path, NULL);
  const char *key = real ? real : path;
  *ret_first = strmap_get(&work->named, key, strlen(key)) == NULL;
  uint64_t *slot = strmap_at(&work->named, key, strlen(key));
  free(real);
  return slot;
}

/* Gives a compile its place and its program; takes over `args`. */
static bool add_compile(Work *work, CcArgs *args, const CcArg *input,
                        const char *directory, char *name, bool cxx, bool lenient,
                        Err *err) {
  char *program = clang_find(cxx, err);
  if (!program) {
    ccargs_free(args);
    mem_free(name);
    return false;
  }
  Compile compile = {.unit = work->inputs.units.len,
                     .args = *args,
                     .input = input,
                     .directory = directory ? str_dup(directory) : NULL,
                     .name = name,
                     .program = program,
                     .lenient = lenient};
  vec_push(&work->inputs.units,
           (InputUnit){.name = str_dup(name), .origin = str_dup(name), .made = true});
  vec_push(&work->compiles, compile);
  return true;
}

static const CcArg *last_input(const CcArgs *args, uint32_t *ret_count) {
  const CcArg *last = NULL;
  *ret_count = 0;
  for (uint32_t i = 0; i < args->args.len; i++)
    if (args->args.data[i].kind == CC_INPUT) {
      last = &args->args.data[i];
      ++*ret_count;
    }
  return last;
}

static bool add_source(Work *work, const char *path, Err *err) {
  bool first;
  uint64_t *slot = named_slot(work, path, &first);
  if (!first) return true;
  const InputsRequest *request = work->request;
  CcWords words = {0};
  for (size_t i = 0; i < request->flag_count; i++) vec_push(&words, request->flags[i]);
  if (request->all_functions) vec_push(&words, "-femit-all-decls");
  char *safe = path[0] == '-' ? str_printf("./%s", path) : str_dup(path);
  vec_push(&words, safe);
  CcArgs args;
  bool ok = ccargs_parse(words.data, words.len, NULL, &args);
  vec_free(&words);
  mem_free(safe);
  uint32_t count;
  const CcArg *input = last_input(&args, &count);
  if (!ok)
    err_input(err, path, "check the @files among the flags",
              "its compiler flags grow without end");
  else if (count != 1)
    ok = err_input(err, NULL, count ? "name it before `--`" : "give it its argument",
                   count ? "'%s' among the compiler flags is an input"
                         : "the last compiler flag '%s' lacks its argument",
                   count ? args.words.data[args.words.len - 2]
                         : request->flags[request->flag_count - 1]);
  if (!ok) {
    ccargs_free(&args);
    return false;
  }
  *slot = work->compiles.len + 1;
  return add_compile(work, &args, input, NULL, str_dup(path), ccargs_name_is_cxx(path),
                     false, err);
}

/* ---- compilation databases ------------------------------------------------------- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The input of a command that is the entry's file: by its name as written, else by its
 * base name, else the only one. */
static const CcArg *input_of_entry(const CcArgs *args, const CompdbEntry *entry) {
  const CcArg *same_base = NULL, *only = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind != CC_INPUT) continue;
    const char *path = ccargs_input_path(args, arg);
    if (str_eq(path, entry->file)) return arg;
    if (str_eq(base_name(path), base_name(entry->file))) same_base = arg;
    if (arg->language != CC_LANG_LINK) only = count++ == 0 ? arg : NULL;
  }
  return same_base ? same_base : only;
}

/* Libtool compiles everything twice, once position-independent; the model is the same. */
static bool is_placement(const char *word) {
  static const char *const words[] = {"-fPIC", "-fpic", "-fPIE", "-fpie", "-DPIC"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (str_eq(word, words[i])) return true;
  return false;
}

/* The words that decide what the model of an input is, but for the name of the input. */
static void deciding_words(const CcArgs *args, const CcArg *input, CcWords *out) {
  CcWords all = {0};
  ccargs_words_for_model(args, input, &all);
  for (uint32_t i = 0; i < all.len; i++)
    if (all.data[i] != ccargs_input_path(args, input) && !is_placement(all.data[i]))
      vec_push(out, all.data[i]);
  vec_free(&all);
}

static bool same_words(const CcArgs *a, const CcArg *a_input, const CcArgs *b,
                       const CcArg *b_input) {
  CcWords x = {0}, y = {0};
  deciding_words(a, a_input, &x);
  deciding_words(b, b_input, &y);
  bool same = x.len == y.len;
  for (uint32_t i = 0; same && i < x.len; i++) same = str_eq(x.data[i], y.data[i]);
  vec_free(&x);
  vec_free(&y);
  return same;
}

/* A second entry for a file: the same command again is nothing, another one is worth a
 * note, as a program can hold each file only once. True if it is another one. */
static bool note_repeated(Work *work, uint64_t slot, const CcArgs *args,
                          const CcArg *input, const char *name) {
  if (slot == 0) return false;
  Compile *before = &work->compiles.data[slot - 1];
  if (!before->lenient || same_words(&before->args, before->input, args, input))
    return false;
  work->inputs.repeated = true;
  inputs_add_note(&work->inputs, name,
                  work->request->alternatives
                      ? "%s is compiled in several ways; only one entry of the "
                        "compilation database is taken, with main if there is one"
                      : "%s is compiled in several ways; only the first entry of the "
                        "compilation database is taken",
                  name);
  return true;
}

static bool add_entry(Work *work, const CompdbEntry *entry, const char *path, Err *err) {
  CcArgs args;
  char *name = joined(entry->directory, entry->file);
  if (!ccargs_parse(entry->words.data, entry->words.len, entry->directory, &args)) {
    ccargs_free(&args);
    err_input(err, path, "check its @files", "the command of %s grows without end", name);
    mem_free(name);
    return false;
  }
  const CcArg *input = input_of_entry(&args, entry);
  bool known =
      input && (input->language == CC_LANG_SOURCE || input->language == CC_LANG_IR);
  if (!known) {
    /* A header is only precompiled; the sources that include it are modelled. */
    if (!input || input->language != CC_LANG_HEADER)
      inputs_add_note(&work->inputs, name, "%s is not modelled: %s", name,
                      input ? "it is no C or C++ source"
                            : "its command does not compile it");
    ccargs_free(&args);
    mem_free(name);
    return true;
  }
  bool first;
  uint64_t *slot = named_slot(work, name, &first);
  bool other = !first && note_repeated(work, *slot, &args, input, name);
  if (!first && !(other && work->request->alternatives)) {
    ccargs_free(&args);
    mem_free(name);
    return true;
  }
  struct stat st;
  if (stat(name, &st) != 0) {
    err_input(err, path, "build the project again, so that the file is up to date",
              "names %s, which cannot be found: %s", name, strerror(errno));
    ccargs_free(&args);
    mem_free(name);
    return false;
  }
  uint64_t before = *slot;
  if (first) *slot = work->compiles.len + 1;
  if (!add_compile(work, &args, input, entry->directory, name, entry->cxx, true, err))
    return false;
  InputUnit *unit = &work->inputs.units.data[work->inputs.units.len - 1];
  if (!first) unit->instead = work->compiles.data[before - 1].unit + 1;
  return true;
}

static bool add_compdb(Work *work, const char *path, const char *text, size_t size,
                       Err *err) {
  Compdb compdb;
  uint32_t before = work->inputs.units.len;
  bool ok = compdb_read(path, text, size, &compdb, err);
  for (uint32_t i = 0; ok && i < compdb.entries.len; i++)
    ok = add_entry(work, &compdb.entries.data[i], path, err);
  compdb_free(&compdb);
  if (ok && work->inputs.units.len == before && work->compiles.len == 0)
    ok = err_input(err, path, "name the sources themselves", "has no C or C++ source");
  return ok;
}

/* ---- files by kind --------------------------------------------------------------- */

static void add_bytes(Work *work, const char *path, const void *data, size_t size,
                      bool text) {
  char *bytes = mem_alloc(size + 1);
  memcpy(bytes, data, size);
  bytes[size] = 0;
  vec_push(&work->inputs.units, (InputUnit){.name = str_dup(path),
                                            .origin = str_dup(path),
                                            .bytes = bytes,
                                            .size = size,
                                            .text = text});
}

/* A program of a build tree that uses libtool is a script beside the real one. */
static char *behind_libtool(const char *path, const char *data, size_t size) {
  static const char mark[] = "temporary wrapper script for .libs/";
  if (size < 2 || memcmp(data, "#!", 2) != 0 ||
      !memmem(data, size < 4096 ? size : 4096, mark, sizeof mark - 1))
    return NULL;
  const char *name = base_name(path);
  return str_printf("%.*s.libs/%s", (int)(name - path), path, name);
}

static bool unknown_kind(const char *path, Err *err) {
  if (ccargs_language_of_name(path) == CC_LANG_HEADER)
    return err_input(err, path, "name the .c files that include it",
                     "a header is no program of its own");
  if (ccargs_language_of_name(path) == CC_LANG_ASM)
    return err_input(err, path, "name C sources", "assembly cannot be modelled");
  if (str_ends(path, ".la") || str_ends(path, ".lo"))
    return err_input(err, path,
                     "name the library or object in the .libs folder beside it",
                     "is only libtool's description of a file");
  return err_input(err, path,
                   "give .c .i .cc .cpp .bc .ll, compile_commands.json, or a binary "
                   "built by `heddle cc`",
                   "is of a kind that heddle does not read");
}

static bool add_path(Work *work, const char *path, Err *err);

static bool add_file(Work *work, const char *path, const char *data, size_t size,
                     Err *err) {
  if (size == 0)
    return err_input(err, path, "give a file with a program in it", "is empty");
  if (ccargs_language_of_name(path) == CC_LANG_SOURCE) return add_source(work, path, err);
  if (carried_is_binary(data, size))
    return carried_collect(&work->carried, path, data, size, &work->inputs, err);
  if (str_ends(path, ".json")) return add_compdb(work, path, data, size, err);
  char *real = behind_libtool(path, data, size);
  if (real) {
    bool ok = add_path(work, real, err);
    mem_free(real);
    return ok;
  }
  bool bitcode = clang_is_bitcode(data, size), text = str_ends(path, ".ll");
  if (!bitcode && str_ends(path, ".bc"))
    return err_input(err, path, "make it with: clang-19 -O0 -g -emit-llvm -c FILE.c",
                     "is not LLVM bitcode");
  if (!bitcode && !text) return unknown_kind(path, err);
  bool first;
  named_slot(work, path, &first);
  if (first) add_bytes(work, path, data, size, !bitcode);
  return true;
}

static bool add_path(Work *work, const char *path, Err *err) {
  if (str_eq(path, "-"))
    return err_input(err, "-", "give the name of a file", "standard input is no input");
  struct stat st;
  int fd = -1;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return err_input(err, path, "name the files in it, or its compile_commands.json",
                     "is a directory");
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return err_input(err, path, "give a regular file", "is not a regular file");
  fd = open(path, O_RDONLY | O_CLOEXEC);
  const void *data;
  size_t size;
  bool mapped = fd >= 0 && proc_map_fd(fd, &data, &size);
  int saved = errno;
  if (fd >= 0) close(fd);
  if (!mapped)
    return err_input(err, path,
                     saved == ENOENT ? "check the name" : "check its permissions",
                     "cannot be read: %s", strerror(saved));
  bool ok = add_file(work, path, data, size, err);
  proc_unmap(data, size);
  return ok;
}

/* ---- compiling ------------------------------------------------------------------- */

static void start(Work *work, Compile *compile) {
  vec_clear(&compile->job.words);
  ccargs_words_for_model(&compile->args, compile->input, &compile->job.words);
  compile->job.program = compile->program;
  compile->job.directory = compile->directory;
  compile->job.source = compile->name;
  compile->job.input = -1;
  compile->job.timeout = work->request->timeout;
  clang_start(&compile->job, &compile->run);
  compile->running = true;
}

/* Turns the option WORD into one that is dropped, so that the next try leaves it out. */
static bool drop_word(CcArgs *args, const char *word, size_t length) {
  bool dropped = false;
  for (uint32_t i = 0; i < args->args.len; i++) {
    CcArg *arg = &args->args.data[i];
    const char *own = args->words.data[arg->first];
    if (arg->kind == CC_OPTION && !(arg->effects & CC_FX_DROP) && strlen(own) == length &&
        memcmp(own, word, length) == 0) {
      arg->effects = CC_FX_DROP;
      dropped = true;
    }
  }
  return dropped;
}

/* Databases of projects that are built with gcc have flags that clang refuses. Each flag
 * that it names is left out; true when that is worth another try. */
static bool drop_refused(Work *work, Compile *compile, const char *said) {
  static const char *const marks[] = {"unknown argument: '", "unknown argument '",
                                      "unsupported option '"};
  bool dropped = false;
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
    for (const char *p = said; (p = strstr(p, marks[k]));) {
      p += strlen(marks[k]);
      size_t length = strcspn(p, "'\n");
      if (!drop_word(&compile->args, p, length)) continue;
      dropped = true;
      inputs_add_note(&work->inputs, compile->name,
                      "the compiler flag %.*s of %s is unknown to clang and left out",
                      (int)length, p, compile->name);
    }
  return dropped;
}

static void finish(Work *work, Compile *compile) {
  InputUnit *unit = &work->inputs.units.data[compile->unit];
  Str said = {0};
  compile->running = false;
  compile->done = true;
  if (clang_finish(&compile->job, &compile->run, &unit->bytes, &unit->size, &said,
                   &compile->err)) {
    unit->bytes = mem_realloc(unit->bytes, unit->size + 1);
    ((char *)unit->bytes)[unit->size] = 0;
  } else if (compile->lenient && drop_refused(work, compile, str_text(&said))) {
    err_free(&compile->err);
    compile->done = false;
  }
  str_free(&said);
}

/* Starts and awaits; what comes after a failed compile is not started any more. */
static void compile_all(Work *work) {
  unsigned jobs = work->request->jobs;
  if (jobs == 0) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = cores > 0 ? (unsigned)cores : 1;
  }
  VEC(Proc *) procs = {0};
  VEC(Compile *) owners = {0};
  progress_phase(work->request->progress, "compile", work->compiles.len);
  for (;;) {
    vec_clear(&procs);
    vec_clear(&owners);
    for (uint32_t i = 0; i < work->compiles.len; i++)
      if (work->compiles.data[i].running) {
        vec_push(&procs, work->compiles.data[i].run.proc);
        vec_push(&owners, &work->compiles.data[i]);
      }
    for (uint32_t i = 0; i < work->compiles.len && procs.len < jobs; i++) {
      Compile *compile = &work->compiles.data[i];
      if (compile->done && compile->err.kind != ERR_NONE) break;
      if (compile->done || compile->running) continue;
      start(work, compile);
      vec_push(&procs, compile->run.proc);
      vec_push(&owners, compile);
    }
    if (procs.len == 0) break;
    Compile *ended = owners.data[proc_wait_any(procs.data, procs.len)];
    finish(work, ended);
    progress_step(work->request->progress, ended->done, ended->name);
  }
  vec_free(&procs);
  vec_free(&owners);
}

/* Notes come in the order of time where compiles are retried; the result must not. */
static int by_file_then_text(const void *a, const void *b) {
  const InputNote *x = a, *y = b;
  int order = strcmp(x->file ? x->file : "", y->file ? y->file : "");
  return order ? order : strcmp(x->what, y->what);
}

static bool first_failure(Work *work, Err *err) {
  for (uint32_t i = 0; i < work->compiles.len; i++)
    if (work->compiles.data[i].err.kind != ERR_NONE) {
      if (err) {
        *err = work->compiles.data[i].err;
        work->compiles.data[i].err = (Err){0};
      }
      return true;
    }
  return false;
}

bool inputs_prepare(const InputsRequest *request, Inputs *ret_inputs, Err *err) {
  Work work = {.request = request};
  *ret_inputs = (Inputs){0};
  bool ok = true;
  for (size_t i = 0; ok && i < request->path_count; i++)
    ok = add_path(&work, request->paths[i], err);
  if (ok && work.inputs.units.len == 0)
    ok = err_input(err, NULL, "name a file", "there is no input");
  if (ok) {
    compile_all(&work);
    ok = !first_failure(&work, err);
  }
  if (ok) {
    if (work.inputs.notes.len > 1)
      qsort(work.inputs.notes.data, work.inputs.notes.len, sizeof *work.inputs.notes.data,
            by_file_then_text);
    *ret_inputs = work.inputs;
  } else {
    inputs_free(&work.inputs);
  }
  work_free(&work);
  return ok;
}
