/* Descriptors: open, read, write, lseek, dup … (Names: libc_path.c.)
 *
 * The program's descriptors are numbers of its own table, each with a descriptor of
 * heddle behind it. The file system is the real one, because the program is the user's
 * own and its output files are what it is run for. Pipes and pairs of sockets are inside of
 * the machine (libc_channel.c); what would wait for others (poll) is not here: it would block
 * the whole interpreter. */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- the table of descriptors ------------------------------------------------------ */

LibcFd *libc_fd_at(NativeCall *call, int fd) {
  LibcState *state = exec_libc(call->exec);
  if (fd >= 0 && (uint32_t)fd < state->fds.len && state->fds.data[fd].host >= 0)
    return &state->fds.data[fd];
  libc_errno(call, EBADF);
  return NULL;
}

static int lowest_free(LibcState *state) {
  for (uint32_t i = 0; i < state->fds.len; i++)
    if (state->fds.data[i].host < 0) return (int)i;
  vec_push(&state->fds, (LibcFd){.host = -1});
  return (int)state->fds.len - 1;
}

int libc_fd_add(LibcState *state, int host) {
  int fd = lowest_free(state);
  state->fds.data[fd] = (LibcFd){.host = host, .close = true};
  return fd;
}

/* One of heddle's own descriptors, in a run that may not touch them. */
static bool is_shut(const NativeCall *call, const LibcFd *fd) {
  return exec_isolated(call->exec) && !fd->close;
}

bool libc_fd_is_terminal(Exec *exec, int host) {
  return !exec_isolated(exec) && isatty(host);
}

/* Nobody notices what is written to the null device, and it is everywhere. */
static bool may_open(const NativeCall *call, const char *path) {
  return !exec_isolated(call->exec) || strcmp(path, "/dev/null") == 0;
}

int libc_open(NativeCall *call, const char *path, int flags, unsigned mode) {
  int host = -1;
  errno = EACCES;
  if (may_open(call, path)) host = open(path, flags | O_CLOEXEC, (mode_t)mode);
  if (host < 0) libc_errno(call, errno);
  return host;
}

ssize_t libc_fd_write(NativeCall *call, int number, const void *bytes, size_t n) {
  LibcFd *fd = libc_fd_at(call, number);
  if (!fd) return -1;
  if (libc_fd_is_channel(fd)) return libc_channel_write(call, fd, bytes, n);
  if (fd->output) {
    exec_output(call->exec, fd->output, bytes, n);
    return (ssize_t)n;
  }
  ssize_t done = write(fd->host, bytes, n);
  if (done < 0) libc_errno(call, errno);
  return done;
}

/* Standard input of an isolated run. */
static ssize_t read_given(NativeCall *call, void *bytes, size_t n) {
  LibcState *state = exec_libc(call->exec);
  const char *rest = exec_input(call->exec) + state->input_at;
  size_t part = strnlen(rest, n);
  memcpy(bytes, rest, part);
  state->input_at += part;
  return (ssize_t)part;
}

ssize_t libc_fd_read(NativeCall *call, int number, void *bytes, size_t n) {
  LibcFd *fd = libc_fd_at(call, number);
  if (!fd) return -1;
  if (is_shut(call, fd)) return number == 0 ? read_given(call, bytes, n) : 0;
  ssize_t done;
  do done = read(fd->host, bytes, n);
  while (done < 0 && errno == EINTR);
  if (done < 0) libc_errno(call, errno);
  return done;
}

int64_t libc_fd_seek(NativeCall *call, int number, int64_t offset, int whence) {
  LibcFd *fd = libc_fd_at(call, number);
  if (!fd) return -1;
  errno = ESPIPE;
  bool shut = libc_fd_is_channel(fd) || is_shut(call, fd);
  int64_t at = shut ? -1 : lseek(fd->host, offset, whence);
  if (at < 0) libc_errno(call, errno);
  return at;
}

int libc_fd_close(NativeCall *call, int number) {
  LibcFd *fd = libc_fd_at(call, number);
  if (!fd) return -1;
  int status = fd->close ? close(fd->host) : 0;
  if (status < 0) libc_errno(call, errno);
  *fd = (LibcFd){.host = -1};
  return status;
}

/* ---- results of system calls ------------------------------------------------------- */

NativeStatus libc_ret_host(NativeCall *call, int64_t value) {
  if (value < 0) return ret_errno(call, errno, UINT64_MAX);
  return ret_u64(call, (uint64_t)value);
}

