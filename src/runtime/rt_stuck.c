/* Replay, after the last step of the schedule: who waits for what.
 *
 * Everything that could block is tried under the big lock, and who fails waits here: so it
 * is known exactly which threads wait for what, and a set of threads that nobody outside of
 * it can release is a deadlock, the moment its last member waits. Where somebody whom the
 * runtime does not know might (rt_outside.c), the threads try again and again for a while,
 * and then the answer is that it is not known.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

enum {
  PATIENCE = 1500, /* milliseconds in which somebody unknown may still do something */
  SLICE = 20,      /* between two attempts meanwhile */
  LONG_SLICE = 250 /* and of those that may be released without the runtime's knowing */
};

static void try_again(void) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->blocked) {
      t->blocked = false;
      rt_replay_wake(t);
    }
}

void rt_retry(void) {
  rt_replay_moved();
  try_again();
}

static RtThread *holder(uintptr_t object, RtThread *after) {
  for (RtThread *t = after ? after->next : rt_threads; t; t = t->next)
    for (uint32_t i = 0; i < t->held_count; i++)
      if (t->held[i].object == object) return t;
  return NULL;
}

bool rt_is_held(uintptr_t object) {
  return holder(object, NULL) != NULL;
}

void rt_pause(void) {
  struct timespec moment = {0, 1000000};
  rt_unlock();
  REAL(nanosleep)(&moment, NULL);
  rt_lock();
}

static bool is_lock(uint32_t op) {
  return op == TRACE_LOCK || op == TRACE_READ_LOCK;
}

/* Whether somebody outside of the set of stuck threads might release the thread.
 * `held_now` is not used for this purpose while nobody is held, so it marks the set. */
static bool can_be_released(const RtThread *t, const RtThread *const *set, uint32_t count,
                            uint32_t live) {
  if (is_lock(t->blocked_op)) {
    RtThread *who = holder(t->blocked_object, NULL);
    if (!who) return true; /* held by something unknown */
    for (; who; who = holder(t->blocked_object, who))
      for (uint32_t i = 0; i < count; i++)
        if (set[i] == who && !who->ended) return false;
    /* Held only by threads that can go on, or by one that ended with it. */
    for (who = holder(t->blocked_object, NULL); who; who = holder(t->blocked_object, who))
      if (!who->ended) return true;
    return false;
  }
  if (t->blocked_op == TRACE_JOIN || t->blocked_op == TRACE_ONCE_SEEN) {
    for (uint32_t i = 0; i < count; i++)
      if (set[i] == t->blocked_thread) return false;
    return true;
  }
  return count < live;
}

enum { MOST_SET = 4096 };

static uint32_t stuck_set(const RtThread **set) {
  uint32_t count = 0, live = 0;
  for (RtThread *t = rt_threads; t; t = t->next) {
    if (t->ended) continue;
    live++;
    if (t->blocked && count < MOST_SET) set[count++] = t;
  }
  for (bool changed = true; changed && count;) {
    changed = false;
    for (uint32_t i = 0; i < count; i++)
      if (can_be_released(set[i], set, count, live)) {
        set[i] = set[--count];
        changed = true;
        break;
      }
  }
  return count;
}

static void note_stuck(const RtThread *const *set, uint32_t count) {
  Control *c = rt_control;
  c->stuck_count = 0;
  for (uint32_t i = count; i-- > 0 && c->stuck_count < CONTROL_STUCK;) {
    ControlPlace *place = &c->stuck[c->stuck_count++];
    rt_fill_place((RtThread *)set[i], place);
    place->op = set[i]->blocked_op;
    place->object = set[i]->blocked_object;
    place->pc = set[i]->blocked_pc;
    RtThread *who =
        is_lock(place->op) ? holder(place->object, NULL) : set[i]->blocked_thread;
    place->owner = who ? who->scheduled : CONTROL_NO_THREAD;
  }
}

uint64_t rt_milliseconds(void) {
  struct timespec t;
  rt_system(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0, 0, 0);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* These threads wait, and none of them can release another. Returns how long the caller
 * should sleep before all of them try again; 0: for ever. */
static uint32_t judge(RtThread *t, const RtThread *const *set, uint32_t count) {
  static uint64_t since, moves_then;
  ControlOutside who = rt_outside(set, count);
  if (who == CONTROL_NOBODY) {
    note_stuck(set, count);
    rt_replay_tell(CONTROL_DEADLOCK);
    return 0;
  }
  if (!since || moves_then != rt_replay_moves()) {
    since = rt_milliseconds();
    moves_then = rt_replay_moves();
  }
  if (rt_milliseconds() - since < PATIENCE) return SLICE;
  if (rt_control->hold_count) { /* a race was wanted: this is not the way to it */
    rt_replay_diverge(t, TRACE_NONE, t->blocked_pc);
    return LONG_SLICE;
  }
  note_stuck(set, count);
  rt_control->diverged_op = who;
  rt_replay_tell(CONTROL_WAITING);
  return LONG_SLICE;
}

/* Somebody may have released it without a word: another process, a thread that died. */
static bool is_unseen(const RtThread *t) {
  if (is_lock(t->blocked_op) && !holder(t->blocked_object, NULL)) return true;
  return (is_lock(t->blocked_op) || t->blocked_op == TRACE_SEM_WAIT) &&
         rt_outside_shares(t->blocked_object);
}

void rt_block(RtThread *t, TraceOp turn, TraceOp op, uintptr_t object, uintptr_t pc) {
  static const RtThread *set[MOST_SET]; /* guarded by the big lock */
  if (turn != TRACE_NONE && rt_replay_scheduled() && !rt_is_guided()) {
    /* The schedule says that it can be done now; the program says no. */
    rt_replay_diverge(t, op, pc);
  }
  if (op != TRACE_JOIN && op != TRACE_ONCE_SEEN) t->blocked_thread = NULL;
  t->blocked = true;
  t->blocked_op = op;
  t->blocked_object = object;
  t->blocked_pc = pc;
  uint32_t count = stuck_set(set), pause = 0;
  if (count && count >= rt_control->goal_count && rt_control->outcome < CONTROL_DEADLOCK)
    pause = judge(t, set, count);
  while (t->blocked) {
    if (rt_replay_sleep(t, pause ? pause : LONG_SLICE) || !t->blocked) continue;
    if (pause)
      try_again();
    else if (is_unseen(t))
      t->blocked = false;
  }
}
