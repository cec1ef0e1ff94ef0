/* The loop of the main thread: requests from the socket, orders from signals.
 *
 * Signals are blocked everywhere and read from a descriptor, so there are no handlers,
 * and an order is carried out between two requests like any other piece of work. */
#include "server.h"

#include "ban.h"
#include "listener.h"
#include "log.h"
#include "session.h"
#include "stats.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static Config settings;        /* fixed before there are threads */
static bool stopping;          /* a race: set by the main thread, asked by all */
static int signal_source = -1; /* the main thread's own */

/* ---- the beginning
 * ----------------------------------------------------------------------- */

static bool complain(const char *what) {
  fprintf(stderr, "tftpd: %s: %s\n", what, strerror(errno));
  return false;
}

static bool watch_signals(void) {
  sigset_t orders;
  sigemptyset(&orders);
  sigaddset(&orders, SIGHUP);
  sigaddset(&orders, SIGINT);
  sigaddset(&orders, SIGTERM);
  sigaddset(&orders, SIGUSR1);
  if (pthread_sigmask(SIG_BLOCK, &orders, NULL) != 0) return false;
  signal_source = signalfd(-1, &orders, SFD_CLOEXEC);
  return signal_source >= 0;
}

bool server_start(const Config *config) {
  settings = *config;
  if (!log_open(settings.log_file, (LogLevel)settings.log_level))
    return complain(settings.log_file);
  if (!watch_signals()) return complain("signals");
  stats_start();
  sessions_start(settings.workers);
  ban_start(settings.ban_after, settings.ban_seconds);
  return listener_open(settings.address, settings.port) || complain(settings.address);
}

/* ---- orders
 * ------------------------------------------------------------------------------ */

static void log_state(void) {
  Stats s;
  uint64_t seconds;
  stats_get(&s, &seconds);
  log_message(LEVEL_NOTICE, LOG_SERVER,
              "%u requests (%lu taken) in %llu s, at most %u at once", listener_count(),
              listener_taken(), (unsigned long long)seconds, sessions_peak());
  log_message(
      LEVEL_NOTICE, LOG_SERVER,
      "%lu files out (%llu bytes), %lu in (%llu bytes), %lu broken off, %lu refused",
      s.reads, (unsigned long long)s.bytes_out, s.writes, (unsigned long long)s.bytes_in,
      s.failures, s.refusals);
  log_message(LEVEL_NOTICE, LOG_SERVER, "%lu packets sent again, %u clients banned",
              s.resent, ban_count());
}

static void reload(void) {
  Config fresh;
  char problem[CONFIG_TEXT];
  if (!config_reload(&fresh, &settings, problem)) {
    log_message(LEVEL_ERROR, LOG_SERVER, "%s", problem);
    return;
  }
  ban_clear();
  log_set_level((LogLevel)fresh.log_level);
  if (!log_reopen(settings.log_file))
    log_message(LEVEL_ERROR, LOG_SERVER, "the log cannot be opened again");
  log_message(LEVEL_NOTICE, LOG_SERVER, "the configuration was read again");
}

static void obey(int signal_number) {
  switch (signal_number) {
  case SIGHUP: reload(); break;
  case SIGUSR1:
    log_state();
    sessions_log();
    break;
  default: stopping = true; break;
  }
}

static void read_order(void) {
  struct signalfd_siginfo order;
  if (read(signal_source, &order, sizeof order) == (ssize_t)sizeof order)
    obey((int)order.ssi_signo);
}

/* ---- the loop and the end
 * ---------------------------------------------------------------- */

static void serve_until_stopped(void) {
  struct pollfd events[2] = {{.fd = signal_source, .events = POLLIN},
                             {.fd = listener_socket(), .events = POLLIN}};
  while (!stopping) {
    if (poll(events, 2, -1) < 0) continue;
    if (events[0].revents & POLLIN) read_order();
    if (events[1].revents & POLLIN) listener_accept();
  }
}

void server_run(void) {
  serve_until_stopped();
  log_message(LEVEL_NOTICE, LOG_SERVER, "shutting down");
  sessions_drain();
  listener_close();
  close(signal_source);
  log_state();
  log_message(LEVEL_NOTICE, LOG_SERVER, "%lu lines of log, the end", log_lines() + 1);
  log_close();
}

/* ---- for every thread
 * -------------------------------------------------------------------- */

const Config *server_config(void) {
  return &settings;
}

bool server_is_stopping(void) {
  return stopping;
}
