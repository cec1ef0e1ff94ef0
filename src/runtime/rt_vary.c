/* Other schedules of a recorded run: new threads first or last, pauses at synchronisation, one
 * core for all. Nothing is made possible that the system could not do by itself. */
#include "runtime/rt.h"

#include <sched.h>
#include <sys/syscall.h>

static bool varies(uint32_t how) {
  return rt_mode == CONTROL_RECORD && (rt_control->variation & how);
}

static void pause_for(long microseconds) {
  struct timespec moment = {0, microseconds * 1000};
  rt_system(SYS_nanosleep, (long)&moment, 0, 0, 0, 0, 0);
}

void rt_vary_process(void) {
  cpu_set_t allowed, one;
  if (!varies(CONTROL_ONE_CORE) || sched_getaffinity(0, sizeof allowed, &allowed)) return;
  int core = 0;
  while (core < CPU_SETSIZE && !CPU_ISSET(core, &allowed)) core++;
  CPU_ZERO(&one);
  if (core < CPU_SETSIZE) CPU_SET(core, &one);
  sched_setaffinity(0, sizeof one, &one);
}

void rt_vary_created(const RtThread *child) {
  enum { MOST_PAUSES = 40, PAUSE = 50, HEAD_START = 500 };
  if (!varies(CONTROL_NEW_FIRST)) return;
  for (int i = 0; i < MOST_PAUSES && !child->tid; i++) pause_for(PAUSE);
  pause_for(HEAD_START);
}

void rt_vary_begins(void) {
  enum { PAUSE = 1500 };
  if (varies(CONTROL_NEW_LAST)) pause_for(PAUSE);
}

/* About every fourth time, by a number that follows from the seed and from how often it was
 * asked. */
void rt_vary_event(RtThread *t) {
  enum { PAUSE = 30 };
  if (!varies(CONTROL_YIELDS) || t->in_atomic) return;
  uint32_t x = (t->number + 1) * 2654435761u ^ t->events * 40503u ^ rt_control->seed << 7;
  x ^= x >> 15;
  x *= 2246822519u;
  if ((x >> 13) % 4 == 0) pause_for(PAUSE);
}
