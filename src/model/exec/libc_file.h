/* Streams and descriptors of the interpreted program.
 *
 * A FILE of the program is an object of its heap with no readable contents; its address
 * leads to a LibcFile here. Streams buffer as glibc does when each of them is connected
 * to a pipe or a file, so that a program that ends without flushing loses the same
 * output. Descriptors are the program's own numbers (LibcFd); 1 and 2 write through
 * exec_output. */
#ifndef HEDDLE_MODEL_EXEC_LIBC_FILE_H
#define HEDDLE_MODEL_EXEC_LIBC_FILE_H

#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <sys/types.h>

typedef enum {
  BUFFER_FULL,
  BUFFER_LINE,
  BUFFER_NONE
} LibcBuffering; /* _IOFBF … _IONBF */

struct LibcFile {
  uint64_t address; /* of the FILE in the program */
  int fd;           /* the program's descriptor */
  bool open, readable, writable, append;
  bool eof, error;
  bool writing;      /* the buffer holds output, else input */
  uint8_t buffering; /* LibcBuffering */
  uint8_t *buffer;
  size_t room;         /* size of `buffer`, chosen when it is first needed */
  size_t start, end;   /* output: end bytes wait; input: buffer[start..end) is unread */
  VEC(uint8_t) pushed; /* ungetc, the last one first to be read */
  uint64_t memory, memory_size; /* open_memstream: where address and size are stored */
  VEC(uint8_t) written;         /* its bytes */
  bool is_memory;
};

/* ---- streams ----------------------------------------------------------------------- */

/* Address of stdin, stdout or stderr (0..2); 0 when the program's memory is exhausted. */
uint64_t libc_file_standard(Exec *exec, LibcState *state, int which);
/* The open stream at this address; NULL and a stop when there is none. */
LibcFile *libc_file_at(NativeCall *call, uint64_t address);
/* A new stream over the descriptor, or NULL when memory is exhausted. */
LibcFile *libc_file_new(Exec *exec, LibcState *state, int fd);
/* Releases the host's memory; flushes and closes nothing. */
void libc_file_free(LibcFile *file);

/* Sets the two flags of the stream, here and where macros of stdio.h look for them. */
void libc_file_flags(NativeCall *call, LibcFile *file, bool eof, bool error);

/* Adds output as glibc's fwrite does; the count of bytes accepted, less after an
 * error. */
size_t libc_file_write(NativeCall *call, LibcFile *file, const void *bytes, size_t n);
/* Writes out what waits; -1 after an error (errno is set). */
int libc_file_flush(NativeCall *call, LibcFile *file);
void libc_file_flush_all(Exec *exec, LibcState *state);
/* The next byte, or -1 at the end or after an error. */
int libc_file_getc(NativeCall *call, LibcFile *file);
void libc_file_ungetc(NativeCall *call, LibcFile *file, uint8_t byte);
/* How many bytes can be taken at once from *ret_bytes without a new read (after a
 * getc). */
size_t libc_file_peek(const LibcFile *file, const uint8_t **ret_bytes);
void libc_file_skip(LibcFile *file, size_t n);
int64_t libc_file_tell(NativeCall *call, LibcFile *file);
int libc_file_seek(NativeCall *call, LibcFile *file, int64_t offset, int whence);

/* ---- descriptors ------------------------------------------------------------------- */

/* The program's descriptor, or NULL (errno is set to EBADF). */
LibcFd *libc_fd_at(NativeCall *call, int fd);
/* Gives the lowest free number to a descriptor of heddle. */
int libc_fd_add(LibcState *state, int host);
ssize_t libc_fd_write(NativeCall *call, int fd, const void *bytes, size_t n);
ssize_t libc_fd_read(NativeCall *call, int fd, void *bytes, size_t n);
/* … of the end of a channel. Reading says false after a stop. */
static inline bool libc_fd_is_channel(const LibcFd *fd) {
  return fd->from || fd->to;
}
bool libc_channel_read(NativeCall *call, const LibcFd *fd, void *bytes, size_t n,
                       ssize_t *ret_done);
ssize_t libc_channel_write(NativeCall *call, const LibcFd *fd, const void *bytes,
                           size_t n);
int64_t libc_fd_seek(NativeCall *call, int fd, int64_t offset, int whence);
int libc_fd_close(NativeCall *call, int fd);
/* Opens a file of the real file system: heddle's descriptor, or -1 (errno is set).
 * Isolated programs get EACCES for every name but that of the null device. */
int libc_open(NativeCall *call, const char *path, int flags, unsigned mode);
/* What a system call of the host has answered: its value, or -1 with errno for the program. */
NativeStatus libc_ret_host(NativeCall *call, int64_t value);
/* … and stat, whose answer goes to the address `to`. */
struct stat;
NativeStatus libc_ret_stat(NativeCall *call, int status, const struct stat *info,
                           uint64_t to);
/* Whether a descriptor is a terminal; never in an isolated run. */
bool libc_fd_is_terminal(Exec *exec, int host);

#endif
