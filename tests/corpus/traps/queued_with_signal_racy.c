// race: unsafe lines 11 — the value of a signal arrives where it is waited for
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int counter, *got;

static void *work(void *unused) {
  (*got)++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_ptr = &counter});
  sigwaitinfo(&set, &info);
  got = info.si_value.sival_ptr;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
