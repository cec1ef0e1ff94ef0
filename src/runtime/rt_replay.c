/* Replay: threads pass their scheduling points in the order of the schedule.
 *
 * A thread that comes to a scheduling point waits until the first step that is left is
 * its own. If it is about to do something else than the step says, the schedule cannot be
 * followed and the replay ends. After the last step the threads run freely, but
 * everything that could block is still tried under the big lock, and who fails waits
 * here: so it is known exactly which threads wait for what, and a set of threads that
 * nobody outside of it can release is a deadlock, the moment its last member waits. Where
 * somebody whom the runtime does not know might (rt_outside.c), the threads try again and
 * again for a while, and then the answer is that it is not known.
 *
 * For a race, two threads are held before their accesses. When both stand there, nothing
 * orders them any more. The chosen one goes first; the other follows when the first has
 * passed its access.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t rt_next_step;
static int first_gone; /* of a race that showed: 1 the first is passing, 2 it passed */
static uint64_t moves; /* what was done: scheduling points that were passed, releases */

static const ControlThread *threads(void) {
  return control_threads(rt_control);
}

static const ControlStep *steps(void) {
  return control_steps(rt_control);
}

void rt_replay_thread(RtThread *t) {
  if (rt_mode != CONTROL_REPLAY) return;
  const ControlThread *known = threads();
  if (t != rt_threads || t->next) { /* not main, which is the first and is number 0 */
    for (uint32_t i = 1; i < rt_control->thread_count; i++)
      if (t->parent != CONTROL_NO_THREAD && known[i].parent == t->parent &&
          known[i].index == t->index)
        t->scheduled = i;
  }
  for (uint32_t i = 0; i < rt_control->hold_count; i++)
    if (t->scheduled == rt_control->hold[i].thread) t->hold = (int)i;
  t->step = rt_control->step_count;
  t->value = rt_control->value_count;
  if (rt_is_guided() && t->scheduled < rt_control->thread_count) {
    t->step = known[t->scheduled].first_step;
    t->value = known[t->scheduled].first_value;
  }
}

ControlSeen *rt_replay_seen(void) {
  if (!rt_control->keep_seen || !rt_replay_scheduled()) return NULL;
  return control_seen(rt_control) + rt_next_step;
}

bool rt_replay_scheduled(void) {
  return rt_next_step < rt_control->step_count;
}

/* ---- modules ---------------------------------------------------------------------- */

static int note_module(struct dl_phdr_info *info, size_t size, void *data) {
  uint32_t *count = data;
  ControlModule *m = &rt_control->modules[*count];
  ssize_t n = (ssize_t)rt_length(info->dlpi_name);
  (void)size;
  if (*count + 1 >= CONTROL_MODULES) return 1;
  if (!n)
    n = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
  else if (n < CONTROL_MODULE_PATH)
    rt_copy(m->path, info->dlpi_name, (size_t)n);
  if (n <= 0 || n >= CONTROL_MODULE_PATH || m->path[0] != '/') {
    rt_zero(m->path, sizeof m->path);
    return 0;
  }
  m->base = info->dlpi_addr;
  ++*count;
  return 0;
}

void rt_replay_modules(void) {
  uint32_t count = 0;
  dl_iterate_phdr(note_module, &count);
}

/* ---- telling the end -------------------------------------------------------------- */

static void wake(RtThread *t) {
  t->waits = false;
  __atomic_fetch_add(&t->futex, 1, __ATOMIC_RELEASE);
  rt_futex_wake(&t->futex);
}

static void wake_all(void) {
  for (RtThread *t = rt_threads; t; t = t->next) wake(t);
}

/* Waits for a wake, without the big lock. */
static void sleep_here(RtThread *t) {
  int before = __atomic_load_n(&t->futex, __ATOMIC_ACQUIRE);
  t->waits = true;
  rt_unlock();
  rt_futex_wait(&t->futex, before);
  rt_lock();
  t->waits = false;
}

