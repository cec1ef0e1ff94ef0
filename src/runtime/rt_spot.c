/* Races that a check could not exclude, as targets of a run: threads are kept at many places of
 * the source, a moment each, and whoever comes to a place looks whether somebody is kept who is
 * about to access the same memory.
 *
 * No order is followed. What is found needs no further proof: both threads stood before their
 * accesses at the same time, so nothing orders these. What is not found says little; but how often
 * each place was reached is counted.
 *
 * A thread is not kept each time that it comes, for then a loop would take for ever: the first
 * times, and ever more rarely. When nothing moves any more without it, it goes on at once.
 *
 * Guarded by the big lock, but for the table of known places. */
#include "runtime/rt.h"

enum {
  MOST_KEPT = 24,   /* times, at one place */
  MOST_OF_PAIR = 8, /* meetings of the same two places that are told */
  KNOWN = 1 << 12,  /* places in the code whose place in the source is remembered */
  PLACE_BITS = 16,
};

/* ---- which place it is ---- */

/* The address of the code, and behind it the place, in one word: so no lock is needed. */
static uint64_t known[KNOWN];

static uint32_t spot_of(uintptr_t pc) {
  uint64_t *slot = &known[(pc ^ pc >> 12) % KNOWN];
  uint64_t seen = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (seen >> PLACE_BITS == pc) return seen & ((1 << PLACE_BITS) - 1);
  uint32_t place = rt_place_of(pc);
  if (place > rt_control->spot_count) place = 0;
  __atomic_store_n(slot, (uint64_t)pc << PLACE_BITS | place, __ATOMIC_RELAXED);
  return place;
}

/* ---- meeting ---- */

static void note(const RtThread *a, const RtThread *b) {
  ControlMeeting *list = control_meetings(rt_control);
  uintptr_t address =
      a->reach.address > b->reach.address ? a->reach.address : b->reach.address;
  uint32_t same = 0; /* pair of places, elsewhere in memory */
  for (uint32_t i = 0; i < rt_control->meeting_count; i++) {
    if (!(list[i].spot[0] == a->spot && list[i].spot[1] == b->spot) &&
        !(list[i].spot[1] == a->spot && list[i].spot[0] == b->spot))
      continue;
    if (list[i].address == address || ++same == MOST_OF_PAIR) return;
  }
  if (rt_control->meeting_count == rt_control->meeting_room) return;
  list[rt_control->meeting_count++] =
      (ControlMeeting){.spot = {a->spot, b->spot},
                       .flags = {a->reach.flags, b->reach.flags},
                       .address = address};
}

static void let_go(RtThread *t) {
  t->spot = 0;
  rt_replay_wake(t);
}

/* True: somebody who is kept was met. */
static bool meets_kept(RtThread *t) {
  bool met = false;
  for (RtThread *other = rt_threads; other; other = other->next) {
    if (other == t || !other->spot) continue;
    if (other->compared)
      other->reach.flags = rt_flags_now(other, other->reach.flags | TRACE_WRITE);
    if (!rt_reaches_meet(&t->reach, &other->reach)) continue;
    note(t, other);
    let_go(other);
    met = true;
  }
  return met;
}

/* ---- keeping ---- */

/* The first times, then at powers of two; other runs have other numbers. */
static bool is_turn(uint32_t times) {
  uint32_t n = times + rt_control->seed;
  return times <= 3 || (n & (n - 1)) == 0 || n % 1021 == 0;
}

static bool is_alone(const RtThread *t) {
  for (const RtThread *other = rt_threads; other; other = other->next)
    if (other != t && !other->ended) return false;
  return true;
}

static void keep(RtThread *t, ControlSpot *spot) {
  uint32_t waited = 0;
  spot->kept++;
  rt_control->keeps--;
  while (t->spot && rt_control->outcome == CONTROL_FOLLOWED) {
    if (rt_replay_sleep(t, RT_LOOK) || !t->spot) continue;
    waited += RT_LOOK;
    if (waited >= rt_control->patience || rt_stands_still(t)) break;
  }
  t->spot = 0;
  rt_replay_moved();
}

void rt_spot_access(RtThread *t, const RtReach *reach) {
  uint32_t place = spot_of(reach->pc);
  if (!place || t->ignoring || t->ended || rt_control->outcome != CONTROL_FOLLOWED)
    return;
  ControlSpot *spot = &control_spots(rt_control)[place - 1];
  uint32_t times = __atomic_add_fetch(&spot->reached, 1, __ATOMIC_RELAXED);
  rt_lock();
  t->reach = *reach;
  t->spot = place;
  if (!meets_kept(t) && is_turn(times) && spot->kept < MOST_KEPT && rt_control->keeps &&
      !is_alone(t))
    keep(t, spot);
  t->spot = 0;
  rt_unlock();
}

/* The program ends: threads that could go on get a while, and may still meet. */
void rt_spot_exit(RtThread *t) {
  uint64_t end = rt_milliseconds() + rt_control->linger;
  rt_lock();
  while (!is_alone(t) && rt_milliseconds() < end && !rt_stands_still(t))
    rt_replay_sleep(t, RT_LOOK);
  rt_unlock();
}
