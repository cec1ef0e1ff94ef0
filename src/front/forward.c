/* See forward.h. The handler knows the process by a variable of the file. */
#include "front/forward.h"

#include <stddef.h>

static const int forwarded[FORWARD_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t receiver;

static void forward(int signal_number) {
  if (receiver > 0) kill((pid_t)receiver, signal_number);
}

void forward_hold(Forward *f) {
  sigset_t held;
  sigemptyset(&held);
  for (int i = 0; i < FORWARD_SIGNALS; i++) sigaddset(&held, forwarded[i]);
  pthread_sigmask(SIG_BLOCK, &held, &f->mask);
}

void forward_start(Forward *f, pid_t pid) {
  struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  receiver = (sig_atomic_t)pid;
  for (int i = 0; i < FORWARD_SIGNALS; i++) {
    sigaction(forwarded[i], NULL, &f->before[i]);
    if (f->before[i].sa_handler != SIG_IGN) sigaction(forwarded[i], &action, NULL);
  }
  pthread_sigmask(SIG_SETMASK, &f->mask, NULL);
}

void forward_gone(void) {
  receiver = 0;
}

void forward_stop(const Forward *f) {
  for (int i = 0; i < FORWARD_SIGNALS; i++) sigaction(forwarded[i], &f->before[i], NULL);
  receiver = 0;
}
