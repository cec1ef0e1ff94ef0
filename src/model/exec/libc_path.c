/* Files by name: stat, unlink, rename, temporary files, the current directory.
 *
 * The file system is the real one; an isolated run is refused every name. */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs a system call on the file named by argument i. */
#define WITH_PATH(i, expression)                                                         \
  const char *path = libc_string(call, arg_u64(call, i), NULL);                          \
  if (!path) return NATIVE_STOP;                                                         \
  if (exec_isolated(call->exec)) return ret_errno(call, EACCES, UINT64_MAX);             \
  return libc_ret_host(call, (expression))

static NativeStatus stat_name(NativeCall *call,
                              int (*host)(const char *, struct stat *)) {
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  if (exec_isolated(call->exec)) return ret_errno(call, EACCES, UINT64_MAX);
  struct stat info;
  int status = host(path, &info);
  return libc_ret_stat(call, status, &info, arg_u64(call, 1));
}

static NativeStatus native_stat(NativeCall *call) {
  return stat_name(call, stat);
}
static NativeStatus native_lstat(NativeCall *call) {
  return stat_name(call, lstat);
}

static NativeStatus native_unlink(NativeCall *call) {
  WITH_PATH(0, unlink(path));
}
static NativeStatus native_remove(NativeCall *call) {
  WITH_PATH(0, remove(path));
}
static NativeStatus native_rmdir(NativeCall *call) {
  WITH_PATH(0, rmdir(path));
}
static NativeStatus native_mkdir(NativeCall *call) {
  WITH_PATH(0, mkdir(path, (mode_t)arg_u64(call, 1)));
}
static NativeStatus native_access(NativeCall *call) {
  WITH_PATH(0, access(path, arg_int(call, 1)));
}
static NativeStatus native_truncate(NativeCall *call) {
  WITH_PATH(0, truncate(path, arg_long(call, 1)));
}

static NativeStatus native_rename(NativeCall *call) {
  const char *to = libc_string(call, arg_u64(call, 1), NULL);
  if (!to) return NATIVE_STOP;
  WITH_PATH(0, rename(path, to));
}

static NativeStatus native_getcwd(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), size = arg_u64(call, 1);
  if (to != 0 && size == 0) return ret_errno(call, EINVAL, 0);
  char *path = exec_isolated(call->exec) ? strdup("/") : getcwd(NULL, 0);
  if (!path) return ret_errno(call, errno, 0);
  uint64_t need = strlen(path) + 1;
  bool ok = true;
  if (size != 0 && size < need) {
    libc_errno(call, ERANGE);
    to = 0;
  } else if (to == 0) {
    to = libc_new_bytes(call, path, need);
  } else {
    ok = libc_put(call, to, path, need);
  }
  free(path);
  return ok ? ret_u64(call, to) : NATIVE_STOP;
}

static NativeStatus native_mkstemp(NativeCall *call) {
  uint64_t at = arg_u64(call, 0);
  char *name = libc_string_copy(call, at);
  if (!name) return NATIVE_STOP;
  errno = EACCES;
  int host = exec_isolated(call->exec) ? -1 : mkostemp(name, O_CLOEXEC);
  int error = errno;
  bool ok = host < 0 || libc_put(call, at, name, strlen(name));
  mem_free(name);
  if (!ok) {
    close(host);
    return NATIVE_STOP;
  }
  if (host < 0) return ret_errno(call, error, UINT64_MAX);
  return ret_int(call, libc_fd_add(exec_libc(call->exec), host));
}

/* The mask is the process's own: heddle takes it over for the run (see
 * libc_state_free). */
static NativeStatus native_umask(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  unsigned mask = (unsigned)arg_u64(call, 0) & 0777, old = state->umask;
  if (!state->umask_changed) old = 022;
  if (!exec_isolated(call->exec)) {
    old = umask((mode_t)mask);
    if (!state->umask_changed) state->host_umask = old;
  }
  state->umask = mask;
  state->umask_changed = true;
  return ret_u64(call, old);
}

static const Native natives[] = {
    {"access", native_access, 2},     {"getcwd", native_getcwd, 2},
    {"lstat", native_lstat, 2},       {"lstat64", native_lstat, 2},
    {"mkdir", native_mkdir, 2},       {"mkstemp", native_mkstemp, 1},
    {"mkstemp64", native_mkstemp, 1}, {"remove", native_remove, 1},
    {"rename", native_rename, 2},     {"rmdir", native_rmdir, 1},
    {"stat", native_stat, 2},         {"stat64", native_stat, 2},
    {"truncate", native_truncate, 2}, {"truncate64", native_truncate, 2},
    {"umask", native_umask, 1},       {"unlink", native_unlink, 1},
};
NATIVE_TABLE(path, natives);
