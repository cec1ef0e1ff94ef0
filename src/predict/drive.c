/* See drive.h.
 *
 * The control file is a temporary file that both sides map. The addresses of the program
 * must be the same in every run, so it is started without their randomisation. */
#include "predict/drive.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void drive_result_free(DriveResult *result) {
  proc_result_free(&result->end);
  mem_free(result->control);
  for (uint32_t i = 0; i < result->others.len; i++)
    mem_free(result->others.data[i].control);
  vec_free(&result->others);
  *result = (DriveResult){0};
}

char *drive_find(const char *name, Err *err) {
  char *path = proc_find(name);
  struct stat info;
  if (path && stat(path, &info) == 0 && S_ISREG(info.st_mode)) return path;
  bool exists = stat(name, &info) == 0;
  err_input(err, name, exists ? "name an executable file" : "check the name",
            exists ? "this cannot be executed" : "no such program");
  mem_free(path);
  return NULL;
}

bool drive_has_runtime(const char *path, Err *err) {
  const void *bytes;
  size_t size;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool mapped = fd >= 0 && proc_map_fd(fd, &bytes, &size);
  int why = errno;
  if (fd >= 0) close(fd);
  if (!mapped) return err_input(err, path, "check the file", "%s", strerror(why));
  bool found = memmem(bytes, size, TRACE_MARK, sizeof TRACE_MARK) != NULL;
  bool other =
      !found && memmem(bytes, size, TRACE_MARK_BEGIN, strlen(TRACE_MARK_BEGIN)) != NULL;
  proc_unmap(bytes, size);
  if (other)
    return err_input(err, path, "build it again with this `heddle cc`",
                     "it was built by another version of heddle");
  return found;
}

/* Address space of a program in a guided replay: the runtime's own memory lies far away. */
static const size_t GUIDED_MEMORY = (size_t)8 << 30;

/* ---- the control file ------------------------------------------------------------- */

typedef struct {
  char *folder, *path;
  Control *control; /* mapped */
  size_t size;
} ControlFile;

static void control_close(ControlFile *f) {
  if (f->control) munmap(f->control, f->size);
  if (f->path) temp_remove(f->path);
  if (f->folder) temp_remove(f->folder);
  mem_free(f->path);
  mem_free(f->folder);
}

static bool control_open(ControlFile *f, const Control *numbers, Err *err) {
  *f = (ControlFile){.size = control_size(numbers)};
  f->folder = temp_dir_new(err);
  if (!f->folder) return false;
  f->path = str_printf("%s/control", f->folder);
  temp_register(f->path);
  int fd = open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int failed = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)f->size);
  void *at = failed ? MAP_FAILED
                    : mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (at == MAP_FAILED)
    return err_set(err, ERR_LIMIT, f->path, 0, 0, "make room there or set TMPDIR", "%s",
                   strerror(failed ? failed : errno));
  f->control = at;
  *f->control = *numbers;
  memcpy(f->control->magic, CONTROL_MAGIC, 8);
  f->control->version = CONTROL_VERSION;
  return true;
}

/* ---- other processes of the run --------------------------------------------------- */

/* One that lost its parent is a child of this process now (interrupt.h). */
static bool goes_on(pid_t process) {
  return waitpid(process, NULL, WNOHANG) <= 0 && kill(process, 0) == 0;
}

/* As at the end of the first one, those that could go on get a while. */
static bool wait_for(pid_t process, double until) {
  enum { PAUSE = 5000 };
  while (goes_on(process)) {
    if (clock_now() > until || interrupt_cuts()) return true;
    usleep(PAUSE);
  }
  return false;
}

static bool has_threads(const char *trace) {
  TraceHeader header;
  int fd = open(trace, O_RDONLY | O_CLOEXEC);
  bool read_it = fd >= 0 && read(fd, &header, sizeof header) == sizeof header;
  if (fd >= 0) close(fd);
  return read_it && header.threads > 1;
}

