/* Threads: creating, ending, and what others do to them. A child knows what its creator knew; the creator's
 * store of the id comes after that, for the child may run before it. */
#include "engine/interleave/machine.h"

#include "model/op_access.h"

static Outcome entry_of(Machine *m, const Edge *e, FuncId *ret_function) {
  AbsValue v = il_eval(m, e->b);
  if (abs_tag(v) == ABS_FUNCTION) {
    *ret_function = abs_id(v);
    return OUTCOME_NEXT;
  }
  const FuncId *functions;
  uint32_t n = pointsto_callees(m->facts->pointsto, m->edge, &functions);
  if (!abs_is_top(v) || !n || pointsto_calls_unknown(m->facts->pointsto, m->edge))
    return il_give_up(m, "a thread starts in an unknown function");
  int choice = machine_choose(m, n);
  if (choice < 0) return OUTCOME_PAUSE;
  *ret_function = functions[choice];
  return OUTCOME_NEXT;
}

static bool is_beyond_bound(const Machine *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->s.thread_count && m->options.threads; i++) {
    const AbsThread *t = &m->s.threads[i];
    bool there = t->status == THREAD_LIVE || t->status == THREAD_ENDED ||
                 t->status == THREAD_STOPPED;
    n += t->created == m->edge && there;
  }
  return m->options.threads && n >= m->options.threads;
}

/* No thread may be had, and the program looks whether there is one. Whoever does not look
 * may not join it either: without it there is only less to happen. */
static bool may_be_refused(const Machine *m, const Edge *e) {
  return e->dst && e->to && liveness_has(m->facts->liveness, e->to, e->dst);
}

Outcome il_thread_create(Machine *m, const Edge *e) {
  FuncId function = 0;
  Outcome out = entry_of(m, e, &function);
  if (out != OUTCOME_NEXT) return out;
  int refused = may_be_refused(m, e) ? machine_choose_freely(m, 2) : 0;
  if (refused < 0) return OUTCOME_PAUSE;
  if (refused) return il_sync_result(m, e, RESULT_ERROR);
  AbsValue argument = e->c ? il_eval(m, e->c) : abs_number(0);
  if (is_beyond_bound(m)) {
    m->cut = true;
    return OUTCOME_HALT;
  }
  uint32_t slot = m->s.thread_count;
  m->crowded = slot == IL_MAX_THREADS;
  if (m->crowded)
    return il_give_up(m, "more than %d threads are there at once", IL_MAX_THREADS);
  AbsThread *t = &m->s.threads[slot];
  t->status = THREAD_LIVE;
  t->phase = PHASE_START;
  t->detached = t->section = 0;
  t->cancelled = t->ending = 0;
  t->crowd = CROWD_NOT;
  t->created = m->options.threads ? m->edge : 0;
  t->result = abs_top();
  vec_clear(&t->frames);
  vec_clear(&t->regs);
  if (vec_at(&m->p->functions, function)->flags & FUNCTION_ATOMIC)
    return il_give_up(m, "a thread is one atomic section");
  out = il_call_enter(m, slot, function, &argument, 1, FRAME_BOTTOM, 0);
  if (out != OUTCOME_NEXT) return out;
  m->s.thread_count++;
  il_happens_tell(&m->s, m->t, slot);
  out =
      il_memory_store(m, e->a, OP_ID_BYTES, ACCESS_WRITE, abs_make(ABS_THREAD, slot, 0));
  if (out != OUTCOME_NEXT) return out;
  return il_sync_result(m, e, RESULT_OK);
}

Outcome il_thread_result(Machine *m, const Edge *e, AbsValue result) {
  AbsValue address = e->b ? il_eval(m, e->b) : abs_number(0);
  if (abs_is_number(address) && !address.num) return OUTCOME_NEXT;
  uint32_t size = e->size && e->size < 8 ? e->size : 8;
  /* an address that nobody sees any more, or that nobody knows */
  m->s.lost = m->s.lost || (size < 8 && abs_is_address(result)) ||
              abs_tag(il_eval(m, e->a)) != ABS_THREAD;
  if (size < 8 && abs_is_number(result))
    result.num &= (UINT64_C(1) << (8 * size)) - 1;
  else if (size < 8)
    result = abs_top();
  return il_memory_store(m, e->b, size, ACCESS_WRITE, result);
}

void il_thread_change(Machine *m, uint32_t slot, Ghost ghost) {
  AbsThread *t = &m->s.threads[slot];
  if (ghost == GHOST_CANCEL && t->status == THREAD_LIVE) t->cancelled = 1;
  if (ghost == GHOST_DETACHED) t->detached = 1;
  if (t->status != THREAD_ENDED || ghost == GHOST_CANCEL) return;
  /* nobody can ask for it any more */
  t->status = THREAD_GONE;
  t->result = abs_top();
  il_happens_forget_thread(&m->s, slot);
}

/* The next owner of a robust mutex is told that this one has ended. */
static void leave_robust_locks(Machine *m) {
  for (uint32_t i = 0; i < m->s.syncs.len; i++) {
    Sync *y = &m->s.syncs.data[i];
    if (y->kind != SYNC_LOCK || y->owner != m->t + 1 || y->rank == ROBUST_NOT) continue;
    y->rank = ROBUST_OWNER_DEAD;
    y->count = y->owner = 0;
    il_happens_release(&m->s, m->t, i, true);
  }
}

Outcome il_thread_end(Machine *m, AbsValue result) {
  State *s = &m->s;
  AbsThread *t = &s->threads[m->t];
  if (t->section) return il_give_up(m, "a thread ends inside of an atomic section");
  for (uint32_t i = 0; i < t->frames.len; i++)
    if (t->frames.data[i].kind == FRAME_ONCE)
      return il_give_up(m, "a thread ends inside of a one-time initialiser");
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].kind == SYNC_LOCK && s->syncs.data[i].readers >> m->t & 1)
      return il_give_up(m, "a thread ends with a lock held for reading");
  leave_robust_locks(m);
  for (uint32_t i = m->facts->static_count; i < s->instances.len; i++) {
    if (s->instances.data[i].dead || s->instances.data[i].owner != m->t + 1) continue;
    Outcome out = il_memory_end(m, i);
    if (out != OUTCOME_NEXT) return out;
  }
  t->cancelled = t->ending = 0;
  t->result = t->detached ? abs_top() : result;
  t->status = t->detached ? THREAD_GONE : THREAD_ENDED;
  if (t->detached) il_happens_forget_thread(s, m->t);
  vec_clear(&t->frames);
  vec_clear(&t->regs);
  return OUTCOME_DONE;
}