NativeStatus libc_ret_stat(NativeCall *call, int status, const struct stat *info,
                           uint64_t to) {
  if (status < 0) return ret_errno(call, errno, UINT64_MAX);
  return libc_put(call, to, info, sizeof *info) ? ret_int(call, 0) : NATIVE_STOP;
}

/* -1 with errno already set in the program, or the value. */
static NativeStatus ret_done(NativeCall *call, int64_t value) {
  if (value < 0 && call->result_bits && call->result_bits < 64)
    return ret_u64(call, (UINT64_C(1) << call->result_bits) - 1);
  return ret_u64(call, (uint64_t)value);
}

/* Runs one on the descriptor that is argument 0; `error` is what an isolated run gives
 * for one of heddle's own. */
#define WITH_FD(error, expression)                                                       \
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));                                       \
  if (!fd) return ret_done(call, -1);                                                    \
  if (is_shut(call, fd)) return ret_errno(call, error, UINT64_MAX);                      \
  return libc_ret_host(call, (expression))

/* ---- reading and writing ----------------------------------------------------------- */

static NativeStatus open_file(NativeCall *call, int flags, unsigned mode) {
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  int host = libc_open(call, path, flags, mode);
  return ret_done(call, host < 0 ? -1 : libc_fd_add(exec_libc(call->exec), host));
}

static NativeStatus native_open(NativeCall *call) {
  return open_file(call, arg_int(call, 1),
                   call->argc > 2 ? (unsigned)arg_u64(call, 2) : 0);
}
static NativeStatus native_creat(NativeCall *call) {
  return open_file(call, O_CREAT | O_WRONLY | O_TRUNC, (unsigned)arg_u64(call, 1));
}

static NativeStatus native_close(NativeCall *call) {
  return ret_done(call, libc_fd_close(call, arg_int(call, 0)));
}

static NativeStatus native_write(NativeCall *call) {
  uint64_t n = arg_u64(call, 2);
  const uint8_t *bytes = libc_bytes(call, arg_u64(call, 1), n);
  if (!bytes) return NATIVE_STOP;
  return ret_done(call, libc_fd_write(call, arg_int(call, 0), bytes, n));
}

static NativeStatus native_read(NativeCall *call) {
  uint64_t to = arg_u64(call, 1), n = arg_u64(call, 2);
  if (!libc_bytes(call, to, n)) return NATIVE_STOP;
  uint8_t *bytes = mem_alloc(n);
  const LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  ssize_t done = -1;
  bool ok = true;
  if (fd && libc_fd_is_channel(fd))
    ok = libc_channel_read(call, fd, bytes, n, &done);
  else if (fd)
    done = libc_fd_read(call, arg_int(call, 0), bytes, n);
  ok = ok && (done <= 0 || libc_put(call, to, bytes, (uint64_t)done));
  mem_free(bytes);
  return ok ? ret_done(call, done) : NATIVE_STOP;
}

static NativeStatus native_pread(NativeCall *call) {
  uint64_t to = arg_u64(call, 1), n = arg_u64(call, 2);
  if (!libc_bytes(call, to, n)) return NATIVE_STOP;
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  if (!fd) return ret_done(call, -1);
  if (is_shut(call, fd)) return ret_errno(call, ESPIPE, UINT64_MAX);
  uint8_t *bytes = mem_alloc(n);
  ssize_t done = pread(fd->host, bytes, n, arg_long(call, 3));
  if (done < 0) libc_errno(call, errno);
  bool ok = done <= 0 || libc_put(call, to, bytes, (uint64_t)done);
  mem_free(bytes);
  return ok ? ret_done(call, done) : NATIVE_STOP;
}

static NativeStatus native_pwrite(NativeCall *call) {
  uint64_t n = arg_u64(call, 2);
  const uint8_t *bytes = libc_bytes(call, arg_u64(call, 1), n);
  if (!bytes) return NATIVE_STOP;
  WITH_FD(ESPIPE, pwrite(fd->host, bytes, n, arg_long(call, 3)));
}