/* Takes the control files of all others; of those without threads nothing is kept. */
static void collect_others(const ControlFile *first, double until, DriveResult *ret) {
  uint32_t count = first->control->processes;
  for (uint32_t i = 1; i < count && i < CONTROL_PROCESSES; i++) {
    char *path = str_printf("%s.%u", first->path, i);
    const void *bytes = NULL;
    size_t size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && proc_map_fd(fd, &bytes, &size) && size >= sizeof(Control)) {
      const Control *control = bytes;
      bool on = control->process && wait_for((pid_t)control->process, until);
      DriveProcess one = {i, mem_dup(bytes, size), on};
      if (has_threads(control->trace)) {
        vec_push(&ret->others, one);
      } else {
        unlink(control->trace);
        mem_free(one.control);
      }
    }
    if (bytes) proc_unmap(bytes, size);
    if (fd >= 0) close(fd);
    unlink(path);
    mem_free(path);
  }
}

/* ---- running ---------------------------------------------------------------------- */

static ProcStream input_of(const Drive *drive) {
  if (drive->stream > 0) return (ProcStream){.kind = PROC_FD, .fd = drive->stream};
  if (drive->input < 0) return (ProcStream){.kind = PROC_INHERIT};
  if (lseek(drive->input, 0, SEEK_SET) < 0) return (ProcStream){.kind = PROC_NULL};
  return (ProcStream){.kind = PROC_FD, .fd = drive->input};
}

/* The program, and beside it those that it serves. When they are done, it gets a moment to end
 * by itself, and is then asked to: that is how it ends then, and no failure. */
static void run_with(const Drive *drive, const ProcRequest *request, ProcResult *ret) {
  enum { MOMENT = 300000 }; /* microseconds */
  const char *shell[] = {"/bin/sh", "-c", drive->with, NULL};
  ProcRequest others = {
      .argv = shell, .out = request->out, .err = request->err, .leave_none = true};
  Proc *both[] = {proc_start(request), proc_start(&others)};
  bool asked = proc_wait_any(both, 2) == 1;
  if (asked) {
    proc_wait(both[1], NULL);
    usleep(MOMENT);
    proc_signal(both[0], SIGTERM);
  }
  proc_wait(both[0], ret);
  if (asked && ret->end == PROC_SIGNALLED && ret->code == SIGTERM) {
    ret->end = PROC_EXITED;
    ret->code = 0;
  }
  if (asked) return;
  proc_signal(both[1], SIGKILL);
  proc_wait(both[1], NULL);
}

static bool run(const Drive *drive, ControlFile *f, DriveResult *ret, Err *err) {
  char *control = str_printf("%s=%s", TRACE_CONTROL_VARIABLE, f->path);
  char *preload = drive->preload ? str_printf("LD_PRELOAD=%s", drive->preload) : NULL;
  const char *env[] = {control, preload, NULL};
  VEC(const char *) argv = {0};
  if (drive->debugger) {
    vec_push(&argv, drive->debugger);
    vec_push(&argv, "-ex");
    vec_push(&argv, "set breakpoint pending on");
    vec_push(&argv, "-ex");
    vec_push(&argv, "break heddle_error_showed");
    vec_push(&argv, "-ex");
    vec_push(&argv, "run");
    vec_push(&argv, "--args");
  }
  for (size_t i = 0; drive->argv[i]; i++) vec_push(&argv, drive->argv[i]);
  vec_push(&argv, NULL);
  ProcStreamKind output = drive->silent ? PROC_NULL : PROC_INHERIT;
  ProcRequest request = {.argv = argv.data,
                         .env = env,
                         .in = input_of(drive),
                         .out = {.kind = output},
                         .err = {.kind = output},
                         .timeout = drive->timeout,
                         .cwd = drive->folder,
                         .isolated = drive->folder ? f->folder : NULL,
                         .memory_limit = drive->folder ? GUIDED_MEMORY : 0,
                         .same_group = !drive->silent,
                         .leave_none = drive->silent,
                         .leads = drive->leads};
  int before = personality(0xffffffff);
  personality((unsigned long)before | ADDR_NO_RANDOMIZE);
  if (drive->with)
    run_with(drive, &request, &ret->end);
  else
    proc_run(&request, &ret->end);
  personality((unsigned long)before);
  ret->control = mem_dup(f->control, f->size);
  vec_free(&argv);
  mem_free(control);
  mem_free(preload);
  if (ret->end.end == PROC_NOT_FOUND || ret->end.end == PROC_NOT_STARTED)
    return err_input(err, drive->argv[0], "check the program", "cannot be run: %s",
                     ret->end.end == PROC_NOT_FOUND ? "no such program"
                                                    : strerror(ret->end.code));
  return true;
}

