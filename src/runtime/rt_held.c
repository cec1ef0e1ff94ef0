/* The locks that a thread holds, and circles of threads that wait for each other.
 *
 * Recursive mutexes are counted here, so that only the first acquisition and the last
 * release are events. While recording, circles of mutexes are found by the owner that the
 * C library notes in each: the thread that closes the circle sees it before it waits. */
#include "runtime/rt.h"

#include <string.h>

static RtHeld *find(RtThread *t, uintptr_t object) {
  for (uint32_t i = t->held_count; i-- > 0;)
    if (t->held[i].object == object) return &t->held[i];
  return NULL;
}

/* The old list stays where it is: in a replay others may be looking at it. */
static void make_room(RtThread *t) {
  RtHeld *more = rt_map(2 * t->held_room * sizeof *more);
  rt_copy(more, t->held, t->held_count * sizeof *more);
  t->held = more;
  t->held_room *= 2;
}

bool rt_hold_lock(RtThread *t, uintptr_t object, uintptr_t pc, bool shared) {
  RtHeld *h = find(t, object);
  if (h) {
    h->depth++;
    return false;
  }
  if (t->held_count == t->held_room) make_room(t);
  t->held[t->held_count++] = (RtHeld){object, pc, 1, shared, false};
  return true;
}

bool rt_drop_lock(RtThread *t, uintptr_t object) {
  RtHeld *h = find(t, object);
  if (!h) return true; /* another thread's: an event all the same */
  if (--h->depth > 0) return false;
  rt_copy(h, h + 1, (size_t)(t->held + t->held_count - h - 1) * sizeof *h);
  t->held_count--;
  return true;
}

/* The C library marks such a mutex when the thread is gone, a little later. */
void rt_drop_robust(RtThread *t) {
  for (uint32_t i = t->held_count; i-- > 0;) {
    RtHeld *h = &t->held[i];
    uintptr_t object = h->object;
    if (!h->robust) continue;
    TraceOp turn = TRACE_NONE;
    if (rt_mode == CONTROL_REPLAY) turn = rt_turn(t, TRACE_UNLOCK, TRACE_NONE, 0);
    h->depth = 1;
    rt_drop_lock(t, object);
    if (rt_mode == CONTROL_RECORD) {
      rt_emit(t, TRACE_UNLOCK, object, 0, 0, 0, 0);
    } else {
      rt_retry();
      rt_turn_done(t, turn);
    }
  }
}

void rt_fill_place(RtThread *t, ControlPlace *place) {
  rt_zero(place, sizeof *place);
  place->thread = rt_mode == CONTROL_RECORD ? t->number : t->scheduled;
  place->owner = CONTROL_NO_THREAD;
  uint32_t depth = t->depth < RT_MOST_FRAMES ? t->depth : RT_MOST_FRAMES;
  for (uint32_t i = 0; t->frames && i < CONTROL_FRAMES && i < depth; i++)
    place->frames[place->frame_count++] = t->frames[depth - 1 - i].caller;
  for (uint32_t i = 0; i < t->held_count && i < CONTROL_LOCKS; i++) {
    place->locks[place->lock_count] = t->held[i].object;
    place->lock_places[place->lock_count++] = t->held[i].pc;
  }
}

static RtThread *owner_of(const pthread_mutex_t *mutex) {
  int tid = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_ACQUIRE);
  RtThread *t = rt_threads;
  while (t && (t->tid != tid || t->ended)) t = t->next;
  return tid ? t : NULL;
}

/* Called with the thread's own `contended` set. A thread inside of a wait for a mutex
 * cannot release anything, so a circle that is seen once is there for ever. */
void rt_check_circle(RtThread *t, pthread_mutex_t *mutex, uintptr_t pc) {
  Control *c = rt_control;
  RtThread *members[CONTROL_STUCK];
  uint32_t count = 0;
  t->blocked_pc = pc;
  __atomic_store_n(&t->contended, (uintptr_t)mutex, __ATOMIC_SEQ_CST);
  rt_lock();
  RtThread *at = t;
  while (at && count < CONTROL_STUCK) {
    members[count++] = at;
    uintptr_t wanted = __atomic_load_n(&at->contended, __ATOMIC_SEQ_CST);
    RtThread *owner = wanted ? owner_of((pthread_mutex_t *)wanted) : NULL;
    if (owner == t) break;
    at = owner;
    for (uint32_t i = 0; at && i < count; i++)
      if (members[i] == at)
        at = NULL; /* a circle without this thread is others' to tell */
  }
  bool circle = at != NULL && count < CONTROL_STUCK;
  for (uint32_t i = 0; circle && i < count; i++) {
    uintptr_t wanted = __atomic_load_n(&members[i]->contended, __ATOMIC_SEQ_CST);
    if (!wanted || owner_of((pthread_mutex_t *)wanted) != members[(i + 1) % count])
      circle = false;
  }
  if (circle) {
    for (uint32_t i = 0; i < count; i++) {
      ControlPlace *place = &c->stuck[i];
      rt_fill_place(members[i], place);
      place->op = TRACE_LOCK;
      place->object = members[i]->contended;
      place->pc = members[i]->blocked_pc;
      place->owner = members[(i + 1) % count]->number;
    }
    c->stuck_count = count;
    __atomic_store_n(&c->outcome, (uint32_t)CONTROL_DEADLOCK, __ATOMIC_RELEASE);
    rt_record_state(TRACE_STUCK);
    rt_stop();
  }
  rt_unlock();
}
