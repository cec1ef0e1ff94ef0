/* Streams of stdio other than formatted output: opening, closing, reading, positions.
 *
 * The functions ending in _unlocked are the same: a call of a native function is one step
 * of its thread. A stream that another thread has taken by flockfile is waited for; that is
 * an operation of the model (sync_stream.c). */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define FILE_ARG(i)                                                                      \
  LibcFile *file = libc_file_at(call, arg_u64(call, i));                                 \
  if (!file) return NATIVE_STOP

static LibcFile *standard_input(NativeCall *call) {
  uint64_t address = libc_file_standard(call->exec, exec_libc(call->exec), 0);
  if (address) return libc_file_at(call, address);
  exec_stop(call->exec, "no memory left for the standard streams");
  return NULL;
}

/* ---- opening and closing ----------------------------------------------------------- */

/* Flags of open for a mode of fopen; -1 when the mode is none. */
static int open_flags(const char *mode) {
  int flags;
  switch (*mode) {
  case 'r': flags = O_RDONLY; break;
  case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; break;
  case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; break;
  default: return -1;
  }
  for (int i = 1; i < 7 && mode[i] && mode[i] != ','; i++) {
    if (mode[i] == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (mode[i] == 'x') flags |= O_EXCL;
  }
  return flags;
}

/* What the mode of fopen means for the stream. A stream that only appends starts at the
 * end. */
static void set_mode(NativeCall *call, LibcFile *file, int flags) {
  file->readable = (flags & O_ACCMODE) != O_WRONLY;
  file->writable = (flags & O_ACCMODE) != O_RDONLY;
  file->append = (flags & O_APPEND) != 0;
  if (file->append && !file->readable) libc_fd_seek(call, file->fd, 0, SEEK_END);
}

static LibcFile *new_stream(NativeCall *call, int fd, int flags) {
  LibcFile *file = libc_file_new(call->exec, exec_libc(call->exec), fd);
  if (!file) {
    libc_fd_close(call, fd);
    libc_errno(call, ENOMEM);
    return NULL;
  }
  set_mode(call, file, flags);
  return file;
}

static NativeStatus native_fopen(NativeCall *call) {
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  const char *mode = path ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  if (!mode) return NATIVE_STOP;
  int flags = open_flags(mode);
  if (flags < 0) return ret_errno(call, EINVAL, 0);
  int host = libc_open(call, path, flags, 0666);
  if (host < 0) return ret_u64(call, 0);
  LibcFile *file = new_stream(call, libc_fd_add(exec_libc(call->exec), host), flags);
  return ret_u64(call, file ? file->address : 0);
}

static NativeStatus native_fdopen(NativeCall *call) {
  const char *mode = libc_string(call, arg_u64(call, 1), NULL);
  if (!mode) return NATIVE_STOP;
  int flags = open_flags(mode);
  if (flags < 0) return ret_errno(call, EINVAL, 0);
  LibcFd *fd = libc_fd_at(call, arg_int(call, 0));
  if (!fd) return ret_u64(call, 0);
  if (libc_fd_is_channel(fd)) {
    exec_stop(call->exec, "a stream on a pipe or socket is not modelled");
    return NATIVE_STOP;
  }
  if ((flags & O_APPEND) && fd->close)
    fcntl(fd->host, F_SETFL, fcntl(fd->host, F_GETFL) | O_APPEND);
  LibcFile *file = libc_file_new(call->exec, exec_libc(call->exec), arg_int(call, 0));
  if (!file) return ret_errno(call, ENOMEM, 0);
  set_mode(call, file, flags);
  return ret_u64(call, file->address);
}

static NativeStatus native_tmpfile(NativeCall *call) {
  if (exec_isolated(call->exec)) return ret_errno(call, EACCES, 0);
  FILE *temporary = tmpfile();
  if (!temporary) return ret_errno(call, errno, 0);
  int host = fcntl(fileno(temporary), F_DUPFD_CLOEXEC, 3);
  fclose(temporary);
  if (host < 0) return ret_errno(call, errno, 0);
  LibcFile *file = new_stream(call, libc_fd_add(exec_libc(call->exec), host), O_RDWR);
  return ret_u64(call, file ? file->address : 0);
}

/* Publishes what was written to an open_memstream; false: stop. */
static bool publish_memory(NativeCall *call, LibcFile *file) {
  vec_push(&file->written, 0);
  uint64_t text = libc_new_bytes(call, file->written.data, file->written.len);
  uint64_t length = --file->written.len, old = 0;
  if (text == 0) return true;
  if (!exec_read(call->exec, file->memory, &old, sizeof old)) return false;
  if (old && !exec_heap_free(call->exec, old)) return false;
  return libc_put_u64(call, file->memory, text) &&
         libc_put_u64(call, file->memory_size, length);
}

static NativeStatus native_open_memstream(NativeCall *call) {
  uint64_t text = arg_u64(call, 0), size = arg_u64(call, 1);
  if (!libc_put_u64(call, text, 0) || !libc_put_u64(call, size, 0)) return NATIVE_STOP;
  LibcFile *file = libc_file_new(call->exec, exec_libc(call->exec), -1);
  if (!file) return ret_errno(call, ENOMEM, 0);
  file->readable = false;
  file->is_memory = true;
  file->memory = text;
  file->memory_size = size;
  return ret_u64(call, file->address);
}

/* Writes out, closes the descriptor; -1 after an error, false after a stop. */
static bool close_stream(NativeCall *call, LibcFile *file, int *ret_status) {
  *ret_status = libc_file_flush(call, file);
  if (file->is_memory) return publish_memory(call, file);
  if (libc_fd_close(call, file->fd) < 0) *ret_status = -1;
  return true;
}

static NativeStatus native_fclose(NativeCall *call) {
  FILE_ARG(0);
  int status;
  if (!close_stream(call, file, &status)) return NATIVE_STOP;
  file->open = false;
  return ret_int(call, status);
}

static NativeStatus native_freopen(NativeCall *call) {
  FILE_ARG(2);
  if (arg_u64(call, 0) == 0) {
    exec_stop(call->exec, "freopen without a file name is not modelled");
    return NATIVE_STOP;
  }
  const char *path = libc_string(call, arg_u64(call, 0), NULL);
  const char *mode = path ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  if (!mode) return NATIVE_STOP;
  int flags = open_flags(mode);
  libc_file_flush(call, file);
  libc_fd_close(call, file->fd); /* freopen does not report its failure */
  int host = flags < 0 ? -1 : libc_open(call, path, flags, 0666);
  if (host < 0) {
    file->open = false;
    if (flags < 0) libc_errno(call, EINVAL);
    return ret_u64(call, 0);
  }
  file->fd = libc_fd_add(exec_libc(call->exec), host);
  set_mode(call, file, flags);
  file->writing = false;
  libc_file_flags(call, file, false, false);
  file->start = file->end = 0;
  vec_clear(&file->pushed);
  return ret_u64(call, file->address);
}

static NativeStatus native_fflush(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  if (arg_u64(call, 0) == 0) {
    libc_file_flush_all(call->exec, state);
    return ret_int(call, 0);
  }
  FILE_ARG(0);
  int status = libc_file_flush(call, file);
  if (file->is_memory && !publish_memory(call, file)) return NATIVE_STOP;
  return ret_int(call, status);
}

/* ---- buffers ----------------------------------------------------------------------- */

static bool set_buffer(NativeCall *call, LibcFile *file, LibcBuffering buffering,
                       uint64_t room) {
  if (file->writing && libc_file_flush(call, file) < 0) return false;
  if (file->start != file->end) return true; /* unread input stays where it is */
  file->buffering = (uint8_t)buffering;
  if (room > 0 && room <= 1 << 24) {
    mem_free(file->buffer);
    file->buffer = NULL;
    file->room = (size_t)room;
  }
  return true;
}

static NativeStatus native_setvbuf(NativeCall *call) {
  FILE_ARG(0);
  uint64_t size = arg_u64(call, 3);
  switch (arg_int(call, 2)) {
  case _IOFBF:
    set_buffer(call, file, BUFFER_FULL, arg_u64(call, 1) ? size : 0);
    return ret_int(call, 0);
  case _IOLBF:
    set_buffer(call, file, BUFFER_LINE, arg_u64(call, 1) ? size : 0);
    return ret_int(call, 0);
  case _IONBF: set_buffer(call, file, BUFFER_NONE, 0); return ret_int(call, 0);
  default: return ret_int(call, -1);
  }
}

static NativeStatus native_setbuf(NativeCall *call) {
  FILE_ARG(0);
  bool none = arg_u64(call, 1) == 0;
  set_buffer(call, file, none ? BUFFER_NONE : BUFFER_FULL, none ? 0 : BUFSIZ);
  return ret_void(call);
}

static NativeStatus native_setlinebuf(NativeCall *call) {
  FILE_ARG(0);
  set_buffer(call, file, BUFFER_LINE, 0);
  return ret_void(call);
}

/* ---- reading ----------------------------------------------------------------------- */

static NativeStatus native_fgetc(NativeCall *call) {
  FILE_ARG(0);
  return ret_int(call, libc_file_getc(call, file));
}

static NativeStatus native_getchar(NativeCall *call) {
  LibcFile *file = standard_input(call);
  return file ? ret_int(call, libc_file_getc(call, file)) : NATIVE_STOP;
}

static NativeStatus native_ungetc(NativeCall *call) {
  FILE_ARG(1);
  int byte = arg_int(call, 0);
  if (byte == EOF) return ret_int(call, EOF);
  if (file->writing) libc_file_flush(call, file);
  libc_file_ungetc(call, file, (uint8_t)byte);
  return ret_int(call, (uint8_t)byte);
}

/* Bytes of the stream, up to `most` or after `delimiter` (-1: none), in a host vector. */
typedef VEC(uint8_t) Bytes;

static void take(NativeCall *call, LibcFile *file, uint64_t most, int delimiter,
                 Bytes *to) {
  while (to->len < most && to->len < UINT32_MAX - 1) {
    int byte = libc_file_getc(call, file);
    if (byte < 0) return;
    vec_push(to, (uint8_t)byte);
    if (byte == delimiter) return;
    const uint8_t *ready;
    size_t n = libc_file_peek(file, &ready);
    if (n > most - to->len) n = (size_t)(most - to->len);
    const uint8_t *found = delimiter < 0 || n == 0 ? NULL : memchr(ready, delimiter, n);
    if (found) n = (size_t)(found + 1 - ready);
    if (n == 0) continue;
    vec_reserve(to, n);
    memcpy(to->data + to->len, ready, n);
    to->len += (uint32_t)n;
    libc_file_skip(file, n);
    if (found) return;
  }
}

static NativeStatus native_fread(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), size = arg_u64(call, 1), count = arg_u64(call, 2), n;
  FILE_ARG(3);
  if (__builtin_mul_overflow(size, count, &n)) return libc_overrun(call, to);
  if (n == 0) return ret_u64(call, 0);
  if (!libc_bytes(call, to, n)) return NATIVE_STOP;
  Bytes bytes = {0};
  take(call, file, n, -1, &bytes);
  bool ok = libc_put(call, to, bytes.data, bytes.len);
  uint64_t done = bytes.len == n ? count : bytes.len / size;
  vec_free(&bytes);
  return ok ? ret_u64(call, done) : NATIVE_STOP;
}

