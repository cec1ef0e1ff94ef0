/* Threads that wait for each other. See exec.h.
 *
 * The largest set of threads that all wait for one of the set: whoever waits for somebody outside of
 * it is taken out, again and again. Only its holder can release a lock, only a thread's own end ends a
 * join, so nobody outside of the set can help. Two things could: a thread that is cancelled leaves its
 * join, and with `unlock_any` or `glibc` anybody releases any lock. */
#include "base/mem.h"
#include "model/exec/machine.h"

static bool may_be_cancelled(Exec *x) {
  enum { NOT_ASKED, NO, YES };
  for (EdgeId e = 1; e < x->program->edges.len && x->cancels == NOT_ASKED; e++)
    if (program_edge(x->program, e)->op == OP_CANCEL) x->cancels = YES;
  if (x->cancels == NOT_ASKED) x->cancels = NO;
  return x->cancels == YES;
}

/* The one thread that could let this one go on; 0: it does not wait, or not for one thread. */
static uint32_t awaited_by(Exec *x, uint32_t thread) {
  ExecWait wait;
  if (exec_thread_state(x, thread) != THREAD_WAITING ||
      !exec_thread_wait(x, thread, &wait) || wait.timed)
    return 0;
  bool counts = (wait.kind == WAIT_LOCK && !x->options.unlock_any && !x->options.glibc) ||
                wait.kind == WAIT_JOIN || wait.kind == WAIT_ONCE;
  return counts ? wait.holder : 0;
}

bool exec_find_circle(Exec *x, bool *ret_in) {
  uint32_t n = x->threads.len;
  memset(ret_in, 0, (n + UINT32_C(1)) * sizeof *ret_in);
  if (may_be_cancelled(x)) return false;
  uint32_t *awaited = mem_alloc_zero((n + UINT32_C(1)) * sizeof *awaited), left = 0;
  for (uint32_t t = 1; t <= n; t++) {
    awaited[t] = awaited_by(x, t);
    ret_in[t] = awaited[t] != 0;
    left += ret_in[t];
  }
  for (bool changed = left > 0; changed;) {
    changed = false;
    for (uint32_t t = 1; t <= n; t++) {
      bool lost = awaited[t] && (ret_in[awaited[t]] ||
                                 exec_thread_state(x, awaited[t]) == THREAD_ENDED);
      if (!ret_in[t] || lost) continue;
      ret_in[t] = false;
      left--;
      changed = true;
    }
  }
  mem_free(awaited);
  return left > 0;
}
