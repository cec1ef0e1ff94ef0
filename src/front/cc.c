/* See cc.h.
 *
 * Where no object can come out of the call (-E, --version, ...) or nothing of it is to be
 * kept, the process simply becomes clang. Otherwise clang runs exactly as called (only
 * link-time optimisation is left out, as its objects are no ELF files), and beside it, at
 * the same time, one more clang per source makes the bitcode. When the real one has
 * succeeded, the records are appended to what it made: to each object with -c, to the
 * linked file where sources are compiled and linked in one call. The caller sees one
 * clang: its messages, its status, its files.
 *
 * The build never fails because of the bitcode: where there is none, the record says
 * why. */
#include "front/cc.h"

#include "base/json.h"
#include "base/part.h"
#include "front/bitsection.h"
#include "front/clang.h"
#include "front/elffile.h"
#include "front/forward.h"
#include "front/instrument.h"
#include "front/woven.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_NO_CLANG = 3, MOST_STDIN = 1 << 30 };

/* One source of the call. */
typedef struct {
  const CcArg *input;
  const char *path;
  const char *output; /* the file that gets its record */
  ClangJob job;
  ClangRun run;
  bool wanted, running; /* bitcode is to be made; is being made */
  void *bitcode;
  size_t size;
  char *reason; /* why there is no bitcode, or NULL */
} Source;

typedef struct {
  char *program;        /* clang */
  const char *compiler; /* what runs instead of it as the real compiler, or NULL */
  bool gcc;             /* that one is no clang */
  CcArgs args;
  char *directory;
  VEC(Source) sources;
  CcWords library_dirs; /* for a link record */
  int standard_input;   /* a copy in memory, or -1 */
  Events events;        /* of the user; without an arena: none */
  Woven woven;          /* the sources with events in them */
  bool is_woven;
} Call;

/* ---- what is to be done ---------------------------------------------------------- */

static bool is_standard_input(const char *path) {
  return str_eq(path, "-") || str_eq(path, "/dev/stdin");
}

static void add_source(Call *call, const CcArg *input) {
  const CcArgs *args = &call->args;
  Source source = {.input = input,
                   .path = ccargs_input_path(args, input),
                   .job = {.program = call->program, .input = -1}};
  source.job.source = source.path;
  if (args->mode == CC_LINK)
    source.output = args->output ? args->output : "a.out";
  else
    source.output = args->output ? args->output : ccargs_object_name(args, input);
  struct stat st;
  if (input->language == CC_LANG_ASM) {
    source.reason = str_dup("assembly source");
  } else if (input->language == CC_LANG_OTHER) {
    source.reason = str_dup("a language that heddle does not read");
  } else if (is_standard_input(source.path)) {
    source.wanted = true;
  } else if (stat(source.path, &st) == 0 && !S_ISREG(st.st_mode)) {
    source.reason =
        str_dup("the source is not a regular file and could be read only once");
  } else {
    source.wanted = true;
  }
  vec_push(&call->sources, source);
}

static void add_library_dir(Call *call, const char *dir, size_t length) {
  char *name = arena_strndup(call->args.arena, dir, length);
  char *full = realpath(*name ? name : "/", NULL);
  if (!full) return;
  for (uint32_t i = 0; i < call->library_dirs.len; i++)
    if (str_eq(call->library_dirs.data[i], full)) {
      free(full);
      return;
    }
  vec_push(&call->library_dirs, arena_strdup(call->args.arena, full));
  free(full);
}

static void look_at_input(Call *call, const CcArg *arg) {
  const char *path = ccargs_input_path(&call->args, arg);
  if (arg->language != CC_LANG_LINK) {
    add_source(call, arg);
  } else if (call->args.mode == CC_LINK && strstr(path, ".so")) {
    const char *slash = strrchr(path, '/');
    add_library_dir(call, slash ? path : ".", slash ? (size_t)(slash - path) : 1);
  }
}

/* Two sources of one object (-c a/x.c b/x.c): clang wrote it twice, the last one
 * counts. */
static void keep_last_of_each_output(Call *call) {
  if (call->args.mode != CC_COMPILE) return;
  for (uint32_t i = 0; i < call->sources.len; i++)
    for (uint32_t k = i + 1; k < call->sources.len; k++)
      if (str_eq(call->sources.data[i].output, call->sources.data[k].output))
        call->sources.data[i].output = NULL;
}

