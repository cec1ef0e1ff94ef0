/* Signals, as far as a program deals with itself: handlers are registered, raise calls
 * them.
 *
 * No signal ever comes from outside. A raised signal whose action is the default ends the
 * program when its default is to end it; an ignored one does nothing; a handler is called
 * like any other function. A blocked signal would stay pending: that is not modelled and
 * stops the run. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { SET_BYTES = 128, ACTION_MASK = 8, ACTION_FLAGS = 136 };
static const uint64_t DEFAULT = 0, IGNORED = 1; /* SIG_DFL, SIG_IGN */
_Static_assert(sizeof(struct sigaction) == LIBC_SIGACTION_BYTES, "struct sigaction");
_Static_assert(sizeof(sigset_t) == SET_BYTES, "sigset_t");

static bool is_signal(int number) {
  return number >= 1 && number < LIBC_SIGNALS;
}

static bool can_be_handled(int number) {
  return is_signal(number) && number != SIGKILL && number != SIGSTOP;
}

static uint64_t handler_of(const LibcState *state, int number) {
  uint64_t handler;
  memcpy(&handler, state->actions[number], sizeof handler);
  return handler;
}

static NativeStatus native_signal(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  int number = arg_int(call, 0);
  uint64_t handler = arg_u64(call, 1);
  if (!can_be_handled(number) || handler == UINT64_MAX)
    return ret_errno(call, EINVAL, UINT64_MAX);
  uint64_t old = handler_of(state, number);
  int flags = SA_RESTART;
  memset(state->actions[number], 0, LIBC_SIGACTION_BYTES);
  memcpy(state->actions[number], &handler, sizeof handler);
  memcpy(state->actions[number] + ACTION_FLAGS, &flags, sizeof flags);
  return ret_u64(call, old);
}

static NativeStatus native_sigaction(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  int number = arg_int(call, 0);
  uint8_t fresh[LIBC_SIGACTION_BYTES];
  if (!is_signal(number) || (arg_u64(call, 1) && !can_be_handled(number)))
    return ret_errno(call, EINVAL, UINT64_MAX);
  if (arg_u64(call, 1) && !exec_read(call->exec, arg_u64(call, 1), fresh, sizeof fresh))
    return NATIVE_STOP;
  if (arg_u64(call, 2) &&
      !libc_put(call, arg_u64(call, 2), state->actions[number], LIBC_SIGACTION_BYTES))
    return NATIVE_STOP;
  if (arg_u64(call, 1)) memcpy(state->actions[number], fresh, sizeof fresh);
  return ret_int(call, 0);
}

/* ---- raising ----------------------------------------------------------------------- */

static bool ends_by_default(int number) {
  return number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH;
}

/* What sigaction's handlers get beside the number: where the signal came from, and a
 * context that tells nothing. */
static bool add_information(NativeCall *call, int number, int code) {
  LibcState *state = exec_libc(call->exec);
  siginfo_t info = {.si_signo = number, .si_code = code};
  info.si_pid = LIBC_PROCESS;
  info.si_uid = getuid();
  uint64_t at = libc_static(call->exec, state, STATIC_SIGINFO, NULL, sizeof info);
  uint64_t context =
      libc_static(call->exec, state, STATIC_UCONTEXT, NULL, sizeof(ucontext_t));
  if (at == 0 || context == 0) {
    exec_stop(call->exec, "no memory left for the arguments of a signal handler");
    return false;
  }
  call->callback_args[1] = at;
  call->callback_args[2] = context;
  call->callback_argc = 3;
  return libc_put(call, at, &info, sizeof info);
}

/* Calls the handler; while it runs its signal and those of its mask are blocked. */
static NativeStatus call_handler(NativeCall *call, int number, int code) {
  LibcState *state = exec_libc(call->exec);
  const uint8_t *action = state->actions[number];
  uint64_t handler = handler_of(state, number), mask;
  int flags;
  memcpy(&mask, action + ACTION_MASK, sizeof mask);
  memcpy(&flags, action + ACTION_FLAGS, sizeof flags);
  call->callback = handler;
  call->callback_args[0] = (uint32_t)number;
  call->callback_argc = 1;
  if ((flags & SA_SIGINFO) && !add_information(call, number, code)) return NATIVE_STOP;
  if (flags & SA_RESETHAND) memset(state->actions[number], 0, sizeof handler);
  call->state = mem_dup(&state->signal_mask, sizeof state->signal_mask);
  call->drop = mem_free;
  state->signal_mask |= mask;
  if (!(flags & SA_NODEFER)) state->signal_mask |= UINT64_C(1) << (number - 1);
  return NATIVE_CALL;
}

/* The handler has returned. */
static void restore_mask(NativeCall *call) {
  memcpy(&exec_libc(call->exec)->signal_mask, call->state, sizeof(uint64_t));
}

static NativeStatus end_by(NativeCall *call, int number) {
  exec_libc(call->exec)->abandoned = true;
  call->result = (uint64_t)number;
  return NATIVE_ABORT;
}

