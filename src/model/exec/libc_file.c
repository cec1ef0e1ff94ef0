/* Streams: buffers, reading, writing, positions.
 *
 * Output follows glibc's rule: a piece fills the buffer; when it does not fit, the full
 * buffer is written, then whole blocks of the rest directly, and what remains starts the
 * next buffer. A line-buffered stream is written up to its last newline. Input is read a
 * buffer at a time. A stream that changes between reading and writing first gives back
 * the unread input (by seeking) or writes out its pending output. */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>

/* The first word of a FILE, which feof_unlocked and ferror_unlocked read when inlined. */
enum { FILE_MAGIC = 0x7bad0000, FILE_EOF = 0x10, FILE_ERROR = 0x20 };
enum { FILE_BYTES = 216, BLOCK = 4096, TERMINAL_BLOCK = 1024 };

LibcFile *libc_file_new(Exec *exec, LibcState *state, int fd) {
  uint64_t address = exec_heap_alloc(exec, FILE_BYTES, 16, true);
  if (address == 0) return NULL;
  LibcFile *file = mem_alloc_zero(sizeof *file);
  *file = (LibcFile){.address = address,
                     .fd = fd,
                     .open = true,
                     .readable = true,
                     .writable = true,
                     .buffering = BUFFER_FULL};
  map_put(&state->files, address, map_key(file));
  map_put(&state->owned, address, 1);
  vec_push(&state->streams, file);
  return file;
}

void libc_file_free(LibcFile *file) {
  if (!file) return;
  mem_free(file->buffer);
  vec_free(&file->pushed);
  vec_free(&file->written);
  mem_free(file);
}

uint64_t libc_file_standard(Exec *exec, LibcState *state, int which) {
  if (state->standard[which]) return state->standard[which];
  LibcFile *file = libc_file_new(exec, state, which);
  if (!file) return 0;
  file->readable = which == 0;
  file->writable = which != 0;
  if (which == 2)
    file->buffering = BUFFER_NONE;
  else if (libc_fd_is_terminal(exec, which))
    file->buffering = BUFFER_LINE;
  state->standard[which] = file->address;
  return file->address;
}

LibcFile *libc_file_at(NativeCall *call, uint64_t address) {
  LibcState *state = exec_libc(call->exec);
  uint64_t found = map_find(&state->files, address, 0);
  LibcFile *file = (LibcFile *)(uintptr_t)found;
  if (file && file->open) return file;
  exec_stop(call->exec,
            file ? "the stream at 0x%llx is used after it was closed"
                 : "0x%llx is not the address of an open stream",
            (unsigned long long)address);
  return NULL;
}

void libc_file_flags(NativeCall *call, LibcFile *file, bool eof, bool error) {
  file->eof = eof;
  file->error = error;
  int word = FILE_MAGIC | (eof ? FILE_EOF : 0) | (error ? FILE_ERROR : 0);
  exec_write(call->exec, file->address, &word, sizeof word);
}

static void need_buffer(LibcFile *file) {
  if (file->buffer) return;
  if (file->room == 0)
    file->room = file->buffering == BUFFER_LINE ? TERMINAL_BLOCK : BLOCK;
  file->buffer = mem_alloc(file->room);
}

/* ---- output ------------------------------------------------------------------------ */

/* Writes all bytes to the descriptor; the count written, less after an error. */
static size_t write_out(NativeCall *call, LibcFile *file, const uint8_t *bytes,
                        size_t n) {
  if (file->is_memory) {
    vec_reserve(&file->written, n);
    memcpy(file->written.data + file->written.len, bytes, n);
    file->written.len += (uint32_t)n;
    return n;
  }
  size_t done = 0;
  while (done < n) {
    ssize_t part = libc_fd_write(call, file->fd, bytes + done, n - done);
    if (part <= 0) {
      libc_file_flags(call, file, file->eof, true);
      break;
    }
    done += (size_t)part;
  }
  return done;
}

/* The stream changes from reading to writing. */
static bool begin_writing(NativeCall *call, LibcFile *file) {
  if (!file->writable) {
    libc_file_flags(call, file, file->eof, true);
    libc_errno(call, EBADF);
    return false;
  }
  if (!file->writing) {
    size_t unread = file->end - file->start + file->pushed.len;
    if (unread > 0) libc_fd_seek(call, file->fd, -(int64_t)unread, SEEK_CUR);
    vec_clear(&file->pushed);
    file->start = file->end = 0;
    file->writing = true;
  }
  return true;
}

static int flush_output(NativeCall *call, LibcFile *file, size_t n) {
  size_t done = write_out(call, file, file->buffer, n);
  memmove(file->buffer, file->buffer + done, file->end - done);
  file->end -= done;
  if (done == n) return 0;
  file->end = 0; /* as in glibc, what could not be written is gone */
  return -1;
}

int libc_file_flush(NativeCall *call, LibcFile *file) {
  if (file->writing) return file->end > 0 ? flush_output(call, file, file->end) : 0;
  size_t unread = file->end - file->start;
  if (unread > 0 && libc_fd_seek(call, file->fd, -(int64_t)unread, SEEK_CUR) >= 0)
    file->start = file->end = 0;
  return 0;
}

void libc_file_flush_all(Exec *exec, LibcState *state) {
  NativeCall call = {.exec = exec};
  for (uint32_t i = 0; i < state->streams.len; i++) {
    LibcFile *file = state->streams.data[i];
    if (file->open && file->writing && file->end > 0)
      flush_output(&call, file, file->end);
  }
}

