/* Reading and writing files and sockets: what the system does to the program's memory.
 *
 * A buffer that is filled counts as written by as many bytes as came. That is known
 * afterwards, and recorded then; in a replay a racing thread must stand before the call,
 * so there the whole buffer counts. Like rt_string.c, only in programs that heddle built,
 * with weak names. */
#undef _FILE_OFFSET_BITS /* the plain names are meant: others would be replaced */
#include "runtime/rt_next.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(ssize_t, read, (int, void *, size_t))                                                \
  X(ssize_t, pread, (int, void *, size_t, off_t))                                        \
  X(ssize_t, pread64, (int, void *, size_t, off64_t))                                    \
  X(ssize_t, recv, (int, void *, size_t, int))                                           \
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

static void before_filling(uintptr_t buffer, size_t size, uintptr_t pc) {
  if (WATCHED && rt_mode == CONTROL_REPLAY)
    rt_range(buffer, size, TRACE_WRITE, pc);
}

static void after_filling(void *buffer, ssize_t size, uintptr_t pc) {
  if (WATCHED && rt_mode == CONTROL_RECORD && size > 0)
    rt_range((uintptr_t)buffer, (size_t)size, TRACE_WRITE, pc);
}

static void before_reading(const void *buffer, size_t size, uintptr_t pc) {
  if (WATCHED) rt_range((uintptr_t)buffer, size, 0, pc);
}

EXPORT ssize_t read(int fd, void *buffer, size_t size) {
  before_filling((uintptr_t)buffer, size, RT_CALLER);
  ssize_t got = REAL_OF(read)(fd, buffer, size);
  after_filling(buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  before_filling((uintptr_t)buffer, size, RT_CALLER);
  ssize_t got = REAL_OF(pread)(fd, buffer, size, offset);
  after_filling(buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset) {
  before_filling((uintptr_t)buffer, size, RT_CALLER);
  ssize_t got = REAL_OF(pread64)(fd, buffer, size, offset);
  after_filling(buffer, got, RT_CALLER);
  return got;
}

EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  before_filling((uintptr_t)buffer, size, RT_CALLER);
  ssize_t got = REAL_OF(recv)(fd, buffer, size, flags);
  after_filling(buffer, got < (ssize_t)size ? got : (ssize_t)size, RT_CALLER);
  return got;
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size) {
  before_reading(buffer, size, RT_CALLER);
  return REAL_OF(write)(fd, buffer, size);
}

EXPORT ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset) {
  before_reading(buffer, size, RT_CALLER);
  return REAL_OF(pwrite)(fd, buffer, size, offset);
}

EXPORT ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset) {
  before_reading(buffer, size, RT_CALLER);
  return REAL_OF(pwrite64)(fd, buffer, size, offset);
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  before_reading(buffer, size, RT_CALLER);
  return REAL_OF(send)(fd, buffer, size, flags);
}

EXPORT size_t fread(void *restrict buffer, size_t size, size_t count,
                    FILE *restrict file) {
  before_filling((uintptr_t)buffer, size * count, RT_CALLER);
  size_t got = REAL_OF(fread)(buffer, size, count, file);
  after_filling(buffer, (ssize_t)(got * size), RT_CALLER);
  return got;
}

EXPORT size_t fwrite(const void *restrict buffer, size_t size, size_t count,
                     FILE *restrict file) {
  before_reading(buffer, size * count, RT_CALLER);
  return REAL_OF(fwrite)(buffer, size, count, file);
}

EXPORT char *fgets(char *restrict buffer, int size, FILE *restrict file) {
  before_filling((uintptr_t)buffer, size > 0 ? (size_t)size : 0, RT_CALLER);
  char *line = REAL_OF(fgets)(buffer, size, file);
  if (line && WATCHED) after_filling(line, (ssize_t)rt_length(line) + 1, RT_CALLER);
  return line;
}

EXPORT int fputs(const char *restrict text, FILE *restrict file) {
  if (WATCHED) before_reading(text, rt_length(text) + 1, RT_CALLER);
  return REAL_OF(fputs)(text, file);
}

EXPORT int puts(const char *text) {
  if (WATCHED) before_reading(text, rt_length(text) + 1, RT_CALLER);
  return REAL_OF(puts)(text);
}
