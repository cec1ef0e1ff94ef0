/* See lanes.h.
 *
 * The steps of a check and of a recorded run have words of their own; the table below is
 * where both are understood, and a word that is not in it means nothing here. Objects are
 * told apart by their ids where those are known, else by their names.
 *
 * One pass over the steps, with the last step of each thread and the last release of each
 * object at hand. A wait for a condition gives a mutex back: the step names it; where it
 * does not (recorded runs), the thread is taken to hold what it held until another thread
 * takes it, and to get that back when the wait ends. */
#include "report/html/lanes.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *word;
  StepKind kind;
} words[] = {{"create", STEP_CREATE},       {"start", STEP_START},
             {"join", STEP_JOIN},           {"end", STEP_END},
             {"lock", STEP_LOCK},           {"read-lock", STEP_LOCK},
             {"acquire", STEP_LOCK},        {"unlock", STEP_UNLOCK},
             {"release", STEP_UNLOCK},      {"wait", STEP_WAIT},
             {"wake up from", STEP_WAKE},   {"woken", STEP_WAKE},
             {"timed-out", STEP_WAKE},      {"signal", STEP_GIVE},
             {"broadcast", STEP_GIVE},      {"sem_post", STEP_GIVE},
             {"sem-post", STEP_GIVE},       {"sem_wait", STEP_TAKE},
             {"sem-wait", STEP_TAKE},       {"barrier-enter", STEP_GIVE},
             {"barrier-exit", STEP_TAKE},   {"once-end", STEP_GIVE},
             {"once-seen", STEP_TAKE},      {"happens-before", STEP_GIVE},
             {"happens-after", STEP_TAKE},  {"fail the assertion", STEP_FAIL},
             {"atomic-load", STEP_READ},    {"atomic read", STEP_READ},
             {"atomic-store", STEP_WRITE},  {"atomic-rmw", STEP_WRITE},
             {"atomic write", STEP_WRITE},  {"free", STEP_WRITE},
             {"sleep before", STEP_BLOCKED}};

/* Words that go on: with a value, or with what is waited for. */
static const struct {
  const char *start;
  StepKind kind;
} starts[] = {{"read", STEP_READ},
              {"find ", STEP_READ},
              {"write", STEP_WRITE},
              {"change ", STEP_WRITE},
              {"blocked", STEP_BLOCKED}};

static StepKind kind_of(const char *op) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (str_eq(op, words[i].word)) return words[i].kind;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (str_starts(op, starts[i].start)) return starts[i].kind;
  return STEP_OTHER;
}

const char *step_kind_word(StepKind kind) {
  static const char *const names[] = {"other", "read", "write", "create",  "start",
                                      "join",  "end",  "lock",  "unlock",  "wait",
                                      "wake",  "give", "take",  "blocked", "fail"};
  return names[kind];
}

/* ---- who and what ---- */

/* What one thread has and did. */
typedef struct {
  uint32_t last;        /* its last step + 1, or 0 */
  uint32_t created;     /* the step that created it + 1, while it has taken none */
  bool waits;           /* between a wait for a condition and its end */
  uint32_t waits_since; /* that step */
  VEC(uint32_t) locks;  /* held, by index */
  VEC(uint32_t) lent;   /* what others took while it waited */
} Lane;

typedef struct {
  Lanes *out;
  const Finding *finding;
  VEC(Lane) lanes;
  StrMap released; /* object → last step that released or gave it, + 1 */
} Weaver;

static uint32_t thread_index(Weaver *w, const char *name) {
  for (uint32_t i = 0; i < w->out->threads.len; i++)
    if (str_eq(w->out->threads.data[i], name)) return i;
  vec_push(&w->out->threads, name);
  *vec_extend(&w->lanes, 1) = (Lane){0};
  assert(w->lanes.len == w->out->threads.len);
  return w->out->threads.len - 1;
}

static uint32_t lock_index(Weaver *w, const char *name, uint64_t id) {
  for (uint32_t i = 0; i < w->out->locks.len; i++) {
    const LaneLock *lock = &w->out->locks.data[i];
    if (lock->id == id && str_eq(lock->name, name)) return i;
  }
  LaneLock lock = {name, id};
  vec_push(&w->out->locks, lock);
  return w->out->locks.len - 1;
}

