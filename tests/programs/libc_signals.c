/* Handlers with information, states of random, long double complex, unlocked streams; abort runs
 * its handler first. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <complex.h>
static void h(int s) {
  write(1, "abrt\n", 5);
  (void)s;
}
static void si(int s, siginfo_t *i, void *c) {
  printf("%d %d %d %d\n", s, i->si_signo, i->si_code, c != NULL);
  fflush(stdout);
}
int main(void) {
  struct sigaction a = {0};
  a.sa_sigaction = si;
  a.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &a, NULL);
  raise(SIGUSR1);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  char st[64];
  printf("%ld ", random());
  char *o = initstate(5, st, 64);
  printf("%ld %ld ", random(), random());
  setstate(o);
  printf("%ld ", random());
  setstate(st);
  printf("%ld\n", random());
  volatile long double complex x = 1.5L + 2.5Li, y = 3.0L - 1.0Li;
  long double complex z = x * y, w = x / y, s = csqrtl(x), p = cpowl(x, y);
  printf("%.18Lg %.18Lg %.18Lg %.18Lg %.18Lg %.18Lg %.18Lg %.18Lg\n", creall(z),
         cimagl(z), creall(w), cimagl(w), creall(s), cimagl(s), creall(p), cabsl(p));
  for (int c = 'a'; c < 'g'; c++) putc_unlocked(c, stdout);
  putchar_unlocked('\n');
  while (!feof_unlocked(stdin)) {
    int c = getc_unlocked(stdin);
    if (c < 0) break;
  }
  printf("%d %d\n", feof_unlocked(stdin) != 0, ferror_unlocked(stdin));
  fflush(stdout);
  signal(SIGABRT, h);
  abort();
}