static NativeStatus native_fgets(NativeCall *call) {
  uint64_t to = arg_u64(call, 0);
  int size = arg_int(call, 1);
  FILE_ARG(2);
  if (size <= 0) return ret_u64(call, 0);
  Bytes bytes = {0};
  bool had_error = file->error;
  file->error = false;
  take(call, file, (uint64_t)size - 1, '\n', &bytes);
  bool fail = size > 1 && (bytes.len == 0 || file->error);
  if (had_error) libc_file_flags(call, file, file->eof, true);
  vec_push(&bytes, 0);
  bool ok = fail || libc_put(call, to, bytes.data, bytes.len);
  vec_free(&bytes);
  return ok ? ret_u64(call, fail ? 0 : to) : NATIVE_STOP;
}

/* getline and getdelim: the buffer at *line of *room bytes grows as it must. */
static NativeStatus get_line(NativeCall *call, LibcFile *file, int delimiter) {
  uint64_t line_at = arg_u64(call, 0), room_at = arg_u64(call, 1), line, room;
  if (line_at == 0 || room_at == 0) return ret_errno(call, EINVAL, UINT64_MAX);
  if (!exec_read(call->exec, line_at, &line, 8) ||
      !exec_read(call->exec, room_at, &room, 8))
    return NATIVE_STOP;
  Bytes bytes = {0};
  take(call, file, UINT32_MAX, delimiter, &bytes);
  uint64_t length = bytes.len;
  bool ok = true;
  if (line == 0 || room == 0 || (length > 0 && room < length + 1)) {
    uint64_t want = line && 2 * room > length + 1 ? 2 * room : length + 1;
    if (want < 120) want = 120;
    uint64_t fresh = exec_heap_alloc(call->exec, want, 16, false);
    if (fresh == 0) {
      vec_free(&bytes);
      return ret_errno(call, ENOMEM, UINT64_MAX);
    }
    ok = (line == 0 || exec_heap_free(call->exec, line)) &&
         libc_put_u64(call, line_at, fresh) && libc_put_u64(call, room_at, want);
    line = fresh;
  }
  vec_push(&bytes, 0);
  if (ok && length > 0) ok = libc_put(call, line, bytes.data, bytes.len);
  vec_free(&bytes);
  return ok ? ret_u64(call, length ? length : UINT64_MAX) : NATIVE_STOP;
}

