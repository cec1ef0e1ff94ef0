/* Calls of library functions: between the machine and native.h.
 *
 * While a native function calls back, its NativeFrame hangs on the callback's frame, and
 * the caller's frame stays at the call instruction; when the callback returns the
 * function is entered again. One that waits is kept in the thread until its call is
 * executed again. */
#include "model/exec/eval.h"
#include "model/exec/event.h"
#include "model/exec/sync.h"

enum { ARGS_ROOM = 16 };

static NativeFrame *native_new(Exec *exec, uint32_t argc) {
  NativeFrame *n = exec->free_natives;
  if (n && argc <= n->room) {
    exec->free_natives = n->next;
  } else {
    uint32_t room = argc > ARGS_ROOM ? argc : ARGS_ROOM;
    n = mem_alloc_zero(sizeof *n);
    n->room = room;
    n->args = mem_alloc_zero(room * sizeof *n->args);
    n->args_wide = mem_alloc_zero(room * sizeof *n->args_wide);
    n->arg_bits = mem_alloc_zero(room * sizeof *n->arg_bits);
    n->arg_sort = mem_alloc_zero(room * sizeof *n->arg_sort);
    n->arg_passing = mem_alloc_zero(room * sizeof *n->arg_passing);
  }
  memset(&n->call, 0, sizeof n->call);
  n->next = NULL;
  n->function = 0;
  n->call.exec = exec;
  n->call.argc = argc;
  n->call.args = n->args;
  n->call.args_wide = n->args_wide;
  n->call.arg_bits = n->arg_bits;
  n->call.arg_sort = n->arg_sort;
  n->call.arg_passing = n->arg_passing;
  return n;
}

static void native_free(NativeFrame *n) {
  mem_free(n->args);
  mem_free(n->args_wide);
  mem_free(n->arg_bits);
  mem_free(n->arg_sort);
  mem_free(n->arg_passing);
  mem_free(n);
}

void native_drop(Exec *exec, NativeFrame *n) {
  if (!n) return;
  if (n->call.drop && n->call.state) n->call.drop(n->call.state);
  if (n->room != ARGS_ROOM) {
    native_free(n);
    return;
  }
  n->next = exec->free_natives;
  exec->free_natives = n;
}

void natives_free(Exec *exec) {
  while (exec->free_natives) {
    NativeFrame *n = exec->free_natives;
    exec->free_natives = n->next;
    native_free(n);
  }
}

const Native *native_lookup(Exec *exec, FuncId function) {
  if (!exec->natives[function]) {
    const char *name =
        sym_text(exec->program, vec_at(&exec->program->functions, function)->name);
    const Native *native = jump_native(name);
    if (!native) native = thread_native(name);
    if (!native) native = native_find(name);
    if (!native) native = native_described(exec, function);
    exec->natives[function] = native;
  }
  return exec->natives[function];
}

/* The result goes to the caller's slot. */
static void deliver(ExecThread *t, const NativeFrame *n) {
  const CallSite *site = n->site;
  if (!site || !site->dst) return;
  uint64_t *dst = &t->frame->slots[site->dst];
  if (site->dst_bits <= 64) {
    dst[0] = n->call.result & value_mask(site->dst_bits);
    return;
  }
  uint32_t words = value_words(site->dst_bits);
  memset(dst, 0, words * sizeof *dst);
  size_t most = sizeof n->call.result_wide;
  memcpy(dst, n->call.result_wide, words * 8 < most ? words * 8 : most);
  if (site->dst_bits % 64) dst[words - 1] &= value_mask(site->dst_bits % 64);
}

/* Calls back: a function of the program gets a frame (OUT_FRAME); a library function is
 * done at once (OUT_NEXT, with its result in `returned`). */
static Outcome call_back(Exec *exec, ExecThread *t, NativeFrame *n) {
  NativeCall *call = &n->call;
  FuncId id = exec_function_at(exec, call->callback);
  const Function *f = id ? vec_at(&exec->program->functions, id) : NULL;
  if (f && !(f->flags & FUNCTION_DEFINED))
    return native_now(exec, t, id, call->callback_args, call->callback_argc,
                      &call->returned)
               ? OUT_NEXT
               : OUT_STOP;
  Frame *frame = call_simple(exec, t, call->callback, call->callback_args,
                             call->callback_argc, RETURN_NATIVE);
  if (!frame) return OUT_STOP;
  frame->native = n;
  return OUT_FRAME;
}

/* What it touches meanwhile is told of as the library's doing. */
static NativeStatus run_native(Exec *exec, NativeFrame *n) {
  bool before = exec->in_library;
  exec->in_library = n->function != 0;
  NativeStatus status = n->native->run(&n->call);
  exec->in_library = before;
  return status;
}

