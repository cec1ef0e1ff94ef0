/* A deadlock in words: what each thread waits for, who could provide it, and what would
 * mend it. The threads of a circle come first, those that merely wait for them after. */
#include "engine/narrate_parts.h"

#include "base/str.h"

#include <assert.h>

typedef struct {
  uint32_t thread;
  ExecWait wait;
  const char *object;
  ObjectId id; /* of the object, 0 if it has none */
  uint64_t offset;
  bool circular; /* it waits, over others or not, for itself */
} Stuck;

typedef VEC(Stuck) StuckVec;

static const char *kind_of(ExecWaitKind kind) {
  static const char *const kinds[] = {"wait",     "lock", "wait", "barrier_wait",
                                      "sem_wait", "join", "once", "sleep"};
  return kinds[kind];
}

static const Stuck *find(const StuckVec *all, uint32_t thread) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->data[i].thread == thread) return &all->data[i];
  return NULL;
}

static bool is_circular(const StuckVec *all, const Stuck *start) {
  const Stuck *at = start;
  for (uint32_t i = 0; at && i <= all->len; i++) {
    if (at->wait.holder == start->thread) return true;
    at = find(all, at->wait.holder);
  }
  return false;
}

static void collect(Narrator *n, Exec *exec, StuckVec *all) {
  bool *in;
  witness_is_stuck(exec, &in);
  for (uint32_t t = 1; t <= n->threads.len; t++) {
    Stuck s = {.thread = t};
    if (!in[t] || exec_thread_state(exec, t) != THREAD_WAITING ||
        !exec_thread_wait(exec, t, &s.wait))
      continue;
    ExecObject object = {0};
    bool in_wait = s.wait.kind == WAIT_LOCK && s.wait.edge &&
                   program_edge(n->program, s.wait.edge)->op == OP_WAIT;
    s.object =
        s.wait.kind == WAIT_JOIN
            ? narrator_thread(n, s.wait.holder)
            : narrator_thing(n, exec, s.wait.address, in_wait ? 0 : s.wait.edge, &object);
    s.id = object.id;
    s.offset = s.wait.address - object.address;
    vec_push(all, s);
  }
  mem_free(in);
  for (uint32_t i = 0; i < all->len; i++)
    all->data[i].circular = is_circular(all, &all->data[i]);
}

/* ---- words ---- */

static void say_provider(Narrator *n, Exec *exec, const Stuck *s, Str *out) {
  const char *holder = s->wait.holder ? narrator_thread(n, s->wait.holder) : NULL;
  switch (s->wait.kind) {
  case WAIT_LOCK:
    if (s->wait.holder == s->thread)
      str_add(out, ", which it holds itself");
    else if (holder && exec_thread_state(exec, s->wait.holder) == THREAD_ENDED)
      str_addf(out, ", which %s did not release before it ended", holder);
    else if (holder)
      str_addf(out, ", which %s holds", holder);
    break;
  case WAIT_CONDITION: str_add(out, ", which nobody can signal any more"); break;
  case WAIT_SEMAPHORE: str_add(out, ", which nobody can post any more"); break;
  case WAIT_BARRIER: str_add(out, ", where too few threads arrive"); break;
  case WAIT_ONCE:
    if (holder) str_addf(out, ", which %s runs", holder);
    break;
  default: break;
  }
}

static void say_stuck(Narrator *n, Exec *exec, const Stuck *s, Str *out) {
  static const char *const waits[] = {"waits",
                                      "waits for the lock ",
                                      "waits for the condition ",
                                      "waits at the barrier ",
                                      "waits for the semaphore ",
                                      "waits for the end of ",
                                      "waits for the first run of ",
                                      "sleeps"};
  str_addf(out, "%s %s%s", narrator_thread(n, s->thread), waits[s->wait.kind], s->object);
  say_provider(n, exec, s, out);
}

static const char *remedy(Narrator *n, Exec *exec, const StuckVec *all) {
  assert(all->len);
  const Stuck *first = &all->data[0];
  switch (first->wait.kind) {
  case WAIT_LOCK:
    if (first->wait.holder == first->thread)
      return arena_printf(n->arena,
                          "unlock %s before taking it again, or make it recursive",
                          first->object);
    if (first->wait.holder && exec_thread_state(exec, first->wait.holder) == THREAD_ENDED)
      return arena_printf(n->arena, "unlock %s on every way out of %s", first->object,
                          narrator_thread(n, first->wait.holder));
    return first->circular
               ? arena_printf(n->arena, "take %s in the same order everywhere",
                              n->told.name)
               : "do not wait for other threads while holding the lock";
  case WAIT_CONDITION:
    return arena_printf(
        n->arena,
        "wait for %s in a loop that tests under the mutex whether the event "
        "has already come, and signal after every change",
        first->object);
  case WAIT_SEMAPHORE:
    return arena_printf(n->arena, "post %s as often as it is waited for", first->object);
  case WAIT_BARRIER:
    return arena_printf(n->arena,
                        "let as many threads arrive at %s as it was initialised for",
                        first->object);
  case WAIT_JOIN: return "let no thread wait for the end of one that waits for it";
  default: return NULL;
  }
}

void narrate_deadlock(Narrator *n, Exec *exec) {
  StuckVec all = {0}, order = {0};
  collect(n, exec, &all);
  /* joins explain nothing where something else does */
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t i = 0; i < all.len; i++) {
      const Stuck *s = &all.data[i];
      int rank = s->circular ? 0 : s->wait.kind != WAIT_JOIN ? 1 : 2;
      if (rank == pass) vec_push(&order, *s);
    }
  Str why = {0}, name = {0};
  for (uint32_t i = 0; i < order.len; i++) {
    const Stuck *s = &order.data[i];
    FoundAccess access =
        narrator_access(n, s->thread, kind_of(s->wait.kind), s->wait.edge);
    access.object = s->object;
    if (!n->told.object) {
      n->told.object = s->id;
      n->told.offset = s->offset;
    }
    vec_push(&n->accesses, access);
    narrator_tell(n, s->thread, "blocked at", s->object, s->wait.edge);
    str_add(&why, i ? "; " : "");
    say_stuck(n, exec, s, &why);
    bool named =
        i == 0 || s->circular || (s->wait.kind != WAIT_JOIN && !order.data[0].circular);
    for (uint32_t k = 0; k < i && named; k++)
      named = !str_eq(order.data[k].object, s->object);
    if (named) str_addf(&name, "%s%s", i ? ", " : "", s->object);
  }
  n->told.why = arena_strdup(n->arena, str_text(&why));
  n->told.name = arena_strdup(n->arena, str_text(&name));
  if (order.len) n->told.fix = remedy(n, exec, &order);
  str_free(&why);
  str_free(&name);
  vec_free(&all);
  vec_free(&order);
}
