/* From pairs of calls that never overlap to locks.
 *
 * The locks must keep apart exactly these pairs: a lock that two calls share although they
 * may overlap would hide races between them. So
 *   - calls that exclude themselves and whose partners are the same form a group, which
 *     gets one lock: the group holds it alone, the partners outside hold it for reading,
 *     beside each other; without partners it is a mutex. Groups with many partners come
 *     first, and a pair that has a lock needs no other;
 *   - what is left are pairs of calls that each may overlap with themselves. They get a
 *     room: the left side or the right side is in it, any number of either.
 * Every call takes its locks in their order, so the harness never waits in a circle. */
#include "harness/plan.h"

#include <stdlib.h>

typedef struct {
  Plan *plan;
  uint32_t n;
  uint8_t *excluded; /* n × n, symmetric */
  uint8_t *covered;
} Apart;

static uint8_t *pair(uint8_t *matrix, const Apart *a, uint32_t i, uint32_t k) {
  return &matrix[(size_t)i * a->n + k];
}

static bool is_open(Apart *a, uint32_t i, uint32_t k) {
  return *pair(a->excluded, a, i, k) && !*pair(a->covered, a, i, k);
}

static void cover(Apart *a, uint32_t i, uint32_t k) {
  *pair(a->covered, a, i, k) = *pair(a->covered, a, k, i) = 1;
}

/* ---- the relation ---- */

static bool has_name(const HarnessCall *call, const char *name) {
  return str_eq(call->name, name) || str_eq(call->routine, name);
}

static bool is_named(const HarnessCall *call, const HarnessNames *names) {
  for (uint32_t i = 0; i < names->len; i++)
    if (has_name(call, names->data[i].name)) return true;
  return false;
}

static bool says_itself(const HarnessExclude *e, const HarnessCall *x,
                        const HarnessCall *y) {
  for (uint32_t i = 0; i < e->left.len; i++)
    if (has_name(x, e->left.data[i].name) && has_name(y, e->left.data[i].name))
      return true;
  return false;
}

static bool says(const HarnessExclude *e, const HarnessCall *x, const HarnessCall *y) {
  if (e->itself) return says_itself(e, x, y);
  return is_named(x, &e->left) && (e->all || is_named(y, &e->right));
}

/* Calls that come first or last overlap nothing anyway. */
static bool is_concurrent(const Harness *h, uint32_t call) {
  for (uint32_t i = 0; i < h->callers.len; i++)
    if (call >= h->callers.data[i].first_call &&
        call < h->callers.data[i].first_call + h->callers.data[i].call_count)
      return true;
  return false;
}

static void fill_relation(Apart *a) {
  const Harness *h = a->plan->harness;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k <= i && is_concurrent(h, i); k++)
      for (uint32_t e = 0; e < h->excludes.len && is_concurrent(h, k); e++) {
        const HarnessCall *x = &h->calls.data[i], *y = &h->calls.data[k];
        if (says(&h->excludes.data[e], x, y) || says(&h->excludes.data[e], y, x))
          *pair(a->excluded, a, i, k) = *pair(a->excluded, a, k, i) = 1;
      }
}

/* A handler for which tasks wait needs a lock anyway, and where it never runs beside
 * itself that is a mutex, which keeps it apart from itself. */
static void find_alone(Apart *a) {
  for (uint32_t i = 0; i < a->n; i++) {
    PlanCall *call = &a->plan->calls.data[i];
    call->alone = call->event && !call->event->task && a->plan->tasks_wait &&
                  *pair(a->excluded, a, i, i);
    if (call->alone) cover(a, i, i);
  }
}

/* ---- locks ---- */

static uint32_t new_lock(Apart *a, PlanLock kind) {
  vec_push(&a->plan->locks, kind);
  return a->plan->locks.len - 1;
}

static void hold(Apart *a, uint32_t call, uint32_t lock, HoldKind kind) {
  vec_push(&a->plan->calls.data[call].holds, (Hold){lock, kind});
}

static bool same_partners(Apart *a, uint32_t i, uint32_t k) {
  return memcmp(pair(a->excluded, a, i, 0), pair(a->excluded, a, k, 0), a->n) == 0;
}

