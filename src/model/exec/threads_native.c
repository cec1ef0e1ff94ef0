/* Functions of pthread.h, threads.h and sched.h that are no operations of the model:
 * keys, cancellation state, cleanup handlers, sleeping, yielding. (Attributes:
 * threads_attr.c.) And memory that is an input.
 *
 * Sleeping advances the virtual clock: the thread waits until its time has come, which it
 * has at once when nothing else can run. */
#include "model/exec/threads_native.h"

#include <errno.h>
#include <stdio.h>

NativeStatus thread_answer(NativeCall *call, uint64_t value) {
  call->result = value;
  return NATIVE_DONE;
}

static NativeStatus native_zero(NativeCall *call) {
  return thread_answer(call, 0);
}

/* ---- keys ---- */

enum { KEYS_MAX = 1024 };

static NativeStatus native_key_create(NativeCall *call) {
  Exec *exec = call->exec;
  uint32_t key = 0;
  while (key < exec->keys.len && exec->keys.data[key].used) key++;
  if (key == KEYS_MAX) return thread_answer(call, EAGAIN);
  if (key == exec->keys.len) vec_push(&exec->keys, (Key){0});
  exec->keys.data[key] = (Key){.used = true, .destructor = call->args[1]};
  for (uint32_t i = 0; i < exec->active.len;
       i++) /* a used key starts as NULL everywhere */
    if (key < exec->active.data[i]->keys.len) exec->active.data[i]->keys.data[key] = 0;
  return exec_write(exec, call->args[0], &key, sizeof key) ? thread_answer(call, 0)
                                                           : NATIVE_STOP;
}

static bool key_used(const NativeCall *call) {
  uint32_t key = (uint32_t)call->args[0];
  return key < call->exec->keys.len && call->exec->keys.data[key].used;
}

static NativeStatus native_key_delete(NativeCall *call) {
  if (!key_used(call)) return thread_answer(call, EINVAL);
  call->exec->keys.data[(uint32_t)call->args[0]].used = false;
  return thread_answer(call, 0);
}

static NativeStatus native_setspecific(NativeCall *call) {
  ExecThread *t = call->thread;
  uint32_t key = (uint32_t)call->args[0];
  if (!key_used(call)) return thread_answer(call, EINVAL);
  while (t->keys.len <= key) vec_push(&t->keys, 0);
  t->keys.data[key] = call->args[1];
  return thread_answer(call, 0);
}

static NativeStatus native_getspecific(NativeCall *call) {
  const ExecThread *t = call->thread;
  uint32_t key = (uint32_t)call->args[0];
  return thread_answer(call, key_used(call) && key < t->keys.len ? t->keys.data[key] : 0);
}

/* ---- cancellation ---- */

/* Sets one of two states and stores the old one (unless the place is NULL). */
static NativeStatus exchange(NativeCall *call, bool *state) {
  uint32_t value = (uint32_t)call->args[0], old = *state;
  if (value > 1) return thread_answer(call, EINVAL);
  if (call->args[1] && !exec_write(call->exec, call->args[1], &old, sizeof old))
    return NATIVE_STOP;
  *state = value;
  return thread_answer(call, 0);
}

static NativeStatus native_setcancelstate(NativeCall *call) {
  return exchange(call, &call->thread->cancel_disabled);
}
static NativeStatus native_setcanceltype(NativeCall *call) {
  return exchange(call, &call->thread->cancel_async);
}

/* Acts on a pending cancellation; NATIVE_DONE when there is none. */
static NativeStatus test_cancel(NativeCall *call) {
  Outcome out = thread_test_cancel(call->exec, call->thread);
  call->thread->outcome = (uint8_t)out;
  return out == OUT_NEXT ? NATIVE_DONE : NATIVE_JUMP;
}

static NativeStatus native_register_cancel(NativeCall *call) {
  vec_push(&call->thread->cleanups, call->args[0]);
  return NATIVE_DONE;
}

static NativeStatus native_unregister_cancel(NativeCall *call) {
  if (call->thread->cleanups.len) (void)vec_pop(&call->thread->cleanups);
  return NATIVE_DONE;
}

static NativeStatus native_unwind_next(NativeCall *call) {
  call->thread->outcome = (uint8_t)thread_finish(call->exec, call->thread);
  return NATIVE_JUMP;
}

/* The buffer begins with the function and its argument. */
static NativeStatus native_cleanup_push(NativeCall *call) {
  if (!exec_write(call->exec, call->args[0], &call->args[1], 16)) return NATIVE_STOP;
  vec_push(&call->thread->cleanups, call->args[0] | 1);
  return NATIVE_DONE;
}