static size_t write_lines(NativeCall *call, LibcFile *file, const uint8_t *bytes,
                          size_t n) {
  size_t done = 0;
  while (done < n) {
    size_t part = n - done < file->room - file->end ? n - done : file->room - file->end;
    memcpy(file->buffer + file->end, bytes + done, part);
    file->end += part;
    done += part;
    uint8_t *newline = memrchr(file->buffer, '\n', file->end);
    size_t ready = file->end == file->room && done < n ? file->end
                   : newline ? (size_t)(newline + 1 - file->buffer)
                             : 0;
    if (ready > 0 && flush_output(call, file, ready) < 0) return done - part;
  }
  return n;
}

size_t libc_file_write(NativeCall *call, LibcFile *file, const void *from, size_t n) {
  const uint8_t *bytes = from;
  if (n == 0 || !begin_writing(call, file)) return 0;
  if (file->buffering == BUFFER_NONE) {
    if (file->end > 0 && flush_output(call, file, file->end) < 0) return 0;
    return write_out(call, file, bytes, n);
  }
  need_buffer(file);
  if (file->buffering == BUFFER_LINE) return write_lines(call, file, bytes, n);
  size_t space = file->room - file->end;
  size_t part = n < space ? n : space;
  memcpy(file->buffer + file->end, bytes, part);
  file->end += part;
  if (part == n) return n;
  if (flush_output(call, file, file->end) < 0) return part;
  size_t blocks = (n - part) / file->room * file->room;
  if (blocks > 0) {
    size_t done = write_out(call, file, bytes + part, blocks);
    part += done;
    if (done < blocks) return part;
  }
  memcpy(file->buffer, bytes + part, n - part);
  file->end = n - part;
  return n;
}

/* ---- input ------------------------------------------------------------------------- */

/* Reads a new buffer; false at the end of the file or after an error. */
static bool fill(NativeCall *call, LibcFile *file) {
  LibcState *state = exec_libc(call->exec);
  if (!file->readable) {
    libc_file_flags(call, file, file->eof, true);
    libc_errno(call, EBADF);
    return false;
  }
  if (file->writing) {
    if (file->end > 0 && flush_output(call, file, file->end) < 0) return false;
    file->writing = false;
    file->start = file->end = 0;
  }
  /* A prompt on the terminal shows before the program waits for the answer. */
  LibcFile *out = (LibcFile *)(uintptr_t)map_find(&state->files, state->standard[1], 0);
  if (file->buffering != BUFFER_FULL && out && out->open && out->writing &&
      out->buffering == BUFFER_LINE && out->end > 0)
    flush_output(call, out, out->end);
  need_buffer(file);
  size_t most = file->buffering == BUFFER_NONE ? 1 : file->room;
  ssize_t n = file->is_memory ? 0 : libc_fd_read(call, file->fd, file->buffer, most);
  file->start = 0;
  file->end = n > 0 ? (size_t)n : 0;
  if (n <= 0) libc_file_flags(call, file, file->eof || n == 0, file->error || n < 0);
  return n > 0;
}

int libc_file_getc(NativeCall *call, LibcFile *file) {
  if (file->pushed.len > 0) return vec_pop(&file->pushed);
  if (file->writing || file->start == file->end) {
    if (file->eof) return -1; /* sticky, as in glibc since 2.28 */
    if (!fill(call, file)) return -1;
  }
  return file->buffer[file->start++];
}

void libc_file_ungetc(NativeCall *call, LibcFile *file, uint8_t byte) {
  vec_push(&file->pushed, byte);
  if (file->eof) libc_file_flags(call, file, false, file->error);
}

size_t libc_file_peek(const LibcFile *file, const uint8_t **ret_bytes) {
  if (file->writing || file->pushed.len > 0) return 0;
  *ret_bytes = file->buffer + file->start;
  return file->end - file->start;
}

void libc_file_skip(LibcFile *file, size_t n) {
  assert(n <= file->end - file->start);
  file->start += n;
}

/* ---- positions --------------------------------------------------------------------- */

int64_t libc_file_tell(NativeCall *call, LibcFile *file) {
  if (file->is_memory)
    return (int64_t)file->written.len + (int64_t)(file->writing ? file->end : 0);
  bool at_end = file->writing && file->append && file->end > 0;
  int64_t at = libc_fd_seek(call, file->fd, 0, at_end ? SEEK_END : SEEK_CUR);
  if (at < 0) return -1;
  if (file->writing) return at + (int64_t)file->end;
  return at - (int64_t)(file->end - file->start) - (int64_t)file->pushed.len;
}

int libc_file_seek(NativeCall *call, LibcFile *file, int64_t offset, int whence) {
  if (file->is_memory) {
    libc_errno(call, ESPIPE);
    return -1;
  }
  if (file->writing && file->end > 0 && flush_output(call, file, file->end) < 0)
    return -1;
  if (!file->writing && whence == SEEK_CUR) {
    int64_t unread = (int64_t)(file->end - file->start) + (int64_t)file->pushed.len;
    if (__builtin_sub_overflow(offset, unread, &offset)) {
      libc_errno(call, EINVAL);
      return -1;
    }
  }
  if (libc_fd_seek(call, file->fd, offset, whence) < 0) return -1;
  vec_clear(&file->pushed);
  file->start = file->end = 0;
  file->writing = false;
  libc_file_flags(call, file, false, file->error);
  return 0;
}
