/* Who else might release threads that all wait: what the list of threads does not show.
 *
 * A deadlock of locks, joins and routines that run once is certain, since only members can
 * release one another. A semaphore, a condition variable or a barrier is different: a
 * signal handler may post, a thread inside of the C library (timers, asynchronous input)
 * may signal, another process may share the memory. Each of these can be seen from here.
 * Called with the big lock held, seldom, in a replay. */
#include "runtime/rt.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- signal handlers -------------------------------------------------------------- */

/* Signals that come only from what the thread itself does, which is nothing. */
static bool is_synchronous(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGTRAP || number == SIGSYS;
}

static bool has_handler(void) {
  for (int i = 1; i < NSIG; i++) {
    struct sigaction action;
    if (is_synchronous(i) || sigaction(i, NULL, &action) != 0) continue;
    if (action.sa_flags & SA_SIGINFO ||
        (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN))
      return true;
  }
  return false;
}

/* ---- tasks ------------------------------------------------------------------------ */

static bool is_known(const char *name) {
  int tid = 0;
  for (; *name >= '0' && *name <= '9'; name++) tid = tid * 10 + (*name - '0');
  if (!tid) return true; /* "." and ".." */
  const RtThread *t = rt_threads;
  while (t && t->tid != tid) t = t->next;
  return t != NULL;
}

/* A thread of this process that is not in the list, or no list of them at all. Those that
 * ended may still be on their way out of the kernel; they do nothing any more. */
static bool has_unknown_task(void) {
  enum { LENGTH = 16, NAME = 19 }; /* in the kernel's struct linux_dirent64 */
  _Alignas(8) char buffer[4096];
  bool unknown = false;
  int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return true;
  for (long got;
       !unknown && (got = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < got; at += *(unsigned short *)(buffer + at + LENGTH))
      unknown |= !is_known(buffer + at + NAME);
  close(fd);
  return unknown;
}

/* ---- shared memory ---------------------------------------------------------------- */

/* A line of /proc/self/maps: "from-to rwxs …", read byte by byte. */
typedef struct {
  uintptr_t number[2];
  unsigned field; /* 0 and 1: the numbers; 2: the rights; 3: the rest */
  unsigned at;    /* in the rights */
  bool shared;
} Line;

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void read_char(Line *l, char c) {
  if (l->field < 2 && digit(c) >= 0)
    l->number[l->field] = l->number[l->field] << 4 | (unsigned)digit(c);
  else if (l->field < 2)
    l->field++;
  else if (l->field == 2 && ++l->at == 4) {
    l->shared = c == 's';
    l->field++;
  }
}

bool rt_outside_shares(uintptr_t object) {
  char buffer[4096];
  Line line = {0};
  bool found = false;
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  for (long got; !found && (got = syscall(SYS_read, fd, buffer, sizeof buffer)) > 0;)
    for (long i = 0; i < got && !found; i++) {
      if (buffer[i] != '\n') {
        read_char(&line, buffer[i]);
        continue;
      }
      found = line.shared && object >= line.number[0] && object < line.number[1];
      line = (Line){0};
    }
  close(fd);
  return found;
}

/* ---- all together ----------------------------------------------------------------- */

ControlOutside rt_outside(const RtThread *const *set, uint32_t count) {
  bool pure = true;
  for (uint32_t i = 0; i < count; i++)
    pure &= set[i]->blocked_op == TRACE_LOCK || set[i]->blocked_op == TRACE_READ_LOCK ||
            set[i]->blocked_op == TRACE_JOIN || set[i]->blocked_op == TRACE_ONCE_SEEN;
  if (pure) return CONTROL_NOBODY;
  if (has_handler()) return CONTROL_HANDLER;
  if (has_unknown_task()) return CONTROL_TASK;
  for (uint32_t i = 0; i < count; i++)
    if (set[i]->blocked_op != TRACE_JOIN && rt_outside_shares(set[i]->blocked_object))
      return CONTROL_SHARED;
  return CONTROL_NOBODY;
}
