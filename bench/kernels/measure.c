/* measure FILE PROGRAM ARGUMENTS...: runs it and writes its processor time in
 * seconds (with that of its children), the time on the clock, and the peak of its memory
 * in KiB. A process inherits the peak of the one that started it, so this one is small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  struct rusage u;
  int status;
  double begin = now();
  if (argc < 3) return 3;
  pid_t pid = fork();
  if (pid == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  if (pid < 0 || wait4(pid, &status, 0, &u) < 0) return 4;
  double seconds = now() - begin;
  FILE *out = fopen(argv[1], "w");
  if (!out) return 4;
  fprintf(out, "%.4f %.4f %ld\n",
          (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
              (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6,
          seconds, u.ru_maxrss);
  if (fclose(out)) return 4;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
