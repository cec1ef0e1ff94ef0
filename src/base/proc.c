/* See proc.h.
 *
 * Every child, forked or executed, is a Proc: its process id, a pidfd that becomes
 * readable when it ends, and up to two pipes with captured output. One loop, `pump`,
 * polls all of them, so any number of children can be served by one thread and none can
 * block on a full pipe. Where the system has no pidfds the loop wakes every few
 * milliseconds instead.
 *
 * Between fork and exec only async-signal-safe calls are made: everything that needs
 * memory (the path of the program, the environment, opened files) is prepared by the
 * parent. All signals are blocked across the fork, so that a handler of the parent never
 * runs in the child. A child that cannot be executed says why through a close-on-exec
 * pipe. */
#include "base/clock.h"
#include "base/proc.h"

#include "base/interrupt.h"
#include "base/isolate.h"
#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  DEFAULT_CAPTURE = 64 << 20,
  POLL_WITHOUT_PIDFD = 3, /* milliseconds */
  POLL_WATCHED = 50,
  EXIT_EXHAUSTED = 4, /* as in the table of exit codes */
};

typedef struct {
  int fd; /* our end of the pipe, or -1 */
  Str text;
} Capture;

struct Proc {
  pid_t pid;
  int pidfd;
  bool ended, own_group, timed_out, leave_none, leads;
  double started, deadline; /* deadline 0: none */
  size_t capture_limit;
  Capture captures[2]; /* standard output, standard error */
  ProcResult result;   /* complete, but for the texts, once `ended` */
  bool watched;        /* somebody may want it to stop: look now and then */
};

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

void proc_result_free(ProcResult *result) {
  str_free(&result->out);
  str_free(&result->err);
  *result = (ProcResult){0};
}

bool proc_ok(const ProcResult *result) {
  return result->end == PROC_EXITED && result->code == 0;
}

void proc_describe(const ProcResult *result, Str *out) {
  switch (result->end) {
  case PROC_NOT_FOUND: str_add(out, "program not found"); break;
  case PROC_NOT_STARTED: str_addf(out, "not started: %s", strerror(result->code)); break;
  case PROC_EXITED: str_addf(out, "exit status %d", result->code); break;
  case PROC_SIGNALLED:
    str_addf(out, "signal %d (%s)", result->code, strsignal(result->code));
    break;
  case PROC_TIMED_OUT: str_addf(out, "timed out after %.0f s", result->seconds); break;
  }
}

/* ---- preparation in the parent --------------------------------------------------- */

char *proc_find(const char *name) {
  if (!*name) return NULL;
  if (strchr(name, '/')) return access(name, X_OK) == 0 ? str_dup(name) : NULL;
  const char *path = getenv("PATH");
  if (!path) path = "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    size_t length = strcspn(path, ":");
    char *file = length ? str_printf("%.*s/%s", (int)length, path, name) : str_dup(name);
    struct stat st;
    if (stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0)
      return file;
    mem_free(file);
    if (!path[length]) return NULL;
    path += length + 1;
  }
}

/* The child may change its directory before it executes the program, so a relative path
 * must not depend on that. */
static char *absolute(char *file) {
  if (!file || file[0] == '/') return file;
  char *full = realpath(file, NULL);
  if (!full) return file;
  mem_free(file);
  file = str_dup(full);
  free(full);
  return file;
}

static bool same_name(const char *a, const char *b) {
  size_t n = strcspn(a, "=");
  return n == strcspn(b, "=") && strncmp(a, b, n) == 0;
}

/* The strings stay where they are; only the array is new. */
static char **environment_with(const char *const *changes, bool alone) {
  VEC(char *) all = {0};
  for (char **e = environ; e && *e && !alone; e++) {
    bool changed = false;
    for (const char *const *c = changes; c && *c; c++)
      changed = changed || same_name(*e, *c);
    if (!changed) vec_push(&all, *e);
  }
  for (const char *const *c = changes; c && *c; c++)
    if (strchr(*c, '=')) vec_push(&all, (char *)*c);
  vec_push(&all, NULL);
  return all.data;
}

/* What the child needs, ready before the fork. A stream of -1 is left as it is. */
typedef struct {
  int streams[3];
  bool owned[3]; /* the stream is ours to close after the fork */
  const char *cwd;
  size_t memory_limit;
  const char *isolated; /* or NULL */
  bool own_group;
} Setup;

static void setup_close(Setup *setup) {
  for (int i = 0; i < 3; i++)
    if (setup->owned[i]) close_fd(&setup->streams[i]);
}