const ControlSeen *drive_seen(const Control *c) {
  return c->keep_seen ? control_seen((Control *)c) : NULL;
}

void drive_modules(const Control *c, Trace *trace) {
  *trace = (Trace){.arena = arena_new()};
  for (uint32_t i = 0; i < CONTROL_MODULES && c->modules[i].path[0]; i++)
    vec_push(
        &trace->modules,
        ((TraceModule){c->modules[i].base,
                       arena_strndup(trace->arena, c->modules[i].path,
                                     strnlen(c->modules[i].path, CONTROL_MODULE_PATH))}));
}

bool drive_record(const Drive *drive, const char *trace, DriveResult *ret, Err *err) {
  ControlFile f;
  *ret = (DriveResult){0};
  char *full = trace[0] == '/' ? str_dup(trace) : NULL;
  if (!full) {
    char here[4096];
    full = str_printf("%s/%s", getcwd(here, sizeof here) ? here : ".", trace);
  }
  bool ok = strlen(full) < sizeof f.control->trace ||
            err_input(err, trace, "use a shorter one", "the name is too long");
  ok = ok && control_open(&f, &(Control){0}, err);
  if (ok) {
    f.control->mode = CONTROL_RECORD;
    f.control->linger = drive->linger;
    f.control->variation = drive->variation;
    f.control->seed = drive->seed;
    f.control->follows = drive->follows;
    strcpy(f.control->trace, full);
    ok = run(drive, &f, ret, err);
    collect_others(&f, clock_now() + drive->linger / 1e3, ret);
    control_close(&f);
  }
  mem_free(full);
  return ok;
}

bool drive_replay(const Drive *drive, const Schedule *s, DriveResult *ret, Err *err) {
  ControlFile f;
  *ret = (DriveResult){0};
  Control numbers = {.thread_count = s->threads.len,
                     .step_count = s->steps.len,
                     .keep_seen = s->rule != NULL};
  bool ok = control_open(&f, &numbers, err);
  if (ok) {
    Control *c = f.control;
    c->mode = CONTROL_REPLAY;
    c->follows = drive->process > 0;
    c->chosen = drive->process;
    c->stop = drive->stop;
    c->stop_followed = str_eq(s->property, "user");
    c->wait_for_debugger = drive->debugger != NULL;
    c->order = drive->order;
    c->linger = drive->linger;
    c->clients = drive->with != NULL;
    c->patience = drive->patience;
    c->recorded = drive->recorded;
    c->hold_count = s->hold_count;
    memcpy(c->hold, s->hold, sizeof c->hold);
    if (s->anyone) {
      c->hold[0].thread = c->hold[1].thread = CONTROL_NO_THREAD;
      c->outcome = CONTROL_FOLLOWED; /* there are no steps */
    }
    for (uint32_t i = 0; i < s->threads.len; i++)
      control_threads(c)[i] = (ControlThread){.parent = s->threads.data[i].parent,
                                              .index = s->threads.data[i].index};
    if (s->steps.len)
      memcpy(control_steps(c), s->steps.data, s->steps.len * sizeof(ControlStep));
    ok = run(drive, &f, ret, err);
  }
  control_close(&f);
  return ok;
}

bool drive_guided(const Drive *drive, const Control *control, DriveResult *ret,
                  Err *err) {
  ControlFile f;
  *ret = (DriveResult){0};
  bool ok = control_open(&f, control, err);
  if (ok) {
    memcpy(f.control, control, f.size);
    ok = run(drive, &f, ret, err);
  }
  control_close(&f);
  return ok;
}
