/* File descriptors: stdin by read, write and read back, lseek, pread, dup, truncate. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char buf[64];
  ssize_t n;
  n = read(0, buf, 5);
  printf("%zd %.*s\n", n, (int)n, buf);
  char path[] = "/tmp/heddle-fd-io-XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  for (int i = 0; i < 3; i++)
    if (write(fd, &"shed and reed;"[i], 10) != 10) return 1;
  printf("%ld ", (long)lseek(fd, 5, SEEK_SET));
  n = read(fd, buf, sizeof buf);
  printf("%zd %.*s\n", n, (int)n, buf);
  if (pwrite(fd, "WARP", 4, 2) != 4) return 1;
  n = pread(fd, buf, 8, 0);
  printf("%zd %.*s\n", n, (int)n, buf);
  printf("%d ", ftruncate(fd, 6));
  printf("%d\n", (int)lseek(fd, 0, SEEK_END));
  close(fd);
  unlink(path);
  fflush(stdout);
  if (write(1, "direct\n", 7) != 7) return 2;
  int copy = dup(1);
  if (write(copy, "copied\n", 7) != 7) return 3;
  close(copy);
  printf("%zd %d\n", write(copy, "x", 1), isatty(0));
  n = read(0, buf, sizeof buf);
  printf("%zd %.*s", n, (int)n, buf);
  printf("%zd\n", read(0, buf, 1));
  return 0;
}