static NativeStatus native_cleanup_pop(NativeCall *call) {
  uint64_t words[2];
  if (call->stage) return NATIVE_DONE;
  native_unregister_cancel(call);
  if (!call->args[1]) return NATIVE_DONE;
  if (!exec_read(call->exec, call->args[0], words, sizeof words)) return NATIVE_STOP;
  call->callback = words[0];
  call->callback_args[0] = words[1];
  call->callback_argc = 1;
  return NATIVE_CALL;
}

/* ---- time ---- */

/* Waits until the clock shows `until`; with `point`, it may be cancelled. */
static NativeStatus sleep_until(NativeCall *call, uint64_t until) {
  if (test_cancel(call) != NATIVE_DONE) return NATIVE_JUMP;
  if (call->stage || until <= exec_clock(call->exec)) {
    call->thread->phase = PHASE_START;
    return thread_answer(call, 0);
  }
  thread_block(call->thread, WAIT_SLEEP, 0, until);
  return NATIVE_BLOCK;
}

static uint64_t after(const NativeCall *call, uint64_t nanoseconds) {
  uint64_t now = exec_clock(call->exec);
  return nanoseconds > UINT64_MAX - 1 - now ? UINT64_MAX - 1 : now + nanoseconds;
}

static NativeStatus native_sleep(NativeCall *call) {
  return sleep_until(call, after(call, (uint64_t)(uint32_t)call->args[0] * 1000000000));
}
static NativeStatus native_usleep(NativeCall *call) {
  return sleep_until(call, after(call, (uint64_t)(uint32_t)call->args[0] * 1000));
}

/* The wait that the timespec at `address` asks for; `failure` is the answer when it is
 * none. */
static NativeStatus sleep_for(NativeCall *call, uint64_t address, bool absolute,
                              uint64_t failure, bool in_errno) {
  int64_t time[2];
  if (!exec_read(call->exec, address, time, sizeof time)) return NATIVE_STOP;
  if (time[1] < 0 || time[1] >= 1000000000 || (time[0] < 0 && !absolute)) {
    if (in_errno) exec_set_errno(call->exec, call->thread, EINVAL);
    return thread_answer(call, failure);
  }
  uint64_t deadline;
  bool valid;
  if (absolute) {
    if (!sync_deadline(call->exec, address, &deadline, &valid)) return NATIVE_STOP;
    return sleep_until(call, deadline);
  }
  uint64_t seconds = time[0] < INT32_MAX ? (uint64_t)time[0] : INT32_MAX;
  return sleep_until(call, after(call, seconds * 1000000000 + (uint64_t)time[1]));
}

static NativeStatus native_nanosleep(NativeCall *call) {
  return sleep_for(call, call->args[0], false, UINT64_MAX, true);
}
static NativeStatus native_thrd_sleep(NativeCall *call) {
  return sleep_for(call, call->args[0], false, (uint64_t)(int64_t)-2, false);
}
static NativeStatus native_clock_nanosleep(NativeCall *call) {
  bool absolute = call->args[1] & 1; /* TIMER_ABSTIME */
  return sleep_for(call, call->args[2], absolute, EINVAL, false);
}

/* Lets the others run: the rest of the quantum is given up. */
static NativeStatus native_yield(NativeCall *call) {
  call->exec->switch_now = !call->exec->stepwise && call->exec->active.len > 1;
  return thread_answer(call, 0);
}

/* ---- the rest ---- */

static NativeStatus native_equal(NativeCall *call) {
  return thread_answer(call, call->args[0] == call->args[1]);
}

static NativeStatus native_consistent(NativeCall *call) {
  return thread_answer(call,
                       lock_repair(call->exec, call->thread, call->args[0]) ? 0 : EINVAL);
}

/* Signal 0 asks whether the thread exists; any other would have to be delivered. */
static NativeStatus native_kill(NativeCall *call) {
  const ExecThread *other = thread_of_id(call->exec, call->args[0]);
  if (!other || other->joined) return thread_answer(call, ESRCH);
  if ((uint32_t)call->args[1] == 0) return thread_answer(call, 0);
  exec_stop(call->exec, "pthread_kill sends signal %u, which heddle exec does not model",
            (uint32_t)call->args[1]);
  return NATIVE_STOP;
}

static NativeStatus native_errno_location(NativeCall *call) {
  uint64_t address = exec_errno_address(call->exec, call->thread);
  if (address) return thread_answer(call, address);
  exec_stop(call->exec, "there is no memory left for errno");
  return NATIVE_STOP;
}

static NativeStatus native_gettid(NativeCall *call) {
  return thread_answer(call, 1000 + call->thread->number);
}

/* One processor: threads take turns. */
static NativeStatus native_getaffinity(NativeCall *call) {
  uint64_t size = call->args[1], place = call->args[2];
  size_t left;
  uint8_t *set = exec_view(call->exec, place, &left);
  if (!set || left < size || size == 0)
    return set ? thread_answer(call, EINVAL) : NATIVE_STOP;
  memset(set, 0, size);
  set[0] = 1;
  return thread_answer(call, 0);
}

