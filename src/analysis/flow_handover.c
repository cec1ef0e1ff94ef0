/* Locks that are handed to a thread when it is created: the creator locks, the thread
 * unlocks. POSIX leaves open what that does to a mutex, and it works where a mutex does not
 * remember its owner; then the lock is what a binary semaphore is.
 *
 *     creator   lock m ─ fill the slot ─ create ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ lock m (waits) ─ …
 *     thread                              copy the slot ─ unlock m ─ …
 *
 * When a round finds that a kind of thread unlocks a lock that it does not hold, the next
 * rounds suppose that it got the lock: a state that creates such a thread while it holds the
 * lock loses it, and the thread starts with it. Where the creation fails, the creator keeps
 * the lock. If that does not explain every unlocking of the lock, it is not supposed again.
 *
 * Invariant: a state that names the lock belongs to its only owner, and the lock is locked.
 * Locking keeps it, because a lock that can be taken has no owner; creating keeps it, because
 * the lock goes from one state to the other; unlocking keeps it if the owner does it. Any
 * other unlocking of the lock makes it loose (flow.h), and it counts for nothing. Mutexes of
 * other types are never handed over: they tell their owner from others. */
#include "analysis/flow_internal.h"

enum { SUPPOSED_MAX = 4 }; /* locks; every wrong one costs two rounds */

static bool has_name(const FlowValue *names, uint32_t count, const FlowValue *name) {
  for (uint32_t i = 0; i < count; i++)
    if (value_equal(&names[i], name)) return true;
  return false;
}

static const FlowLock *find_held(const Work *w, const FlowValue *name) {
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (value_equal(&w->locks.data[i].name, name)) return &w->locks.data[i];
  return NULL;
}

/* A lock that can go from one thread to another as a whole. */
static bool can_be_given(Analyzer *a, const FlowLock *lock) {
  return lock->depth == 1 && lock_is_plain(a, lock);
}

void handover_suppose(Analyzer *a, uint32_t thread, const FlowValue *name) {
  Thread *t = vec_at(&a->threads, thread);
  if (!t->site || program_edge(a->p, t->site)->op != OP_CREATE ||
      has_name(t->given.data, t->given.len, name) ||
      has_name(a->not_given.data, a->not_given.len, name) ||
      a->not_given.len + t->given.len >= SUPPOSED_MAX)
    return;
  vec_push(&t->given, *name);
  a->handover_found = true;
}

void handover_refute(Analyzer *a, const FlowValue *name) {
  if (has_name(a->not_given.data, a->not_given.len, name)) return;
  vec_push(&a->not_given, *name);
  for (uint32_t i = 0; i < a->threads.len; i++) {
    Thread *t = &a->threads.data[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < t->given.len; k++)
      if (!value_equal(&t->given.data[k], name)) t->given.data[kept++] = t->given.data[k];
    t->given.len = kept;
  }
  a->handover_found = true;
}

bool handover_happened(const Analyzer *a, const FlowValue *name) {
  return has_name(a->moved.data, a->moved.len, name);
}

bool handover_gave(const Analyzer *a, uint32_t thread, const FlowValue *name) {
  const Thread *t = &a->threads.data[thread];
  return has_name(t->given.data, t->given.len, name) && handover_happened(a, name);
}

void handover_move(Analyzer *a, uint32_t thread, Work *creator, Work *start) {
  const Thread *t = vec_at(&a->threads, thread);
  for (uint32_t i = 0; i < t->given.len; i++) {
    const FlowLock *held = find_held(creator, &t->given.data[i]);
    if (!held || !can_be_given(a, held)) continue;
    if (!handover_happened(a, &held->name)) vec_push(&a->moved, held->name);
    work_add_lock(start, *held);
    uint32_t at = (uint32_t)(held - creator->locks.data);
    memmove(&creator->locks.data[at], &creator->locks.data[at + 1],
            (--creator->locks.len - at) * sizeof *held);
  }
}