static uint64_t *release_of(Weaver *w, const char *name, uint64_t id) {
  Str key = {0};
  if (id)
    str_addf(&key, "%llx", (unsigned long long)id);
  else
    str_addf(&key, "=%s", name);
  uint64_t *slot = strmap_at(&w->released, str_text(&key), key.len);
  str_free(&key);
  return slot;
}

/* ---- arrows ---- */

static void add_arrow(LaneStep *to, uint32_t from, const char *why) {
  if (to->arrow_count < STEP_ARROWS)
    to->arrows[to->arrow_count++] = (StepArrow){from, why};
}

/* From the last release of an object by another thread, not before step `since`. */
static void arrow_from_release(Weaver *w, uint32_t i, const char *name, uint64_t id,
                               uint32_t since) {
  LaneStep *to = &w->out->steps[i];
  uint64_t at = name ? *release_of(w, name, id) : 0;
  if (!at || at - 1 < since) return;
  uint32_t from = (uint32_t)at - 1;
  assert(from < i); /* arrows lead forward */
  if (w->out->steps[from].thread == to->thread) return;
  add_arrow(to, from, w->finding->steps[from].op);
}

/* The first step of a thread comes after the one that created it. */
static void arrow_from_creation(Weaver *w, uint32_t i, Lane *lane) {
  if (lane->created && !lane->last)
    add_arrow(&w->out->steps[i], lane->created - 1, "create");
}

static void arrow_from_end(Weaver *w, uint32_t i, const char *joined) {
  for (uint32_t t = 0; t < w->out->threads.len; t++)
    if (str_eq(w->out->threads.data[t], joined) && w->lanes.data[t].last)
      add_arrow(&w->out->steps[i], w->lanes.data[t].last - 1, "end");
}

/* ---- locks ---- */

static void drop(Lane *lane, uint32_t lock) {
  for (uint32_t i = lane->locks.len; i-- > 0;) {
    if (lane->locks.data[i] != lock) continue;
    memmove(&lane->locks.data[i], &lane->locks.data[i + 1],
            (lane->locks.len - i - 1) * sizeof *lane->locks.data);
    lane->locks.len--;
    return;
  }
}

static bool has(const Lane *lane, uint32_t lock) {
  for (uint32_t i = 0; i < lane->locks.len; i++)
    if (lane->locks.data[i] == lock) return true;
  return false;
}

/* Whoever waits for a condition and still seems to hold the lock has given it back, until
 * the wait ends. */
static void take(Weaver *w, uint32_t thread, uint32_t lock) {
  for (uint32_t t = 0; t < w->lanes.len; t++) {
    Lane *other = &w->lanes.data[t];
    if (t == thread || !other->waits || !has(other, lock)) continue;
    drop(other, lock);
    vec_push(&other->lent, lock);
  }
  vec_push(&w->lanes.data[thread].locks, lock);
}

static void note_release(Weaver *w, uint32_t i, const char *name, uint64_t id) {
  *release_of(w, name, id) = (uint64_t)i + 1;
}

/* ---- one step ---- */

static void begin_wait(Weaver *w, uint32_t i, const FoundStep *s, Lane *lane) {
  lane->waits = true;
  lane->waits_since = i;
  if (!s->mutex) return;
  drop(lane, lock_index(w, s->mutex, s->mutex_id));
  note_release(w, i, s->mutex, s->mutex_id);
}

static void take_again(Weaver *w, uint32_t i, uint32_t thread, const char *name,
                       uint64_t id) {
  arrow_from_release(w, i, name, id, w->lanes.data[thread].waits_since);
  take(w, thread, lock_index(w, name, id));
}

