/* See outfile.h.
 *
 * Invariants: `fd` is open as long as the Outfile lives; `temp` is NULL exactly when
 * bytes go straight to the target; `error` is the errno of the first failed call and
 * never goes back. */
#include "base/outfile.h"

#include "base/mem.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct Outfile {
  char *shown;  /* the name as the user gave it, for messages */
  char *target; /* where it goes in the end, symbolic links followed */
  char *temp;   /* where it is written, or NULL */
  int fd;
  int error;
  bool is_stdout;
  size_t used;
  char buffer[BUFFER];
};

static void release(Outfile *out) {
  if (out->fd >= 0 && !out->is_stdout) close(out->fd);
  mem_free(out->shown);
  mem_free(out->target);
  mem_free(out->temp);
  mem_free(out);
}

static const char *remedy_for(int error) {
  switch (error) {
  case ENOSPC:
  case EDQUOT: return "free some space or write to another disk";
  case EPIPE: return "the reader of the pipe went away";
  case EACCES:
  case EPERM:
  case EROFS: return "check the permissions of the file and its directory";
  case ENOENT:
  case ENOTDIR: return "create the directory first";
  case EISDIR: return "give the name of a file";
  case ENAMETOOLONG: return "choose a shorter name";
  default: return NULL;
  }
}

static bool fail(Err *err, const char *shown, const char *action, int error) {
  return err_input(err, shown, remedy_for(error), "%s: %s", action, strerror(error));
}

/* A symbolic link keeps pointing where it points: the file behind it is the one replaced.
 */
static char *follow_links(const char *path) {
  char *real = realpath(path, NULL);
  if (!real) return str_dup(path);
  char *copy = str_dup(real);
  free(real);
  return copy;
}

/* Creates a file of an unused name in the directory of the target. The name does not
 * contain the target's, which may already be as long as names can be. */
static bool create_beside(Outfile *out, mode_t mode) {
  static unsigned counter;
  char *copy = str_dup(out->target);
  const char *directory = dirname(copy);
  for (int tries = 0; tries < 1000; tries++) {
    char *name =
        str_printf("%s/.heddle-%ld-%u.tmp", directory, (long)getpid(), counter++);
    temp_register(name);
    out->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (out->fd >= 0) {
      out->temp = name;
      break;
    }
    int error = errno;
    temp_forget(name);
    mem_free(name);
    errno = error;
    if (error != EEXIST) break;
  }
  int error = errno;
  mem_free(copy);
  errno = error;
  return out->fd >= 0;
}

static bool open_target(Outfile *out, Err *err) {
  struct stat st;
  if (stat(out->shown, &st) != 0) {
    if (errno != ENOENT) return fail(err, out->shown, "cannot write", errno);
    if (!create_beside(out, 0666))
      return fail(err, out->shown, "cannot create the file", errno);
    return true;
  }
  if (S_ISDIR(st.st_mode)) return fail(err, out->shown, "cannot write", EISDIR);
  if (!S_ISREG(st.st_mode)) {
    out->fd = open(out->shown, O_WRONLY | O_CLOEXEC);
    return out->fd >= 0 || fail(err, out->shown, "cannot write", errno);
  }
  /* Renaming needs no right to the old file, but replacing a write-protected one would
   * surprise its owner. */
  if (access(out->shown, W_OK) != 0) return fail(err, out->shown, "cannot write", errno);
  if (!create_beside(out, 0600))
    return fail(err, out->shown, "cannot create a file beside it", errno);
  if (fchmod(out->fd, st.st_mode & 07777) != 0) out->error = errno;
  return true;
}

Outfile *outfile_open(const char *path, Err *err) {
  Outfile *out = mem_alloc(sizeof *out);
  out->shown = str_dup(path);
  out->temp = NULL;
  out->fd = -1;
  out->error = 0;
  out->used = 0;
  out->is_stdout = str_eq(path, "-");
  out->target = out->is_stdout ? str_dup(path) : follow_links(path);
  if (out->is_stdout) {
    out->fd = STDOUT_FILENO;
    return out;
  }
  if (!*path) {
    err_input(err, NULL, "give the name of a file or -",
              "the output file has an empty name");
  } else if (open_target(out, err)) {
    return out;
  }
  release(out);
  return NULL;
}

static void write_through(Outfile *out, const char *bytes, size_t length) {
  while (length && !out->error) {
    ssize_t n = write(out->fd, bytes, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      out->error = errno;
      return;
    }
    bytes += n;
    length -= (size_t)n;
  }
}

void outfile_flush(Outfile *out) {
  write_through(out, out->buffer, out->used);
  out->used = 0;
}

void outfile_write(Outfile *out, const void *bytes, size_t length) {
  if (out->error) return;
  if (length > BUFFER - out->used) outfile_flush(out);
  if (length > BUFFER) {
    write_through(out, bytes, length);
    return;
  }
  if (length) memcpy(out->buffer + out->used, bytes, length);
  out->used += length;
}

void outfile_print(Outfile *out, const char *text) {
  outfile_write(out, text, strlen(text));
}

void outfile_printf(Outfile *out, const char *format, ...) {
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  outfile_write(out, text.data, text.len);
  str_free(&text);
}

bool outfile_failed(const Outfile *out) {
  return out->error != 0;
}

static bool report(const Outfile *out, Err *err) {
  if (!out->error) return true;
  return fail(err, out->is_stdout ? "standard output" : out->shown, "cannot write",
              out->error);
}

/* File systems that cannot sync say EINVAL; everything else that fails here means that
 * bytes may be lost. */
bool outfile_sync(Outfile *out, Err *err) {
  outfile_flush(out);
  if (!out->error && out->temp && fsync(out->fd) != 0 && errno != EINVAL)
    out->error = errno;
  return report(out, err);
}

static void close_file(Outfile *out) {
  if (!out->is_stdout && close(out->fd) != 0 && !out->error && errno != EINTR)
    out->error = errno;
  out->fd = -1;
}

bool outfile_commit(Outfile *out, Err *err) {
  outfile_sync(out, NULL);
  close_file(out);
  if (!out->error && out->temp) {
    if (rename(out->temp, out->target) == 0)
      temp_forget(out->temp);
    else
      out->error = errno;
  }
  if (out->error && out->temp) temp_remove(out->temp);
  bool ok = report(out, err);
  release(out);
  return ok;
}

void outfile_discard(Outfile *out) {
  if (!out) return;
  if (out->temp) temp_remove(out->temp);
  release(out);
}

bool outfile_save(const char *path, const void *bytes, size_t length, Err *err) {
  Outfile *out = outfile_open(path, err);
  if (!out) return false;
  outfile_write(out, bytes, length);
  return outfile_commit(out, err);
}