/* The same, for at most so many milliseconds (0: for ever); false when they are over. */
static bool sleep_for(RtThread *t, uint32_t milliseconds) {
  if (!milliseconds) {
    sleep_here(t);
    return true;
  }
  int before = __atomic_load_n(&t->futex, __ATOMIC_ACQUIRE);
  struct timespec limit = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
  t->waits = true;
  rt_unlock();
  bool in_time = rt_futex_wait_for(&t->futex, before, &limit);
  rt_lock();
  t->waits = false;
  return in_time;
}

/* A debugger stops here with every thread in its place. */
__attribute__((visibility("default"))) void heddle_error_showed(void);
__attribute__((noinline, used)) void heddle_error_showed(void) {
  __asm__ volatile("");
}

static void tell(ControlOutcome outcome) {
  __atomic_store_n(&rt_control->outcome, (uint32_t)outcome, __ATOMIC_RELEASE);
  if ((outcome == CONTROL_RACE || outcome == CONTROL_DEADLOCK) &&
      rt_control->wait_for_debugger)
    heddle_error_showed();
  if (rt_control->stop && (outcome != CONTROL_FOLLOWED || rt_control->stop_followed))
    rt_stop();
}

void rt_replay_tell(ControlOutcome outcome) {
  tell(outcome);
}

static void diverge(RtThread *t, TraceOp op, uintptr_t pc) {
  rt_control->diverged_thread = t->scheduled;
  rt_control->diverged_op = op;
  rt_control->diverged_pc = pc;
  rt_next_step = rt_control->step_count; /* from here on everything runs freely */
  tell(CONTROL_DIVERGED);
  wake_all();
}

void rt_replay_diverge(RtThread *t, TraceOp op, uintptr_t pc) {
  diverge(t, op, pc);
}

void rt_replay_wake_next(void) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (!rt_replay_scheduled() || t->scheduled == steps()[rt_next_step].thread) wake(t);
}

bool rt_replay_sleep(RtThread *t, uint32_t limit) {
  return sleep_for(t, limit);
}

uint64_t rt_replay_moves(void) {
  return moves;
}

/* ---- cancellation ----------------------------------------------------------------- */

enum {
  PATIENCE = 1500, /* milliseconds in which somebody unknown may still do something */
  SLICE = 20,      /* between two attempts meanwhile */
  LONG_SLICE = 250 /* and of those that may be released without the runtime's knowing */
};

/* Whether it is enabled is known to the C library only. */
bool rt_cancelled(RtThread *t) {
  int state = PTHREAD_CANCEL_DISABLE;
  if (!t->cancelled) return false;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcancelstate(state, NULL);
  return state == PTHREAD_CANCEL_ENABLE;
}

/* pthread_cancel is no step, so the schedule does not bring it in time. */
bool rt_await_cancel(RtThread *t) {
  for (unsigned waited = 0; !rt_cancelled(t) && waited < PATIENCE; waited += SLICE)
    sleep_for(t, SLICE);
  return rt_cancelled(t);
}

void rt_leave(RtThread *t) {
  t->may_leave = false;
  rt_unlock();
  pthread_testcancel();
  rt_lock();
}

/* ---- standing still --------------------------------------------------------------- */

/* Every other thread is done, waits here, or waits in the kernel without a limit of time:
 * nothing will happen any more, unless somebody outside does it. */
static bool nothing_moves(const RtThread *me) {
  static const RtThread *set[RT_MOST_STILL];
  uint32_t count = 0;
  for (const RtThread *t = rt_threads; t; t = t->next) {
    if (t == me || t->ended) continue;
    if (t->waits) {
      if (t->blocked && count < RT_MOST_STILL) set[count++] = t;
    } else if (rt_goes_on(t)) {
      return false;
    }
  }
  return !count || rt_outside(set, count) == CONTROL_NOBODY;
}

/* The same in a row of looks, between which nothing was done: a thread that was released a
 * moment ago does not go on yet. */
enum { LOOK = 40, LOOKS = 2 }; /* milliseconds from one to the next */