/* A thread is called after the program until it gets a name of its own. */
static NativeStatus native_getname(NativeCall *call) {
  ExecThread *other = thread_of_id(call->exec, call->args[0]);
  char name[sizeof other->name] = "";
  if (!other) return thread_answer(call, ESRCH);
  const char *program = strrchr(exec_argv(call->exec)[0], '/');
  program = program ? program + 1 : exec_argv(call->exec)[0];
  snprintf(name, sizeof name, "%s", *other->name ? other->name : program);
  if (call->args[2] < sizeof name) return thread_answer(call, ERANGE);
  return exec_write(call->exec, call->args[1], name, strlen(name) + 1)
             ? thread_answer(call, 0)
             : NATIVE_STOP;
}

static NativeStatus native_setname(NativeCall *call) {
  ExecThread *other = thread_of_id(call->exec, call->args[0]);
  size_t length;
  if (!exec_strlen(call->exec, call->args[1], 256, &length)) return NATIVE_STOP;
  if (!other) return thread_answer(call, ESRCH);
  if (length >= sizeof other->name) return thread_answer(call, ERANGE);
  memset(other->name, 0, sizeof other->name);
  return exec_read(call->exec, call->args[1], other->name, length)
             ? thread_answer(call, 0)
             : NATIVE_STOP;
}

/* Memory that may hold anything (program_writes_input). */
static NativeStatus native_nondet_memory(NativeCall *call) {
  uint64_t to = call->args[0], left = call->args[1];
  while (left) {
    uint64_t word = 0, part = left < INPUT_BYTES ? left : INPUT_BYTES;
    exec_havoc(call->exec, thread_edge(call->thread), (uint32_t)part * 8, &word);
    if (!exec_write(call->exec, to, &word, part)) return NATIVE_STOP;
    to += part;
    left -= part;
  }
  return thread_answer(call, 0);
}

static const Native natives[] = {
    {"__VERIFIER_nondet_memory", native_nondet_memory, 2},
    {"__errno_location", native_errno_location, 0},
    {"__pthread_register_cancel", native_register_cancel, 1},
    {"__pthread_register_cancel_defer", native_register_cancel, 1},
    {"__pthread_unregister_cancel", native_unregister_cancel, 1},
    {"__pthread_unregister_cancel_restore", native_unregister_cancel, 1},
    {"__pthread_unwind_next", native_unwind_next, 1},
    {"_pthread_cleanup_pop", native_cleanup_pop, 2},
    {"_pthread_cleanup_pop_restore", native_cleanup_pop, 2},
    {"_pthread_cleanup_push", native_cleanup_push, 3},
    {"_pthread_cleanup_push_defer", native_cleanup_push, 3},
    {"clock_nanosleep", native_clock_nanosleep, 3},
    {"gettid", native_gettid, 0},
    {"nanosleep", native_nanosleep, 1},
    {"pthread_equal", native_equal, 2},
    {"pthread_getaffinity_np", native_getaffinity, 3},
    {"pthread_getname_np", native_getname, 3},
    {"pthread_getspecific", native_getspecific, 1},
    {"pthread_key_create", native_key_create, 2},
    {"pthread_key_delete", native_key_delete, 1},
    {"pthread_kill", native_kill, 2},
    {"pthread_mutex_consistent", native_consistent, 1},
    {"pthread_mutex_consistent_np", native_consistent, 1},
    {"pthread_setaffinity_np", native_zero, 3},
    {"pthread_setcancelstate", native_setcancelstate, 2},
    {"pthread_setcanceltype", native_setcanceltype, 2},
    {"pthread_setconcurrency", native_zero, 1},
    {"pthread_getconcurrency", native_zero, 0},
    {"pthread_setname_np", native_setname, 2},
    {"pthread_setschedparam", native_zero, 3},
    {"pthread_setschedprio", native_zero, 2},
    {"pthread_setspecific", native_setspecific, 2},
    {"pthread_yield", native_yield, 0},
    {"sched_getaffinity", native_getaffinity, 3},
    {"sched_getcpu", native_zero, 0},
    {"sched_setaffinity", native_zero, 3},
    {"sched_yield", native_yield, 0},
    {"sleep", native_sleep, 1},
    {"thrd_equal", native_equal, 2},
    {"thrd_sleep", native_thrd_sleep, 1},
    {"thrd_yield", native_yield, 0},
    {"tss_create", native_key_create, 2},
    {"tss_delete", native_key_delete, 1},
    {"tss_get", native_getspecific, 1},
    {"tss_set", native_setspecific, 2},
    {"usleep", native_usleep, 1},
};

const Native *thread_native(const char *name) {
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    if (strcmp(natives[i].name, name) == 0) return &natives[i];
  const Native *native = named_native(name);
  if (!native) native = library_thread_native(name);
  return native ? native : thread_attr_native(name);
}