/* Enters the function until it is done, waits, or calls a function of the program. */
static Outcome enter(Exec *exec, ExecThread *t, NativeFrame *n) {
  for (;;) {
    n->call.thread = t;
    NativeStatus status = run_native(exec, n);
    Outcome out = OUT_STOP;
    switch (status) {
    case NATIVE_DONE:
      deliver(t, n);
      if (n->function) event_call_ends(exec, t, n->function, &n->call);
      native_drop(exec, n);
      return OUT_NEXT;
    case NATIVE_CALL:
      out = call_back(exec, t, n);
      if (out == OUT_NEXT) {
        n->call.stage++;
        continue;
      }
      if (out == OUT_FRAME) return out;
      break;
    case NATIVE_BLOCK: t->pending = n; return OUT_BLOCK;
    case NATIVE_EXIT: out = start_exit(exec, t, (int)n->call.result); break;
    case NATIVE_QUIT:
      out = exec_end(exec, EXEC_EXITED, (int)n->call.result & 0xff, t, thread_edge(t));
      break;
    case NATIVE_ABORT:
      out = exec_end(exec, EXEC_ABORTED, (int)n->call.result, t, thread_edge(t));
      break;
    case NATIVE_JUMP: out = (Outcome)t->outcome; break;
    case NATIVE_STOP:
      if (exec->result.end == EXEC_RUNNING)
        exec_stop(exec, "%s cannot be done", n->native->name);
      break;
    }
    native_drop(exec, n);
    return out;
  }
}

Outcome native_execute(Exec *exec, ExecThread *t, const CallSite *site,
                       const Native *native, FuncId function) {
  if (site->arg_count < native->min_args) {
    exec_stop(exec, "%s is called with %u arguments; it needs %u", native->name,
              site->arg_count, native->min_args);
    return OUT_STOP;
  }
  NativeFrame *n = native_new(exec, site->arg_count);
  n->native = native;
  n->site = site;
  n->call.edge = program_edge(exec->program, site->edge);
  n->call.result_bits = site->dst_bits;
  const Frame *f = t->frame;
  const CallArg *args = f->code->args.data + site->first_arg;
  for (uint32_t i = 0; i < site->arg_count; i++) {
    n->args[i] = f->slots[args[i].slot];
    n->args_wide[i] = args[i].bits > 64 ? (const uint8_t *)&f->slots[args[i].slot] : NULL;
    n->arg_bits[i] = args[i].bits;
    n->arg_sort[i] = args[i].sort;
    n->arg_passing[i] = args[i].passing;
  }
  uint64_t stream =
      exec->sync->live ? stream_held_by_other(exec, t, function, n->args, site->arg_count)
                       : 0;
  if (stream) {
    native_drop(exec, n);
    thread_block(t, WAIT_LOCK, stream, UINT64_MAX);
    return OUT_BLOCK;
  }
  n->function = function;
  event_call_begins(exec, t, function, &n->call);
  return enter(exec, t, n);
}

Outcome native_begin(Exec *exec, ExecThread *t, const Native *native) {
  NativeFrame *n = native_new(exec, 0);
  n->native = native;
  n->site = NULL;
  n->call.edge = program_edge(exec->program, thread_edge(t));
  return enter(exec, t, n);
}

Outcome native_resume(Exec *exec, ExecThread *t, NativeFrame *n, uint64_t returned) {
  n->call.returned = returned;
  n->call.stage++;
  return enter(exec, t, n);
}

bool native_now(Exec *exec, ExecThread *t, FuncId function, const uint64_t *args,
                uint32_t argc, uint64_t *ret_result) {
  const Native *native = native_lookup(exec, function);
  const char *name =
      sym_text(exec->program, vec_at(&exec->program->functions, function)->name);
  if (!native || argc < native->min_args) {
    exec_stop(exec, "a callback to %s, which heddle exec does not model", name);
    return false;
  }
  NativeFrame *n = native_new(exec, argc);
  n->native = native;
  n->call.thread = t;
  n->call.edge = program_edge(exec->program, thread_edge(t));
  n->call.result_bits = vec_at(&exec->program->functions, function)->return_bits;
  for (uint32_t i = 0; i < argc; i++) {
    n->args[i] = args[i];
    n->args_wide[i] = NULL;
    n->arg_bits[i] = 64;
    n->arg_sort[i] = SORT_INT;
    n->arg_passing[i] = (Passing){0};
  }
  n->function = function;
  event_call_begins(exec, t, function, &n->call);
  NativeStatus status = run_native(exec, n);
  if (status == NATIVE_DONE) event_call_ends(exec, t, function, &n->call);
  *ret_result = n->call.result;
  native_drop(exec, n);
  if (status == NATIVE_DONE) return true;
  if (exec->result.end == EXEC_RUNNING)
    exec_stop(exec, "a callback to %s that does not simply return", name);
  return false;
}