static bool stands_still(const RtThread *me) {
  static uint64_t moves_then;
  static uint32_t looks;
  if (moves_then != moves || !nothing_moves(me))
    looks = 0;
  else
    looks++;
  moves_then = moves;
  return looks > LOOKS;
}

/* ---- turns ------------------------------------------------------------------------ */

static void hand_on(void) {
  rt_control->at = rt_next_step;
  if (!rt_replay_scheduled()) {
    if (rt_control->outcome == CONTROL_RUNNING) tell(CONTROL_FOLLOWED);
    wake_all();
    return;
  }
  uint32_t who = steps()[rt_next_step].thread;
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->scheduled == who) wake(t);
}

/* Rounds that were folded (rt_fold.c): the schedule has the first and the last of them. A
 * thread that counts comes around more often, and not to its next step; that is as it was.
 * One that polls comes around only until it finds what it waits for. */
static bool comes_again(RtThread *t, uintptr_t pc) {
  if (!t->round) return false;
  if (!t->behind) {
    t->behind = rt_next_step;
    while (t->behind < rt_control->step_count &&
           steps()[t->behind].thread != t->scheduled)
      t->behind++;
    t->behind++;
  }
  uint32_t at = (t->turns - t->round + t->again) % RT_LONGEST_PERIOD;
  bool more = t->behind <= rt_control->step_count;
  bool on = t->turn_places[at] == (uint32_t)pc &&
            (t->again || (more ? steps()[t->behind - 1].place != (uint32_t)pc
                               : t->hold >= 0 && !first_gone));
  t->again = on ? (t->again + 1) % t->round : 0;
  if (!on) t->round = 0;
  return t->extra = on;
}

static void note_turn(RtThread *t, uintptr_t pc) {
  t->turn_places[t->turns++ % RT_LONGEST_PERIOD] = (uint32_t)pc;
  t->round = steps()[rt_next_step].round;
  if (t->round > RT_LONGEST_PERIOD || t->round > t->turns) t->round = 0;
  t->again = t->behind = 0;
}

/* Goes past the place where it should have been held. */
static bool missed(const RtThread *t) {
  return t->hold >= 0 && !first_gone && t->events == rt_control->hold[t->hold].events &&
         !(rt_control->held >> t->hold & 1) && rt_control->outcome == CONTROL_FOLLOWED;
}

TraceOp rt_turn(RtThread *t, TraceOp op, TraceOp other, uintptr_t pc) {
  if (rt_is_guided()) return rt_guide_turn(t, op, other, pc);
  rt_lock();
  rt_replay_passed(t);
  if (comes_again(t, pc)) return TRACE_NONE;
  while (rt_replay_scheduled() && steps()[rt_next_step].thread != t->scheduled)
    if (!sleep_for(t, LOOK) && rt_replay_scheduled() &&
        steps()[rt_next_step].thread != t->scheduled && stands_still(t))
      diverge(t, TRACE_NONE, pc); /* whose turn it is does not come */
  if (!rt_replay_scheduled()) {
    if (missed(t)) diverge(t, op, pc);
    return TRACE_NONE;
  }
  TraceOp wanted = steps()[rt_next_step].op;
  if (t->may_leave && wanted != op &&
      (wanted == TRACE_END ? rt_await_cancel(t) : rt_cancelled(t)))
    rt_leave(t);
  if (wanted == op || (other != TRACE_NONE && wanted == other)) {
    ControlSeen *seen = rt_replay_seen();
    if (seen) *seen = (ControlSeen){.pc = pc, .op = wanted};
    note_turn(t, pc);
    return wanted;
  }
  diverge(t, op, pc);
  return TRACE_NONE;
}

TraceOp rt_turn_or_leave(RtThread *t, TraceOp op, uintptr_t pc) {
  pthread_testcancel();
  t->may_leave = true;
  TraceOp turn = rt_turn(t, op, TRACE_NONE, pc);
  t->may_leave = false;
  return turn;
}

