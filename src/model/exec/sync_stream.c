/* Streams: a library function holds the lock of its stream while it works, so it waits as long as
 * another thread has taken that by flockfile. Which streams a call uses is said by the library table;
 * its own lock is let go within the same step, and is seen by nobody. */
#include "model/exec/libc_file.h"
#include "model/exec/sync.h"

#include "base/str.h"

enum { STANDARD_STREAMS = 3 };
static const char *const names[STANDARD_STREAMS] = {"stdin", "stdout", "stderr"};
/* The state that stands for all of them (fflush without one, the end of the program). */
static const char ALL_STREAMS[] = "streams";

/* Where the stream is that the library calls by this name; 0: nobody has used it yet. */
static uint64_t standard_stream(const Exec *exec, Sym name) {
  for (uint32_t i = 0; i < STANDARD_STREAMS; i++)
    if (str_eq(sym_text(exec->program, name), names[i])) return exec->libc->standard[i];
  return 0;
}

const char *exec_stream_name(const Exec *exec, uint64_t address) {
  for (uint32_t i = 0; i < STANDARD_STREAMS; i++)
    if (address && exec->libc->standard[i] == address) return names[i];
  return NULL;
}

uint64_t stream_used(const Exec *exec, const Effect *x, const uint64_t *args,
                     uint32_t argc, uint32_t i) {
  if (!(x->flags & EFFECT_SYNCED) || (x->flags & EFFECT_GLIBC)) return 0;
  bool hidden = x->kind == EFFECT_HIDDEN_READ || x->kind == EFFECT_HIDDEN_WRITE;
  bool given = (x->flags & EFFECT_IF_NULL) && x->arg < argc && args[x->arg];
  if (hidden && given) return 0;
  if (hidden && str_eq(sym_text(exec->program, x->name), ALL_STREAMS))
    return i < exec->libc->streams.len ? exec->libc->streams.data[i]->address : 0;
  if (i) return 0;
  if (hidden) return standard_stream(exec, x->name);
  bool used = x->kind == EFFECT_READ || x->kind == EFFECT_WRITE;
  return used && x->arg < argc ? args[x->arg] : 0;
}

uint64_t stream_held_by_other(const Exec *exec, const ExecThread *t, FuncId function,
                              const uint64_t *args, uint32_t argc) {
  const Function *f = vec_at(&exec->program->functions, function);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&exec->program->effects, f->first_effect + i);
    uint64_t stream;
    for (uint32_t k = 0; (stream = stream_used(exec, x, args, argc, k)); k++) {
      const Sync *lock = sync_find(exec, stream, SYNC_LOCK);
      if (lock && lock->lock == LOCK_RECURSIVE &&
          lock_would_block(lock, t, MODE_EXCLUSIVE))
        return stream;
    }
  }
  return 0;
}

uint64_t stream_awaited_at(Exec *exec, ExecThread *t, EdgeId edge) {
  enum { MOST_ARGS = 8 };
  const Edge *e = program_edge(exec->program, edge);
  const Expr *callee = e->op == OP_CALL ? program_expr(exec->program, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC || t->pending) return 0;
  const Function *f = vec_at(&exec->program->functions, (FuncId)callee->data);
  uint64_t args[MOST_ARGS];
  uint32_t argc = e->arg_count < MOST_ARGS ? e->arg_count : MOST_ARGS;
  if ((f->flags & FUNCTION_DEFINED) || !exec->sync->live) return 0;
  for (uint32_t i = 0; i < argc; i++)
    args[i] = eval_peek_small(exec, t,
                              vec_at(&exec->program->args, e->first_arg + i)->value, 0);
  return stream_held_by_other(exec, t, (FuncId)callee->data, args, argc);
}