static void plan(Call *call) {
  for (uint32_t i = 0; i < call->args.args.len; i++) {
    const CcArg *arg = &call->args.args.data[i];
    if (arg->kind == CC_INPUT)
      look_at_input(call, arg);
    else if (arg->effects & CC_FX_LIBDIR && call->args.mode == CC_LINK && arg->value)
      add_library_dir(call, arg->value, strlen(arg->value));
  }
  keep_last_of_each_output(call);
}

/* A source on standard input is needed twice. */
static bool copy_standard_input(Call *call) {
  bool needed = false;
  for (uint32_t i = 0; i < call->sources.len; i++)
    needed = needed || is_standard_input(call->sources.data[i].path);
  if (!needed || call->standard_input >= 0) return true;
  Str text = {0};
  bool ok = proc_read_all(STDIN_FILENO, MOST_STDIN, &text);
  if (ok) call->standard_input = proc_memory_file(str_text(&text), text.len);
  str_free(&text);
  return ok && call->standard_input >= 0;
}

/* ---- running --------------------------------------------------------------------- */

static void start_bitcode(Call *call, Source *source) {
  int input = -1;
  if (is_standard_input(source->path)) {
    char *name = str_printf("/proc/self/fd/%d", call->standard_input);
    input = open(name, O_RDONLY | O_CLOEXEC);
    mem_free(name);
  }
  ccargs_words_for_model(&call->args, source->input, &source->job.words);
  source->job.input = input;
  clang_start(&source->job, &source->run);
  source->running = true;
  if (input >= 0) close(input);
}

static void finish_bitcode(Source *source) {
  Err err = {0};
  source->running = source->wanted = false;
  if (clang_finish(&source->job, &source->run, &source->bitcode, &source->size, NULL,
                   &err))
    return;
  Str reason = {0};
  str_addf(&reason, "the compile to bitcode failed: %s", err.message);
  source->reason = str_take(&reason);
  err_free(&err);
}

static Source *next_wanted(Call *call) {
  for (uint32_t i = 0; i < call->sources.len; i++)
    if (call->sources.data[i].wanted && !call->sources.data[i].running)
      return &call->sources.data[i];
  return NULL;
}

/* Serves the real compile (until it ends: *real becomes NULL) and one bitcode compile per
 * core. */
static void serve(Call *call, Proc **real, ProcResult *result, unsigned most) {
  VEC(Proc *) procs = {0};
  VEC(Source *) owners = {0};
  if (*real) {
    vec_push(&procs, *real);
    vec_push(&owners, NULL);
  }
  unsigned running = 0;
  for (uint32_t i = 0; i < call->sources.len; i++)
    running += call->sources.data[i].running;
  for (Source *source; running < most && (source = next_wanted(call)); running++)
    start_bitcode(call, source);
  for (uint32_t i = 0; i < call->sources.len; i++)
    if (call->sources.data[i].running) {
      vec_push(&procs, call->sources.data[i].run.proc);
      vec_push(&owners, &call->sources.data[i]);
    }
  if (procs.len > 0) {
    size_t done = proc_wait_any(procs.data, procs.len);
    if (owners.data[done]) {
      finish_bitcode(owners.data[done]);
    } else {
      forward_gone();
      proc_wait(*real, result);
      *real = NULL;
    }
  }
  vec_free(&procs);
  vec_free(&owners);
}

static bool work_left(const Call *call) {
  for (uint32_t i = 0; i < call->sources.len; i++)
    if (call->sources.data[i].wanted) return true;
  return false;
}

static void cancel_bitcode(Call *call) {
  for (uint32_t i = 0; i < call->sources.len; i++)
    if (call->sources.data[i].running) {
      clang_cancel(&call->sources.data[i].run);
      call->sources.data[i].running = false;
    }
}

/* Runs clang as it was called, and the bitcode compiles beside it. */
static void run(Call *call, const char *const *argv, ProcResult *result) {
  ProcRequest request = {.argv = argv,
                         .in = {.kind = PROC_INHERIT},
                         .out = {.kind = PROC_INHERIT},
                         .err = {.kind = PROC_INHERIT},
                         .same_group = true};
  if (call->standard_input >= 0 && !call->is_woven)
    request.in = (ProcStream){.kind = PROC_FD, .fd = call->standard_input};
  Forward forward;
  forward_hold(&forward);
  Proc *real = proc_start(&request);
  forward_start(&forward, proc_id(real));
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned most = cores > 1 ? (unsigned)cores : 1;
  while (real) serve(call, &real, result, most);
  forward_stop(&forward);
  if (!proc_ok(result))
    cancel_bitcode(call);
  else
    while (work_left(call)) serve(call, &real, result, most);
}

