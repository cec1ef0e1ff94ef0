/* Guided replay: threads follow an order of steps that was worked out from a model of the
 * program, without having been seen in it.
 *
 * The guide has more than the program and less: accesses that the compiler saw no need to
 * instrument, and none of what the model has no step for (the start of a thread). So a
 * thread that comes to an access or to synchronisation looks for it among its next steps,
 * by what it is and by its place in the source; optional ones before it are left out. Then
 * it waits until that step is the first that is left. What is in no step is done at once,
 * unless it could block while the guide wants something else: then the guide cannot be
 * followed.
 *
 * An access happens after the runtime was told of it. Its step is over when the thread
 * comes here the next time; until then nobody else has a turn.
 *
 * A thread without steps has come to where the error finds it: before its access, in what
 * blocks, before the assertion. All others stay where they are.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

#include <link.h>
#include <stddef.h>
#include <unistd.h>

enum {
  MOST_LEFT_OUT = 1 << 13, /* optional steps in a row */
  SLICE = 100,             /* milliseconds of sleep between two looks */
};

static ControlStep *steps(void) {
  return control_steps(rt_control);
}

/* ---- places ----------------------------------------------------------------------- */

static int note_base(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  *(uint64_t *)data = info->dlpi_addr; /* the program itself comes first */
  return 1;
}

