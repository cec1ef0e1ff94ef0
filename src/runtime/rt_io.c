/* Reading and writing files and sockets: what the system does to the program's memory.
 *
 * A buffer that is filled counts as written by as many bytes as came. That is known
 * afterwards, and recorded then. In a replay a racing thread must stand right before the
 * bytes are written, which is before the call only when they are there already: otherwise
 * they may wait for the very thread that it is to race with, and the call is let through.
 * What files of the C library will do is not known at all: their calls are not held.
 *
 * A message may order what two threads do, though it is no step of a schedule: rt_means.c
 * tells of it. Like rt_string.c, only in programs that heddle built, with weak
 * names. */
#undef _FILE_OFFSET_BITS /* the plain names are meant: others would be replaced */
#include "runtime/rt_next.h"
#include "runtime/rt_put.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(ssize_t, read, (int, void *, size_t))                                                \
  X(ssize_t, pread, (int, void *, size_t, off_t))                                        \
  X(ssize_t, pread64, (int, void *, size_t, off64_t))                                    \
  X(ssize_t, recv, (int, void *, size_t, int))                                           \
  X(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))       \
  X(ssize_t, recvmsg, (int, struct msghdr *, int))                                       \
  X(ssize_t, readv, (int, const struct iovec *, int))                                    \
  X(ssize_t, writev, (int, const struct iovec *, int))                                   \
  X(ssize_t, sendto,                                                                     \
    (int, const void *, size_t, int, const struct sockaddr *, socklen_t))                \
  X(ssize_t, sendmsg, (int, const struct msghdr *, int))                                 \
  X(ssize_t, write, (int, const void *, size_t))                                         \
  X(ssize_t, pwrite, (int, const void *, size_t, off_t))                                 \
  X(ssize_t, pwrite64, (int, const void *, size_t, off64_t))                             \
  X(ssize_t, send, (int, const void *, size_t, int))                                     \
  X(size_t, fread, (void *, size_t, size_t, FILE *))                                     \
  X(size_t, fwrite, (const void *, size_t, size_t, FILE *))                              \
  X(char *, fgets, (char *, int, FILE *))                                                \
  X(int, fputs, (const char *, FILE *))                                                  \
  X(int, puts, (const char *))

RT_NEXT(FUNCTIONS)

/* How many bytes a call would find now without waiting. */
static size_t ready(int fd) {
  struct pollfd ask = {.fd = fd, .events = POLLIN};
  struct timespec now = {0, 0};
  int bytes = 0, saved = errno;
  bool there = syscall(SYS_ppoll, &ask, 1, &now, NULL, 0) == 1 && ask.revents & POLLIN &&
               ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
  errno = saved;
  return there ? (size_t)bytes : 0;
}

static size_t ready_at(int fd, uint64_t offset) {
  struct stat info;
  int saved = errno;
  bool there =
      fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size > offset;
  errno = saved;
  return there ? (size_t)((uint64_t)info.st_size - offset) : 0;
}

/* Where whoever comes is kept, others may take the bytes meanwhile. */
static bool holding(void) {
  return WATCHED && rt_mode == CONTROL_REPLAY && !rt_meets();
}

static void before_filling(void *buffer, size_t size, size_t there, uintptr_t pc) {
  if (there < size) size = there;
  if (size) rt_range((uintptr_t)buffer, size, TRACE_WRITE, pc);
}

static void after_filling(int fd, void *buffer, ssize_t size, uintptr_t pc) {
  rt_take(fd, pc);
  if (WATCHED && rt_mode == CONTROL_RECORD && size > 0)
    rt_range((uintptr_t)buffer, (size_t)size, TRACE_WRITE, pc);
}

static void before_reading(int fd, const void *buffer, size_t size, uintptr_t pc) {
  if (WATCHED) rt_range((uintptr_t)buffer, size, 0, pc);
  rt_give(fd, pc);
}

