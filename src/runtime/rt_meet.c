/* Replay of a race between whoever comes: no order is followed, and the two places belong to
 * no thread.
 *
 * Where work is dealt out to a pool, another thread does it in every run, and a schedule that
 * says who takes which step leads nowhere. But what is done is the same: so the first thread
 * that comes to one of the two places is kept there, all others go on, and the rest of the
 * work, which the kept thread cannot do now, brings one of them to the other place. When both
 * stand there, about to access the same memory, nothing orders the two.
 *
 * One thread at a time is kept at each place; others pass by. When nothing moves any more, the
 * rest of the program needs who is kept: it goes on, and the next one that comes is kept.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

enum { MOST_RELEASED = 6, SLACK = 1000 }; /* in vain, before the replay is given up */

static RtThread *kept[2];
static uint32_t released;
static uint64_t in_vain; /* milliseconds that those who were released had been kept */

static bool overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t m) {
  return a < b + m && b < a + n;
}

static bool is_place(const ControlHold *hold, const RtReach *reach) {
  return (!hold->pc || hold->pc == reach->pc) &&
         (!hold->size ||
          overlap(hold->address, hold->size, reach->address, reach->size)) &&
         (!hold->write || reach->flags & TRACE_WRITE);
}

bool rt_reaches_meet(const RtReach *a, const RtReach *b) {
  return overlap(a->address, a->size, b->address, b->size) &&
         (a->flags | b->flags) & TRACE_WRITE && !(a->flags & b->flags & TRACE_ATOMIC);
}

/* Who is kept there; what a compare-exchange would do may be different by now. */
static RtThread *other_at(int side) {
  RtThread *t = kept[side];
  if (t && t->compared) t->reach.flags = rt_flags_now(t, t->reach.flags | TRACE_WRITE);
  return t;
}

/* The other one stands at the place that is not `side`. */
static void met(RtThread *t, RtThread *other, int side) {
  kept[0] = kept[1] = NULL;
  t->hold = side;
  other->hold = 1 - side;
  t->held_now = other->held_now = true;
  rt_replay_note(t, &t->reach);
  rt_replay_note(other, &other->reach);
  rt_replay_showed();
}

/* Keeps the thread until the race has shown, or nothing goes on without it. */
static void keep(RtThread *t, int side) {
  uint32_t patience = rt_control->patience, waited = 0;
  uint64_t begin = rt_milliseconds();
  kept[side] = t;
  rt_control->held |= 1u << side;
  while (kept[side] == t && rt_control->outcome != CONTROL_DIVERGED) {
    if (rt_replay_sleep(t, RT_LOOK) || kept[side] != t) continue;
    waited += RT_LOOK;
    if ((!patience || waited < patience) && !rt_stands_still(t)) continue;
    kept[side] = NULL;
    t->polls = false;
    rt_replay_moved();
    in_vain += rt_milliseconds() - begin;
    if (++released > MOST_RELEASED ||
        (patience && in_vain > SLACK + rt_control->recorded))
      rt_replay_diverge(t, TRACE_NONE, t->reach.pc);
  }
}

/* Of a race that showed: the chosen one goes first. */
static void pass(RtThread *t) {
  while (t->held_now && rt_first_gone != 2) rt_replay_sleep(t, 0);
  t->held_now = false;
}

void rt_meet_access(RtThread *t, const RtReach *reach) {
  const ControlHold *hold = rt_control->hold;
  if (t->scheduled == CONTROL_NO_THREAD || t->ignoring ||
      rt_control->outcome != CONTROL_FOLLOWED ||
      !(is_place(&hold[0], reach) || is_place(&hold[1], reach)))
    return;
  rt_lock();
  t->reach = *reach;
  for (int side = 0; side < 2 && rt_control->outcome == CONTROL_FOLLOWED; side++) {
    RtThread *other = other_at(1 - side);
    if (is_place(&hold[side], reach) && other && rt_reaches_meet(reach, &other->reach))
      met(t, other, side);
  }
  for (int side = 0; side < 2 && rt_control->outcome == CONTROL_FOLLOWED; side++)
    if (is_place(&hold[side], reach) && !kept[side]) {
      keep(t, side);
      break;
    }
  pass(t);
  rt_unlock();
}

/* The program ends: who is kept may still be met. */
void rt_meet_exit(RtThread *t) {
  uint64_t end = rt_milliseconds() + rt_control->linger;
  rt_lock();
  while ((kept[0] || kept[1]) && rt_milliseconds() < end && !rt_stands_still(t))
    rt_replay_sleep(t, RT_LOOK);
  rt_unlock();
}
