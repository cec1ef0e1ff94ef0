/* Cancellation and clean-up handlers (engine/cleanup.h).
 *
 * A request is a mark on the thread. It takes effect where the thread comes to a point of
 * cancellation, or stands in a wait that is one: the frames above the innermost handler are left,
 * the thread goes on behind its setjmp, which has returned for the second time, and unwinds to the
 * next handler from there. pthread_exit goes the same way. A wait for a condition takes its lock
 * again first.
 *
 * A request that comes together with what the thread waits for may stay for the next point, and a
 * wait for a condition gives back its lock before it looks. That a request orders anything is not
 * assumed. Programs that change when requests take effect are given up, and so are cancellations
 * inside of a one-time initialiser or an atomic section. */
#include "engine/interleave/machine.h"

#include "engine/cleanup.h"

static const uint64_t CANCELED = UINT64_MAX; /* PTHREAD_CANCELED */

/* Leaves all frames above. */
static Outcome leave_frames(Machine *m, uint32_t keep) {
  AbsThread *t = &m->s.threads[m->t];
  while (t->frames.len > keep) {
    const ThreadFrame *f = vec_last(&t->frames);
    if (f->kind == FRAME_ONCE)
      return il_give_up(m, "a thread ends inside of a one-time initialiser");
    if (vec_at(&m->p->functions, f->function)->flags & FUNCTION_ATOMIC)
      return il_give_up(m, "a thread ends inside of an atomic section");
    Outcome out = il_call_end_objects(m, t->frames.len - 1);
    if (out != OUTCOME_NEXT) return out;
    t->regs.len = vec_last(&t->frames)->regs;
    t->frames.len--;
  }
  return OUTCOME_NEXT;
}

static Outcome unwind(Machine *m) {
  AbsThread *t = &m->s.threads[m->t];
  uint32_t n = t->frames.len;
  while (n && !t->frames.data[n - 1].landing_count) n--;
  if (!n) return il_thread_end(m, t->result);
  if (t->section) return il_give_up(m, "a thread ends inside of an atomic section");
  Outcome out = leave_frames(m, n);
  if (out != OUTCOME_NEXT) return out;
  ThreadFrame *f = vec_last(&t->frames);
  const Edge *landing = program_edge(m->p, f->landings[--f->landing_count]);
  f->landings[f->landing_count] = 0;
  f->node = landing->to;
  il_eval_forget(m);
  if (landing->dst) il_local_set(m, landing->dst, abs_number(1));
  return OUTCOME_NEXT;
}

Outcome il_thread_exit(Machine *m, AbsValue result) {
  AbsThread *t = &m->s.threads[m->t];
  t->result = result;
  t->ending = 1;
  t->phase = PHASE_START;
  return unwind(m);
}

Outcome il_cancel_take_effect(Machine *m) {
  return il_thread_exit(m, abs_number(CANCELED));
}

bool il_is_testcancel(const Machine *m, const Edge *e) {
  if (!e->to) return false;
  const Edge *behind = program_edge(m->p, node_first_edge(m->p, e->to));
  const Loc *x = vec_at(&m->p->locs, e->loc), *y = vec_at(&m->p->locs, behind->loc);
  return x->line && y->line &&
         (x->file != y->file || x->line != y->line || x->column != y->column);
}

static Outcome go_on(Machine *m, const Edge *e) {
  if (!e->to) return OUTCOME_HALT;
  il_frame_top(m)->node = e->to;
  return OUTCOME_NEXT;
}

static Outcome register_handler(Machine *m, const Edge *e) {
  ThreadFrame *f = il_frame_top(m);
  EdgeId landing = cleanup_landing(m->p, m->edge);
  if (!landing || !program_edge(m->p, landing)->to)
    return il_give_up(m, "a clean-up handler is not known");
  if (f->landing_count == IL_MAX_LANDINGS)
    return il_give_up(m, "too many clean-up handlers");
  f->landings[f->landing_count++] = landing;
  return go_on(m, e);
}

static Outcome unregister_handler(Machine *m, const Edge *e) {
  ThreadFrame *f = il_frame_top(m);
  if (!f->landing_count)
    return il_give_up(m, "a clean-up handler is taken off that is not there");
  f->landings[--f->landing_count] = 0;
  return go_on(m, e);
}

bool il_cleanup_call(Machine *m, const Edge *e, FuncId callee, Outcome *ret) {
  if (cleanup_is_landing(m->p, m->edge)) {
    if (e->dst) il_local_set(m, e->dst, abs_number(0));
    *ret = go_on(m, e);
    return true;
  }
  switch ((CleanupKind)m->facts->cleanups[callee]) {
  case CLEANUP_NONE: return false;
  case CLEANUP_REGISTER: *ret = register_handler(m, e); return true;
  case CLEANUP_UNREGISTER: *ret = unregister_handler(m, e); return true;
  case CLEANUP_UNWIND:
    *ret = m->s.threads[m->t].ending
               ? unwind(m)
               : il_give_up(m, "a thread unwinds that does not end");
    return true;
  }
  return false;
}
