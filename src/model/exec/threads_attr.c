/* Attribute objects of pthread.h. They are plain bytes of the program: the fields lie
 * where glibc has them, so that static initialisers and copies mean the same. One small
 * table says for each function which bits of the object it sets or gets. */
#include "model/exec/threads_native.h"

#include <errno.h>

/* The field `mask << shift` of the 32- or 64-bit word at `offset`. */
typedef struct {
  const char *name;
  uint8_t offset, size, shift;
  uint64_t mask;
  uint64_t most; /* setters: a larger value is EINVAL */
  bool get;
  uint8_t value_size; /* getters: bytes written through the pointer */
} FieldAccess;

#define WORD UINT64_MAX
static const FieldAccess fields[] = {
    {"pthread_attr_getdetachstate", 8, 4, 0, 1, 0, true, 4},
    {"pthread_attr_setdetachstate", 8, 4, 0, 1, 1, false, 0},
    {"pthread_attr_getscope", 8, 4, 1, 1, 0, true, 4},
    {"pthread_attr_setscope", 8, 4, 1, 1, 1, false, 0},
    {"pthread_attr_getinheritsched", 8, 4, 2, 1, 0, true, 4},
    {"pthread_attr_setinheritsched", 8, 4, 2, 1, 1, false, 0},
    {"pthread_attr_getschedpolicy", 4, 4, 0, UINT32_MAX, 0, true, 4},
    {"pthread_attr_setschedpolicy", 4, 4, 0, UINT32_MAX, 2, false, 0},
    {"pthread_attr_getguardsize", 16, 8, 0, WORD, 0, true, 8},
    {"pthread_attr_setguardsize", 16, 8, 0, WORD, WORD, false, 0},
    {"pthread_attr_getstackaddr", 24, 8, 0, WORD, 0, true, 8},
    {"pthread_attr_setstackaddr", 24, 8, 0, WORD, WORD, false, 0},
    {"pthread_attr_getstacksize", 32, 8, 0, WORD, 0, true, 8},
    {"pthread_attr_setstacksize", 32, 8, 0, WORD, WORD, false, 0},
    {"pthread_mutexattr_gettype", 0, 4, 0, 3, 0, true, 4},
    {"pthread_mutexattr_settype", 0, 4, 0, 3, 3, false, 0},
    {"pthread_mutexattr_getpshared", 0, 4, 31, 1, 0, true, 4},
    {"pthread_mutexattr_setpshared", 0, 4, 31, 1, 1, false, 0},
    {"pthread_mutexattr_getrobust", 0, 4, 30, 1, 0, true, 4},
    {"pthread_mutexattr_getrobust_np", 0, 4, 30, 1, 0, true, 4},
    {"pthread_mutexattr_setrobust", 0, 4, 30, 1, 1, false, 0},
    {"pthread_mutexattr_setrobust_np", 0, 4, 30, 1, 1, false, 0},
    {"pthread_mutexattr_getprotocol", 0, 4, 28, 3, 0, true, 4},
    {"pthread_mutexattr_setprotocol", 0, 4, 28, 3, 2, false, 0},
    {"pthread_mutexattr_getprioceiling", 0, 4, 12, 0xfff, 0, true, 4},
    {"pthread_mutexattr_setprioceiling", 0, 4, 12, 0xfff, 99, false, 0},
    {"pthread_rwlockattr_getkind_np", 0, 4, 0, UINT32_MAX, 0, true, 4},
    {"pthread_rwlockattr_setkind_np", 0, 4, 0, UINT32_MAX, 2, false, 0},
    {"pthread_rwlockattr_getpshared", 4, 4, 0, UINT32_MAX, 0, true, 4},
    {"pthread_rwlockattr_setpshared", 4, 4, 0, UINT32_MAX, 1, false, 0},
    {"pthread_condattr_getpshared", 0, 4, 0, 1, 0, true, 4},
    {"pthread_condattr_setpshared", 0, 4, 0, 1, 1, false, 0},
    {"pthread_condattr_getclock", 0, 4, 1, 1, 0, true, 4},
    {"pthread_condattr_setclock", 0, 4, 1, 1, 1, false, 0},
    {"pthread_barrierattr_getpshared", 0, 4, 0, UINT32_MAX, 0, true, 4},
    {"pthread_barrierattr_setpshared", 0, 4, 0, UINT32_MAX, 1, false, 0},
};

static const FieldAccess *field_named(const char *name) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0) return &fields[i];
  return NULL;
}

static const char *callee_name(const NativeCall *call) {
  const Program *p = call->exec->program;
  const Expr *callee = vec_at(&p->exprs, call->edge->a);
  FuncId id = callee->kind == EXPR_FUNC ? (FuncId)callee->data : 0;
  if (!id) /* through a pointer */
    id = exec_function_at(call->exec,
                          eval_peek_small(call->exec, call->thread, call->edge->a, 0));
  return id ? sym_text(p, vec_at(&p->functions, id)->name) : "";
}

