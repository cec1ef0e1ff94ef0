/* Directories and names: opendir, readdir, realpath, links, modes; fcntl.
 *
 * A DIR of the program is an opaque object that leads to a directory of the host. For an
 * isolated run every directory that can be opened is empty, but for "." and "..", and it is
 * refused every other name. */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIR_BYTES = 64, ENTRY = 16 }; /* the entry of readdir lies inside of the object */
_Static_assert(sizeof(struct dirent) == 280, "struct dirent of the x86-64 ABI");

void libc_dir_close(LibcDir *dir) {
  if (dir->host) closedir(dir->host);
  dir->host = NULL;
  dir->empty = false;
}

static LibcDir *dir_at(NativeCall *call, uint64_t address) {
  LibcState *state = exec_libc(call->exec);
  for (uint32_t i = 0; i < state->dirs.len; i++)
    if (state->dirs.data[i].address == address &&
        (state->dirs.data[i].host || state->dirs.data[i].empty))
      return &state->dirs.data[i];
  exec_stop(call->exec, "0x%llx is not the address of an open directory",
            (unsigned long long)address);
  return NULL;
}

static NativeStatus native_opendir(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  DIR *host = exec_isolated(call->exec) ? NULL : opendir(path);
  if (!host && !exec_isolated(call->exec)) return ret_errno(call, errno, 0);
  uint64_t at = libc_lend(call->exec, state, NULL, DIR_BYTES + sizeof(struct dirent));
  if (at == 0) {
    if (host) closedir(host);
    return ret_errno(call, ENOMEM, 0);
  }
  vec_push(&state->dirs, (LibcDir){.address = at, .host = host, .empty = !host});
  return ret_u64(call, at);
}

static const struct dirent *next_entry(LibcDir *dir) {
  static const struct dirent entries[] = {
      {.d_ino = 2, .d_off = 1, .d_type = DT_DIR, .d_name = "."},
      {.d_ino = 2, .d_off = 2, .d_type = DT_DIR, .d_name = ".."}};
  if (dir->host) return readdir(dir->host);
  return dir->empty_at < 2 ? &entries[dir->empty_at++] : NULL;
}

static NativeStatus native_readdir(NativeCall *call) {
  LibcDir *dir = dir_at(call, arg_u64(call, 0));
  if (!dir) return NATIVE_STOP;
  errno = 0;
  const struct dirent *entry = next_entry(dir);
  if (!entry) {
    if (errno) libc_errno(call, errno);
    return ret_u64(call, 0);
  }
  struct dirent copy = {.d_ino = entry->d_ino,
                        .d_off = entry->d_off,
                        .d_type = entry->d_type,
                        .d_reclen = sizeof copy};
  memcpy(copy.d_name, entry->d_name, strlen(entry->d_name) + 1);
  uint64_t to = dir->address + ENTRY;
  return libc_put(call, to, &copy, sizeof copy) ? ret_u64(call, to) : NATIVE_STOP;
}

static NativeStatus native_rewinddir(NativeCall *call) {
  LibcDir *dir = dir_at(call, arg_u64(call, 0));
  if (!dir) return NATIVE_STOP;
  if (dir->host) rewinddir(dir->host);
  dir->empty_at = 0;
  return ret_void(call);
}

static NativeStatus native_closedir(NativeCall *call) {
  LibcDir *dir = dir_at(call, arg_u64(call, 0));
  if (!dir) return NATIVE_STOP;
  libc_dir_close(dir);
  return ret_int(call, 0);
}

/* ---- names ------------------------------------------------------------------------- */

static NativeStatus native_realpath(NativeCall *call) {
  uint64_t to = arg_u64(call, 1);
  if (arg_u64(call, 0) == 0) return ret_errno(call, EINVAL, 0);
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  if (exec_isolated(call->exec)) return ret_errno(call, EACCES, 0);
  char *found = realpath(path, NULL);
  if (!found) return ret_errno(call, errno, 0);
  bool ok = true;
  if (to == 0)
    to = libc_new_bytes(call, found, strlen(found) + 1);
  else
    ok = libc_put(call, to, found, strlen(found) + 1);
  free(found);
  return ok ? ret_u64(call, to) : NATIVE_STOP;
}