static int open_stream(Setup *setup, Proc *proc, int i, const ProcStream *stream) {
  int fd = -1, ends[2];
  switch (stream->kind) {
  case PROC_INHERIT: return 0;
  case PROC_FD: setup->streams[i] = stream->fd; return 0;
  case PROC_NULL: fd = open("/dev/null", O_RDWR | O_CLOEXEC); break;
  case PROC_FILE:
    fd = i == 0 ? open(stream->path, O_RDONLY | O_CLOEXEC)
                : open(stream->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    break;
  case PROC_CAPTURE:
    assert(i > 0);
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    proc->captures[i - 1].fd = ends[0];
    fd = ends[1];
    break;
  }
  if (fd < 0) return errno;
  setup->streams[i] = fd;
  setup->owned[i] = true;
  return 0;
}

/* ---- in the child ---------------------------------------------------------------- */

/* Moves a descriptor out of the way of 0, 1 and 2. */
static int above_standard(int fd) {
  return fd >= 0 && fd < 3 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : fd;
}

static int child_streams(const Setup *setup) {
  int from[3];
  for (int i = 0; i < 3; i++) {
    from[i] = setup->streams[i] == i ? i : above_standard(setup->streams[i]);
    if (setup->streams[i] >= 0 && from[i] < 0) return errno;
  }
  for (int i = 0; i < 3; i++) {
    if (from[i] == i) {
      if (fcntl(i, F_SETFD, 0) !=
          0) /* it is close-on-exec when a parent closed its own */
        return errno;
    } else if (from[i] >= 0 && dup2(from[i], i) < 0) {
      return errno;
    }
  }
  return 0;
}

static int child_prepare(const Setup *setup, pid_t parent) {
  if (setup->own_group) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the request */
      _exit(1);
  }
  int failed = child_streams(setup);
  if (failed) return failed;
  if (setup->cwd && chdir(setup->cwd) != 0) return errno;
  if (setup->memory_limit) {
    struct rlimit limit = {setup->memory_limit, setup->memory_limit};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (setup->isolated) isolate_self(setup->isolated);
  return 0;
}

/* Handlers of the parent mean nothing in the child; what is ignored stays ignored. */
static void child_signals(void) {
  for (int i = 1; i < NSIG; i++) {
    struct sigaction action;
    if (sigaction(i, NULL, &action) != 0 || action.sa_handler == SIG_IGN ||
        action.sa_handler == SIG_DFL)
      continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(i, &action, NULL);
  }
}

/* ---- starting -------------------------------------------------------------------- */

static Proc *proc_new(double timeout, size_t capture_limit, bool own_group) {
  Proc *proc = mem_alloc_zero(sizeof *proc);
  proc->pidfd = proc->captures[0].fd = proc->captures[1].fd = -1;
  proc->started = clock_now();
  proc->deadline = timeout > 0 ? proc->started + timeout : 0;
  proc->capture_limit = capture_limit ? capture_limit : DEFAULT_CAPTURE;
  proc->own_group = own_group;
  return proc;
}

static Proc *not_started(Proc *proc, ProcEnd end, int code) {
  proc->result.end = end;
  proc->result.code = code;
  proc->ended = true;
  proc->pid = 0;
  return proc;
}

/* Forks with all signals blocked, so that no handler of the parent runs in the child,
 * which has the default handlers and no signal blocked when this returns. */
static pid_t fork_quietly(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t pid = fork();
  if (pid == 0) {
    child_signals();
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
  } else {
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
  }
  return pid;
}

/* A launcher may have left SIGCHLD ignored; then no child could be waited for. */
static void ensure_waitable(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
    signal(SIGCHLD, SIG_DFL);
}

static void adopt(Proc *proc, pid_t pid) {
  proc->pid = pid;
  if (proc->own_group)
    setpgid(pid, pid); /* the child does the same; whoever comes first */
#ifdef SYS_pidfd_open
  proc->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
#endif
}

/* Waits for the exec to succeed (the pipe closes) or for the reason why it did not. */
static int exec_failure(int fd) {
  int code = 0;
  ssize_t n;
  do n = read(fd, &code, sizeof code);
  while (n < 0 && errno == EINTR);
  return n == sizeof code ? code : 0;
}

/* The child's whole life before it is another program. It must not return, see launch. */
static _Noreturn void become(const Setup *setup, pid_t parent, int report,
                             const char *file, char *const *argv, char **environment) {
  child_signals();
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  int out = above_standard(report);
  int failed = child_prepare(setup, parent);
  if (!failed) {
    execve(file, argv, environment);
    failed = errno;
  }
  ssize_t ignored = write(out, &failed, sizeof failed);
  (void)ignored;
  _exit(127);
}

/* vfork, because heddle is linked with large libraries: copying the page tables of all
 * that costs more than the start of a small program. Only a child with memory of its own
 * can be isolated. */
static Proc *launch(Proc *proc, Setup *setup, const char *file, char *const *argv,
                    char **environment) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return not_started(proc, PROC_NOT_STARTED, errno);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t parent = getpid(), pid = setup->isolated ? fork() : vfork();
  if (pid == 0) become(setup, parent, report[1], file, argv, environment);
  int refused = pid < 0 ? errno : 0;
  if (pid > 0 && proc->leads) interrupt_lead(pid);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (!refused) {
    adopt(proc, pid);
    int failed = exec_failure(report[0]);
    if (failed) {
      waitpid(pid, NULL, 0);
      close_fd(&proc->pidfd);
      refused = failed;
    }
  }
  close(report[0]);
  return refused ? not_started(proc, PROC_NOT_STARTED, refused) : proc;
}

