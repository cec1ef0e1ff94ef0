/* Replay: whether anything still moves. A thread that waits for its turn, or for the other one of
 * a race, asks from time to time: when nobody can go on any more, the replay ends there, and not
 * when its time is over.
 *
 * Everything below is guarded by the big lock. */
#include "runtime/rt.h"

/* Who may still do something: a thread that goes on; somebody outside; nobody. */
typedef enum { MOVES, MOVES_OUTSIDE, MOVES_NOT } Motion;

/* Nobody goes on when every other thread is done, waits here, or waits in the kernel without a
 * limit of time. Of waits with a limit each ends once in vain before they count as such. */
static Motion motion(const RtThread *me) {
  static const RtThread *set[RT_MOST_STILL];
  uint32_t count = 0;
  for (const RtThread *t = rt_threads; t; t = t->next) {
    if (t == me || t->ended) continue;
    if (t->timed && !me->timed && !(t->polls && t->polled == rt_replay_moves()))
      return MOVES;
    if (t->waits) {
      if (t->blocked && count < RT_MOST_STILL) set[count++] = t;
    } else if (rt_goes_on(t)) {
      return MOVES;
    }
  }
  bool alone = !count || rt_outside(set, count) == CONTROL_NOBODY;
  return alone && !rt_control->clients ? MOVES_NOT : MOVES_OUTSIDE;
}

/* The same in a row of looks, between which nothing was done: a thread that was released a
 * moment ago does not go on yet. Who is outside gets longer. */
enum { LOOKS = 2, LOOKS_AT_CLIENTS = 40, LOOKS_OUTSIDE = 100 };

static uint64_t processor_milliseconds(void) {
  struct timespec used;
  rt_system(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&used, 0, 0, 0, 0);
  return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

/* Threads that sleep, or poll descriptors, go on by themselves, but not for ever: when nothing
 * was done for longer than the recorded run took in all, and nobody computes, nothing will be. */
static bool is_lame(void) {
  enum { SLACK = 1000, COMPUTES = 8 };
  static uint64_t since, moves_then, used_then;
  uint64_t now = rt_milliseconds(), limit = SLACK + rt_control->recorded;
  if (!since || moves_then != rt_replay_moves()) {
    since = now;
    moves_then = rt_replay_moves();
    used_then = processor_milliseconds();
  }
  return rt_control->patience && now - since > limit &&
         processor_milliseconds() - used_then < (now - since) / COMPUTES;
}

bool rt_stands_still(RtThread *me) {
  if (is_lame()) return true;
  Motion now = motion(me);
  if (me->moves_then != rt_replay_moves() || now == MOVES)
    me->looks = 0;
  else
    me->looks++;
  me->moves_then = rt_replay_moves();
  return me->looks > (now == MOVES_NOT      ? LOOKS
                      : rt_control->clients ? LOOKS_AT_CLIENTS
                                            : LOOKS_OUTSIDE);
}
