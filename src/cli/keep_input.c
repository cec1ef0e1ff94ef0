/* See keep_input.h. A thread of heddle reads, keeps and hands on. It reads only when the program
 * has room for more in its pipe, which is small, so that little is taken that nobody wants. */
#include "cli/keep_input.h"

#include "base/mem.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { PIPE_SIZE = 4096 };

struct KeepInput {
  pthread_t thread;
  int ends[2]; /* of the program's pipe */
  int kept, stop;
  bool running;
};

/* Waits until the descriptor is ready; false when no more is wanted. */
static bool await(const KeepInput *k, int fd, short events) {
  struct pollfd both[] = {{.fd = fd, .events = events},
                          {.fd = k->stop, .events = POLLIN}};
  while (poll(both, 2, -1) < 0)
    if (errno != EINTR) return false;
  return !both[1].revents;
}

static void *copy(void *data) {
  KeepInput *k = data;
  char bytes[PIPE_SIZE];
  sigset_t all;
  sigfillset(&all); /* they are for the thread that waits for the program */
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  while (await(k, k->ends[1], POLLOUT) && await(k, STDIN_FILENO, POLLIN)) {
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0 || !proc_write_all(k->kept, bytes, (size_t)got)) break;
    ssize_t given = 0;
    while (given < got && await(k, k->ends[1], POLLOUT)) {
      ssize_t n = write(k->ends[1], bytes + given, (size_t)(got - given));
      if (n < 0 && errno != EINTR && errno != EAGAIN) break;
      if (n > 0) given += n;
    }
    if (given < got) break; /* nobody reads any more */
  }
  close(k->ends[1]);
  k->ends[1] = -1;
  return NULL;
}

KeepInput *keep_input_begin(int *ret_stream, int *ret_kept) {
  KeepInput *k = mem_alloc_zero(sizeof *k);
  *k = (KeepInput){.ends = {-1, -1}};
  k->kept = proc_memory_file(NULL, 0);
  k->stop = eventfd(0, EFD_CLOEXEC);
  bool ok = k->kept >= 0 && k->stop >= 0 && pipe2(k->ends, O_CLOEXEC) == 0;
  if (ok) {
    fcntl(k->ends[1], F_SETPIPE_SZ, PIPE_SIZE);
    fcntl(k->ends[1], F_SETFL, O_NONBLOCK);
    k->running = ok = pthread_create(&k->thread, NULL, copy, k) == 0;
  }
  if (!ok) {
    keep_input_free(k);
    return NULL;
  }
  *ret_stream = k->ends[0];
  *ret_kept = k->kept;
  return k;
}

void keep_input_stop(KeepInput *k) {
  if (!k || !k->running) return;
  eventfd_write(k->stop, 1);
  pthread_join(k->thread, NULL);
  k->running = false;
}

void keep_input_free(KeepInput *k) {
  if (!k) return;
  keep_input_stop(k);
  for (int i = 0; i < 2; i++)
    if (k->ends[i] >= 0) close(k->ends[i]);
  if (k->kept >= 0) close(k->kept);
  if (k->stop >= 0) close(k->stop);
  mem_free(k);
}