Proc *proc_start(const ProcRequest *request) {
  ensure_waitable();
  Proc *proc = proc_new(request->timeout, request->capture_limit, !request->same_group);
  char *file =
      absolute(proc_find(request->program ? request->program : request->argv[0]));
  if (!file) return not_started(proc, PROC_NOT_FOUND, ENOENT);
  proc->leave_none = request->leave_none;
  proc->leads = request->leads;
  Setup setup = {.streams = {-1, -1, -1},
                 .cwd = request->cwd,
                 .memory_limit = request->memory_limit,
                 .isolated = request->isolated,
                 .own_group = proc->own_group};
  const ProcStream *streams[3] = {&request->in, &request->out, &request->err};
  int failed = 0;
  for (int i = 0; i < 3 && !failed; i++)
    failed = open_stream(&setup, proc, i, streams[i]);
  if (failed) {
    not_started(proc, PROC_NOT_STARTED, failed);
  } else {
    char **environment = environment_with(request->env, request->isolated);
    launch(proc, &setup, file, (char *const *)request->argv, environment);
    mem_free(environment);
  }
  setup_close(&setup);
  mem_free(file);
  if (proc->leads && proc->ended) interrupt_lead(0);
  return proc;
}

static void exhausted_in_child(size_t wanted) {
  (void)wanted;
  static const char text[] = "out of memory\n";
  ssize_t ignored = write(2, text, sizeof text - 1);
  (void)ignored;
  _exit(EXIT_EXHAUSTED);
}

Proc *proc_fork_start(ProcForkFunction *run, void *data, double timeout,
                      size_t memory_limit, int *ret_result_fd) {
  ensure_waitable();
  Proc *proc = proc_new(timeout, 0, true);
  *ret_result_fd = -1;
  Setup setup = {
      .streams = {-1, -1, -1}, .memory_limit = memory_limit, .own_group = true};
  int result_fd = proc_memory_file(NULL, 0);
  int failed = result_fd < 0 ? errno : 0;
  if (!failed) failed = open_stream(&setup, proc, 0, &(ProcStream){.kind = PROC_NULL});
  if (!failed) failed = open_stream(&setup, proc, 2, &(ProcStream){.kind = PROC_CAPTURE});
  setup.streams[1] = setup.streams[2];
  pid_t parent = getpid(), pid = -1;
  if (!failed) {
    fflush(NULL); /* or the child would write the parent's buffers a second time */
    pid = fork_quietly();
    failed = pid < 0 ? errno : 0;
  }
  if (pid == 0) {
    mem_on_exhaustion(exhausted_in_child);
    result_fd = above_standard(result_fd);
    if (result_fd < 0 || child_prepare(&setup, parent) != 0) _exit(127);
    int status = run(result_fd, data);
    fflush(NULL);
    _exit(status);
  }
  setup_close(&setup);
  if (failed) {
    close_fd(&result_fd);
    return not_started(proc, PROC_NOT_STARTED, failed);
  }
  adopt(proc, pid);
  *ret_result_fd = result_fd;
  return proc;
}

/* ---- waiting --------------------------------------------------------------------- */

/* Takes what is in the pipe now. What goes beyond the limit is read and dropped, so that
 * the child is not blocked, and the result says so. */
static void drain(Proc *proc, Capture *capture) {
  char buffer[65536];
  while (capture->fd >= 0) {
    ssize_t n = read(capture->fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      close_fd(&capture->fd);
      return;
    }
    size_t room = proc->capture_limit - capture->text.len;
    size_t kept = (size_t)n < room ? (size_t)n : room;
    if (kept < (size_t)n) proc->result.cut = true;
    if (kept) str_add_bytes(&capture->text, buffer, kept);
  }
}

