/* Mappings, directories, links, messages, wide output that does not fit. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <langinfo.h>
#include <wchar.h>

int main(void) {
  char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%d %d\n", p != MAP_FAILED, (int)((unsigned long)p % 4096));
  strcpy(p + 5000, "mapped");
  puts(p + 5000);
  madvise(p, 8192, MADV_DONTNEED);
  printf("%d\n", p[5000]);
  printf("%d\n", munmap(p, 10000));
  char d[] = "/tmp/hd_XXXXXX";
  puts(mkdtemp(d) ? "dir" : "no");
  char f[100];
  snprintf(f, 100, "%s/file", d);
  FILE *o = fopen(f, "w");
  fputs("file content", o);
  fclose(o);
  int fd = open(f, O_RDONLY);
  char *m = mmap(NULL, 12, PROT_READ, MAP_PRIVATE, fd, 0);
  printf("%.12s\n", m);
  munmap(m, 12);
  printf("%d\n", fcntl(fd, F_GETFL) & O_ACCMODE);
  close(fd);
  DIR *dd = opendir(d);
  struct dirent *e;
  int n = 0;
  while ((e = readdir(dd))) {
    n++;
    if (e->d_name[0] != '.') puts(e->d_name);
  }
  closedir(dd);
  printf("%d\n", n);
  char made[L_tmpnam], *own = tmpnam(NULL);
  printf("%.9s %d %d\n", own, tmpnam(made) == made, strcmp(own, made) != 0);
  printf("%d\n", tmpnam_r(NULL) == NULL);
  char l[100];
  snprintf(l, 100, "%s/link", d);
  printf("%d\n", symlink("file", l));
  char b[50] = {0};
  printf("%zd %s\n", readlink(l, b, 50), b);
  char *rp = realpath(l, NULL);
  puts(strrchr(rp, '/'));
  free(rp);
  unlink(l);
  unlink(f);
  rmdir(d);
  errno = ENOENT;
  warn("warn %d", 1);
  warnx("warnx");
  printf("%s\n", nl_langinfo(CODESET));
  mode_t u = umask(027);
  printf("%o\n", umask(u));
  wchar_t w[20];
  swprintf(w, 20, L"%5d|%-5ls|%s", 42, L"ab", "cd");
  printf("%ls %d\n", w, swprintf(w, 3, L"toolong"));
  printf("%ls|\n", w);
  return 7;
}