uint32_t rt_place_of(uintptr_t pc) {
  static uint64_t base;
  static bool known;
  if (!known) dl_iterate_phdr(note_base, &base);
  known = true;
  const ControlRow *rows = control_rows(rt_control);
  uint64_t at = pc - 1 - base;
  uint32_t low = 0, high = rt_control->row_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (rows[middle].address <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return pc && low ? rows[low - 1].place : 0;
}

/* ---- steps ------------------------------------------------------------------------ */

/* Takes what comes first and is settled. */
static void advance(void) {
  while (rt_replay_scheduled() && steps()[rt_next_step].flags & CONTROL_TAKEN)
    rt_next_step++;
  rt_control->at = rt_next_step;
  if (!rt_replay_scheduled() && rt_control->outcome == CONTROL_RUNNING)
    rt_replay_tell(CONTROL_FOLLOWED);
  rt_replay_wake_next();
}

static void settle(RtThread *t) {
  if (!t->taking) return;
  steps()[t->taking - 1].flags |= CONTROL_TAKEN;
  t->taking = 0;
  advance();
}

static void leave_out(RtThread *t, uint32_t up_to) {
  for (; t->step != up_to && t->step < rt_control->step_count;
       t->step = steps()[t->step].next)
    steps()[t->step].flags |= CONTROL_TAKEN;
  advance();
}

/* The step that the thread is about to take, or step_count. */
static uint32_t find(const RtThread *t, unsigned op, unsigned other, uint32_t place) {
  uint32_t count = rt_control->step_count;
  unsigned left_out = 0;
  for (uint32_t i = t->step; i < count && left_out < MOST_LEFT_OUT; i = steps()[i].next) {
    const ControlStep *s = &steps()[i];
    bool same = s->op == op || (other != TRACE_NONE && s->op == other);
    if (same && (!s->place || !place || s->place == place)) return i;
    if (!(s->flags & CONTROL_OPTIONAL)) break;
    left_out++;
  }
  return count;
}

static bool has_only_optional(const RtThread *t) {
  for (uint32_t i = t->step; i < rt_control->step_count; i = steps()[i].next)
    if (!(steps()[i].flags & CONTROL_OPTIONAL)) return false;
  return true;
}

/* Sleeps until something happens. When nothing does for a long time, the guide leads
 * nowhere. */
static void wait(RtThread *t, unsigned op, uintptr_t pc, uint32_t *waited,
                 uint64_t *moves) {
  uint64_t now = rt_replay_moves() + rt_next_step;
  if (*moves != now) *waited = 0;
  *moves = now;
  if (rt_replay_sleep(t, SLICE)) return;
  *waited += SLICE;
  if (rt_control->patience && *waited > rt_control->patience &&
      rt_control->outcome != CONTROL_DIVERGED)
    rt_replay_diverge(t, (TraceOp)op, pc);
}

/* Waits for its turn; false when there is none any more. */
static bool await(RtThread *t, uint32_t step, unsigned op, uintptr_t pc) {
  uint32_t waited = 0;
  uint64_t moves = 0;
  leave_out(t, step);
  t->step = steps()[step].next;
  while (rt_replay_scheduled() && rt_next_step != step) wait(t, op, pc, &waited, &moves);
  if (!rt_replay_scheduled()) return false;
  t->taking = step + 1;
  return true;
}

/* The error is somewhere else: the thread stays here until it has shown. */
static void park(RtThread *t, unsigned op, uintptr_t pc) {
  uint32_t waited = 0;
  uint64_t moves = 0;
  while (rt_control->outcome != CONTROL_DIVERGED) wait(t, op, pc, &waited, &moves);
}

/* ---- what is in no step ----------------------------------------------------------- */

static bool is_atomic(unsigned op) {
  return op == TRACE_ATOMIC_LOAD || op == TRACE_ATOMIC_STORE || op == TRACE_ATOMIC_RMW;
}

/* The model has no step for it. */
static bool is_silent(unsigned op) {
  return op == TRACE_START || op == TRACE_ONCE_END || op == TRACE_WAIT_EXIT ||
         op == TRACE_EVENT || op == TRACE_BEFORE || op == TRACE_AFTER;
}

/* The thread has come to the end of its steps, to something that is not the error. */
static void stop_at_end(RtThread *t, unsigned op, uintptr_t pc) {
  leave_out(t, rt_control->step_count);
  switch ((ControlGoal)rt_control->goal) {
  case CONTROL_NO_GOAL: break;
  case CONTROL_TO_RACE:
    if (t->hold < 0)
      park(t, op, pc);
    else if (!is_atomic(op))
      rt_replay_diverge(t, (TraceOp)op, pc);
    break;
  case CONTROL_TO_UNORDERED: park(t, op, pc); break;
  case CONTROL_TO_ASSERT:
    if (t->scheduled != rt_control->goal_thread) park(t, op, pc);
    break;
  case CONTROL_TO_DEADLOCK: {
    uint32_t waited = 0;
    uint64_t moves = 0;
    while (rt_replay_scheduled()) wait(t, op, pc, &waited, &moves);
    break;
  }
  }
}

static void stray(RtThread *t, unsigned op, uintptr_t pc) {
  if (rt_control->outcome == CONTROL_DIVERGED || is_silent(op) ||
      t->scheduled == CONTROL_NO_THREAD)
    return;
  if (!has_only_optional(t)) {
    if (!is_atomic(op)) rt_replay_diverge(t, (TraceOp)op, pc);
  } else if (op == TRACE_END) {
    leave_out(t, rt_control->step_count);
    if (t->hold >= 0) rt_replay_diverge(t, (TraceOp)op, pc);
  } else {
    stop_at_end(t, op, pc);
  }
}

TraceOp rt_guide_turn(RtThread *t, TraceOp op, TraceOp other, uintptr_t pc) {
  rt_lock();
  settle(t);
  uint32_t step = find(t, op, other, rt_place_of(pc));
  if (step == rt_control->step_count)
    stray(t, op, pc);
  else if (await(t, step, op, pc))
    return (TraceOp)steps()[step].op;
  return TRACE_NONE;
}

void rt_guide_done(RtThread *t, TraceOp turn) {
  if (turn != TRACE_NONE) settle(t);
}

/* ---- accesses --------------------------------------------------------------------- */

static bool is_end(const RtThread *t, uint32_t place, unsigned flags) {
  if (t->hold < 0 || !place) return false;
  const ControlHold *hold = &rt_control->hold[t->hold];
  return hold->place == place && !hold->write == !(flags & TRACE_WRITE) &&
         has_only_optional(t);
}

/* Steps of atomic operations are taken by rt_guide_turn. */
static uint32_t find_access(const RtThread *t, unsigned flags, uint32_t place) {
  if (flags & TRACE_ATOMIC) {
    uint32_t step = find(t, TRACE_ATOMIC_RMW, TRACE_ATOMIC_LOAD, place);
    return step < rt_control->step_count ? step
                                         : find(t, TRACE_ATOMIC_STORE, TRACE_NONE, place);
  }
  return find(t, flags & TRACE_WRITE ? CONTROL_WRITE : CONTROL_READ, TRACE_NONE, place);
}

/* It belongs to the step that the thread is taking: a copy reads and writes. */
static bool is_part(const RtThread *t, uint32_t place) {
  return t->taking && place && steps()[t->taking - 1].place == place;
}

void rt_guide_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                     uintptr_t pc) {
  if (t->busy || t->ignoring || t->ended || t->scheduled == CONTROL_NO_THREAD ||
      rt_control->outcome > CONTROL_FOLLOWED || rt_control->outcome == CONTROL_DIVERGED)
    return;
  rt_lock();
  uint32_t place = rt_place_of(pc), step = find_access(t, flags, place);
  if (step == rt_control->step_count && is_part(t, place) && !is_end(t, place, flags)) {
    rt_unlock();
    return;
  }
  settle(t);
  unsigned op = flags & TRACE_WRITE ? CONTROL_WRITE : CONTROL_READ;
  if (step == rt_control->step_count) {
    if (is_end(t, place, flags)) {
      leave_out(t, step);
      rt_replay_hold(t, address, size, flags, pc);
    } else if (!(flags & TRACE_ATOMIC) && place && t->hold < 0 && has_only_optional(t) &&
               rt_control->goal != CONTROL_TO_DEADLOCK) {
      stop_at_end(t, op, pc);
    }
  } else if (!(flags & TRACE_ATOMIC) && await(t, step, op, pc)) {
    rt_guide_log(t, op, address, size, 0, flags);
  }
  rt_unlock();
}