void proc_signal(Proc *proc, int signal_number) {
  if (proc->pid > 0 && !proc->ended)
    kill(proc->own_group ? -proc->pid : proc->pid, signal_number);
}

int proc_id(const Proc *proc) {
  return proc->ended ? 0 : proc->pid;
}

/* As long as the child is not reaped, no other group has its number. */
static void end_group(const Proc *proc) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)proc->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid)
    kill(-proc->pid, SIGKILL);
}

/* Reaps the child if it has ended. */
static void reap(Proc *proc) {
  int status;
  struct rusage usage;
  pid_t got;
  if (proc->leave_none && proc->own_group) end_group(proc);
  do got = wait4(proc->pid, &status, WNOHANG, &usage);
  while (got < 0 && errno == EINTR);
  if (got == 0) return;
  ProcResult *result = &proc->result;
  if (got < 0) {
    result->end = PROC_NOT_STARTED;
    result->code = errno;
  } else if (WIFSIGNALED(status)) {
    result->end = proc->timed_out ? PROC_TIMED_OUT : PROC_SIGNALLED;
    result->code = WTERMSIG(status);
    result->peak_kib = usage.ru_maxrss;
  } else {
    result->end = PROC_EXITED;
    result->code = WEXITSTATUS(status);
    result->peak_kib = usage.ru_maxrss;
  }
  result->seconds = clock_now() - proc->started;
  if (got > 0)
    result->processor_seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  proc->ended = true;
  if (proc->leads) {
    interrupt_lead(0);
    if (proc->timed_out) interrupt_end_descendants();
  }
  close_fd(&proc->pidfd);
  for (int i = 0; i < 2; i++) {
    /* All that the child itself wrote is in the pipe by now; a descendant that outlives
     * it and keeps the pipe open is not waited for. */
    drain(proc, &proc->captures[i]);
    close_fd(&proc->captures[i].fd);
  }
}

static int poll_timeout(Proc *const *procs, size_t count) {
  double soonest = 0;
  bool blind = false, watched = false;
  for (size_t i = 0; i < count; i++) {
    blind = blind || procs[i]->pidfd < 0;
    watched = watched || procs[i]->watched;
    double deadline = procs[i]->timed_out ? 0 : procs[i]->deadline;
    if (deadline > 0 && (soonest == 0 || deadline < soonest)) soonest = deadline;
  }
  int timeout = -1;
  if (soonest > 0) {
    double left = soonest - clock_now();
    timeout = left <= 0 ? 0 : left > 3600 ? 3600000 : (int)(left * 1000) + 1;
  }
  if (blind && (timeout < 0 || timeout > POLL_WITHOUT_PIDFD))
    timeout = POLL_WITHOUT_PIDFD;
  watched = watched || interrupt_taken();
  if (watched && (timeout < 0 || timeout > POLL_WATCHED)) timeout = POLL_WATCHED;
  return timeout;
}

/* Sleeps until something happens to one of the children, and takes note of it. */
static void pump(Proc *const *procs, size_t count) {
  VEC(struct pollfd) fds = {0};
  for (size_t i = 0; i < count; i++) {
    if (procs[i]->pidfd >= 0)
      vec_push(&fds, (struct pollfd){.fd = procs[i]->pidfd, .events = POLLIN});
    for (int k = 0; k < 2; k++)
      if (procs[i]->captures[k].fd >= 0)
        vec_push(&fds, (struct pollfd){.fd = procs[i]->captures[k].fd, .events = POLLIN});
  }
  interrupt_waits(true);
  poll(fds.data, fds.len, poll_timeout(procs, count));
  if (interrupt_over()) interrupt_die();
  interrupt_waits(false);
  vec_free(&fds);
  for (size_t i = 0; i < count; i++) {
    Proc *proc = procs[i];
    if (interrupt_cuts() && proc->leave_none) proc_signal(proc, SIGKILL);
    for (int k = 0; k < 2; k++) drain(proc, &proc->captures[k]);
    if (proc->deadline > 0 && !proc->timed_out && clock_now() >= proc->deadline) {
      proc_signal(proc, SIGKILL);
      proc->timed_out = true;
    }
    reap(proc);
  }
}

size_t proc_wait_any(Proc *const *procs, size_t count) {
  assert(count > 0);
  for (;;) {
    for (size_t i = 0; i < count; i++)
      if (procs[i]->ended) return i;
    pump(procs, count);
  }
}