static NativeStatus native_field(NativeCall *call) {
  const FieldAccess *f = field_named(callee_name(call));
  if (!f) {
    exec_stop(call->exec,
              "an attribute function is called in a way that is not modelled");
    return NATIVE_STOP;
  }
  uint64_t word = 0, place = call->args[0] + f->offset;
  if (!exec_read(call->exec, place, &word, f->size)) return NATIVE_STOP;
  if (f->get) {
    uint64_t value = word >> f->shift & f->mask;
    return exec_write(call->exec, call->args[1], &value, f->value_size)
               ? thread_answer(call, 0)
               : NATIVE_STOP;
  }
  uint64_t value = f->size == 4 ? (uint32_t)call->args[1] : call->args[1];
  if (value > f->most) return thread_answer(call, EINVAL);
  word = (word & ~(f->mask << f->shift)) | value << f->shift;
  return exec_write(call->exec, place, &word, f->size) ? thread_answer(call, 0)
                                                       : NATIVE_STOP;
}

/* ---- initialisers ---- */

static NativeStatus clear(NativeCall *call, size_t size) {
  static const uint8_t zeros[64];
  return exec_write(call->exec, call->args[0], zeros, size) ? thread_answer(call, 0)
                                                            : NATIVE_STOP;
}

static NativeStatus native_attr_init(NativeCall *call) {
  struct {
    uint32_t priority, policy, flags, unused;
    uint64_t guard, address, stack;
  } attr = {.guard = 4096, .stack = 8 << 20};
  if (clear(call, 56) != NATIVE_DONE ||
      !exec_write(call->exec, call->args[0], &attr, sizeof attr))
    return NATIVE_STOP;
  return thread_answer(call, 0);
}

/* pthread_getattr_np: as for a thread made with the default attributes. */
static NativeStatus native_getattr(NativeCall *call) {
  NativeCall copy = *call;
  uint64_t args[1] = {call->args[1]};
  copy.args = args;
  NativeStatus status = native_attr_init(&copy);
  call->result = 0;
  return status;
}

static NativeStatus native_small_init(NativeCall *call) {
  return clear(call, 4);
}
static NativeStatus native_rwlockattr_init(NativeCall *call) {
  return clear(call, 8);
}
static NativeStatus native_destroy(NativeCall *call) {
  return thread_answer(call, 0);
}

static NativeStatus native_attr_setschedparam(NativeCall *call) {
  uint32_t priority;
  if (!exec_read(call->exec, call->args[1], &priority, 4) ||
      !exec_write(call->exec, call->args[0], &priority, 4))
    return NATIVE_STOP;
  return thread_answer(call, 0);
}

static NativeStatus native_attr_getschedparam(NativeCall *call) {
  uint32_t priority;
  if (!exec_read(call->exec, call->args[0], &priority, 4) ||
      !exec_write(call->exec, call->args[1], &priority, 4))
    return NATIVE_STOP;
  return thread_answer(call, 0);
}

static NativeStatus native_attr_setstack(NativeCall *call) {
  return exec_write(call->exec, call->args[0] + 24, &call->args[1], 16)
             ? thread_answer(call, 0)
             : NATIVE_STOP;
}

static NativeStatus native_attr_getstack(NativeCall *call) {
  uint64_t words[2];
  if (!exec_read(call->exec, call->args[0] + 24, words, 16) ||
      !exec_write(call->exec, call->args[1], &words[0], 8) ||
      !exec_write(call->exec, call->args[2], &words[1], 8))
    return NATIVE_STOP;
  return thread_answer(call, 0);
}

static const Native others[] = {
    {"pthread_attr_init", native_attr_init, 1},
    {"pthread_attr_destroy", native_destroy, 1},
    {"pthread_attr_setschedparam", native_attr_setschedparam, 2},
    {"pthread_attr_getschedparam", native_attr_getschedparam, 2},
    {"pthread_attr_setstack", native_attr_setstack, 3},
    {"pthread_attr_getstack", native_attr_getstack, 3},
    {"pthread_attr_setaffinity_np", native_destroy, 3},
    {"pthread_getattr_np", native_getattr, 2},
    {"pthread_mutexattr_init", native_small_init, 1},
    {"pthread_mutexattr_destroy", native_destroy, 1},
    {"pthread_condattr_init", native_small_init, 1},
    {"pthread_condattr_destroy", native_destroy, 1},
    {"pthread_barrierattr_init", native_small_init, 1},
    {"pthread_barrierattr_destroy", native_destroy, 1},
    {"pthread_rwlockattr_init", native_rwlockattr_init, 1},
    {"pthread_rwlockattr_destroy", native_destroy, 1},
};
static const Native field_native = {"an attribute function", native_field, 2};

const Native *thread_attr_native(const char *name) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].name, name) == 0) return &others[i];
  return field_named(name) ? &field_native : NULL;
}
