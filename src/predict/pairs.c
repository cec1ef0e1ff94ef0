/* See pairs.h.
 *
 * Words with few groups are compared pair by pair. With many, one lock usually guards
 * nearly all of them (together with others: a stripe of locks, the lock of a connection),
 * and the pairs that it keeps apart need not be looked at one by one: groups that hold it
 * for writing, or hold it for reading and only read, are *insiders*, and no two insiders
 * race. What is left is those of outsiders with all. Groups that only read are not compared
 * with each other.
 *
 * A candidate keeps some of its pairs: the first that were found, and those with the
 * shortest way from the beginning of the run, which are tried first. */
#include "predict/pairs.h"

#include "predict/deadline.h"

enum {
  MOST_PAIRS = 8, /* per candidate */
  KEPT_PAIRS = 3, /* of them: whichever came first */
  FEW_GROUPS = 8,
  MOST_COMPARED = 1 << 22, /* in one word at a time */
};

/* ---- pairs of accesses ------------------------------------------------------------ */

static bool ordered(const Run *run, const RaceAccess *a, const RaceAccess *b) {
  return run_ordered(run, a->thread, a->position, b->thread, b->position) ||
         run_ordered(run, b->thread, b->position, a->thread, a->position);
}

/* How much of the run the pair needs at most. */
static uint32_t reach_of(const Run *run, const RacePair *p) {
  uint32_t a = run_event_before(run, p->a.thread, p->a.position);
  uint32_t b = run_event_before(run, p->b.thread, p->b.position);
  return a > b ? a : b;
}

uint64_t pairs_key(uint64_t pc_a, uint64_t pc_b) {
  uint64_t low = pc_a < pc_b ? pc_a : pc_b, high = pc_a < pc_b ? pc_b : pc_a;
  return low * UINT64_C(0x9e3779b97f4a7c15) ^ (high + (high << 7));
}

static RaceCandidate *candidate_of(Pairs *f, uint64_t pc_a, uint64_t pc_b) {
  uint64_t key = pairs_key(pc_a, pc_b);
  uint64_t *known = map_at(&f->keys, key);
  if (!*known) {
    RaceCandidate *fresh = vec_extend(&f->races->candidates, 1);
    fresh->key = key;
    *known = f->races->candidates.len;
  }
  return &f->races->candidates.data[*known - 1];
}

static bool same_segments(const RacePair *p, const RacePair *q) {
  return p->a.thread == q->a.thread && p->a.position == q->a.position &&
         p->b.thread == q->b.thread && p->b.position == q->b.position;
}

static void add_pair(Pairs *f, const RaceAccess *a, const RaceAccess *b) {
  if (ordered(f->run, a, b)) return;
  if (f->window &&
      run_distance(f->run, a->thread, a->position, b->thread, b->position) > f->window) {
    f->races->distant++;
    return;
  }
  RacePair fresh = a->thread > b->thread ? (RacePair){*b, *a} : (RacePair){*a, *b};
  RaceCandidate *c = candidate_of(f, a->pc, b->pc);
  uint32_t reach = reach_of(f->run, &fresh), farthest = 0, at = 0;
  for (uint32_t i = 0; i < c->pairs.len; i++) {
    if (same_segments(&c->pairs.data[i], &fresh)) return;
    uint32_t other = i < KEPT_PAIRS ? 0 : reach_of(f->run, &c->pairs.data[i]);
    if (other > farthest) {
      farthest = other;
      at = i;
    }
  }
  if (c->pairs.len < MOST_PAIRS) {
    vec_push(&c->pairs, fresh);
    return;
  }
  c->more++;
  if (reach < farthest) c->pairs.data[at] = fresh;
}

/* ---- pairs of groups -------------------------------------------------------------- */

static bool conflict(const Group *a, const Group *b) {
  return a->thread != b->thread && (a->mask & b->mask) && (a->write || b->write) &&
         !(a->atomic && b->atomic);
}

static uint32_t held_by(const Run *run, const Group *g) {
  return run->threads.data[g->thread].held.data[g->first.position];
}

static bool is_single(const Group *g) {
  return g->first.position == g->last.position && g->first.pc == g->last.pc;
}