static NativeStatus raise_signal(NativeCall *call, int number, int code) {
  LibcState *state = exec_libc(call->exec);
  if (call->stage > 0) {
    restore_mask(call);
    return ret_int(call, 0);
  }
  if (!is_signal(number)) return ret_errno(call, EINVAL, UINT64_MAX);
  if (state->signal_mask >> (number - 1) & 1) {
    exec_stop(call->exec, "signal %d is raised while it is blocked; that is not modelled",
              number);
    return NATIVE_STOP;
  }
  uint64_t handler = handler_of(state, number);
  if (handler == IGNORED || (handler == DEFAULT && !ends_by_default(number)))
    return ret_int(call, 0);
  return handler == DEFAULT ? end_by(call, number) : call_handler(call, number, code);
}

/* abort runs a handler once, even where the signal is blocked; then nothing holds it. */
static NativeStatus native_abort(NativeCall *call) {
  uint64_t handler = handler_of(exec_libc(call->exec), SIGABRT);
  if (call->stage > 0 || handler == DEFAULT || handler == IGNORED)
    return end_by(call, SIGABRT);
  return call_handler(call, SIGABRT, SI_TKILL);
}

static NativeStatus native_raise(NativeCall *call) {
  return raise_signal(call, arg_int(call, 0), SI_TKILL);
}

/* kill of the program itself; other processes are left alone. */
static NativeStatus native_kill(NativeCall *call) {
  int process = arg_int(call, 0);
  if (process != LIBC_PROCESS && process != 0) {
    exec_stop(call->exec, "kill of another process is not modelled");
    return NATIVE_STOP;
  }
  if (call->stage == 0 && arg_int(call, 1) == 0) return ret_int(call, 0);
  return raise_signal(call, arg_int(call, 1), SI_USER);
}

/* ---- sets -------------------------------------------------------------------------- */

static NativeStatus native_sigemptyset(NativeCall *call) {
  return libc_fill(call, arg_u64(call, 0), 0, SET_BYTES) ? ret_int(call, 0) : NATIVE_STOP;
}

/* All signals but the two that the thread library keeps for itself. */
static NativeStatus native_sigfillset(NativeCall *call) {
  sigset_t set;
  sigfillset(&set);
  return libc_put(call, arg_u64(call, 0), &set, sizeof set) ? ret_int(call, 0)
                                                            : NATIVE_STOP;
}

static NativeStatus change_set(NativeCall *call, bool add) {
  int number = arg_int(call, 1);
  uint64_t word;
  if (!is_signal(number)) return ret_errno(call, EINVAL, UINT64_MAX);
  if (!exec_read(call->exec, arg_u64(call, 0), &word, sizeof word)) return NATIVE_STOP;
  uint64_t bit = UINT64_C(1) << (number - 1);
  word = add ? word | bit : word & ~bit;
  return libc_put_u64(call, arg_u64(call, 0), word) ? ret_int(call, 0) : NATIVE_STOP;
}

static NativeStatus native_sigaddset(NativeCall *call) {
  return change_set(call, true);
}
static NativeStatus native_sigdelset(NativeCall *call) {
  return change_set(call, false);
}

static NativeStatus native_sigismember(NativeCall *call) {
  int number = arg_int(call, 1);
  uint64_t word;
  if (!is_signal(number)) return ret_errno(call, EINVAL, UINT64_MAX);
  if (!exec_read(call->exec, arg_u64(call, 0), &word, sizeof word)) return NATIVE_STOP;
  return ret_int(call, (int)(word >> (number - 1) & 1));
}

/* The mask is one for the whole program: nothing but raise looks at it. */
static NativeStatus change_mask(NativeCall *call, bool errors_in_result) {
  LibcState *state = exec_libc(call->exec);
  uint64_t word = 0, old[SET_BYTES / 8] = {state->signal_mask};
  int how = arg_int(call, 0);
  if (arg_u64(call, 1)) {
    if (!exec_read(call->exec, arg_u64(call, 1), &word, sizeof word)) return NATIVE_STOP;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
      return errors_in_result ? ret_int(call, EINVAL)
                              : ret_errno(call, EINVAL, UINT64_MAX);
  }
  if (arg_u64(call, 2) && !libc_put(call, arg_u64(call, 2), old, sizeof old))
    return NATIVE_STOP;
  if (arg_u64(call, 1))
    state->signal_mask = how == SIG_BLOCK     ? state->signal_mask | word
                         : how == SIG_UNBLOCK ? state->signal_mask & ~word
                                              : word;
  return ret_int(call, 0);
}

static NativeStatus native_sigprocmask(NativeCall *call) {
  return change_mask(call, false);
}
static NativeStatus native_pthread_sigmask(NativeCall *call) {
  return change_mask(call, true);
}

static const Native natives[] = {
    {"__stack_chk_fail", native_abort, 0},
    {"__sysv_signal", native_signal, 2},
    {"abort", native_abort, 0},
    {"bsd_signal", native_signal, 2},
    {"kill", native_kill, 2},
    {"pthread_sigmask", native_pthread_sigmask, 3},
    {"raise", native_raise, 1},
    {"sigaction", native_sigaction, 3},
    {"sigaddset", native_sigaddset, 2},
    {"sigdelset", native_sigdelset, 2},
    {"sigemptyset", native_sigemptyset, 1},
    {"sigfillset", native_sigfillset, 1},
    {"sigismember", native_sigismember, 2},
    {"signal", native_signal, 2},
    {"sigprocmask", native_sigprocmask, 3},
    {"ssignal", native_signal, 2},
};
NATIVE_TABLE(signal, natives);