TraceOp rt_astray(RtThread *t, TraceOp op, uintptr_t pc) {
  diverge(t, op, pc);
  return TRACE_NONE;
}

void rt_turn_done(RtThread *t, TraceOp turn) {
  moves++;
  t->events += !t->extra;
  t->extra = false;
  t->loaded = 0;
  t->idle = 0;
  if (rt_is_guided()) {
    rt_guide_done(t, turn);
  } else if (turn != TRACE_NONE && rt_replay_scheduled()) {
    rt_next_step++;
    hand_on();
  }
  rt_unlock();
}

/* ---- waiting for objects ---------------------------------------------------------- */

static void try_again(void) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->blocked) {
      t->blocked = false;
      wake(t);
    }
}

void rt_retry(void) {
  moves++;
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

static uint64_t milliseconds(void) {
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
    tell(CONTROL_DEADLOCK);
    return 0;
  }
  if (!since || moves_then != moves) {
    since = milliseconds();
    moves_then = moves;
  }
  if (milliseconds() - since < PATIENCE) return SLICE;
  if (rt_control->hold_count) { /* a race was wanted: this is not the way to it */
    diverge(t, TRACE_NONE, t->blocked_pc);
    return LONG_SLICE;
  }
  note_stuck(set, count);
  rt_control->diverged_op = who;
  tell(CONTROL_WAITING);
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
    diverge(t, op, pc);
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
    if (sleep_for(t, pause ? pause : LONG_SLICE) || !t->blocked) continue;
    if (pause)
      try_again();
    else if (is_unseen(t))
      t->blocked = false;
  }
}

/* ---- races ------------------------------------------------------------------------ */

static RtThread *held_thread(int which) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->hold == which && t->held_now) return t;
  return NULL;
}

static bool overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t m) {
  return a < b + m && b < a + n;
}

static void note_place(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                       uintptr_t pc) {
  ControlPlace *place = &rt_control->places[t->hold];
  rt_fill_place(t, place);
  place->object = address;
  place->size = size;
  place->pc = pc;
  place->write = (flags & TRACE_WRITE) != 0;
  place->atomic = (flags & TRACE_ATOMIC) != 0;
  rt_copy(&place->value, (const void *)address, size < 8 ? size : 8);
}

/* What the access is now: a compare-exchange that would fail only reads. */
static unsigned flags_now(const RtThread *t, unsigned flags) {
  const volatile uint8_t *at = t->compared;
  for (uint32_t i = 0; at && i < t->compared_size; i++)
    if (at[i] != t->expected[i]) return flags & ~(unsigned)TRACE_WRITE;
  return flags;
}

static bool conflict(void) {
  ControlPlace *a = &rt_control->places[0], *b = &rt_control->places[1];
  for (int i = 0; i < 2; i++) { /* the value may be another one by now */
    const RtThread *t = held_thread(i);
    if (t && t->compared) rt_control->places[i].write = flags_now(t, TRACE_WRITE) != 0;
  }
  return overlap(a->object, a->size, b->object, b->size) && (a->write || b->write) &&
         !(a->atomic && b->atomic);
}

void rt_replay_passed(RtThread *t) {
  if (first_gone != 1 || t->hold != (int)rt_control->order || t->held_now) return;
  first_gone = 2;
  wake_all();
}

enum { MOST_REPEATS = 2000 };

/* What was found before the last step does not count: that may have changed it. */
static uint32_t idle(RtThread *t) {
  if (t->idle_step != rt_next_step) t->idle = 0;
  t->idle_step = rt_next_step;
  return ++t->idle;
}

void rt_replay_repeats(RtThread *t, uintptr_t pc) {
  if (rt_control->outcome >= CONTROL_RACE || rt_control->outcome == CONTROL_DIVERGED)
    return;
  rt_lock();
  uint32_t times = idle(t);
  /* Its turn, so that nobody else may change the value; or the other racing thread, which
   * perhaps would, is held. */
  bool for_ever = rt_replay_scheduled()
                      ? steps()[rt_next_step].thread == t->scheduled && times > 1
                      : t->hold >= 0 && held_thread(1 - t->hold) && times > MOST_REPEATS;
  if (for_ever) diverge(t, TRACE_NONE, pc);
  rt_unlock();
}

