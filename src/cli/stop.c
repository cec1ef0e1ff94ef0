/* See stop.h. */
#include "cli/stop.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

volatile int cli_stop;
static struct sigaction old_interrupt;

static void on_alarm(int signal_number) {
  (void)signal_number;
  if (!cli_stop) cli_stop = STOP_TIME;
}

static void on_interrupt(int signal_number) {
  if (!cli_stop) cli_stop = STOP_INTERRUPT;
  sigaction(signal_number, &old_interrupt, NULL);
}

void cli_set_timer(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
  setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_watch_time(double seconds) {
  struct sigaction alarm_action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  cli_stop = STOP_NOT;
  sigaction(SIGALRM, &alarm_action, NULL);
  sigaction(SIGINT, NULL, &old_interrupt);
  if (old_interrupt.sa_handler != SIG_IGN) sigaction(SIGINT, &interrupt, NULL);
  if (seconds > 0.001)
    cli_set_timer(seconds);
  else
    cli_stop = STOP_TIME;
}

void cli_stop_watching(void) {
  cli_set_timer(0);
  sigaction(SIGINT, &old_interrupt, NULL);
}