static NativeStatus native_writev(NativeCall *call) {
  int count = arg_int(call, 2);
  if (count < 0 || count > 1024) return ret_errno(call, EINVAL, UINT64_MAX);
  int64_t total = 0;
  for (int i = 0; i < count; i++) {
    uint64_t part[2]; /* struct iovec */
    if (!exec_read(call->exec, arg_u64(call, 1) + 16 * (uint64_t)i, part, sizeof part))
      return NATIVE_STOP;
    const uint8_t *bytes = libc_bytes(call, part[0], part[1]);
    if (!bytes) return NATIVE_STOP;
    ssize_t done = libc_fd_write(call, arg_int(call, 0), bytes, part[1]);
    if (done < 0) return ret_done(call, total > 0 ? total : -1);
    total += done;
    if ((uint64_t)done < part[1]) break;
  }
  return ret_done(call, total);
}

static NativeStatus native_lseek(NativeCall *call) {
  return ret_done(
      call, libc_fd_seek(call, arg_int(call, 0), arg_long(call, 1), arg_int(call, 2)));
}

static NativeStatus native_isatty(NativeCall *call) {
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  if (!fd) return ret_int(call, 0);
  if (libc_fd_is_terminal(call->exec, fd->host)) return ret_int(call, 1);
  return ret_errno(call, ENOTTY, 0);
}

/* A second descriptor for the same file, which keeps going through exec_output if it
 * did. */
static bool duplicate(NativeCall *call, int from, LibcFd *ret_copy) {
  LibcFd *fd = libc_fd_at(call, from);
  if (!fd) return false;
  if (libc_fd_is_channel(fd)) {
    *ret_copy = *fd;
    return true;
  }
  int host = fcntl(fd->host, F_DUPFD_CLOEXEC, 3);
  if (host < 0) {
    libc_errno(call, errno);
    return false;
  }
  *ret_copy = (LibcFd){.host = host, .output = fd->output, .close = true};
  return true;
}

static NativeStatus native_dup(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  LibcFd copy;
  if (!duplicate(call, arg_int(call, 0), &copy)) return ret_done(call, -1);
  int number = lowest_free(state);
  state->fds.data[number] = copy;
  return ret_int(call, number);
}

static NativeStatus native_dup2(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  int from = arg_int(call, 0), to = arg_int(call, 1);
  LibcFd copy;
  if (to < 0 || to > 65535) return ret_errno(call, EBADF, UINT64_MAX);
  if (from == to) return libc_fd_at(call, from) ? ret_int(call, to) : ret_done(call, -1);
  if (!duplicate(call, from, &copy)) return ret_done(call, -1);
  while (state->fds.len <= (uint32_t)to) vec_push(&state->fds, (LibcFd){.host = -1});
  LibcFd *old = &state->fds.data[to];
  if (old->host >= 0 && old->close) close(old->host);
  *old = copy;
  return ret_int(call, to);
}

static NativeStatus native_fsync(NativeCall *call) {
  WITH_FD(EINVAL, fsync(fd->host));
}

static NativeStatus native_ftruncate(NativeCall *call) {
  WITH_FD(EINVAL, ftruncate(fd->host, arg_long(call, 1)));
}

/* ---- what descriptors are ---------------------------------------------------------- */

/* heddle's own descriptors are pipes to an isolated program. */
static NativeStatus native_fstat(NativeCall *call) {
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  if (!fd) return ret_done(call, -1);
  struct stat info = {.st_mode = S_IFIFO | 0600, .st_blksize = 4096, .st_nlink = 1};
  int status = is_shut(call, fd) ? 0 : fstat(fd->host, &info);
  return libc_ret_stat(call, status, &info, arg_u64(call, 1));
}

static const Native natives[] = {
    {"close", native_close, 1},
    {"creat", native_creat, 2},
    {"creat64", native_creat, 2},
    {"dup", native_dup, 1},
    {"dup2", native_dup2, 2},
    {"fdatasync", native_fsync, 1},
    {"fstat", native_fstat, 2},
    {"fstat64", native_fstat, 2},
    {"fsync", native_fsync, 1},
    {"ftruncate", native_ftruncate, 2},
    {"ftruncate64", native_ftruncate, 2},
    {"isatty", native_isatty, 1},
    {"lseek", native_lseek, 3},
    {"lseek64", native_lseek, 3},
    {"open", native_open, 2},
    {"open64", native_open, 2},
    {"pread", native_pread, 4},
    {"pread64", native_pread, 4},
    {"pwrite", native_pwrite, 4},
    {"pwrite64", native_pwrite, 4},
    {"read", native_read, 3},
    {"write", native_write, 3},
    {"writev", native_writev, 3},
};
NATIVE_TABLE(fd, natives);