/* ---- keeping --------------------------------------------------------------------- */

static void write_source_record(const Call *call, const Source *source, Str *out) {
  BitRecord record = {.kind = source->bitcode ? BIT_UNIT : BIT_NONE,
                      .source = source->path,
                      .directory = call->directory,
                      .reason = source->reason,
                      .bytes = source->bitcode,
                      .size = source->size};
  ccargs_words_for_one(&call->args, source->input, &record.arguments);
  bit_write(&record, out);
  vec_free(&record.arguments);
}

static void append_to(const Call *call, const char *output, const Str *records,
                      Err *err) {
  char *path = str_dup(output);
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && errno == ENOENT && call->args.working_dir && output[0] != '/') {
    mem_free(path);
    path = str_printf("%s/%s", call->args.working_dir, output);
    fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  }
  struct stat st;
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
    Err own = {0};
    /* Some outputs are no ELF files, and then they are simply not for heddle. */
    if (!elf_append_section(fd, path, BITSECTION_NAME, records->data, records->len,
                            &own) &&
        own.kind != ERR_INPUT)
      err_set(err, own.kind, path, 0, 0, own.remedy, "its bitcode is lost: %s",
              own.message);
    err_free(&own);
  }
  if (fd >= 0) close(fd);
  mem_free(path);
}

static void keep_objects(const Call *call, Err *err) {
  for (uint32_t i = 0; i < call->sources.len; i++) {
    const Source *source = &call->sources.data[i];
    if (!source->output) continue;
    Str records = {0};
    write_source_record(call, source, &records);
    append_to(call, source->output, &records, err);
    str_free(&records);
  }
}

static void keep_linked(const Call *call, Err *err) {
  Str records = {0};
  for (uint32_t i = 0; i < call->sources.len; i++)
    write_source_record(call, &call->sources.data[i], &records);
  if (call->library_dirs.len > 0) {
    BitRecord record = {.kind = BIT_LINK,
                        .source = "",
                        .directory = call->directory,
                        .arguments = call->library_dirs};
    bit_write(&record, &records);
  }
  append_to(call, call->args.output ? call->args.output : "a.out", &records, err);
  str_free(&records);
}

static void write_log_line(const Call *call, const Source *source, Str *out) {
  JsonWriter json;
  CcWords words = {0};
  ccargs_words_for_one(&call->args, source->input, &words);
  json_start(&json, json_to_str, out);
  json.compact = true;
  json_open_object(&json);
  json_key_string(&json, "directory", call->directory);
  json_key(&json, "arguments");
  json_open_array(&json);
  json_put_string(&json, call->program);
  for (uint32_t i = 0; i < words.len; i++) json_put_string(&json, words.data[i]);
  json_close_array(&json);
  json_key_string(&json, "file", source->path);
  if (source->output) json_key_string(&json, "output", source->output);
  json_close_object(&json);
  json_finish(&json);
  vec_free(&words);
}

/* One write per call, so that the lines of parallel builds do not mix. */
static void write_log(const Call *call, Err *err) {
  const char *path = getenv("HEDDLE_CC_LOG");
  if (!path || !*path || call->sources.len == 0) return;
  Str lines = {0};
  for (uint32_t i = 0; i < call->sources.len; i++)
    write_log_line(call, &call->sources.data[i], &lines);
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  ssize_t n = fd < 0 ? -1 : write(fd, lines.data, lines.len);
  if (n != (ssize_t)lines.len)
    err_set(err, ERR_INPUT, path, 0, 0, "set HEDDLE_CC_LOG to a file that can be written",
            "the log of compile commands cannot be written: %s",
            n < 0 ? strerror(errno) : "the disk is full");
  if (fd >= 0) close(fd);
  str_free(&lines);
}

/* ---- the whole ------------------------------------------------------------------- */

static int end_by_signal(int number) {
  signal(number, SIG_DFL);
  raise(number);
  return 128 + number;
}