static void end_wait(Weaver *w, uint32_t i, const FoundStep *s, uint32_t thread) {
  Lane *lane = &w->lanes.data[thread];
  arrow_from_release(w, i, s->object, s->id, lane->waits_since);
  lane->waits = false;
  if (s->mutex) take_again(w, i, thread, s->mutex, s->mutex_id);
  for (uint32_t k = 0; k < lane->lent.len; k++) {
    const LaneLock *lock = &w->out->locks.data[lane->lent.data[k]];
    take_again(w, i, thread, lock->name, lock->id);
  }
  vec_clear(&lane->lent);
}

/* What the step does to others; its thread is known to exist. */
static void apply(Weaver *w, uint32_t i) {
  const FoundStep *s = &w->finding->steps[i];
  uint32_t thread = w->out->steps[i].thread;
  assert(thread < w->lanes.len);
  if (!s->object) return;
  switch (w->out->steps[i].kind) {
  case STEP_CREATE: {
    uint32_t child = thread_index(w, s->object);
    w->lanes.data[child].created = i + 1;
    break;
  }
  case STEP_JOIN: arrow_from_end(w, i, s->object); break;
  case STEP_LOCK:
    arrow_from_release(w, i, s->object, s->id, 0);
    take(w, thread, lock_index(w, s->object, s->id));
    break;
  case STEP_UNLOCK:
    drop(&w->lanes.data[thread], lock_index(w, s->object, s->id));
    note_release(w, i, s->object, s->id);
    break;
  case STEP_WAIT: begin_wait(w, i, s, &w->lanes.data[thread]); break;
  case STEP_WAKE: end_wait(w, i, s, thread); break;
  case STEP_GIVE: note_release(w, i, s->object, s->id); break;
  case STEP_TAKE: arrow_from_release(w, i, s->object, s->id, 0); break;
  case STEP_OTHER:
  case STEP_READ:
  case STEP_WRITE:
  case STEP_START:
  case STEP_END:
  case STEP_BLOCKED:
  case STEP_FAIL: break;
  }
}

static void keep_held(Weaver *w, uint32_t i) {
  LaneStep *step = &w->out->steps[i];
  const Lane *lane = &w->lanes.data[step->thread];
  step->first_held = w->out->held.len;
  step->held_count = lane->locks.len;
  for (uint32_t k = 0; k < lane->locks.len; k++)
    vec_push(&w->out->held, lane->locks.data[k]);
}

/* ---- the accesses among the steps ---- */

/* The steps that are the finding's accesses: each the last one of its thread at its place.
 */
static void mark_accesses(Weaver *w) {
  const Finding *f = w->finding;
  for (uint32_t a = 0; a < f->access_count; a++)
    for (uint32_t i = f->step_count; i-- > 0;) {
      const FoundStep *s = &f->steps[i];
      if (w->out->steps[i].mark || !str_eq(s->thread, f->accesses[a].thread) ||
          !place_same(&s->place, &f->accesses[a].place))
        continue;
      w->out->steps[i].mark = a + 1;
      break;
    }
}

void lanes_init(Lanes *lanes, const Finding *f) {
  *lanes = (Lanes){.count = f->step_count};
  lanes->steps = mem_alloc_zero((f->step_count + 1) * sizeof *lanes->steps);
  Weaver w = {.out = lanes, .finding = f};
  for (uint32_t i = 0; i < f->step_count; i++) {
    LaneStep *step = &lanes->steps[i];
    step->kind = kind_of(f->steps[i].op);
    step->thread = thread_index(&w, f->steps[i].thread);
    arrow_from_creation(&w, i, &w.lanes.data[step->thread]);
    apply(&w, i);
    w.lanes.data[step->thread].last = i + 1;
    keep_held(&w, i);
  }
  assert(w.lanes.len == lanes->threads.len);
  mark_accesses(&w);
  for (uint32_t i = 0; i < w.lanes.len; i++) {
    vec_free(&w.lanes.data[i].locks);
    vec_free(&w.lanes.data[i].lent);
  }
  vec_free(&w.lanes);
  strmap_free(&w.released);
}

void lanes_free(Lanes *lanes) {
  mem_free(lanes->steps);
  vec_free(&lanes->threads);
  vec_free(&lanes->locks);
  vec_free(&lanes->held);
}
