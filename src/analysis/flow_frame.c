/* What a call leaves alone: locks that it cannot release.
 *
 * Contexts that many callers share know only what all of those hold, and so do their exits. But
 * a function that releases no lock, neither itself nor by what it calls, hands back those that
 * it found, whatever its context knows; the same is true of one lock if no unlocking that it
 * may come to can mean it. For each lock the functions that may come to such an unlocking are
 * found by going up the call graph from those that contain one. */
#include "analysis/flow_internal.h"

static bool may_release_here(Analyzer *a, const Function *f, const FlowLock *lock) {
  if (lock->kind == LOCK_WORD) return words_are_freed_in(a, f);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(a->p, f->first_edge + i);
    if (e->op == OP_UNLOCK && lock_may_be(a, e->a, lock)) return true;
  }
  return false;
}

/* By function: whether it may release the lock. */
static uint8_t *find_releasers(Analyzer *a, const FlowLock *lock) {
  const Program *p = a->p;
  uint8_t *releases = arena_alloc_zero(a->arena, p->functions.len + 1);
  VEC(FuncId) stack = {0};
  for (FuncId f = 1; f < p->functions.len; f++)
    if ((p->functions.data[f].flags & FUNCTION_DEFINED) &&
        may_release_here(a, &p->functions.data[f], lock)) {
      releases[f] = 1;
      vec_push(&stack, f);
    }
  while (stack.len) {
    const EdgeId *callers;
    uint32_t n = pointsto_callers(a->pt, vec_pop(&stack), &callers);
    for (uint32_t i = 0; i < n; i++) {
      const Edge *e = program_edge(p, callers[i]);
      FuncId caller = p->nodes.data[e->from].function;
      if (e->op == OP_CREATE || releases[caller])
        continue; /* another thread has its own locks */
      releases[caller] = 1;
      vec_push(&stack, caller);
    }
  }
  vec_free(&stack);
  return releases;
}

/* Locks go over to other threads: then they may vanish without being unlocked. */
static bool hands_over(const Analyzer *a) {
  for (uint32_t i = 0; i < a->threads.len; i++)
    if (a->threads.data[i].given.len) return true;
  return false;
}

bool call_keeps_lock(Analyzer *a, const FuncId *functions, uint32_t n,
                     const FlowLock *lock) {
  if (hands_over(a)) return false;
  /* a lock that is known by a symbol only may be any; so may a word */
  uint64_t key = lock->kind == LOCK_WORD ? UINT64_MAX
                 : lock->unique          ? (uint64_t)flow_base_id(lock->name.base) << 32 |
                                      (uint32_t)lock->name.offset
                                : 0;
  uint64_t *slot = map_at(&a->releaser_ids, key);
  if (!*slot) {
    uint8_t *releases = find_releasers(a, lock);
    vec_push(&a->releasers, releases);
    *map_at(&a->releaser_ids, key) = a->releasers.len;
    slot = map_at(&a->releaser_ids, key);
  }
  const uint8_t *releases = a->releasers.data[*slot - 1];
  for (uint32_t i = 0; i < n; i++)
    if (releases[functions[i]]) return false;
  return true;
}
