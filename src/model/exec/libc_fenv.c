/* The floating-point environment: rounding modes and exception flags.
 *
 * The interpreter computes with the host's own arithmetic, so the host's environment is
 * the program's. There is only one of it while every thread should have its own;
 * therefore a program that has created threads may ask for the rounding mode but is
 * stopped when it changes the environment or looks at the flags. libc_state_free restores
 * the default environment. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "model/exec/exec.h"

#include <fenv.h>

enum { ENV_BYTES = 32 };
_Static_assert(sizeof(fenv_t) == ENV_BYTES, "fenv_t of the x86-64 ABI");
static const uint64_t DEFAULT_ENV = UINT64_MAX; /* FE_DFL_ENV */

/* False, with a stop, when there is more than one thread to whom the environment
 * belongs. */
static bool is_alone(NativeCall *call) {
  if (exec_thread_count(call->exec) <= 1) return true;
  exec_stop(call->exec,
            "the floating-point environment of a program with threads is not modelled");
  return false;
}

static NativeStatus native_fegetround(NativeCall *call) {
  return ret_int(call, fegetround());
}

static NativeStatus native_fesetround(NativeCall *call) {
  int mode = arg_int(call, 0);
  if (mode == fegetround()) return ret_int(call, 0);
  return is_alone(call) ? ret_int(call, fesetround(mode)) : NATIVE_STOP;
}

#define FLAGS(name)                                                                      \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    return is_alone(call) ? ret_int(call, name(arg_int(call, 0))) : NATIVE_STOP;         \
  }
FLAGS(feclearexcept)
FLAGS(feraiseexcept)
FLAGS(fetestexcept)

static NativeStatus get_env(NativeCall *call, bool hold) {
  fenv_t env;
  if (!is_alone(call)) return NATIVE_STOP;
  int status = hold ? feholdexcept(&env) : fegetenv(&env);
  return libc_put(call, arg_u64(call, 0), &env, sizeof env) ? ret_int(call, status)
                                                            : NATIVE_STOP;
}

static NativeStatus native_fegetenv(NativeCall *call) {
  return get_env(call, false);
}
static NativeStatus native_feholdexcept(NativeCall *call) {
  return get_env(call, true);
}

/* What a program may set: rounding and flags. Anything else (traps, reserved bits) would
 * end the interpreter. */
enum { MXCSR_MASK = 0x603f, CONTROL_MASK = 0x0c00, STATUS_MASK = 0x003f };

static uint32_t mix(uint32_t now, uint32_t wanted, uint32_t mask) {
  return (now & ~mask) | (wanted & mask);
}

static NativeStatus set_env(NativeCall *call, bool update) {
  fenv_t env;
  const fenv_t *from = FE_DFL_ENV;
  if (!is_alone(call)) return NATIVE_STOP;
  if (arg_u64(call, 0) != DEFAULT_ENV) {
    if (!exec_read(call->exec, arg_u64(call, 0), &env, sizeof env)) return NATIVE_STOP;
    fenv_t now;
    fegetenv(&now);
    now.__mxcsr = mix(now.__mxcsr, env.__mxcsr, MXCSR_MASK);
    now.__control_word =
        (uint16_t)mix(now.__control_word, env.__control_word, CONTROL_MASK);
    now.__status_word = (uint16_t)mix(now.__status_word, env.__status_word, STATUS_MASK);
    env = now;
    from = &env;
  }
  return ret_int(call, update ? feupdateenv(from) : fesetenv(from));
}

static NativeStatus native_fesetenv(NativeCall *call) {
  return set_env(call, false);
}
static NativeStatus native_feupdateenv(NativeCall *call) {
  return set_env(call, true);
}

static const Native natives[] = {
    {"feclearexcept", native_feclearexcept, 1}, {"fegetenv", native_fegetenv, 1},
    {"fegetround", native_fegetround, 0},       {"feholdexcept", native_feholdexcept, 1},
    {"feraiseexcept", native_feraiseexcept, 1}, {"fesetenv", native_fesetenv, 1},
    {"fesetround", native_fesetround, 1},       {"fetestexcept", native_fetestexcept, 1},
    {"feupdateenv", native_feupdateenv, 1},
};
NATIVE_TABLE(fenv, natives);
