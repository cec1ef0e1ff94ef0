/* The user's own events: calls that `heddle cc --events` put into the
 * program.
 *
 * In: the kind of the event, which the compiler laid into a section of the program, and
 * the values of its fields. Out: while recording, the event in the trace; in a replay, a
 * scheduling point, and what was seen there for the judge of the property. An event never
 * changes what the program does: without heddle around it, it costs a call and a branch.
 *
 * The kinds of the program are told at the beginning, so that prediction knows also those
 * that never happen; kinds of libraries when they happen first. */
#include "runtime/rt.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The linker makes them when the program has the section. */
extern TraceEventKind __start_heddle_events[] __attribute__((weak, visibility("hidden")));
extern TraceEventKind __stop_heddle_events[] __attribute__((weak, visibility("hidden")));

static void tell(RtThread *t, TraceEventKind *kind) {
  if (__atomic_exchange_n(&kind->told, 1, __ATOMIC_ACQ_REL)) return;
  rt_emit_text(t, TRACE_EVENT_KIND, (uintptr_t)kind, kind->text);
}

void rt_tell_event_kinds(RtThread *t) {
  if (!__start_heddle_events) return;
  for (TraceEventKind *k = __start_heddle_events; k < __stop_heddle_events; k++)
    tell(t, k);
}

static void replay(RtThread *t, const TraceEventKind *kind, const int64_t *values,
                   uintptr_t pc) {
  TraceOp turn = rt_turn(t, TRACE_EVENT, TRACE_NONE, pc);
  ControlSeen *seen = turn == TRACE_EVENT ? rt_replay_seen() : NULL;
  if (seen) {
    seen->values = kind->values;
    rt_copy(seen->value, values, sizeof seen->value);
    rt_copy(seen->text, kind->text, sizeof seen->text);
  }
  rt_turn_done(t, turn);
}

EXPORT void __heddle_event(TraceEventKind *kind, int64_t a, int64_t b, int64_t c,
                           int64_t d, int64_t e, int64_t f);
void __heddle_event(TraceEventKind *kind, int64_t a, int64_t b, int64_t c, int64_t d,
                    int64_t e, int64_t f) {
  RtThread *t = kind ? rt_active() : NULL; /* none: its conditions do not hold */
  if (!t) return;
  uintptr_t pc = RT_CALLER;
  int64_t values[TRACE_EVENT_VALUES] = {a, b, c, d, e, f};
  if (rt_mode == CONTROL_REPLAY) {
    replay(t, kind, values, pc);
    return;
  }
  tell(t, kind);
  if (kind->values > 3)
    rt_emit(t, TRACE_VALUES, 0, pc, (uint64_t)d, (uint64_t)e, (uint64_t)f);
  rt_emit(t, TRACE_EVENT, (uintptr_t)kind, pc, (uint64_t)a, (uint64_t)b, (uint64_t)c);
}

/* What a pointer leads to, for a field with a star. A pointer that cannot lead anywhere
 * counts as one to 0: an event must not bring the program down. */
EXPORT int64_t __heddle_follow(int64_t pointer, int64_t bytes);
int64_t __heddle_follow(int64_t pointer, int64_t bytes) {
  enum { FIRST_PAGE = 4096 };
  if (rt_mode == CONTROL_OFF || (uint64_t)pointer < FIRST_PAGE) return 0;
  const void *at = (const void *)(uintptr_t)pointer;
  int8_t one;
  int16_t two;
  int32_t four;
  int64_t eight;
  switch (bytes) {
  case 1: return rt_copy(&one, at, sizeof one), one;
  case 2: return rt_copy(&two, at, sizeof two), two;
  case 4: return rt_copy(&four, at, sizeof four), four;
  default: return rt_copy(&eight, at, sizeof eight), eight;
  }
}

/* A loop around a wait on a condition variable is left, after any number of waits. */
EXPORT void __heddle_wait_exit(void);
void __heddle_wait_exit(void) {
  RtThread *t = rt_active();
  if (!t) return;
  if (rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_WAIT_EXIT, 0, RT_CALLER, 0, 0, 0);
  else
    rt_turn_done(t, rt_turn(t, TRACE_WAIT_EXIT, TRACE_NONE, RT_CALLER));
}