static NativeStatus native_getline(NativeCall *call) {
  FILE_ARG(2);
  return get_line(call, file, '\n');
}

static NativeStatus native_getdelim(NativeCall *call) {
  FILE_ARG(3);
  return get_line(call, file, (uint8_t)arg_int(call, 2));
}

static NativeStatus native_getw(NativeCall *call) {
  FILE_ARG(0);
  Bytes bytes = {0};
  int word = EOF;
  take(call, file, sizeof word, -1, &bytes);
  if (bytes.len == sizeof word) memcpy(&word, bytes.data, sizeof word);
  vec_free(&bytes);
  return ret_int(call, word);
}

/* ---- positions and flags ----------------------------------------------------------- */

static NativeStatus native_fseek(NativeCall *call) {
  FILE_ARG(0);
  return ret_int(call, libc_file_seek(call, file, arg_long(call, 1), arg_int(call, 2)));
}
static NativeStatus native_ftell(NativeCall *call) {
  FILE_ARG(0);
  return ret_u64(call, (uint64_t)libc_file_tell(call, file));
}
static NativeStatus native_rewind(NativeCall *call) {
  FILE_ARG(0);
  libc_file_seek(call, file, 0, SEEK_SET);
  libc_file_flags(call, file, false, false);
  return ret_void(call);
}

