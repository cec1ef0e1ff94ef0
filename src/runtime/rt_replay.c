/* Replay: threads pass their scheduling points in the order of the schedule.
 *
 * A thread that comes to a scheduling point waits until the first step that is left is
 * its own. If it is about to do something else than the step says, the schedule cannot be
 * followed and the replay ends. After the last step the threads run freely; what then
 * waits for what is known to rt_stuck.c, and who stands before a race to rt_race.c.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t rt_next_step;
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
  for (uint32_t i = 0; i < rt_control->hold_count && !rt_meets(); i++)
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

void rt_replay_wake(RtThread *t) {
  t->waits = false;
  __atomic_fetch_add(&t->futex, 1, __ATOMIC_RELEASE);
  rt_futex_wake(&t->futex);
}

void rt_replay_wake_all(void) {
  for (RtThread *t = rt_threads; t; t = t->next) rt_replay_wake(t);
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
  rt_replay_wake_all();
}

void rt_replay_diverge(RtThread *t, TraceOp op, uintptr_t pc) {
  diverge(t, op, pc);
}

void rt_replay_wake_next(void) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (!rt_replay_scheduled() || t->scheduled == steps()[rt_next_step].thread)
      rt_replay_wake(t);
}

bool rt_replay_sleep(RtThread *t, uint32_t limit) {
  return sleep_for(t, limit);
}

uint64_t rt_replay_moves(void) {
  return moves;
}

void rt_replay_moved(void) {
  moves += !(rt_self && rt_self->polls);
}

/* ---- cancellation ----------------------------------------------------------------- */

enum {
  PATIENCE = 1500, /* milliseconds in which somebody may still cancel a thread */
  SLICE = 20,      /* between two looks meanwhile */
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

/* ---- turns ------------------------------------------------------------------------ */

static void hand_on(void) {
  rt_control->at = rt_next_step;
  if (!rt_replay_scheduled()) {
    if (rt_control->outcome == CONTROL_RUNNING) tell(CONTROL_FOLLOWED);
    rt_replay_wake_all();
    return;
  }
  uint32_t who = steps()[rt_next_step].thread;
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->scheduled == who) rt_replay_wake(t);
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
                               : t->hold >= 0 && !rt_first_gone));
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
  return t->hold >= 0 && !rt_first_gone &&
         t->events == rt_control->hold[t->hold].events &&
         !(rt_control->held >> t->hold & 1) && rt_control->outcome == CONTROL_FOLLOWED;
}

TraceOp rt_turn(RtThread *t, TraceOp op, TraceOp other, uintptr_t pc) {
  if (rt_is_guided()) return rt_guide_turn(t, op, other, pc);
  rt_lock();
  rt_replay_passed(t);
  if (comes_again(t, pc)) return TRACE_NONE;
  while (rt_replay_scheduled() && steps()[rt_next_step].thread != t->scheduled)
    if (!sleep_for(t, RT_LOOK) && rt_replay_scheduled() &&
        steps()[rt_next_step].thread != t->scheduled && rt_stands_still(t))
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
  moves += !t->polls;
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
