/* Files, blocks and netascii.
 *
 * Netascii (RFC 764) ends lines with CR LF and writes a lone CR as CR NUL. On the way out
 * a byte of the file may become two, of which the second may belong to the next block: it
 * is `pending`. On the way in a CR says nothing until the next byte is seen, which may be
 * in the next block, too. */
#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(Failure *failure, ErrorCode code, const char *text) {
  failure->code = code;
  failure->text = text;
  return false;
}

/* The error of a system call, as the protocol says it. */
static bool fail_errno(Failure *failure) {
  switch (errno) {
  case ENOENT:
  case ENOTDIR: return fail(failure, CODE_NOT_FOUND, "there is no such file");
  case EACCES:
  case EPERM:
  case EROFS: return fail(failure, CODE_ACCESS, "access denied");
  case EEXIST: return fail(failure, CODE_EXISTS, "the file exists already");
  case ENOSPC:
  case EDQUOT:
  case EFBIG: return fail(failure, CODE_DISK_FULL, "the disk is full");
  default: return fail(failure, CODE_UNDEFINED, "the file cannot be used");
  }
}

/* ---- names
 * ------------------------------------------------------------------------------- */

/* A name may have folders in it, but no way up and no bytes that confuse a terminal. */
static bool is_harmless(const char *name) {
  size_t start = 0;
  for (size_t i = 0;; i++) {
    unsigned char c = (unsigned char)name[i];
    if (c == '/' || c == '\0') {
      size_t length = i - start;
      if (length == 2 && name[start] == '.' && name[start + 1] == '.') return false;
      start = i + 1;
    } else if (!isprint(c) || c == '\\') {
      return false;
    }
    if (c == '\0') return true;
  }
}

static bool make_path(File *file, const char *root, const char *name, Failure *failure) {
  if (!is_harmless(name)) return fail(failure, CODE_ACCESS, "not a name that is served");
  while (*name == '/') name++;
  if (!*name) return fail(failure, CODE_NOT_FOUND, "there is no such file");
  int length = snprintf(file->path, sizeof file->path, "%s/%s", root, name);
  if (length < 0 || (size_t)length >= sizeof file->path)
    return fail(failure, CODE_ACCESS, "the name is too long");
  return true;
}

static void prepare(File *file, Mode mode) {
  file->stream = NULL;
  file->mode = mode;
  file->size = 0;
  file->pending = FILE_NOTHING_PENDING;
  file->after_return = false;
  file->path[0] = file->part[0] = '\0';
}

/* ---- reading
 * ----------------------------------------------------------------------------- */

bool file_open(File *ret, const char *root, const char *name, Mode mode,
               Failure *failure) {
  prepare(ret, mode);
  if (!make_path(ret, root, name, failure)) return false;
  ret->stream = fopen(ret->path, "rbe");
  if (!ret->stream) return fail_errno(failure);
  struct stat status;
  bool ok = fstat(fileno(ret->stream), &status) == 0 || fail_errno(failure);
  if (ok && !S_ISREG(status.st_mode))
    ok = fail(failure, CODE_ACCESS, "this is not a plain file");
  if (ok)
    ret->size = (uint64_t)status.st_size;
  else
    file_close(ret);
  return ok;
}

/* The next byte of the file as netascii, or EOF. */
static int next_netascii(File *file) {
  if (file->pending != FILE_NOTHING_PENDING) {
    int byte = file->pending;
    file->pending = FILE_NOTHING_PENDING;
    return byte;
  }
  int byte = getc(file->stream);
  if (byte == '\n') {
    file->pending = '\n';
    return '\r';
  }
  if (byte == '\r') file->pending = '\0';
  return byte;
}

static size_t read_netascii(File *file, uint8_t *to, size_t room) {
  size_t length = 0;
  while (length < room) {
    int byte = next_netascii(file);
    if (byte == EOF) break;
    to[length++] = (uint8_t)byte;
  }
  return length;
}

bool file_read_block(File *file, uint8_t *to, size_t room, size_t *ret_length,
                     Failure *failure) {
  size_t length = file->mode == MODE_NETASCII ? read_netascii(file, to, room)
                                              : fread(to, 1, room, file->stream);
  if (ferror(file->stream))
    return fail(failure, CODE_UNDEFINED, "the file cannot be read");
  *ret_length = length;
  return true;
}

/* ---- writing
 * ----------------------------------------------------------------------------- */

bool file_create(File *ret, const char *root, const char *name, Mode mode, bool overwrite,
                 unsigned number, Failure *failure) {
  prepare(ret, mode);
  if (!make_path(ret, root, name, failure)) return false;
  struct stat status;
  if (stat(ret->path, &status) == 0) {
    if (!S_ISREG(status.st_mode))
      return fail(failure, CODE_ACCESS, "this is not a plain file");
    if (!overwrite) return fail(failure, CODE_EXISTS, "the file exists already");
  }
  snprintf(ret->part, sizeof ret->part, "%s.part-%u", ret->path, number);
  ret->stream = fopen(ret->part, "wbxe");
  if (ret->stream) return true;
  ret->part[0] = '\0';
  return fail_errno(failure);
}

/* Bytes that come after a carriage return decide what it was. */
static void write_netascii(File *file, uint8_t byte) {
  if (file->after_return) {
    file->after_return = false;
    if (byte == '\n') {
      putc('\n', file->stream);
      return;
    }
    putc('\r', file->stream);
    if (byte == '\0') return;
  }
  if (byte == '\r')
    file->after_return = true;
  else
    putc(byte, file->stream);
}

bool file_write_block(File *file, const uint8_t *from, size_t length, Failure *failure) {
  if (file->mode == MODE_NETASCII) {
    for (size_t i = 0; i < length; i++) write_netascii(file, from[i]);
  } else {
    fwrite(from, 1, length, file->stream);
  }
  return !ferror(file->stream) || fail_errno(failure);
}

bool file_complete(File *file, Failure *failure) {
  if (file->after_return) putc('\r', file->stream);
  bool written = !ferror(file->stream);
  if (fclose(file->stream) != 0) written = false;
  file->stream = NULL;
  if (!written || rename(file->part, file->path) != 0) return fail_errno(failure);
  file->part[0] = '\0';
  return true;
}

void file_close(File *file) {
  if (file->stream) fclose(file->stream);
  file->stream = NULL;
  if (file->part[0]) unlink(file->part);
  file->part[0] = '\0';
}