/* fpos_t: 16 bytes, the offset first. */
static NativeStatus native_fgetpos(NativeCall *call) {
  FILE_ARG(0);
  uint64_t position[2] = {(uint64_t)libc_file_tell(call, file), 0};
  if ((int64_t)position[0] < 0) return ret_int(call, -1);
  return libc_put(call, arg_u64(call, 1), position, sizeof position) ? ret_int(call, 0)
                                                                     : NATIVE_STOP;
}
static NativeStatus native_fsetpos(NativeCall *call) {
  FILE_ARG(0);
  int64_t position;
  if (!exec_read(call->exec, arg_u64(call, 1), &position, 8)) return NATIVE_STOP;
  return ret_int(call, libc_file_seek(call, file, position, SEEK_SET));
}

static NativeStatus native_feof(NativeCall *call) {
  FILE_ARG(0);
  return ret_int(call, file->eof);
}
static NativeStatus native_ferror(NativeCall *call) {
  FILE_ARG(0);
  return ret_int(call, file->error);
}
static NativeStatus native_clearerr(NativeCall *call) {
  FILE_ARG(0);
  libc_file_flags(call, file, false, false);
  return ret_void(call);
}
static NativeStatus native_fileno(NativeCall *call) {
  FILE_ARG(0);
  if (file->fd < 0) return ret_errno(call, EBADF, UINT64_MAX);
  return ret_int(call, file->fd);
}

/* fgets and fread of programs built with _FORTIFY_SOURCE: the size of the buffer comes
 * second. The machine knows the buffer better. */