EXPORT ssize_t read(int fd, void *buffer, size_t size) {
  if (holding()) before_filling(buffer, size, ready(fd), RT_CALLER);
  ssize_t got = REAL_OF(read)(fd, buffer, size);
  after_filling(fd, buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  if (holding()) before_filling(buffer, size, ready_at(fd, (uint64_t)offset), RT_CALLER);
  ssize_t got = REAL_OF(pread)(fd, buffer, size, offset);
  after_filling(fd, buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset) {
  if (holding()) before_filling(buffer, size, ready_at(fd, (uint64_t)offset), RT_CALLER);
  ssize_t got = REAL_OF(pread64)(fd, buffer, size, offset);
  after_filling(fd, buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  if (holding()) before_filling(buffer, size, ready(fd), RT_CALLER);
  ssize_t got = REAL_OF(recv)(fd, buffer, size, flags);
  after_filling(fd, buffer, got < (ssize_t)size ? got : (ssize_t)size, RT_CALLER);
  return got;
}

EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                        struct sockaddr *restrict from, socklen_t *restrict length) {
  if (holding()) before_filling(buffer, size, ready(fd), RT_CALLER);
  ssize_t got = REAL_OF(recvfrom)(fd, buffer, size, flags, from, length);
  after_filling(fd, buffer, got < (ssize_t)size ? got : (ssize_t)size, RT_CALLER);
  return got;
}

/* Several buffers one after the other, for as many bytes as there are. */
static void each_part(const struct iovec *parts, size_t count, size_t bytes,
                      unsigned flags, uintptr_t pc) {
  for (size_t i = 0; i < count && bytes; i++) {
    size_t size = parts[i].iov_len < bytes ? parts[i].iov_len : bytes;
    if (size) rt_range((uintptr_t)parts[i].iov_base, size, flags, pc);
    bytes -= size;
  }
}

static void after_parts(int fd, const struct iovec *parts, size_t count, ssize_t got,
                        uintptr_t pc) {
  rt_take(fd, pc);
  if (WATCHED && rt_mode == CONTROL_RECORD && got > 0)
    each_part(parts, count, (size_t)got, TRACE_WRITE, pc);
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count) {
  size_t some = count > 0 ? (size_t)count : 0;
  if (holding()) each_part(parts, some, ready(fd), TRACE_WRITE, RT_CALLER);
  ssize_t got = REAL_OF(readv)(fd, parts, count);
  after_parts(fd, parts, some, got, RT_CALLER);
  return got;
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *what, int flags) {
  if (holding())
    each_part(what->msg_iov, what->msg_iovlen, ready(fd), TRACE_WRITE, RT_CALLER);
  ssize_t got = REAL_OF(recvmsg)(fd, what, flags);
  after_parts(fd, what->msg_iov, what->msg_iovlen, got, RT_CALLER);
  return got;
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (WATCHED && count > 0) each_part(parts, (size_t)count, SIZE_MAX, 0, RT_CALLER);
  rt_give(fd, RT_CALLER);
  return REAL_OF(writev)(fd, parts, count);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *what, int flags) {
  if (WATCHED) each_part(what->msg_iov, what->msg_iovlen, SIZE_MAX, 0, RT_CALLER);
  rt_give(fd, RT_CALLER);
  return REAL_OF(sendmsg)(fd, what, flags);
}

EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags,
                      const struct sockaddr *to, socklen_t length) {
  before_reading(fd, buffer, size, RT_CALLER);
  return REAL_OF(sendto)(fd, buffer, size, flags, to, length);
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size) {
  before_reading(fd, buffer, size, RT_CALLER);
  return REAL_OF(write)(fd, buffer, size);
}

EXPORT ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset) {
  before_reading(fd, buffer, size, RT_CALLER);
  return REAL_OF(pwrite)(fd, buffer, size, offset);
}

EXPORT ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset) {
  before_reading(fd, buffer, size, RT_CALLER);
  return REAL_OF(pwrite64)(fd, buffer, size, offset);
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  before_reading(fd, buffer, size, RT_CALLER);
  return REAL_OF(send)(fd, buffer, size, flags);
}

EXPORT size_t fread(void *restrict buffer, size_t size, size_t count,
                    FILE *restrict file) {
  size_t got = REAL_OF(fread)(buffer, size, count, file);
  after_filling(fileno(file), buffer, (ssize_t)(got * size), RT_CALLER);
  return got;
}

EXPORT size_t fwrite(const void *restrict buffer, size_t size, size_t count,
                     FILE *restrict file) {
  before_reading(fileno(file), buffer, size * count, RT_CALLER);
  return REAL_OF(fwrite)(buffer, size, count, file);
}

EXPORT char *fgets(char *restrict buffer, int size, FILE *restrict file) {
  char *line = REAL_OF(fgets)(buffer, size, file);
  if (line && WATCHED)
    after_filling(fileno(file), line, (ssize_t)rt_length(line) + 1, RT_CALLER);
  return line;
}

EXPORT int fputs(const char *restrict text, FILE *restrict file) {
  if (WATCHED) before_reading(fileno(file), text, rt_length(text) + 1, RT_CALLER);
  return REAL_OF(fputs)(text, file);
}

EXPORT int puts(const char *text) {
  if (WATCHED) before_reading(fileno(stdout), text, rt_length(text) + 1, RT_CALLER);
  return REAL_OF(puts)(text);
}
