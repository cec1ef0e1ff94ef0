/* What the statements of .sml programs mean as a Petri net: section 3.2 of "Model
 * Checking Race-Freeness" (Abdulla, Haziza, Kindahl) and beyond. Each thread is a token
 * in the control flow of its text; `here` and `next` are places of that flow.
 *
 *   read x        here -> mid + Read_x,  mid + Read_x -> next; write x alike
 *   acquire L     here + L -> next                 release L   here -> next + L
 *   wait c, L     here -> mid + cond_c + L,  mid + ready_c + L -> next
 *   signal c      here -> next + signal_c;   once per c: cond_c + signal_c -> ready_c,
 *                 signal_c -> nothing (nobody waited), cond_c -> ready_c (a wake-up
 *                 without a signal, which POSIX allows)
 *   broadcast c   here -> next, and every token of cond_c moves to ready_c
 *   create T      here -> next + the entry of T    join T      here + ended_T -> next
 *   atomic {…}    one global token is taken at the begin and given back at the end;
 *                 every other step of a thread needs it there
 *   if, while     a free choice between two steps; a shared variable in the condition is
 *                 read before
 *
 * Data is left out, so every run of the program is a run of the net: the net may do more
 * (docs/petri.md has the argument for each construct). The target is two threads in
 * accesses to the same variable, at least one of which writes. */
#include "net/sml_parts.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

uint32_t sml_new_place(Sml *sml, const char *name, uint32_t initial) {
  Str text = {0};
  str_add(&text, name);
  for (int n = 2; net_find_place(sml->net, str_text(&text), text.len) != NET_NONE; n++) {
    str_clear(&text);
    str_addf(&text, "%s.%d", name, n);
  }
  uint32_t place = net_add_place(sml->net, str_text(&text), initial);
  str_free(&text);
  return place;
}

static uint32_t new_place(Sml *sml, const char *prefix, const char *name,
                          uint32_t initial) {
  char *text = str_printf("%s%s", prefix, name);
  uint32_t place = sml_new_place(sml, text, initial);
  mem_free(text);
  return place;
}

uint32_t sml_new_step(Sml *sml) {
  SmlThread *thread = &sml->threads.data[sml->thread];
  char *text = str_printf("%s.%u", thread->name, ++thread->steps);
  uint32_t place = sml_new_place(sml, text, 0);
  mem_free(text);
  return place;
}

uint32_t sml_here(Sml *sml) {
  if (sml->here == NET_NONE) sml->here = sml_new_step(sml);
  return sml->here;
}

bool sml_set_kind(Sml *sml, SmlName *name, SmlKind kind) {
  if (name->kind != SML_ANY) return name->kind == kind;
  name->kind = kind;
  if (kind == SML_DATA) {
    name->reading = new_place(sml, "Read_", name->name, 0);
    name->writing = new_place(sml, "Write_", name->name, 0);
  } else if (kind == SML_LOCK) {
    name->free = new_place(sml, "", name->name, 1);
  } else {
    name->cond = new_place(sml, "cond_", name->name, 0);
    name->signal = new_place(sml, "signal_", name->name, 0);
    name->ready = new_place(sml, "ready_", name->name, 0);
  }
  return true;
}

/* ---- transitions ------------------------------------------------------------------ */

static NetTransition *begin(Sml *sml, const char *verb, const char *object,
                            uint32_t line) {
  const char *thread = sml->threads.data[sml->thread].name;
  char *name = str_printf("%s: %s%s%s", thread, verb, *object ? " " : "", object);
  uint32_t t = net_begin_transition(sml->net, name, line);
  mem_free(name);
  return &sml->net->transitions.data[t];
}

/* From one place of the flow to another. `needs_token`: no other thread may be in an
 * atomic section. */
static void flow(Sml *sml, uint32_t from, uint32_t to, bool needs_token) {
  NetTransition *t = vec_last(&sml->net->transitions);
  t->from = from;
  t->to = to;
  net_add_pre(sml->net, from, 1);
  net_add_post(sml->net, to, 1);
  vec_push(&sml->steps, ((SmlStep){from, to, NET_NONE, NET_NONE}));
  if (needs_token && sml->atomic != NET_NONE) {
    net_add_pre(sml->net, sml->atomic, 1);
    net_add_post(sml->net, sml->atomic, 1);
  }
}