static NativeStatus without_second(NativeCall *call, NativeFn *plain) {
  uint64_t args[4] = {arg_u64(call, 0), arg_u64(call, 2), arg_u64(call, 3),
                      arg_u64(call, 4)};
  const uint64_t *all = call->args;
  uint32_t argc = call->argc;
  call->args = args;
  call->argc = argc > 4 ? 4 : 3;
  NativeStatus status = plain(call);
  call->args = all;
  call->argc = argc;
  return status;
}

static NativeStatus native_fgets_chk(NativeCall *call) {
  return without_second(call, native_fgets);
}
static NativeStatus native_fread_chk(NativeCall *call) {
  return without_second(call, native_fread);
}

/* What gnulib asks of a stream. */
static NativeStatus native_fpending(NativeCall *call) {
  FILE_ARG(0);
  return ret_u64(call, file->writing ? file->end : 0);
}
static NativeStatus native_fsetlocking(NativeCall *call) {
  FILE_ARG(0);
  return ret_int(call, 1); /* FSETLOCKING_INTERNAL: the library locks */
}
static NativeStatus native_setbuffer(NativeCall *call) {
  FILE_ARG(0);
  bool none = arg_u64(call, 1) == 0;
  set_buffer(call, file, none ? BUFFER_NONE : BUFFER_FULL, none ? 0 : arg_u64(call, 2));
  return ret_void(call);
}

static const Native natives[] = {
    {"_IO_getc", native_fgetc, 1},
    {"__fgets_chk", native_fgets_chk, 4},
    {"__fpending", native_fpending, 1},
    {"__fread_chk", native_fread_chk, 5},
    {"__fsetlocking", native_fsetlocking, 2},
    {"__getdelim", native_getdelim, 4},
    {"__uflow", native_fgetc, 1},
    {"clearerr", native_clearerr, 1},
    {"clearerr_unlocked", native_clearerr, 1},
    {"fclose", native_fclose, 1},
    {"fdopen", native_fdopen, 2},
    {"feof", native_feof, 1},
    {"feof_unlocked", native_feof, 1},
    {"ferror", native_ferror, 1},
    {"ferror_unlocked", native_ferror, 1},
    {"fflush", native_fflush, 1},
    {"fflush_unlocked", native_fflush, 1},
    {"fgetc", native_fgetc, 1},
    {"fgetc_unlocked", native_fgetc, 1},
    {"fgetpos", native_fgetpos, 2},
    {"fgetpos64", native_fgetpos, 2},
    {"fgets", native_fgets, 3},
    {"fgets_unlocked", native_fgets, 3},
    {"fileno", native_fileno, 1},
    {"fileno_unlocked", native_fileno, 1},
    {"fopen", native_fopen, 2},
    {"fopen64", native_fopen, 2},
    {"fread", native_fread, 4},
    {"fread_unlocked", native_fread, 4},
    {"freopen", native_freopen, 3},
    {"freopen64", native_freopen, 3},
    {"fseek", native_fseek, 3},
    {"fseeko", native_fseek, 3},
    {"fseeko64", native_fseek, 3},
    {"fsetpos", native_fsetpos, 2},
    {"fsetpos64", native_fsetpos, 2},
    {"ftell", native_ftell, 1},
    {"ftello", native_ftell, 1},
    {"ftello64", native_ftell, 1},
    {"getc", native_fgetc, 1},
    {"getc_unlocked", native_fgetc, 1},
    {"getchar", native_getchar, 0},
    {"getchar_unlocked", native_getchar, 0},
    {"getdelim", native_getdelim, 4},
    {"getline", native_getline, 3},
    {"getw", native_getw, 1},
    {"open_memstream", native_open_memstream, 2},
    {"rewind", native_rewind, 1},
    {"setbuf", native_setbuf, 2},
    {"setbuffer", native_setbuffer, 3},
    {"setlinebuf", native_setlinebuf, 1},
    {"setvbuf", native_setvbuf, 4},
    {"tmpfile", native_tmpfile, 0},
    {"tmpfile64", native_tmpfile, 0},
    {"ungetc", native_ungetc, 2},
};
NATIVE_TABLE(stdio, natives);
