/* Other means by which threads may wait for each other: pipes, sockets, files, queues of
 * messages, futexes and assembly of the program's own, signals.
 *
 * What they mean is not understood, and no replay follows them. But a race that happened in
 * the recorded run is certain only if nothing of this kind lay between its accesses: so
 * calls that may tell others something are recorded (TRACE_GIVE), and those that came back
 * and may have waited for that (TRACE_TAKE). src/predict/observe.c asks. In programs that
 * heddle built only, with weak names. */
#undef _FILE_OFFSET_BITS
#include "runtime/rt_next.h"
#include "runtime/rt_put.h"

#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(int, poll, (struct pollfd *, nfds_t, int))                                           \
  X(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))    \
  X(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                  \
  X(int, pselect,                                                                        \
    (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))      \
  X(int, epoll_wait, (int, struct epoll_event *, int, int))                              \
  X(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))           \
  X(int, accept, (int, struct sockaddr *, socklen_t *))                                  \
  X(int, accept4, (int, struct sockaddr *, socklen_t *, int))                            \
  X(int, connect, (int, const struct sockaddr *, socklen_t))                             \
  X(int, shutdown, (int, int))                                                           \
  X(int, close, (int))                                                                   \
  X(int, flock, (int, int))                                                              \
  X(int, lockf, (int, int, off_t))                                                       \
  X(ssize_t, msgrcv, (int, void *, size_t, long, int))                                   \
  X(int, msgsnd, (int, const void *, size_t, int))                                       \
  X(ssize_t, mq_receive, (mqd_t, char *, size_t, unsigned *))                            \
  X(int, mq_send, (mqd_t, const char *, size_t, unsigned))                               \
  X(int, sigwait, (const sigset_t *, int *))                                             \
  X(int, sigwaitinfo, (const sigset_t *, siginfo_t *))                                   \
  X(int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *))         \
  X(int, kill, (pid_t, int))                                                             \
  X(int, pthread_kill, (pthread_t, int))                                                 \
  X(int, sigqueue, (pid_t, int, union sigval))                                           \
  X(unsigned, alarm, (unsigned))                                                         \
  X(int, setitimer, (__itimer_which_t, const struct itimerval *, struct itimerval *))    \
  X(int, timer_settime, (timer_t, int, const struct itimerspec *, struct itimerspec *))

RT_NEXT(FUNCTIONS)

/* What a descriptor leads to; 0: to nobody among the threads. */
static uintptr_t means_of(int fd) {
  struct stat info;
  int saved = errno;
  bool known = fstat(fd, &info) == 0;
  errno = saved;
  if (!known || S_ISCHR(info.st_mode)) return 0;
  uintptr_t inode = (uintptr_t)info.st_ino << TRACE_MEANS_BITS;
  if (S_ISFIFO(info.st_mode)) return inode | TRACE_BY_PIPE;
  if (S_ISREG(info.st_mode)) return inode | TRACE_BY_FILE;
  if (S_ISSOCK(info.st_mode)) return TRACE_BY_SOCKET;
  return (uintptr_t)fd << TRACE_MEANS_BITS | TRACE_BY_FD;
}

static void tell(TraceOp op, uintptr_t means, uintptr_t pc) {
  RtThread *t = rt_self;
  if (!WATCHED || rt_mode != CONTROL_RECORD || !t || t->busy || t->ended) return;
  rt_emit(t, op, means, pc, 0, 0, 0);
}

void rt_give(int fd, uintptr_t pc) {
  uintptr_t means = WATCHED && rt_mode == CONTROL_RECORD ? means_of(fd) : 0;
  if (means) tell(TRACE_GIVE, means, pc);
}

void rt_take(int fd, uintptr_t pc) {
  uintptr_t means = WATCHED && rt_mode == CONTROL_RECORD ? means_of(fd) : 0;
  if (means) tell(TRACE_TAKE, means, pc);
}

/* ---- waiting for descriptors ------------------------------------------------------ */

static int polled(const struct pollfd *fds, nfds_t count, int result, uintptr_t pc) {
  for (nfds_t i = 0; result > 0 && i < count; i++)
    if (fds[i].revents) rt_take(fds[i].fd, pc);
  return result;
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout) {
  return polled(fds, count, REAL_OF(poll)(fds, count, timeout), RT_CALLER);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask) {
  return polled(fds, count, REAL_OF(ppoll)(fds, count, timeout, mask), RT_CALLER);
}

static int selected(int count, const fd_set *in, const fd_set *out, int result,
                    uintptr_t pc) {
  for (int i = 0; result > 0 && i < count; i++)
    if ((in && FD_ISSET(i, in)) || (out && FD_ISSET(i, out))) rt_take(i, pc);
  return result;
}

EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *other,
                  struct timeval *timeout) {
  return selected(count, in, out, REAL_OF(select)(count, in, out, other, timeout),
                  RT_CALLER);
}

EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *other,
                   const struct timespec *timeout, const sigset_t *mask) {
  return selected(count, in, out, REAL_OF(pselect)(count, in, out, other, timeout, mask),
                  RT_CALLER);
}

/* Which descriptors are meant is known to the kernel only. */
EXPORT int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
  int result = REAL_OF(epoll_wait)(fd, events, most, timeout);
  if (result > 0) tell(TRACE_TAKE, TRACE_BY_ANY, RT_CALLER);
  return result;
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout,
                       const sigset_t *mask) {
  int result = REAL_OF(epoll_pwait)(fd, events, most, timeout, mask);
  if (result > 0) tell(TRACE_TAKE, TRACE_BY_ANY, RT_CALLER);
  return result;
}

EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length) {
  int result = REAL_OF(accept)(fd, from, length);
  rt_take(fd, RT_CALLER);
  return result;
}

EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length,
                   int flags) {
  int result = REAL_OF(accept4)(fd, from, length, flags);
  rt_take(fd, RT_CALLER);
  return result;
}

EXPORT int connect(int fd, const struct sockaddr *to, socklen_t length) {
  rt_give(fd, RT_CALLER);
  int result = REAL_OF(connect)(fd, to, length);
  rt_take(fd, RT_CALLER);
  return result;
}

EXPORT int shutdown(int fd, int how) {
  rt_give(fd, RT_CALLER);
  return REAL_OF(shutdown)(fd, how);
}

EXPORT int close(int fd) {
  rt_give(fd, RT_CALLER);
  return REAL_OF(close)(fd);
}

/* ---- locks of files, messages ----------------------------------------------------- */

EXPORT int flock(int fd, int operation) {
  rt_give(fd, RT_CALLER);
  int result = REAL_OF(flock)(fd, operation);
  rt_take(fd, RT_CALLER);
  return result;
}

EXPORT int lockf(int fd, int operation, off_t length) {
  rt_give(fd, RT_CALLER);
  int result = REAL_OF(lockf)(fd, operation, length);
  rt_take(fd, RT_CALLER);
  return result;
}

EXPORT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags) {
  ssize_t result = REAL_OF(msgrcv)(queue, message, size, type, flags);
  tell(TRACE_TAKE, TRACE_BY_QUEUE, RT_CALLER);
  return result;
}

EXPORT int msgsnd(int queue, const void *message, size_t size, int flags) {
  tell(TRACE_GIVE, TRACE_BY_QUEUE, RT_CALLER);
  return REAL_OF(msgsnd)(queue, message, size, flags);
}

EXPORT ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority) {
  ssize_t result = REAL_OF(mq_receive)(queue, message, size, priority);
  tell(TRACE_TAKE, TRACE_BY_QUEUE, RT_CALLER);
  return result;
}

EXPORT int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority) {
  tell(TRACE_GIVE, TRACE_BY_QUEUE, RT_CALLER);
  return REAL_OF(mq_send)(queue, message, size, priority);
}

/* ---- signals ---------------------------------------------------------------------- */

EXPORT int sigwait(const sigset_t *set, int *number) {
  int result = REAL_OF(sigwait)(set, number);
  tell(TRACE_TAKE, TRACE_BY_SIGNAL, RT_CALLER);
  return result;
}

EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  int result = REAL_OF(sigwaitinfo)(set, info);
  tell(TRACE_TAKE, TRACE_BY_SIGNAL, RT_CALLER);
  return result;
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info,
                        const struct timespec *timeout) {
  int result = REAL_OF(sigtimedwait)(set, info, timeout);
  tell(TRACE_TAKE, TRACE_BY_SIGNAL, RT_CALLER);
  return result;
}

EXPORT int kill(pid_t process, int number) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(kill)(process, number);
}

EXPORT int pthread_kill(pthread_t thread, int number) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(pthread_kill)(thread, number);
}

EXPORT int sigqueue(pid_t process, int number, const union sigval value) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(sigqueue)(process, number, value);
}

EXPORT unsigned alarm(unsigned seconds) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(alarm)(seconds);
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
                     struct itimerval *restrict old) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(setitimer)(which, value, old);
}

EXPORT int timer_settime(timer_t timer, int flags,
                         const struct itimerspec *restrict value,
                         struct itimerspec *restrict old) {
  tell(TRACE_GIVE, TRACE_BY_SIGNAL, RT_CALLER);
  return REAL_OF(timer_settime)(timer, flags, value, old);
}

/* ---- assembly --------------------------------------------------------------------- */

/* heddle cc puts it before and behind the program's own assembly. */
__attribute__((visibility("default"))) void __heddle_asm(void);
void __heddle_asm(void) {
  tell(TRACE_TAKE, TRACE_BY_ASM, RT_CALLER);
  tell(TRACE_GIVE, TRACE_BY_ASM, RT_CALLER);
}