/* The same end as clang's. */
static int end_as(const ProcResult *result, const char *program, Err *err) {
  if (result->end == PROC_EXITED) return result->code;
  if (result->end == PROC_SIGNALLED) return end_by_signal(result->code);
  err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL, "%s cannot be run: %s", program,
          strerror(result->code));
  return err_exit_code(err);
}

static int become(const char *program, const char *const *argv, Err *err) {
  execvp(program, (char *const *)argv);
  err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL, "%s cannot be run: %s", program,
          strerror(errno));
  return err_exit_code(err);
}

static void call_free(Call *call) {
  for (uint32_t i = 0; i < call->sources.len; i++) {
    Source *source = &call->sources.data[i];
    vec_free(&source->job.words);
    mem_free(source->bitcode);
    mem_free(source->reason);
  }
  vec_free(&call->sources);
  vec_free(&call->library_dirs);
  woven_free(&call->woven);
  events_free(&call->events);
  ccargs_free(&call->args);
  mem_free(call->directory);
  mem_free(call->program);
  if (call->standard_input >= 0) close(call->standard_input);
}

static char *current_directory(void) {
  char *name = getcwd(NULL, 0);
  char *copy = str_dup(name ? name : ".");
  free(name);
  return copy;
}

static int run_and_keep(Call *call, const char *const *argv, Err *err) {
  ProcResult result = {0};
  if (!copy_standard_input(call)) {
    err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL, "standard input cannot be read: %s",
            strerror(errno));
    return err_exit_code(err);
  }
  run(call, argv, &result);
  if (proc_ok(&result)) {
    if (call->args.mode == CC_LINK)
      keep_linked(call, err);
    else
      keep_objects(call, err);
    write_log(call, err);
  }
  int status = end_as(&result, call->program, err);
  proc_result_free(&result);
  return status;
}

/* Puts calls of the runtime into the sources that need some. Only clang lets itself be
 * stopped in the middle. */
static bool weave(Call *call, Err *err) {
  if (call->compiler && call->events.arena)
    return err_input(err, NULL, "unset HEDDLE_CC and HEDDLE_CXX, so that clang compiles",
                     "events cannot be put into what %s compiles", call->compiler);
  if (call->compiler || !woven_is_needed(&call->args, &call->events)) return true;
  if (!copy_standard_input(call))
    return err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL, "standard input cannot be read");
  call->is_woven = true;
  return woven_prepare(&call->args, call->program, call->standard_input, &call->events,
                       &call->woven, err);
}

/* The words of the real compile. */
static bool real_words(const Call *call, bool makes_object, bool instrument, int argc,
                       char *const *argv, CcWords *words, Err *err) {
  bool ok = true;
  vec_push(words, call->compiler ? call->compiler : call->program);
  if (makes_object && instrument)
    ok = instrument_words(call->is_woven ? &call->woven.args : &call->args, call->gcc,
                          words, err);
  else if (makes_object && call->args.lto)
    ccargs_words_without_lto(&call->args, words);
  else
    for (int i = 0; i < argc; i++) vec_push(words, argv[i]);
  vec_push(words, NULL);
  return ok;
}

/* Another compiler that is to make instrumented programs. gcc and clang are told what to
 * do in different words; a clang of the version whose bitcode heddle reads is as good as
 * the one that is taken anyway. False after filling `err`. */
static bool find_other(Call *call, bool cxx, Err *err) {
  const char *variable = cxx ? "HEDDLE_CXX" : "HEDDLE_CC", *name = getenv(variable);
  if (!name || !*name || str_eq(name, call->program)) return true;
  ClangKind kind = clang_kind(name);
  if (kind == CLANG_MISSING)
    return err_input(err, NULL, "set it to the name of a compiler or unset it",
                     "%s: '%s' does not work as a compiler", variable, name);
  if (kind == CLANG_ITSELF) {
    mem_free(call->program);
    call->program = str_dup(name);
  } else {
    call->compiler = name;
    call->gcc = kind == CLANG_OTHER;
  }
  return true;
}

/* Whether programs are made that `heddle run` can watch. */
typedef enum { WATCHED_NEVER, WATCHED_WHERE_IT_SUITS, WATCHED_ALWAYS } Watched;

static Watched watched_by_environment(void) {
  const char *wish = getenv("HEDDLE_INSTRUMENT");
  if (!wish || !*wish) return WATCHED_WHERE_IT_SUITS;
  return str_eq(wish, "0") ? WATCHED_NEVER : WATCHED_ALWAYS;
}