static NativeStatus native_readlink(NativeCall *call) {
  char text[PATH_MAX];
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  if (exec_isolated(call->exec)) return ret_errno(call, EACCES, UINT64_MAX);
  uint64_t room = arg_u64(call, 2) < sizeof text ? arg_u64(call, 2) : sizeof text;
  ssize_t n = readlink(path, text, (size_t)room);
  if (n < 0) return ret_errno(call, errno, UINT64_MAX);
  return libc_put(call, arg_u64(call, 1), text, (uint64_t)n) ? ret_u64(call, (uint64_t)n)
                                                             : NATIVE_STOP;
}

static NativeStatus native_mkdtemp(NativeCall *call) {
  uint64_t at = arg_u64(call, 0);
  char *name = libc_string_copy(call, at);
  if (!name) return NATIVE_STOP;
  errno = EACCES;
  bool made = !exec_isolated(call->exec) && mkdtemp(name);
  int error = errno;
  bool ok = !made || libc_put(call, at, name, strlen(name));
  mem_free(name);
  if (!ok) return NATIVE_STOP;
  return made ? ret_u64(call, at) : ret_errno(call, error, 0);
}

/* A name that nobody has: in the caller's place, or in the library's own. */
static NativeStatus native_tmpnam(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  char text[L_tmpnam];
  uint64_t to = arg_u64(call, 0);
  do snprintf(text, sizeof text, "/tmp/file%06x", ++state->names & 0xffffff);
  while (!exec_isolated(call->exec) && access(text, F_OK) == 0);
  if (to == 0) to = libc_static(call->exec, state, STATIC_TMPNAM, NULL, sizeof text);
  return libc_put(call, to, text, strlen(text) + 1) ? ret_u64(call, to) : NATIVE_STOP;
}

static NativeStatus native_tmpnam_r(NativeCall *call) {
  return arg_u64(call, 0) ? native_tmpnam(call) : ret_u64(call, 0);
}

/* Two names, or a name and a mode. */
static NativeStatus change_name(NativeCall *call,
                                int (*host)(const char *, const char *)) {
  const char *from = libc_string(call, arg_u64(call, 0), NULL);
  const char *to = from ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  if (!to) return NATIVE_STOP;
  errno = EACCES;
  int status = exec_isolated(call->exec) ? -1 : host(from, to);
  return status < 0 ? ret_errno(call, errno, UINT64_MAX) : ret_int(call, 0);
}

static NativeStatus native_link(NativeCall *call) {
  return change_name(call, link);
}
static NativeStatus native_symlink(NativeCall *call) {
  return change_name(call, symlink);
}

static NativeStatus native_chmod(NativeCall *call) {
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  if (!path) return NATIVE_STOP;
  errno = EACCES;
  int status = exec_isolated(call->exec) ? -1 : chmod(path, (mode_t)arg_u64(call, 1));
  return status < 0 ? ret_errno(call, errno, UINT64_MAX) : ret_int(call, 0);
}

/* ---- descriptors ------------------------------------------------------------------- */

static NativeStatus native_fcntl(NativeCall *call) {
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  if (!fd) return ret_int(call, -1);
  switch (arg_int(call, 1)) {
  case F_GETFD:
  case F_SETFD: return ret_int(call, 0); /* no other program is ever started */
  case F_GETFL: {
    int flags = fcntl(fd->host, F_GETFL);
    return flags < 0 ? ret_errno(call, errno, UINT64_MAX) : ret_int(call, flags);
  }
  case F_SETFL: {
    int status = fd->close ? fcntl(fd->host, F_SETFL, arg_int(call, 2)) : 0;
    return status < 0 ? ret_errno(call, errno, UINT64_MAX) : ret_int(call, 0);
  }
  default:
    exec_stop(call->exec, "fcntl(%d) is not modelled", arg_int(call, 1));
    return NATIVE_STOP;
  }
}

static const Native natives[] = {
    {"__realpath_chk", native_realpath, 3}, {"chmod", native_chmod, 2},
    {"closedir", native_closedir, 1},       {"fcntl", native_fcntl, 2},
    {"fcntl64", native_fcntl, 2},           {"link", native_link, 2},
    {"mkdtemp", native_mkdtemp, 1},         {"opendir", native_opendir, 1},
    {"readdir", native_readdir, 1},         {"readdir64", native_readdir, 1},
    {"readlink", native_readlink, 3},       {"realpath", native_realpath, 2},
    {"rewinddir", native_rewinddir, 1},     {"symlink", native_symlink, 2},
    {"tmpnam", native_tmpnam, 1},           {"tmpnam_r", native_tmpnam_r, 1},
};
NATIVE_TABLE(dir, natives);
