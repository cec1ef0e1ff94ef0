/* setjmp and longjmp. The buffer in the program's memory holds a number; what it stands
 * for (thread, activation, place) is kept here, so that a copied buffer works and a stale
 * one is recognised. The machinery of cancellation uses the same buffers (threads.c). */
#include "model/exec/eval.h"

static const uint64_t JUMP_MARK = UINT64_C(0x6a6d700000000000);

/* The target that the buffer names, or NULL. */
static JumpTarget *target_of(Exec *exec, uint64_t buffer) {
  uint64_t number;
  if (!memory_may_read(&exec->memory, buffer, 8)) return NULL;
  memcpy(&number, exec->memory.bytes + buffer, 8);
  number -= JUMP_MARK;
  return number && number <= exec->jumps.len ? &exec->jumps.data[number - 1] : NULL;
}

static NativeStatus native_setjmp(NativeCall *call) {
  Exec *exec = call->exec;
  ExecThread *t = call->thread;
  uint64_t buffer = call->args[0];
  JumpTarget *target = target_of(exec, buffer);
  if (!target || target->address != buffer || target->thread != t->number) {
    vec_push(&exec->jumps, (JumpTarget){.address = buffer});
    target = vec_last(&exec->jumps);
    uint64_t number = JUMP_MARK + exec->jumps.len;
    if (!exec_write(exec, buffer, &number, sizeof number)) return NATIVE_STOP;
  }
  const Ins *pc = t->frame->pc; /* the call itself */
  const CallSite *site = &t->frame->code->calls.data[pc->a];
  *target = (JumpTarget){.address = buffer,
                         .thread = t->number,
                         .frame = t->frame->serial,
                         .pc = pc + 1,
                         .dst = site->dst,
                         .dst_bits = site->dst_bits};
  call->result = 0;
  return NATIVE_DONE;
}

bool jump_to(Exec *exec, ExecThread *t, uint64_t buffer, uint64_t value) {
  const JumpTarget *target = target_of(exec, buffer);
  if (!target || target->thread != t->number) return false;
  Frame *f = t->frame;
  while (f && f->serial != target->frame) f = f->up;
  if (!f) return false;
  frames_unwind(exec, t, f);
  if (target->dst) f->slots[target->dst] = value & value_mask(target->dst_bits);
  f->pc = target->pc;
  return true;
}

static NativeStatus native_longjmp(NativeCall *call) {
  uint32_t value = (uint32_t)call->args[1];
  if (!jump_to(call->exec, call->thread, call->args[0], value ? value : 1)) {
    exec_stop(call->exec,
              "longjmp to a place that is gone, or was never set by this thread");
    return NATIVE_STOP;
  }
  call->thread->outcome = OUT_FRAME;
  return NATIVE_JUMP;
}

static const Native natives[] = {
    {"setjmp", native_setjmp, 1},      {"_setjmp", native_setjmp, 1},
    {"__setjmp", native_setjmp, 1},    {"sigsetjmp", native_setjmp, 1},
    {"__sigsetjmp", native_setjmp, 1}, {"__sigsetjmp_cancel", native_setjmp, 1},
    {"longjmp", native_longjmp, 2},    {"_longjmp", native_longjmp, 2},
    {"siglongjmp", native_longjmp, 2}, {"__longjmp_chk", native_longjmp, 2},
};

const Native *jump_native(const char *name) {
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    if (strcmp(natives[i].name, name) == 0) return &natives[i];
  return NULL;
}