void rt_guide_touch(const void *memory, size_t size, unsigned flags, uintptr_t pc) {
  RtThread *t = memory && rt_is_guided() ? rt_active() : NULL;
  if (t) rt_guide_access(t, (uintptr_t)memory, size, flags, pc);
}

/* ---- the log ---------------------------------------------------------------------- */

void rt_guide_log(RtThread *t, unsigned op, uintptr_t object, uint64_t size,
                  unsigned order, unsigned flags) {
  if (!rt_is_guided() || rt_control->goal != CONTROL_TO_UNORDERED) return;
  uint32_t marks = t->taking ? steps()[t->taking - 1].flags : 0;
  marks &= CONTROL_FIRST | CONTROL_SECOND;
  if (!marks && op >= CONTROL_READ) return;
  if (rt_control->log_count == rt_control->log_room) {
    rt_replay_diverge(t, TRACE_NONE, 0);
    return;
  }
  control_log(rt_control)[rt_control->log_count++] =
      (ControlLog){.object = object,
                   .size = size,
                   .thread = t->scheduled,
                   .op = op,
                   .order = order,
                   .flags = marks | flags << 8};
}

/* ---- the ends of a program -------------------------------------------------------- */

void rt_guide_failed(uintptr_t pc) {
  RtThread *t = rt_is_guided() ? rt_active() : NULL;
  if (!t) return;
  rt_lock();
  settle(t);
  rt_fill_place(t, &rt_control->places[0]);
  rt_control->places[0].pc = pc;
  if (rt_control->outcome <= CONTROL_FOLLOWED) rt_replay_tell(CONTROL_FAILED);
  rt_unlock();
  rt_stop();
}

void rt_guide_exit(void) {
  RtThread *t = rt_active();
  if (!t || rt_control->process != (uint32_t)getpid()) return;
  rt_lock();
  settle(t);
  if (rt_control->outcome <= CONTROL_FOLLOWED &&
      rt_control->outcome != CONTROL_DIVERGED) {
    if (!has_only_optional(t) || t->hold >= 0)
      rt_replay_diverge(t, TRACE_END, 0);
    else
      stop_at_end(t, TRACE_END, 0);
  }
  rt_unlock();
}

/* ---- what the program is given ---------------------------------------------------- */

uint64_t rt_guide_value(void) {
  RtThread *t = rt_is_guided() ? rt_active() : NULL;
  if (!t || t->value >= rt_control->value_count) return 0;
  const ControlValue *v = &control_values(rt_control)[t->value];
  t->value = v->next;
  return v->value;
}

/* The guide may have left the thread here: it goes no further. */
void rt_guide_refuse(uintptr_t pc) {
  RtThread *t = rt_is_guided() ? rt_active() : NULL;
  if (!t) return;
  rt_lock();
  settle(t);
  if (has_only_optional(t)) {
    leave_out(t, rt_control->step_count);
    park(t, TRACE_NONE, pc);
  }
  rt_replay_diverge(t, TRACE_NONE, pc);
  rt_unlock();
}

/* For the archive with the functions of verification tasks (verifier.c). */
__attribute__((visibility("default"))) uint64_t __heddle_value(void);
__attribute__((visibility("default"))) void __heddle_failed(uintptr_t pc);
__attribute__((visibility("default"))) void __heddle_refuse(uintptr_t pc);
uint64_t __heddle_value(void) {
  return rt_guide_value();
}
void __heddle_failed(uintptr_t pc) {
  rt_guide_failed(pc);
}
void __heddle_refuse(uintptr_t pc) {
  rt_guide_refuse(pc);
}