/* Its turn has come: as long as it sleeps, nobody else may change the value either. */
enum { MOST_SLICES = 25 };

void rt_replay_sleeps(RtThread *t, uintptr_t pc) {
  rt_lock();
  if (idle(t) >= MOST_SLICES && rt_replay_scheduled() &&
      steps()[rt_next_step].thread == t->scheduled)
    diverge(t, TRACE_NONE, pc);
  rt_unlock();
}

/* Both are there. */
static void race_showed(void) {
  tell(CONTROL_RACE);
  first_gone = 1;
  RtThread *first = held_thread((int)rt_control->order);
  first->held_now = false;
  wake(first);
}

void rt_replay_hold(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc) {
  note_place(t, address, size, flags, pc);
  rt_control->held |= 1u << t->hold;
  t->held_now = true;
  if (held_thread(1 - t->hold) && conflict()) race_showed();
  uint32_t patience = rt_control->patience, waited = 0;
  while (t->held_now && first_gone != 2 && rt_control->outcome != CONTROL_DIVERGED) {
    bool open_end = first_gone || rt_replay_scheduled();
    if (open_end) waited = 0;
    uint32_t slice = open_end || !patience ? 0 : LOOK;
    if (sleep_for(t, slice) || first_gone || !t->held_now) continue;
    waited += slice;
    if (waited >= patience || stands_still(t))
      diverge(t, TRACE_NONE, pc); /* the other one does not come */
  }
  t->held_now = false;
}

void rt_replay_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                      uintptr_t pc) {
  if (rt_is_guided()) {
    rt_guide_access(t, address, size, flags_now(t, flags), pc);
    return;
  }
  if (t->hold < 0 || t->busy) return;
  if (__atomic_load_n(&first_gone, __ATOMIC_ACQUIRE)) {
    if (first_gone == 1 && t->hold == (int)rt_control->order) {
      rt_lock();
      rt_replay_passed(t);
      rt_unlock();
    }
    return;
  }
  flags = flags_now(t, flags);
  const ControlHold *hold = &rt_control->hold[t->hold];
  if (t->events != hold->events || (hold->pc && pc != hold->pc)) return;
  if (hold->size && !overlap(address, size, hold->address, hold->size)) return;
  if (hold->write && !(flags & TRACE_WRITE)) return;
  rt_lock();
  bool elsewhere = held_thread(1 - t->hold) && !hold->size &&
                   !overlap(address, size, rt_control->places[1 - t->hold].object,
                            rt_control->places[1 - t->hold].size);
  if (!first_gone && rt_control->outcome != CONTROL_DIVERGED && !elsewhere) {
    rt_replay_hold(t, address, size, flags, pc);
  }
  rt_unlock();
}

/* ---- the end ---------------------------------------------------------------------- */

static bool has_ended(uint32_t scheduled) {
  for (const RtThread *t = rt_threads; t; t = t->next)
    if (t->scheduled == scheduled) return t->ended;
  return false; /* it did not begin */
}

/* Somebody else may still take a step of the schedule, or come to where it is held. */
static bool is_awaited(const RtThread *t) {
  const Control *c = rt_control;
  if (c->outcome == CONTROL_RUNNING)
    return rt_replay_scheduled() && steps()[rt_next_step].thread != t->scheduled &&
           !has_ended(steps()[rt_next_step].thread);
  return c->outcome == CONTROL_FOLLOWED && c->hold_count == 2 && t->hold < 0 &&
         !has_ended(c->hold[0].thread) && !has_ended(c->hold[1].thread);
}

void rt_replay_exit(RtThread *t) {
  uint64_t end = milliseconds() + rt_control->linger + rt_control->patience;
  rt_lock();
  while (is_awaited(t) && milliseconds() < end) sleep_for(t, SLICE);
  rt_unlock();
}
