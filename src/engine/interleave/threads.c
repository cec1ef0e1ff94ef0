/* Threads: creating, joining, ending. A child knows what its creator knew; the creator's
 * store of the id comes after that, for the child may run before it. */
#include "engine/interleave/machine.h"

#include "model/op_access.h"

static Outcome next(Machine *m, const Edge *e) {
  il_frame_top(m)->node = e->to;
  return OUTCOME_NEXT;
}

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

static Outcome create(Machine *m, const Edge *e) {
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

/* Where only races are looked for, a join of any thread may go on at any time and orders
 * nothing: that covers all that the right one could do. */
static Outcome join_any(Machine *m, const Edge *e) {
  if (m->options.deadlocks)
    return il_give_up(m, "it is not known which thread is joined");
  int request = e->attempt == ATTEMPT_TRY ? 0 : il_cancel_choose(m, false);
  if (request < 0) return OUTCOME_PAUSE;
  if (request) return il_cancel_take_effect(m);
  int choice = e->attempt == ATTEMPT_BLOCK ? 0 : machine_choose(m, 2);
  if (choice < 0) return OUTCOME_PAUSE;
  if (choice)
    return il_sync_result(m, e, e->attempt == ATTEMPT_TRY ? RESULT_BUSY : RESULT_TIMEOUT);
  AbsValue address = e->b ? il_eval(m, e->b) : abs_number(0);
  if (!abs_is_number(address) || address.num) {
    m->s.lost = true; /* the result may be an address */
    Outcome out = il_memory_store(m, e->b, e->size && e->size < 8 ? e->size : 8,
                                  ACCESS_WRITE, abs_top());
    if (out != OUTCOME_NEXT) return out;
  }
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome join(Machine *m, const Edge *e) {
  AbsValue id = il_eval(m, e->a);
  if (abs_is_top(id)) return join_any(m, e);
  if (abs_tag(id) != ABS_THREAD)
    return il_give_up(m, "it is not known which thread is joined");
  uint32_t slot = abs_id(id);
  AbsThread *other = &m->s.threads[slot];
  if (slot == m->t) return il_give_up(m, "a thread joins itself");
  if (other->status == THREAD_GONE || other->detached)
    return il_give_up(m, "a thread is joined that was joined or detached before");
  bool ended = other->status == THREAD_ENDED;
  int request = e->attempt == ATTEMPT_TRY ? 0 : il_cancel_choose(m, !ended);
  if (request < 0) return OUTCOME_PAUSE;
  if (request) return il_cancel_take_effect(m);
  if (!ended) {
    if (e->attempt == ATTEMPT_TRY) return il_sync_result(m, e, RESULT_BUSY);
    if (e->attempt == ATTEMPT_TIMED) return il_sync_result(m, e, RESULT_TIMEOUT);
    return il_block(m, (Wait){.holders = UINT64_C(1) << slot});
  }
  il_happens_tell(&m->s, slot, m->t);
  il_happens_forget_thread(&m->s, slot);
  other->status = THREAD_GONE;
  AbsValue address = e->b ? il_eval(m, e->b) : abs_number(0);
  if (!abs_is_number(address) || address.num) {
    AbsValue result = other->result;
    uint32_t size = e->size && e->size < 8 ? e->size : 8;
    if (size < 8) {
      m->s.lost = m->s.lost || abs_is_address(result);
      if (abs_is_number(result))
        result.num &= (UINT64_C(1) << (8 * size)) - 1;
      else
        result = abs_top();
    }
    Outcome out = il_memory_store(m, e->b, size, ACCESS_WRITE, result);
    if (out != OUTCOME_NEXT) return out;
  }
  other->result = abs_top();
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome detach(Machine *m, const Edge *e) {
  AbsValue id = il_eval(m, e->a);
  if (abs_is_top(id) && !m->options.deadlocks) /* as if it could still be joined */
    return il_sync_result(m, e, RESULT_OK);
  if (abs_tag(id) != ABS_THREAD)
    return il_give_up(m, "it is not known which thread is detached");
  AbsThread *other = &m->s.threads[abs_id(id)];
  if (other->status == THREAD_GONE || other->detached)
    return il_give_up(m, "a thread is detached that was joined or detached before");
  other->detached = 1;
  if (other->status == THREAD_ENDED) {
    other->status = THREAD_GONE;
    other->result = abs_top();
    il_happens_forget_thread(&m->s, abs_id(id));
  }
  return il_sync_result(m, e, RESULT_OK);
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
  for (uint32_t i = 0; i < s->syncs.len; i++)
    if (s->syncs.data[i].owner == m->t + 1 &&
        s->syncs.data[i].has_type == HAS_STRANGE_TYPE)
      return il_give_up(m, "a thread ends with a mutex that may be robust");
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

/* A point by itself, not that of a library function, whose call follows from the same place of the
 * source: whether such a function comes to one is often its own affair. */
static bool is_testcancel(const Machine *m, const Edge *e) {
  if (!e->to) return false;
  const Edge *behind = program_edge(m->p, node_first_edge(m->p, e->to));
  const Loc *x = vec_at(&m->p->locs, e->loc), *y = vec_at(&m->p->locs, behind->loc);
  return x->line && y->line &&
         (x->file != y->file || x->line != y->line || x->column != y->column);
}

Outcome il_thread_step(Machine *m, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_CREATE: return create(m, e);
  case OP_JOIN: return join(m, e);
  case OP_DETACH: return detach(m, e);
  case OP_EXIT_THREAD: return il_thread_exit(m, e->a ? il_eval(m, e->a) : abs_number(0));
  case OP_SELF:
    il_local_set(m, e->dst,
                 m->s.threads[m->t].crowd ? abs_top() : abs_make(ABS_THREAD, m->t, 0));
    return next(m, e);
  case OP_CANCEL: return il_cancel(m, e);
  case OP_CANCEL_POINT: {
    int request = il_is_cancelled(m) ? 1 : 0;
    if (request && !is_testcancel(m, e)) request = machine_choose(m, 2);
    if (request < 0) return OUTCOME_PAUSE;
    return request ? il_cancel_take_effect(m) : next(m, e);
  }
  case OPS_SEQUENTIAL:
  case OPS_SYNC: break;
  }
  return il_give_up(m, "the operation %s is not known", op_text((OpKind)e->op));
}