static void step(Sml *sml, const char *verb, const char *object, uint32_t line) {
  uint32_t from = sml_here(sml), to = sml_new_step(sml);
  begin(sml, verb, object, line);
  flow(sml, from, to, sml->section == 0);
  sml->here = to;
}

static void end(Sml *sml) {
  bool fits = net_end_transition(sml->net);
  assert(fits); /* every weight is at most 2 */
  (void)fits;
}

void sml_access(Sml *sml, SmlName *data, bool write, uint32_t line) {
  uint32_t place = write ? data->writing : data->reading;
  data->written = data->written || write;
  step(sml, write ? "begin write" : "begin read", data->name, line);
  net_add_post(sml->net, place, 1);
  end(sml);
  step(sml, write ? "end write" : "end read", data->name, line);
  net_add_pre(sml->net, place, 1);
  end(sml);
}

void sml_acquire(Sml *sml, const SmlName *lock, uint32_t line) {
  step(sml, "acquire", lock->name, line);
  vec_last(&sml->steps)->takes = lock->free;
  net_add_pre(sml->net, lock->free, 1);
  end(sml);
}

void sml_release(Sml *sml, const SmlName *lock, uint32_t line) {
  step(sml, "release", lock->name, line);
  vec_last(&sml->steps)->gives = lock->free;
  net_add_post(sml->net, lock->free, 1);
  end(sml);
}

void sml_wait(Sml *sml, const SmlName *cond, const SmlName *lock, uint32_t line) {
  step(sml, "wait", cond->name, line);
  net_add_post(sml->net, cond->cond, 1);
  net_add_post(sml->net, lock->free, 1);
  end(sml);
  step(sml, "return from wait", cond->name, line);
  net_add_pre(sml->net, cond->ready, 1);
  net_add_pre(sml->net, lock->free, 1);
  end(sml);
}

void sml_signal(Sml *sml, const SmlName *cond, bool all, uint32_t line) {
  step(sml, all ? "broadcast" : "signal", cond->name, line);
  if (all)
    net_add_transfer(sml->net, cond->cond, cond->ready);
  else
    net_add_post(sml->net, cond->signal, 1);
  end(sml);
}

void sml_create(Sml *sml, SmlThread *thread, uint32_t line) {
  uint32_t entry = thread->entry;
  if (thread != &sml->threads.data[sml->thread]) thread->created = true;
  step(sml, "create", thread->name, line);
  net_add_post(sml->net, entry, 1);
  vec_last(&sml->net->transitions)->spawns = 1;
  end(sml);
}

void sml_join(Sml *sml, SmlThread *thread, uint32_t line) {
  if (thread->ended == NET_NONE)
    thread->ended = new_place(sml, "ended_", thread->name, 0);
  step(sml, "join", thread->name, line);
  net_add_pre(sml->net, thread->ended, 1);
  end(sml);
}

void sml_atomic_begin(Sml *sml, uint32_t line) {
  uint32_t from = sml_here(sml), to = sml_new_step(sml);
  begin(sml, "enter", "atomic section", line);
  flow(sml, from, to, false);
  net_add_pre(sml->net, sml->atomic, 1);
  end(sml);
  sml->here = to;
  sml->section = ++sml->sections;
}

void sml_atomic_end(Sml *sml, uint32_t line) {
  sml->section = 0;
  if (sml->here == NET_NONE) return;
  uint32_t from = sml->here, to = sml_new_step(sml);
  begin(sml, "leave", "atomic section", line);
  flow(sml, from, to, false);
  net_add_post(sml->net, sml->atomic, 1);
  end(sml);
  sml->here = to;
}

void sml_jump(Sml *sml, uint32_t from, uint32_t to, const char *why, uint32_t line) {
  begin(sml, why, "", line);
  flow(sml, from, to, sml->section == 0);
  end(sml);
}