/* heddle's own words, which come first: how many there are, or -1 after filling `err`.
 * Events are wanted by name, so that a call that cannot have them is an error. */
static int own_words(int argc, char *const *argv, Call *call, Watched *ret_watched,
                     Err *err) {
  const char *events = getenv("HEDDLE_EVENTS");
  int taken = 0;
  *ret_watched = watched_by_environment();
  if (events && !*events) events = NULL;
  if (argc > 0 && str_eq(argv[0], "--instrument")) {
    *ret_watched = WATCHED_ALWAYS;
    taken = 1;
  } else if (argc > 0 && str_eq(argv[0], "--no-instrument")) {
    *ret_watched = WATCHED_NEVER;
    return 1;
  }
  if (*ret_watched && argc > taken && str_eq(argv[taken], "--events")) {
    if (argc == taken + 1) {
      err_input(err, NULL, "name it: --events FILE", "--events needs a file");
      return -1;
    }
    events = argv[taken + 1];
    taken += 2;
  }
  if (*ret_watched && events) {
    *ret_watched = WATCHED_ALWAYS;
    if (!events_read(events, &call->events, err)) return -1;
  }
  return taken;
}

/* The part that instruments is there, and of this heddle. Asked only when it failed: loading it
 * takes longer than a small compile. */
static bool part_works(Err *err) {
  static const char *const functions[] = {"weave_bitcode", "twin_bitcode"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!part_function("libheddle-llvm.so", functions[i], err)) return false;
  return true;
}

/* Prepares the words of the real compile, instrumented if that is wished and possible.
 * What nobody asked for by name must not make a compile fail: then it stays plain. But a heddle
 * whose parts do not fit together would leave everything plain, and nobody would know. */
static bool prepare(Call *call, Watched watched, bool cxx, int argc, char *const *argv,
                    CcWords *words, Err *err) {
  bool makes_object = call->args.mode != CC_STOP &&
                      !(call->args.output && str_eq(call->args.output, "-"));
  bool instrument =
      watched == WATCHED_ALWAYS || (watched && instrument_suits(&call->args));
  if (instrument && !find_other(call, cxx, err)) return false;
  if (makes_object) plan(call);
  if (makes_object && instrument) {
    if (weave(call, err) && real_words(call, true, true, argc, argv, words, err))
      return true;
    if (watched == WATCHED_ALWAYS || call->woven.status || call->woven.signal)
      return false;
    err_free(err);
    if (!part_works(err)) return false;
    words->len = 0;
    call->is_woven = false;
    call->compiler = NULL;
    call->gcc = false;
  }
  return real_words(call, makes_object, false, argc, argv, words, err);
}

int front_cc(int argc, char *const *argv, bool cxx, Str *warnings, Err *err) {
  Call call = {.program = clang_find(cxx, err), .standard_input = -1};
  if (!call.program) return STATUS_NO_CLANG;
  Watched watched;
  int own = own_words(argc, argv, &call, &watched, err);
  if (own < 0) {
    call_free(&call);
    return err_exit_code(err);
  }
  argc -= own;
  argv += own;
  ccargs_parse((const char *const *)argv, (size_t)argc, NULL, &call.args);
  CcWords words = {0};
  int status = STATUS_NO_CLANG;
  if (!prepare(&call, watched, cxx, argc, argv, &words, err)) {
    status =
        call.woven.status || call.woven.signal ? call.woven.status : err_exit_code(err);
  } else if (call.sources.len == 0 && call.library_dirs.len == 0) {
    status = become(words.data[0], words.data, err);
  } else {
    call.directory = current_directory();
    status = run_and_keep(&call, words.data, err);
  }
  str_add(warnings, str_text(&call.woven.warnings));
  int signal_number = call.woven.signal;
  vec_free(&words);
  call_free(&call); /* removes temporary files */
  return signal_number ? end_by_signal(signal_number) : status;
}

char front_cc_alias(const char *argv0) {
  const char *slash = strrchr(argv0, '/');
  const char *name = slash ? slash + 1 : argv0;
  if (str_eq(name, "heddle-cc")) return 'c';
  return str_eq(name, "heddle-c++") || str_eq(name, "heddle-cxx") ? '+' : 0;
}
