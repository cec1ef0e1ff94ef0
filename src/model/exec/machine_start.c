/* The program's start and end: constructors, main, exit handlers, destructors.
 *
 * Each of these functions is called on the stack of the thread that starts or ends the
 * program; when one returns (RETURN_STARTUP) the next is called. exit() may come from any
 * depth and any thread: what follows is then called on top of the frames that are there,
 * because a handler may use objects of functions that have not returned. */
#include "model/exec/eval.h"

static uint64_t new_argument(Exec *exec, const void *bytes, size_t size) {
  uint64_t address = memory_new_static(&exec->memory, 0, size, 16);
  if (!address) {
    exec_stop(exec, "the program's arguments do not fit its memory");
    return 0;
  }
  memory_allow(&exec->memory, address, size, false);
  memcpy(exec->memory.bytes + address, bytes, size);
  return address;
}

/* argv as an array of strings in the program's memory. */
static uint64_t new_argv(Exec *exec) {
  int argc = exec_argc(exec);
  const char *const *argv = exec_argv(exec);
  uint64_t *array = mem_alloc_zero(((size_t)argc + 1) * sizeof *array);
  for (int i = 0; i < argc; i++)
    array[i] = new_argument(exec, argv[i], strlen(argv[i]) + 1);
  uint64_t address = new_argument(exec, array, ((size_t)argc + 1) * sizeof *array);
  mem_free(array);
  return address;
}

static Outcome enter(Exec *exec, ExecThread *t, uint64_t function, const uint64_t *args,
                     uint32_t argc) {
  return call_simple(exec, t, function, args, argc, RETURN_STARTUP) ? OUT_FRAME
                                                                    : OUT_STOP;
}

static Outcome enter_main(Exec *exec, ExecThread *t) {
  FuncId id = exec->program->main;
  if (!id || !(vec_at(&exec->program->functions, id)->flags & FUNCTION_DEFINED)) {
    exec_stop(exec, "the program has no function main");
    return OUT_STOP;
  }
  return enter(exec, t, exec_function_address(exec, id), exec->main_args, 3);
}

/* The next function of a table of constructors or destructors; 0 when none is left. */
static FuncId next_startup(ExecThread *t, const Startup *table, uint32_t count) {
  while (t->stage_index < count) {
    FuncId id = table[t->stage_index++].function;
    if (id) /* the first entry of a table is empty */
      return id;
  }
  return 0;
}

/* The next exit handler; a library function among them is done at once. OUT_NEXT: none
 * left. */
static Outcome next_handler(Exec *exec, ExecThread *t) {
  uint64_t function, args[NATIVE_CALLBACK_ARGS] = {0}, result;
  uint32_t argc = 0;
  while (libc_next_exit_handler(exec->libc, exec->exit_status, &function, args, &argc)) {
    FuncId id = exec_function_at(exec, function);
    if (!id || (vec_at(&exec->program->functions, id)->flags & FUNCTION_DEFINED))
      return enter(exec, t, function, args, argc);
    if (!native_now(exec, t, id, args, argc, &result)) return OUT_STOP;
  }
  return OUT_NEXT;
}

Outcome start_next(Exec *exec, ExecThread *t, uint64_t returned) {
  const Program *p = exec->program;
  FuncId id;
  switch (t->stage) {
  case STAGE_CONSTRUCTORS:
    id = next_startup(t, p->constructors.data, p->constructors.len);
    if (id) return enter(exec, t, exec_function_address(exec, id), exec->main_args, 3);
    t->stage = STAGE_MAIN;
    return enter_main(exec, t);
  case STAGE_MAIN:
    exec->exit_status = vec_at(&p->functions, p->main)->return_bits ? (int)returned : 0;
    exec->exiting = true;
    t->stage = STAGE_HANDLERS;
    __attribute__((fallthrough));
  case STAGE_HANDLERS: {
    Outcome out = next_handler(exec, t);
    if (out != OUT_NEXT) return out;
    t->stage = STAGE_DESTRUCTORS;
    t->stage_index = 0;
    __attribute__((fallthrough));
  }
  case STAGE_DESTRUCTORS:
    id = next_startup(t, p->destructors.data, p->destructors.len);
    if (id) return enter(exec, t, exec_function_address(exec, id), NULL, 0);
    libc_flush(exec, exec->libc);
    return exec_end(exec, EXEC_EXITED, exec->exit_status & 0xff, t, 0);
  }
  return OUT_STOP;
}

Outcome start_exit(Exec *exec, ExecThread *t, int status) {
  exec->exit_status = status;
  t->atomic_depth = 0;
  /* a second exit, from a handler, goes on with the handlers that are left */
  if (!exec->exiting || t->stage < STAGE_HANDLERS) t->stage = STAGE_HANDLERS;
  exec->exiting = true;
  return start_next(exec, t, 0);
}

void start_program(Exec *exec) {
  ExecThread *t = thread_new(exec);
  if (!t) return;
  exec->current = t;
  exec->main_args[0] = (uint64_t)exec_argc(exec);
  exec->main_args[1] = new_argv(exec);
  exec->main_args[2] = libc_environ(exec, exec->libc);
  if (exec->result.end == EXEC_RUNNING) start_next(exec, t, 0);
}
