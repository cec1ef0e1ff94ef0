/* Files, signals, the environment, the calendar, allocation, and handlers at exit. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <errno.h>
static volatile sig_atomic_t got;
static void h(int s) {
  got += s;
}
static void bye(void) {
  puts("bye");
}
static void bye2(int st, void *a) {
  printf("status %d %s\n", st, (char *)a);
}
static void again(void) {
  puts("again");
  atexit(bye);
}
int main(int argc, char **argv, char **envp) {
  char path[] = "/tmp/heddle_t_XXXXXX";
  int fd = mkstemp(path);
  printf("%d\n", fd);
  write(fd, "hello world\nline 2\nlast", 23);
  lseek(fd, 0, SEEK_SET);
  char b[64] = {0};
  printf("%zd %s\n", read(fd, b, 5), b);
  close(fd);
  FILE *f = fopen(path, "r+");
  char *line = NULL;
  size_t n = 0;
  ssize_t k;
  while ((k = getline(&line, &n, f)) > 0) printf("%zd:%s|", k, line);
  puts("");
  printf("%d %ld\n", feof(f), ftell(f));
  rewind(f);
  fscanf(f, "%s", b);
  printf("%s %c\n", b, fgetc(f));
  fseek(f, -4, SEEK_END);
  fputs("LAST", f);
  fflush(f);
  rewind(f);
  while (fgets(b, sizeof b, f)) fputs(b, stdout);
  puts("");
  struct stat st;
  printf("%d %ld\n", fstat(fileno(f), &st), (long)st.st_size);
  fclose(f);
  f = fopen(path, "a");
  fprintf(f, "%s-%d", "more", 5);
  fclose(f);
  stat(path, &st);
  printf("%ld\n", (long)st.st_size);
  remove(path);
  f = fopen(path, "r");
  printf("%p %s\n", (void *)f, strerror(errno));
  errno = ENOENT;
  perror("per");
  free(line);
  FILE *t = tmpfile();
  for (int i = 0; i < 1000; i++) fprintf(t, "%d ", i);
  rewind(t);
  int sum = 0, v;
  while (fscanf(t, "%d", &v) == 1) sum += v;
  printf("%d\n", sum);
  fclose(t);
  signal(SIGUSR1, h);
  raise(SIGUSR1);
  struct sigaction sa = {0}, old;
  sa.sa_handler = h;
  sigemptyset(&sa.sa_mask);
  sigaction(SIGUSR2, &sa, NULL);
  sigaction(SIGUSR2, NULL, &old);
  printf("%d\n", old.sa_handler == h);
  kill(getpid(), SIGUSR2);
  printf("%d\n", (int)got);
  setenv("FOO", "bar", 1);
  printf("%s %d\n", getenv("FOO"), getenv("NOPE_X") == NULL);
  putenv("ZED=1");
  printf("%s\n", getenv("ZED"));
  unsetenv("FOO");
  printf("%d\n", getenv("FOO") == NULL);
  int ne = 0;
  for (char **e = environ; *e; e++)
    if (!strncmp(*e, "ZED=", 4)) ne++;
  printf("%d %d\n", ne, envp[0] != NULL);
  time_t tt = 86400 * 365;
  struct tm *tm = gmtime(&tt);
  char tb[100];
  strftime(tb, 100, "%Y-%m-%d %H:%M:%S %A %j", tm);
  puts(tb);
  tm->tm_mon += 14;
  tm->tm_mday = 40;
  printf("%ld ", (long)mktime(tm));
  printf("%s", asctime(tm));
  printf("%d\n", time(NULL) > 1000);
  struct timespec ts;
  printf("%d\n", clock_gettime(CLOCK_MONOTONIC, &ts));
  char *ms;
  size_t msz;
  FILE *m = open_memstream(&ms, &msz);
  fprintf(m, "abc %d", 5);
  fclose(m);
  printf("%s %zu\n", ms, msz);
  free(ms);
  printf("%ld %d\n", sysconf(_SC_PAGESIZE), getpagesize());
  printf("%d\n", isatty(1));
  char cw[10];
  puts(getcwd(cw, 2) ? "y" : "n");
  void *p = malloc(0);
  printf("%d\n", p != NULL);
  p = realloc(p, 100);
  memset(p, 1, 100);
  p = realloc(p, 10);
  free(p);
  p = calloc(10, 10);
  printf("%d\n", ((char *)p)[99]);
  free(p);
  p = aligned_alloc(64, 128);
  printf("%d\n", (int)((unsigned long)p % 64));
  free(p);
  printf("%d\n", malloc((size_t)-1) == NULL);
  printf("%d\n", dup2(1, 9));
  dprintf(9, "dpr %d\n", 1);
  fflush(stdout);
  atexit(again);
  on_exit(bye2, "arg");
  fprintf(stderr, "err\n");
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("partial");
  exit(300);
}
