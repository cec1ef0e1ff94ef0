/* Child processes: run a program, or run a C function in a forked copy of this process,
 * with a time limit and without a shell.
 *
 * A child gets only what its request names. All descriptors that this module opens are
 * close-on-exec, standard input is /dev/null unless asked otherwise, and a child of its
 * own process group (the default) is killed as a whole group when its time is up and when
 * heddle itself dies. Several children run at once without threads: start them, then
 * wait.
 *
 * Nothing here prints or fails half-way: a program that does not exist, a missing
 * directory or a fork that the system refuses is an outcome in ProcResult like any
 * other. */
#ifndef HEDDLE_BASE_PROC_H
#define HEDDLE_BASE_PROC_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a standard stream of the child goes to (or, for input, comes from). */
typedef enum {
  PROC_NULL,    /* /dev/null */
  PROC_INHERIT, /* as heddle's own */
  PROC_CAPTURE, /* into ProcResult.out or .err (outputs only) */
  PROC_FILE,    /* `path`, relative to heddle's directory; outputs create or empty it */
  PROC_FD,      /* `fd`, which stays the caller's */
} ProcStreamKind;

typedef struct {
  ProcStreamKind kind;
  const char *path;
  int fd;
} ProcStream;

typedef struct {
  const char *const
      *argv;           /* NULL-terminated; argv[0] without a slash is sought in PATH */
  const char *program; /* the file to run when it is not argv[0], or NULL */
  const char *cwd;     /* or NULL: as heddle's */
  /* NULL-terminated changes of the environment, or NULL: "NAME=value" sets, "NAME"
   * removes. */
  const char *const *env;
  ProcStream in, out, err;
  double timeout;      /* seconds, 0 for none */
  size_t memory_limit; /* bytes of address space, 0 for none */
  /* Not NULL: cut off, as far as the system can do that. No network; nothing in the file
   * system can be changed but in this folder; no environment but what `env` sets; no core
   * file. */
  const char *isolated;
  size_t capture_limit; /* bytes kept of each captured stream; 0 means 64 MiB */
  /* Stay in heddle's process group, so that the terminal's signals reach the child
   * too. */
  bool same_group;
  /* Of a group of its own: when the child has ended, what is left of the group is killed. */
  bool leave_none;
  /* Of heddle's group: the first signal that asks heddle to stop is the child's
   * (interrupt.h). When its time is over, its descendants are killed with it. */
  bool leads;
} ProcRequest;

typedef enum {
  PROC_NOT_FOUND,   /* no such program; zero, so that nothing looks like success */
  PROC_NOT_STARTED, /* `code` is the errno of what was refused */
  PROC_EXITED,      /* `code` is the exit status */
  PROC_SIGNALLED,   /* `code` is the signal */
  PROC_TIMED_OUT,   /* it was killed */
} ProcEnd;

typedef struct {
  ProcEnd end;
  int code;
  Str out, err;             /* what was captured */
  bool cut;                 /* a captured stream was longer than the limit */
  double seconds;           /* wall-clock time */
  double processor_seconds; /* of the program and of those that it waited for */
  long peak_kib;            /* largest resident size */
} ProcResult;

void proc_result_free(ProcResult *result); /* leaves it zero */
/* True when the child exited with status 0. */
bool proc_ok(const ProcResult *result);
/* How it ended in words: "exit status 1", "signal 11 (Segmentation fault)", ... */
void proc_describe(const ProcResult *result, Str *out);

/* Runs one program to its end. The texts of `result` are to be freed. */
void proc_run(const ProcRequest *request, ProcResult *ret_result);

/* Runs `count` programs, at most `jobs` at a time (0: one per core), and fills the
 * results in the order of the requests. */
void proc_run_all(const ProcRequest *requests, size_t count, unsigned jobs,
                  ProcResult *ret_results);

/* The same in steps. A Proc is one running child; it is never NULL. The strings of the
 * request are used only during proc_start. */
typedef struct Proc Proc;
Proc *proc_start(const ProcRequest *request);
/* Waits until one of them has ended and yields its index; `count` is at least 1. An ended
 * one must not be offered again after proc_wait. */
size_t proc_wait_any(Proc *const *procs, size_t count);
/* Waits for the end, hands over the result (which may be NULL) and releases `proc`. */
void proc_wait(Proc *proc, ProcResult *ret_result);
/* The same, but kills the child when *stop becomes non-zero. */
void proc_wait_or_stop(Proc *proc, const volatile int *stop, ProcResult *ret_result);
/* The same; each line of the captured standard error is offered as soon as it is complete, without its line break,
 * and kept for the result only if that says false. */
typedef bool ProcLine(void *user, const char *line);
void proc_wait_lines(Proc *proc, const volatile int *stop, ProcLine *line, void *user,
                     ProcResult *ret_result);
/* Sends a signal to the child's group (or to the child alone, see same_group). */
void proc_signal(Proc *proc, int signal_number);
/* The process id, or 0 when it could not be started or has ended. */
int proc_id(const Proc *proc);

/* Runs `run(result_fd, data)` in a forked copy of this process, whose exit status is what
 * it returns. It writes its answer to result_fd, an empty file in memory without a size
 * limit. Its standard output and error are captured together in result.err, exhausted
 * memory ends it with status 4, and exit handlers of this process do not run in it.
 *
 * *ret_result_fd is that file, to be closed by the caller (see proc_map_fd), whatever the
 * outcome; it is -1 only when the end is PROC_NOT_STARTED. */
typedef int ProcForkFunction(int result_fd, void *data);
void proc_fork_run(ProcForkFunction *run, void *data, double timeout, size_t memory_limit,
                   int *ret_result_fd, ProcResult *ret_result);
Proc *proc_fork_start(ProcForkFunction *run, void *data, double timeout,
                      size_t memory_limit, int *ret_result_fd);

/* Maps a file read-only. An empty file gives a non-NULL address and size 0. False with
 * errno set when it cannot be mapped. Release with proc_unmap. */
bool proc_map_fd(int fd, const void **ret_data, size_t *ret_size);
void proc_unmap(const void *data, size_t size);

/* A close-on-exec file in memory with the given bytes, positioned at its start, or -1. */
int proc_memory_file(const void *bytes, size_t size);
/* Writes everything, across signals and short writes. False with errno set. */
bool proc_write_all(int fd, const void *bytes, size_t size);
/* Reads from the current position to the end, at most `limit` bytes (then EFBIG). */
bool proc_read_all(int fd, size_t limit, Str *out);

/* The path of a program as the shell would find it (mem_free), or NULL. */
char *proc_find(const char *name);

#endif
