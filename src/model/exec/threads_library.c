/* Threads that the library starts: clone, and timers that call a function (SIGEV_THREAD).
 *
 * A timer lives in the machine's memory, and its address is its id. Time is nothing that a
 * program can rely on: a timer that is set may expire at once, before anything else happens, or
 * never before the end. So its thread is started when the timer is set, and who goes on when is
 * chosen as for all threads. One that repeats expires once; what it does later is not lost but
 * not shown. */
#include "model/exec/threads_native.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

static const uint64_t PROCESS =
    1000; /* ids of threads as the system sees them, as in gettid */
static const int64_t SECOND = 1000000000;

static NativeStatus fail(NativeCall *call, int error) {
  exec_set_errno(call->exec, call->thread, error);
  return thread_answer(call, UINT64_MAX);
}

/* Nobody joins it. */
static ExecThread *start(NativeCall *call, uint64_t function, uint64_t argument) {
  ExecThread *n = thread_start(call->exec, call->thread, function, argument);
  if (n) n->detached = true;
  return n;
}

static NativeStatus native_clone(NativeCall *call) {
  uint32_t flags = (uint32_t)call->args[2];
  if (!(flags & CLONE_VM) || (flags & CLONE_VFORK)) {
    exec_stop(call->exec, "clone makes a process, which heddle exec does not model");
    return NATIVE_STOP;
  }
  if (!call->args[0] || !call->args[1]) return fail(call, EINVAL);
  ExecThread *n = start(call, call->args[0], call->args[3]);
  return n ? thread_answer(call, PROCESS + n->number) : NATIVE_STOP;
}

/* ---- timers ---- */

typedef struct {
  uint64_t notify, function, argument;
  int64_t interval[2];
} Timer;

/* struct sigevent of the x86-64 ABI */
typedef struct {
  uint64_t value;
  int32_t signal, notify;
  uint64_t function;
} Event;

static NativeStatus native_timer_create(NativeCall *call) {
  Exec *exec = call->exec;
  Event event = {.notify = SIGEV_SIGNAL};
  if (call->args[1] && !exec_read(exec, call->args[1], &event, sizeof event))
    return NATIVE_STOP;
  Timer timer = {.notify = (uint64_t)event.notify,
                 .function = event.function,
                 .argument = event.value};
  uint64_t address = memory_new_static(&exec->memory, 0, sizeof timer, 16);
  if (!address) return fail(call, EAGAIN);
  memory_allow(&exec->memory, address, sizeof timer, false);
  memcpy(exec->memory.bytes + address, &timer, sizeof timer);
  return exec_write(exec, call->args[2], &address, sizeof address)
             ? thread_answer(call, 0)
             : NATIVE_STOP;
}

static NativeStatus expire(NativeCall *call, const Timer *timer) {
  if (timer->notify == SIGEV_NONE) return thread_answer(call, 0);
  if (timer->notify == SIGEV_THREAD)
    return start(call, timer->function, timer->argument) ? thread_answer(call, 0)
                                                         : NATIVE_STOP;
  exec_stop(call->exec, "a timer sends a signal, which heddle exec does not model");
  return NATIVE_STOP;
}

/* What is left of a timer's time is 0: see above. */
static bool tell_rest(NativeCall *call, const Timer *timer, uint64_t to) {
  int64_t rest[4] = {timer->interval[0], timer->interval[1], 0, 0};
  return !to || exec_write(call->exec, to, rest, sizeof rest);
}

static NativeStatus native_timer_settime(NativeCall *call) {
  Timer timer;
  int64_t when[4]; /* the interval, and the first time */
  if (!exec_read(call->exec, call->args[0], &timer, sizeof timer) ||
      !exec_read(call->exec, call->args[2], when, sizeof when))
    return NATIVE_STOP;
  if (when[1] < 0 || when[1] >= SECOND || when[3] < 0 || when[3] >= SECOND)
    return fail(call, EINVAL);
  if (!tell_rest(call, &timer, call->args[3])) return NATIVE_STOP;
  timer.interval[0] = when[0];
  timer.interval[1] = when[1];
  if (!exec_write(call->exec, call->args[0], &timer, sizeof timer)) return NATIVE_STOP;
  return when[2] || when[3] ? expire(call, &timer) : thread_answer(call, 0);
}

static NativeStatus native_timer_gettime(NativeCall *call) {
  Timer timer;
  return exec_read(call->exec, call->args[0], &timer, sizeof timer) &&
                 tell_rest(call, &timer, call->args[1])
             ? thread_answer(call, 0)
             : NATIVE_STOP;
}

static NativeStatus native_timer_delete(NativeCall *call) {
  memory_forbid(&call->exec->memory, call->args[0], sizeof(Timer));
  return thread_answer(call, 0);
}

static NativeStatus native_timer_getoverrun(NativeCall *call) {
  return thread_answer(call, 0);
}

static const Native natives[] = {
    {"clone", native_clone, 4},
    {"timer_create", native_timer_create, 3},
    {"timer_delete", native_timer_delete, 1},
    {"timer_getoverrun", native_timer_getoverrun, 1},
    {"timer_gettime", native_timer_gettime, 2},
    {"timer_settime", native_timer_settime, 4},
};

const Native *library_thread_native(const char *name) {
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    if (strcmp(natives[i].name, name) == 0) return &natives[i];
  return NULL;
}
