/* Replay of a race: two threads are held before their accesses. When both stand there,
 * nothing orders them any more. The chosen one goes first; the other follows when the first
 * has passed its access.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

int rt_first_gone;

enum { SLICE = 20 }; /* milliseconds between two looks at the end of the program */

static const ControlStep *steps(void) {
  return control_steps(rt_control);
}

static RtThread *held_thread(int which) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->hold == which && t->held_now) return t;
  return NULL;
}

static bool overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t m) {
  return a < b + m && b < a + n;
}

void rt_replay_note(RtThread *t, const RtReach *reach) {
  ControlPlace *place = &rt_control->places[t->hold];
  rt_fill_place(t, place);
  place->object = reach->address;
  place->size = reach->size;
  place->pc = reach->pc;
  place->write = (reach->flags & TRACE_WRITE) != 0;
  place->atomic = (reach->flags & TRACE_ATOMIC) != 0;
  rt_copy(&place->value, (const void *)reach->address, reach->size < 8 ? reach->size : 8);
}

/* What the access is now: a compare-exchange that would fail only reads. */
unsigned rt_flags_now(const RtThread *t, unsigned flags) {
  const volatile uint8_t *at = t->compared;
  for (uint32_t i = 0; at && i < t->compared_size; i++)
    if (at[i] != t->expected[i]) return flags & ~(unsigned)TRACE_WRITE;
  return flags;
}

static bool conflict(void) {
  ControlPlace *a = &rt_control->places[0], *b = &rt_control->places[1];
  for (int i = 0; i < 2; i++) { /* the value may be another one by now */
    const RtThread *t = held_thread(i);
    if (t && t->compared) rt_control->places[i].write = rt_flags_now(t, TRACE_WRITE) != 0;
  }
  return overlap(a->object, a->size, b->object, b->size) && (a->write || b->write) &&
         !(a->atomic && b->atomic);
}

void rt_replay_passed(RtThread *t) {
  if (rt_first_gone != 1 || t->hold != (int)rt_control->order || t->held_now) return;
  rt_first_gone = 2;
  rt_replay_wake_all();
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
  if (for_ever) rt_replay_diverge(t, TRACE_NONE, pc);
  rt_unlock();
}

/* Its turn has come: as long as it sleeps, nobody else may change the value either. */
enum { MOST_SLICES = 25 };

void rt_replay_sleeps(RtThread *t, uintptr_t pc) {
  rt_lock();
  if (idle(t) >= MOST_SLICES && rt_replay_scheduled() &&
      steps()[rt_next_step].thread == t->scheduled)
    rt_replay_diverge(t, TRACE_NONE, pc);
  rt_unlock();
}

/* Both are there. */
void rt_replay_showed(void) {
  rt_replay_tell(CONTROL_RACE);
  rt_first_gone = 1;
  RtThread *first = held_thread((int)rt_control->order);
  first->held_now = false;
  rt_replay_wake(first);
}

void rt_replay_hold(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc) {
  rt_replay_note(t, &(RtReach){address, pc, size, flags});
  rt_control->held |= 1u << t->hold;
  t->held_now = true;
  if (held_thread(1 - t->hold) && conflict()) rt_replay_showed();
  uint32_t patience = rt_control->patience, waited = 0;
  while (t->held_now && rt_first_gone != 2 && rt_control->outcome != CONTROL_DIVERGED) {
    bool open_end = rt_first_gone || rt_replay_scheduled();
    if (open_end) waited = 0;
    uint32_t slice = open_end || !patience ? 0 : RT_LOOK;
    if (rt_replay_sleep(t, slice) || rt_first_gone || !t->held_now) continue;
    waited += slice;
    if (waited >= patience || rt_stands_still(t))
      rt_replay_diverge(t, TRACE_NONE, pc); /* the other one does not come */
  }
  t->held_now = false;
}

void rt_replay_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                      uintptr_t pc) {
  if (rt_is_guided()) {
    rt_guide_access(t, address, size, rt_flags_now(t, flags), pc);
    return;
  }
  if (t->busy) return;
  if (rt_has_spots()) {
    rt_spot_access(t, &(RtReach){address, pc, size, rt_flags_now(t, flags)});
    return;
  }
  if (rt_meets() && !__atomic_load_n(&rt_first_gone, __ATOMIC_ACQUIRE)) {
    rt_meet_access(t, &(RtReach){address, pc, size, rt_flags_now(t, flags)});
    return;
  }
  if (t->hold < 0) return;
  if (__atomic_load_n(&rt_first_gone, __ATOMIC_ACQUIRE)) {
    if (rt_first_gone == 1 && t->hold == (int)rt_control->order) {
      rt_lock();
      rt_replay_passed(t);
      rt_unlock();
    }
    return;
  }
  flags = rt_flags_now(t, flags);
  const ControlHold *hold = &rt_control->hold[t->hold];
  if (t->events != hold->events || (hold->pc && pc != hold->pc)) return;
  if (hold->size && !overlap(address, size, hold->address, hold->size)) return;
  if (hold->write && !(flags & TRACE_WRITE)) return;
  rt_lock();
  bool elsewhere = held_thread(1 - t->hold) && !hold->size &&
                   !overlap(address, size, rt_control->places[1 - t->hold].object,
                            rt_control->places[1 - t->hold].size);
  if (!rt_first_gone && rt_control->outcome != CONTROL_DIVERGED && !elsewhere) {
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
  if (rt_has_spots()) {
    rt_spot_exit(t);
    return;
  }
  if (rt_meets()) {
    rt_meet_exit(t);
    return;
  }
  uint64_t end = rt_milliseconds() + rt_control->linger + rt_control->patience;
  rt_lock();
  while (is_awaited(t) && rt_milliseconds() < end) rt_replay_sleep(t, SLICE);
  rt_unlock();
}