static uint32_t partner_count(Apart *a, uint32_t i) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < a->n; k++) count += *pair(a->excluded, a, i, k);
  return count;
}

/* The group of `i` holds a lock alone; what it must be kept apart from shares it. */
static void add_group_lock(Apart *a, uint32_t i) {
  bool needed = false, shared = false;
  for (uint32_t g = 0; g < a->n; g++)
    for (uint32_t k = 0; k < a->n && same_partners(a, i, g); k++)
      if (is_open(a, g, k)) {
        needed = true;
        shared = shared || !same_partners(a, i, k);
      }
  if (!needed) return;
  uint32_t lock = new_lock(a, shared ? APART_RW : APART_MUTEX);
  for (uint32_t k = 0; k < a->n; k++) {
    bool inside = same_partners(a, i, k), reads = false;
    for (uint32_t g = 0; g < a->n && !inside; g++)
      reads = reads || (same_partners(a, i, g) && is_open(a, g, k));
    if (inside)
      hold(a, k, lock, HOLD_ALONE);
    else if (reads)
      hold(a, k, lock, HOLD_SHARED);
    for (uint32_t g = 0; g < a->n && (inside || reads); g++)
      if (same_partners(a, i, g)) cover(a, g, k);
  }
}

static void lock_groups(Apart *a) {
  for (uint32_t count = a->n; count > 0; count--)
    for (uint32_t i = 0; i < a->n; i++) {
      bool first = *pair(a->excluded, a, i, i) && partner_count(a, i) == count;
      for (uint32_t k = 0; k < i && first; k++) first = !same_partners(a, i, k);
      if (first) add_group_lock(a, i);
    }
}

static bool same_open(Apart *a, uint32_t i, uint32_t g) {
  for (uint32_t k = 0; k < a->n; k++)
    if (is_open(a, i, k) != is_open(a, g, k)) return false;
  return true;
}

/* Calls that are still to be kept apart from the same others are one side of a room. */
static void add_room(Apart *a, uint32_t i) {
  uint32_t lock = new_lock(a, APART_ROOM);
  VEC(uint32_t) left = {0}, right = {0};
  for (uint32_t k = 0; k < a->n; k++)
    if (is_open(a, i, k))
      vec_push(&right, k);
    else if (same_open(a, i, k))
      vec_push(&left, k);
  for (uint32_t g = 0; g < left.len; g++) hold(a, left.data[g], lock, HOLD_LEFT);
  for (uint32_t k = 0; k < right.len; k++) hold(a, right.data[k], lock, HOLD_RIGHT);
  for (uint32_t g = 0; g < left.len; g++)
    for (uint32_t k = 0; k < right.len; k++) cover(a, left.data[g], right.data[k]);
  vec_free(&left);
  vec_free(&right);
}

static void add_rooms(Apart *a) {
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < a->n; k++)
      if (is_open(a, i, k)) add_room(a, i);
}

static void note_excludes(Plan *plan) {
  const Harness *h = plan->harness;
  for (uint32_t i = 0; i < h->excludes.len; i++) {
    const HarnessExclude *e = &h->excludes.data[i];
    Str text = {0};
    for (uint32_t k = 0; k < e->left.len; k++)
      str_addf(&text, "%s%s", k ? ", " : "", e->left.data[k].name);
    str_add(&text, e->left.len > 1 ? " never overlap " : " never overlaps ");
    if (e->all || e->itself) str_add(&text, e->all ? "any call" : "itself");
    for (uint32_t k = 0; k < e->right.len; k++)
      str_addf(&text, "%s%s", k ? ", " : "", e->right.data[k].name);
    plan_note(plan, e->place.line, "%s", str_text(&text));
    str_free(&text);
  }
}

void plan_keep_apart(Plan *plan) {
  uint32_t n = plan->calls.len;
  Apart a = {.plan = plan,
             .n = n,
             .excluded = mem_alloc_zero((size_t)n * n + 1),
             .covered = mem_alloc_zero((size_t)n * n + 1)};
  fill_relation(&a);
  find_alone(&a);
  lock_groups(&a);
  add_rooms(&a);
  note_excludes(plan);
  mem_free(a.excluded);
  mem_free(a.covered);
}
