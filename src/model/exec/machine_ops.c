/* The edges that the loop does not do itself: who does them, and the small ones right
 * here. */
#include "model/exec/eval.h"
#include "model/exec/event.h"

void exec_havoc(Exec *exec, EdgeId edge, uint32_t bits, uint64_t *words) {
  uint32_t n = value_words(bits);
  if (exec->options.havoc) {
    exec->options.havoc(exec->options.user, edge, bits, words);
  } else {
    /* small numbers most of the time: they take more branches than huge ones */
    uint64_t kind = exec_random(exec) % 8;
    for (uint32_t i = 0; i < n; i++) words[i] = exec_random(exec);
    if (kind < 6) {
      memset(words + 1, 0, (n - 1) * sizeof *words);
      words[0] %= kind < 3 ? 4 : 256;
    }
  }
  if (bits % 64) words[n - 1] &= value_mask(bits % 64);
}

bool exec_refuses(Exec *exec, EdgeId edge) {
  uint64_t refused = 0;
  if (exec->options.refusals) exec_havoc(exec, edge, 1, &refused);
  return refused;
}

void section_enter(Exec *exec, ExecThread *t) {
  if (!t->atomic_depth++) event_acquire(exec, t, CHANNEL_SECTION, 0);
}

void section_leave(Exec *exec, ExecThread *t) {
  if (t->atomic_depth && --t->atomic_depth == 0)
    event_release(exec, t, CHANNEL_SECTION, 0);
}

uint32_t exec_pick(Exec *exec, uint32_t count) {
  return (uint32_t)(exec_random(exec) % count);
}

Outcome exec_stuck(Exec *exec, ExecThread *t, EdgeId edge) {
  const Edge *e = edge ? program_edge(exec->program, edge) : NULL;
  if (e && e->op == OP_ASSUME) return exec_end(exec, EXEC_ASSUMPTION, 0, t, edge);
  if (e && e->op == OP_CALL)
    exec_stop(exec, "a function that must not return has returned");
  else
    exec_stop(exec, "there is no way on from here");
  return OUT_STOP;
}

static Outcome exit_program(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  if (e->flags & EDGE_ABORT) {
    const Native *native = native_find("abort"); /* a handler of SIGABRT runs first */
    return native ? native_begin(exec, t, native)
                  : exec_end(exec, EXEC_ABORTED, 6, t, site->edge);
  }
  int status = site->a ? (int)(uint32_t)r[site->a] : 0;
  if (e->flags & EDGE_QUICK)
    return exec_end(exec, EXEC_EXITED, status & 0xff, t, site->edge);
  return start_exit(exec, t, status);
}

Outcome slow_not_here(Exec *exec, const Site *site) {
  const Edge *e = program_edge(exec->program, site->edge);
  exec_stop(exec, "the operation %s is not modelled", op_text((OpKind)e->op));
  return OUT_STOP;
}

Outcome slow_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  switch ((OpKind)e->op) {
  case OP_HAVOC: exec_havoc(exec, site->edge, site->bits, &r[site->dst]); return OUT_NEXT;
  case OP_UNREACHABLE:
    exec_stop(exec, "a place that cannot be reached was reached (undefined behaviour)");
    return OUT_STOP;
  case OP_RMW:
  case OP_CMPXCHG: return atomic_execute(exec, t, site, r);
  case OP_COPY:
  case OP_FILL:
  case OP_ALLOCA:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE: return memory_execute(exec, t, site, r);
  case OP_VA_START:
  case OP_VA_COPY: return va_execute(exec, t, site, r);
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OP_CANCEL:
  case OP_CANCEL_POINT: return threads_execute(exec, t, site, r);
  case OP_ATOMIC_BEGIN: section_enter(exec, t); return OUT_NEXT;
  case OP_ATOMIC_END:
    section_leave(exec, t);
    exec_may_switch(exec);
    return OUT_NEXT;
  case OP_ASSERT: return exec_end(exec, EXEC_ASSERTION, 0, t, site->edge);
  case OP_EXIT: return exit_program(exec, t, site, r);
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER: return sync_execute(exec, t, site, r);
  case OPS_MOVE: /* the loop does the rest itself */
  case OP_ASSIGN:
  case OP_CALL:
  case OP_RETURN:
  case OP_LOAD:
  case OP_STORE:
  case OP_FENCE:
  case OP_VA_END: break;
  }
  return slow_not_here(exec, site);
}
