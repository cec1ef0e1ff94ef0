/* The environment, and what runs when the program ends: getenv, setenv, atexit, exit,
 * abort.
 *
 * The program sees heddle's own environment as an array of strings in its memory. The
 * array has LIBC_ENV_SPARE free slots, so that it never moves and `environ` stays right;
 * a program that adds more variables than that is stopped. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/str.h"
#include "base/mem.h"

#include <errno.h>
#include <unistd.h>

uint64_t libc_environ(Exec *exec, LibcState *state) {
  if (state->environment) return state->environment;
  const char *const *given =
      exec_isolated(exec) ? exec_environment(exec) : (const char *const *)environ;
  uint32_t count = 0;
  while (given && given[count]) count++;
  state->environment_room = count + LIBC_ENV_SPARE;
  VEC(uint64_t) slots = {0};
  memset(vec_extend(&slots, state->environment_room + 1), 0, 8);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; i++) {
    slots.data[i] = libc_lend(exec, state, given[i], strlen(given[i]) + 1);
    ok = slots.data[i] != 0;
  }
  uint64_t address = ok ? libc_lend(exec, state, slots.data, 8 * (uint64_t)slots.len) : 0;
  vec_free(&slots);
  state->environment = address;
  return address;
}

/* The slot of a variable; the first free one when it is not set. False: stop. */
static bool find_slot(NativeCall *call, const char *name, size_t length,
                      uint64_t *ret_slot, uint64_t *ret_text) {
  uint64_t slot = libc_environ(call->exec, exec_libc(call->exec));
  if (slot == 0) {
    exec_stop(call->exec, "no memory left for the environment");
    return false;
  }
  for (;; slot += 8) {
    uint64_t text;
    size_t size;
    if (!exec_read(call->exec, slot, &text, 8)) return false;
    *ret_slot = slot;
    *ret_text = text;
    if (text == 0) return true;
    const char *entry = libc_string(call, text, &size);
    if (!entry) return false;
    if (size > length && entry[length] == '=' && memcmp(entry, name, length) == 0)
      return true;
  }
}

static NativeStatus native_getenv(NativeCall *call) {
  char *name = libc_string_copy(call, arg_u64(call, 0));
  if (!name) return NATIVE_STOP;
  size_t length = strlen(name);
  uint64_t slot, text;
  bool ok = find_slot(call, name, length, &slot, &text);
  bool possible = length > 0 && !strchr(name, '=');
  mem_free(name);
  if (!ok) return NATIVE_STOP;
  return ret_u64(call, text && possible ? text + length + 1 : 0);
}

/* Puts the string `text` ("NAME=value") in the slot. */
static NativeStatus set_slot(NativeCall *call, uint64_t slot, uint64_t text) {
  LibcState *state = exec_libc(call->exec);
  if ((slot - state->environment) / 8 >= state->environment_room) {
    exec_stop(call->exec, "more than %d new environment variables", LIBC_ENV_SPARE);
    return NATIVE_STOP;
  }
  return libc_put_u64(call, slot, text) ? ret_int(call, 0) : NATIVE_STOP;
}

static NativeStatus native_setenv(NativeCall *call) {
  if (arg_u64(call, 0) == 0) return ret_errno(call, EINVAL, UINT64_MAX);
  char *name = libc_string_copy(call, arg_u64(call, 0));
  char *value = name ? libc_string_copy(call, arg_u64(call, 1)) : NULL;
  Str entry = {0};
  uint64_t slot, old, fresh;
  NativeStatus status = NATIVE_STOP;
  if (value) {
    if (*name == '\0' || strchr(name, '=')) {
      status = ret_errno(call, EINVAL, UINT64_MAX);
    } else if (find_slot(call, name, strlen(name), &slot, &old)) {
      str_addf(&entry, "%s=%s", name, value);
      if (old && arg_int(call, 2) == 0)
        status = ret_int(call, 0);
      else if ((fresh = libc_lend(call->exec, exec_libc(call->exec), str_text(&entry),
                                  entry.len + 1)))
        status = set_slot(call, slot, fresh);
      else
        status = ret_errno(call, ENOMEM, UINT64_MAX);
    }
  }
  str_free(&entry);
  mem_free(name);
  mem_free(value);
  return status;
}