void sml_end(Sml *sml, uint32_t line) {
  SmlThread *thread = &sml->threads.data[sml->thread];
  if (sml->here == NET_NONE) return;
  if (thread->ended == NET_NONE)
    thread->ended = new_place(sml, "ended_", thread->name, 0);
  sml_jump(sml, sml->here, thread->ended, "end", line);
  sml->here = NET_NONE;
}

/* ---- locks that are not held ------------------------------------------------------ */

enum { COMES_WITHOUT = 1, COMES_WITH = 2 };

/* How control comes to the places of the thread: with the lock, without it, or both. */
static void spread_lock(const Sml *sml, uint32_t lock, uint8_t *how) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < sml->steps.len; i++) {
      const SmlStep *s = &sml->steps.data[i];
      uint8_t to = how[s->from];
      if (to && s->takes == lock) to = COMES_WITH;
      if (to && s->gives == lock) to = COMES_WITHOUT;
      if ((how[s->to] | to) == how[s->to]) continue;
      how[s->to] |= to;
      changed = true;
    }
  }
}

/* A lock was looked at before, with the first of its waits. */
static bool is_repeated(const Sml *sml, uint32_t wait) {
  for (uint32_t i = 0; i < wait; i++)
    if (sml->waits.data[i].lock == sml->waits.data[wait].lock) return true;
  return false;
}

const SmlWait *sml_unlocked_wait(const Sml *sml) {
  enum { MOST_WAITS = 1000 }; /* of one thread: beyond, nobody looks */
  uint32_t places = sml->net->initial.len;
  const SmlWait *found = NULL;
  uint8_t *how = mem_alloc(places + 1);
  for (uint32_t i = 0; i < sml->waits.len && i < MOST_WAITS && !found; i++) {
    uint32_t lock = sml->waits.data[i].lock;
    if (is_repeated(sml, i)) continue;
    memset(how, 0, places);
    how[sml->threads.data[sml->thread].entry] = COMES_WITHOUT;
    spread_lock(sml, lock, how);
    for (uint32_t k = i; k < sml->waits.len && !found; k++)
      if (sml->waits.data[k].lock == lock && how[sml->waits.data[k].at] == COMES_WITHOUT)
        found = &sml->waits.data[k];
  }
  mem_free(how);
  return found;
}

/* ---- the whole -------------------------------------------------------------------- */

static void environment(Sml *sml, const char *verb, const SmlName *cond, uint32_t from,
                        uint32_t also, uint32_t to) {
  char *name = str_printf("%s %s", verb, cond->name);
  net_begin_transition(sml->net, name, 0);
  mem_free(name);
  net_add_pre(sml->net, from, 1);
  if (also != NET_NONE) net_add_pre(sml->net, also, 1);
  if (to != NET_NONE) net_add_post(sml->net, to, 1);
  end(sml);
}

static void add_targets(Sml *sml, const SmlName *data) {
  char *two = str_printf("race on %s: two threads write", data->name);
  char *mixed = str_printf("race on %s: one thread reads, one writes", data->name);
  Tokens writes[] = {{data->writing, 2}};
  Tokens both[] = {{data->reading, 1}, {data->writing, 1}};
  net_add_target(sml->net, writes, 1, two);
  net_add_target(sml->net, both, 2, mixed);
  mem_free(two);
  mem_free(mixed);
}

bool sml_finish(Sml *sml) {
  bool runs = false;
  for (uint32_t i = 0; i < sml->names.len; i++) {
    const SmlName *name = &sml->names.data[i];
    if (name->kind == SML_COND) {
      environment(sml, "wake by signal", name, name->cond, name->signal, name->ready);
      environment(sml, "wake without signal", name, name->cond, NET_NONE, name->ready);
      environment(sml, "lose signal", name, name->signal, NET_NONE, NET_NONE);
    } else if (name->kind == SML_DATA && name->written) {
      add_targets(sml, name);
    }
  }
  sml->net->programs = true;
  for (uint32_t i = 0; i < sml->threads.len; i++) {
    const SmlThread *thread = &sml->threads.data[i];
    bool begins = thread->many || !thread->created || str_eq(thread->name, "main");
    if (begins) sml->net->initial.data[thread->entry] = thread->many ? NET_OMEGA : 1;
    if (begins && !thread->many) sml->net->running++;
    runs = runs || begins;
  }
  return runs;
}