void proc_wait(Proc *proc, ProcResult *ret_result) {
  while (!proc->ended) pump(&proc, 1);
  if (ret_result) {
    *ret_result = proc->result;
    ret_result->out = proc->captures[0].text;
    ret_result->err = proc->captures[1].text;
  } else {
    str_free(&proc->captures[0].text);
    str_free(&proc->captures[1].text);
  }
  close_fd(&proc->captures[0].fd);
  close_fd(&proc->captures[1].fd);
  close_fd(&proc->pidfd);
  mem_free(proc);
}

void proc_wait_or_stop(Proc *proc, const volatile int *stop, ProcResult *ret_result) {
  proc->watched = true;
  while (!proc->ended) {
    if (*stop) proc_signal(proc, SIGKILL);
    pump(&proc, 1);
  }
  proc_wait(proc, ret_result);
}

/* Offers the lines from `from` on, and cuts out those that are taken. How much was offered and kept. */
static size_t offer_lines(Str *text, size_t from, ProcLine *line, void *user) {
  size_t kept = from;
  char *end;
  while (text->len > from && (end = memchr(text->data + from, '\n', text->len - from))) {
    size_t next = (size_t)(end - text->data) + 1;
    *end = 0;
    bool taken = line(user, text->data + from);
    *end = '\n';
    if (!taken) {
      memmove(text->data + kept, text->data + from, next - from);
      kept += next - from;
    }
    from = next;
  }
  if (kept < from) {
    memmove(text->data + kept, text->data + from, text->len - from);
    text->len -= from - kept;
    text->data[text->len] = 0;
  }
  return kept;
}

void proc_wait_lines(Proc *proc, const volatile int *stop, ProcLine *line, void *user,
                     ProcResult *ret_result) {
  size_t offered = 0;
  proc->watched = true;
  while (!proc->ended) {
    if (*stop) proc_signal(proc, SIGKILL);
    pump(&proc, 1);
    offered = offer_lines(&proc->captures[1].text, offered, line, user);
  }
  proc_wait(proc, ret_result);
}

void proc_run(const ProcRequest *request, ProcResult *ret_result) {
  proc_wait(proc_start(request), ret_result);
}

void proc_run_all(const ProcRequest *requests, size_t count, unsigned jobs,
                  ProcResult *ret_results) {
  if (jobs == 0) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = cores > 0 ? (unsigned)cores : 1;
  }
  VEC(Proc *) running = {0};
  VEC(size_t) which = {0};
  for (size_t next = 0; next < count || running.len > 0;) {
    if (next < count && running.len < jobs) {
      vec_push(&running, proc_start(&requests[next]));
      vec_push(&which, next++);
      continue;
    }
    size_t done = proc_wait_any(running.data, running.len);
    proc_wait(running.data[done], &ret_results[which.data[done]]);
    running.data[done] = vec_pop(&running);
    which.data[done] = vec_pop(&which);
  }
  vec_free(&running);
  vec_free(&which);
}

void proc_fork_run(ProcForkFunction *run, void *data, double timeout, size_t memory_limit,
                   int *ret_result_fd, ProcResult *ret_result) {
  proc_wait(proc_fork_start(run, data, timeout, memory_limit, ret_result_fd), ret_result);
}

/* ---- files ----------------------------------------------------------------------- */

bool proc_map_fd(int fd, const void **ret_data, size_t *ret_size) {
  struct stat st;
  if (fstat(fd, &st) != 0) return false;
  if (st.st_size == 0) {
    *ret_data = "";
    *ret_size = 0;
    return true;
  }
  void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return false;
  *ret_data = data;
  *ret_size = (size_t)st.st_size;
  return true;
}

void proc_unmap(const void *data, size_t size) {
  if (size) munmap((void *)data, size);
}

int proc_memory_file(const void *bytes, size_t size) {
  int fd = memfd_create("heddle", MFD_CLOEXEC);
  if (fd < 0) return -1;
  if (!proc_write_all(fd, bytes, size) || lseek(fd, 0, SEEK_SET) != 0) close_fd(&fd);
  return fd;
}

bool proc_write_all(int fd, const void *bytes, size_t size) {
  const char *p = bytes;
  while (size > 0) {
    ssize_t n = write(fd, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      errno = n < 0 ? errno : EIO;
      return false;
    }
    p += n;
    size -= (size_t)n;
  }
  return true;
}

bool proc_read_all(int fd, size_t limit, Str *out) {
  char buffer[65536];
  for (size_t total = 0;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    total += (size_t)n;
    if (total > limit) {
      errno = EFBIG;
      return false;
    }
    str_add_bytes(out, buffer, (size_t)n);
  }
}