static void compare(Pairs *f, const Group *a, const Group *b) {
  if (!conflict(a, b)) return;
  if (run_guarded(f->run, held_by(f->run, a), held_by(f->run, b))) {
    f->races->guarded++;
    return;
  }
  /* Within a group the clock is the same, so its last access is the one that is least
   * ordered before others. */
  if (ordered(f->run, &a->last, &b->last) && ordered(f->run, &a->first, &b->first)) {
    f->races->ordered++;
    return;
  }
  add_pair(f, &a->first, &b->first);
  if (!is_single(a)) add_pair(f, &a->last, &b->first);
  if (is_single(b)) return;
  add_pair(f, &a->first, &b->last);
  if (is_single(a)) return;
  add_pair(f, &a->last, &b->last);
}

/* ---- many groups ------------------------------------------------------------------ */

/* Groups, the fresh ones first. */
typedef struct {
  VEC(const Group *) groups;
  uint32_t fresh;
} List;

typedef enum { OUTSIDE_WRITES, OUTSIDE_READS, INSIDE_WRITES, INSIDE_READS, LISTS } Side;

/* All of one list with all of another, or with itself, of which one at least is fresh. */
static void compare_lists(Pairs *f, const List *a, const List *b, uint64_t *left) {
  for (uint32_t i = 0; i < a->groups.len; i++) {
    uint32_t first = a == b ? i + 1 : 0;
    uint32_t end = i < a->fresh ? b->groups.len : b->fresh;
    if (end <= first) continue;
    uint64_t count = end - first;
    if (count > *left || count > f->budget || deadline_over(f->deadline)) {
      f->races->uncompared += count;
      continue;
    }
    *left -= count;
    f->budget -= count;
    for (uint32_t k = first; k < end; k++)
      compare(f, a->groups.data[i], b->groups.data[k]);
  }
}

/* The lock that most of the groups hold, or 0. */
static uint32_t main_lock(const Run *run, const Group *const *groups, uint32_t count) {
  Map held = {0};
  uint32_t best = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    const LockSet *set = &run->lock_sets.data[held_by(run, groups[i])];
    for (uint32_t k = 0; k < set->count; k++) {
      uint64_t times = ++*map_at(&held, set->locks[k]);
      if (times > most) {
        most = times;
        best = set->locks[k];
      }
    }
  }
  map_free(&held);
  return best;
}

static bool is_inside(const Run *run, const Group *g, uint32_t lock) {
  const LockSet *set = &run->lock_sets.data[held_by(run, g)];
  for (uint32_t k = 0; k < set->count; k++)
    if (set->locks[k] == lock) return !set->shared[k] || !g->write;
  return false;
}

static void compare_many(Pairs *f, const Group *const *groups, uint32_t fresh,
                         uint32_t count) {
  List lists[LISTS] = {0};
  uint64_t left = MOST_COMPARED;
  uint32_t lock = main_lock(f->run, groups, count);
  for (uint32_t i = 0; i < count; i++) {
    bool inside = lock && is_inside(f->run, groups[i], lock);
    List *list = &lists[(inside ? INSIDE_WRITES : OUTSIDE_WRITES) + !groups[i]->write];
    vec_push(&list->groups, groups[i]);
    list->fresh += i < fresh;
  }
  compare_lists(f, &lists[OUTSIDE_WRITES], &lists[OUTSIDE_WRITES], &left);
  for (Side side = OUTSIDE_READS; side < LISTS; side++)
    compare_lists(f, &lists[OUTSIDE_WRITES], &lists[side], &left);
  compare_lists(f, &lists[OUTSIDE_READS], &lists[INSIDE_WRITES], &left);
  for (Side side = 0; side < LISTS; side++) vec_free(&lists[side].groups);
}

void pairs_compare(Pairs *f, const Group *const *groups, uint32_t fresh, uint32_t count) {
  if (count > FEW_GROUPS) {
    compare_many(f, groups, fresh, count);
    return;
  }
  for (uint32_t i = 0; i < fresh; i++)
    for (uint32_t k = i + 1; k < count; k++) compare(f, groups[i], groups[k]);
}

/* ---- the order of a candidate's pairs --------------------------------------------- */

/* By reach; pairs that reach as far as others keep their order. */
void pairs_finish(Pairs *f) {
  for (uint32_t i = 0; i < f->races->candidates.len; i++) {
    RaceCandidate *c = &f->races->candidates.data[i];
    for (uint32_t k = 1; k < c->pairs.len; k++) {
      RacePair x = c->pairs.data[k];
      uint32_t reach = reach_of(f->run, &x), at = k;
      for (; at > 0 && reach_of(f->run, &c->pairs.data[at - 1]) > reach; at--)
        c->pairs.data[at] = c->pairs.data[at - 1];
      c->pairs.data[at] = x;
    }
  }
  map_free(&f->keys);
}
