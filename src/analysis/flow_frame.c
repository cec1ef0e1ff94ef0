/* What a call leaves alone: locks that it cannot release, threads that it cannot create.
 *
 * Contexts that many callers share know only what all of those hold, and so do their exits. But
 * a function that releases no lock, neither itself nor by what it calls, hands back those that
 * it found, whatever its context knows; the same is true of one lock if no unlocking that it
 * may come to can mean it. For each lock the functions that may come to such an unlocking are
 * found by going up the call graph from those that contain one. In the same way the threads behind a
 * call are those before it, those that the function may create, and what these create in turn: else
 * whatever main calls at its beginning, and others later, would seem to bring the threads of later into
 * the beginning. */
#include "analysis/flow_internal.h"

typedef VEC(FuncId) FuncVec;

static bool may_release_here(Analyzer *a, const Function *f, const FlowLock *lock) {
  if (lock->kind == LOCK_WORD) return words_are_freed_in(a, f);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(a->p, f->first_edge + i);
    if (e->op == OP_UNLOCK && lock_may_be(a, e->a, lock)) return true;
  }
  return false;
}

/* Of these functions all that may come to one of them, in the same thread. */
static uint8_t *find_callers(Analyzer *a, uint8_t *found, FuncVec *stack) {
  const Program *p = a->p;
  while (stack->len) {
    const EdgeId *callers;
    uint32_t n = pointsto_callers(a->pt, vec_pop(stack), &callers);
    for (uint32_t i = 0; i < n; i++) {
      const Edge *e = program_edge(p, callers[i]);
      FuncId caller = p->nodes.data[e->from].function;
      if (e->op == OP_CREATE || found[caller]) continue; /* another thread's concern */
      found[caller] = 1;
      vec_push(stack, caller);
    }
  }
  vec_free(stack);
  return found;
}

/* By function: whether it may release the lock. */
static uint8_t *find_releasers(Analyzer *a, const FlowLock *lock) {
  const Program *p = a->p;
  uint8_t *releases = arena_alloc_zero(a->arena, p->functions.len + 1);
  FuncVec stack = {0};
  for (FuncId f = 1; f < p->functions.len; f++)
    if ((p->functions.data[f].flags & FUNCTION_DEFINED) &&
        may_release_here(a, &p->functions.data[f], lock)) {
      releases[f] = 1;
      vec_push(&stack, f);
    }
  return find_callers(a, releases, &stack);
}

/* By function: whether it may come to this creation. */
static const uint8_t *creators_of(Analyzer *a, EdgeId site) {
  uint64_t *slot = map_at(&a->creator_ids, site);
  if (!*slot) {
    uint8_t *creates = arena_alloc_zero(a->arena, a->p->functions.len + 1);
    FuncId f = a->p->nodes.data[program_edge(a->p, site)->from].function;
    FuncVec stack = {0};
    creates[f] = 1;
    vec_push(&stack, f);
    vec_push(&a->creators, find_callers(a, creates, &stack));
    *slot = a->creators.len;
  }
  return a->creators.data[*slot - 1];
}

uint32_t call_alive(Analyzer *a, const FuncId *functions, uint32_t n, uint32_t before,
                    uint32_t at_exit) {
  if (before == at_exit) return at_exit;
  uint32_t may = before;
  for (uint32_t i = 1; i < a->threads.len; i++) {
    EdgeId site = a->threads.data[i].site;
    if (!site || program_edge(a->p, site)->op != OP_CREATE) continue;
    const uint8_t *creates = creators_of(a, site);
    bool created = false;
    for (uint32_t k = 0; k < n && !created; k++) created = creates[functions[k]];
    if (created)
      may = set_union(a->sets, set_add(a->sets, may, i),
                      thread_ask(a, i, ASKED_DESCENDANTS)->descendants);
  }
  return set_meet(a->sets, at_exit, may);
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