static NativeStatus remove_variable(NativeCall *call, const char *name) {
  for (;;) {
    uint64_t slot, text;
    if (!find_slot(call, name, strlen(name), &slot, &text)) return NATIVE_STOP;
    if (text == 0) return ret_int(call, 0);
    for (; text; slot += 8) {
      if (!exec_read(call->exec, slot + 8, &text, 8) || !libc_put_u64(call, slot, text))
        return NATIVE_STOP;
    }
  }
}

static NativeStatus native_unsetenv(NativeCall *call) {
  if (arg_u64(call, 0) == 0) return ret_errno(call, EINVAL, UINT64_MAX);
  char *name = libc_string_copy(call, arg_u64(call, 0));
  if (!name) return NATIVE_STOP;
  NativeStatus status = *name == '\0' || strchr(name, '=')
                            ? ret_errno(call, EINVAL, UINT64_MAX)
                            : remove_variable(call, name);
  mem_free(name);
  return status;
}

/* putenv keeps the caller's string itself; without '=' it removes the variable. */
static NativeStatus native_putenv(NativeCall *call) {
  char *text = libc_string_copy(call, arg_u64(call, 0));
  if (!text) return NATIVE_STOP;
  char *equals = strchr(text, '=');
  NativeStatus status = NATIVE_STOP;
  uint64_t slot, old;
  if (!equals)
    status = remove_variable(call, text);
  else if (find_slot(call, text, (size_t)(equals - text), &slot, &old))
    status = set_slot(call, slot, arg_u64(call, 0));
  mem_free(text);
  return status;
}

static NativeStatus native_clearenv(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  if (libc_environ(call->exec, state) == 0) return ret_int(call, -1);
  return libc_put_u64(call, state->environment, 0) ? ret_int(call, 0) : NATIVE_STOP;
}

/* ---- the end of the program -------------------------------------------------------- */

static NativeStatus at_exit(NativeCall *call, ExitKind kind) {
  LibcState *state = exec_libc(call->exec);
  vec_push(&state->exits,
           (ExitHandler){.kind = kind,
                         .function = arg_u64(call, 0),
                         .arg = kind == HANDLER_PLAIN ? 0 : arg_u64(call, 1)});
  return ret_int(call, 0);
}

static NativeStatus native_atexit(NativeCall *call) {
  return at_exit(call, HANDLER_PLAIN);
}
static NativeStatus native_on_exit(NativeCall *call) {
  return at_exit(call, HANDLER_STATUS);
}
static NativeStatus native_cxa_atexit(NativeCall *call) {
  return at_exit(call, HANDLER_ARG);
}

static NativeStatus native_exit(NativeCall *call) {
  call->result = (uint64_t)(arg_int(call, 0) & 0xff);
  return NATIVE_EXIT;
}

/* quick_exit calls its own handlers, last first, and then ends the program at once. */
static NativeStatus native_at_quick_exit(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  vec_push(&state->quick_exits, arg_u64(call, 0));
  return ret_int(call, 0);
}

static NativeStatus native_quick_exit(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  if (state->quick_exits.len > 0) {
    call->callback = vec_pop(&state->quick_exits);
    call->callback_argc = 0;
    return NATIVE_CALL;
  }
  state->abandoned = true;
  call->result = (uint64_t)(arg_int(call, 0) & 0xff);
  return NATIVE_QUIT;
}

static NativeStatus native_quit(NativeCall *call) {
  exec_libc(call->exec)->abandoned = true;
  call->result = (uint64_t)(arg_int(call, 0) & 0xff);
  return NATIVE_QUIT;
}

static const Native natives[] = {
    {"_Exit", native_quit, 1},
    {"__cxa_atexit", native_cxa_atexit, 3},
    {"_exit", native_quit, 1},
    {"at_quick_exit", native_at_quick_exit, 1},
    {"atexit", native_atexit, 1},
    {"clearenv", native_clearenv, 0},
    {"exit", native_exit, 1},
    {"getenv", native_getenv, 1},
    {"on_exit", native_on_exit, 2},
    {"putenv", native_putenv, 1},
    {"quick_exit", native_quick_exit, 1},
    {"secure_getenv", native_getenv, 1},
    {"setenv", native_setenv, 3},
    {"unsetenv", native_unsetenv, 1},
};
NATIVE_TABLE(environ, natives);
