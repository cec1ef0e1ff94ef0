/* See checks.h.
 *
 * Two accesses race when an order of the model has them next to each other: then both threads
 * stand before them at the same time. Unlike in the paper atomic accesses have channels of their
 * own, since a plain read races with an atomic write; that one of two conflicting accesses comes
 * first is the same as the other, so that the watcher looks for either. */
#include "predict/checks.h"

#include "predict/window.h"

const char *script_memory_channel(MemoryKind kind) {
  static const char *const names[] = {
      [MEMORY_READ] = "read",
      [MEMORY_WRITE] = "write",
      [MEMORY_ATOMIC_READ] = "atomic_read",
      [MEMORY_ATOMIC_WRITE] = "atomic_write",
  };
  return names[kind];
}

void checks_add_race(const Intervals *memory, Str *out) {
  for (uint32_t i = 0; i < memory->addresses.len; i++)
    str_addf(out, "-- memory %u begins at 0x%llx\n", i,
             (unsigned long long)memory->addresses.data[i]);
  uint32_t count = memory->addresses.len;
  str_addf(out, "nametype memory = {0..%u}\nchannel ", count ? count - 1 : 0);
  for (MemoryKind k = 0; k < MEMORY_KINDS; k++)
    str_addf(out, "%s%s", k ? ", " : "", script_memory_channel(k));
  str_add(out, " : thread.memory\nchannel race\nOTHERS(t) = diff(thread, {t})\n");
  str_add(out, "RACE_ERR(k) =\n");
  bool any = false;
  for (MemoryKind a = 0; a < MEMORY_KINDS; a++)
    for (MemoryKind b = 0; b < MEMORY_KINDS; b++) {
      if (!intervals_conflict(a, b)) continue;
      str_addf(out, "  %s %s?t!k -> %s?u:OTHERS(t)!k -> race -> SKIP\n",
               any ? "[]" : "  ", script_memory_channel(a), script_memory_channel(b));
      any = true;
    }
  str_add(out,
          "RACE(k, events) = RACE_ERR(k) /\\ ([] z : events @ z -> RACE(k, events))\n"
          "RACE_EVENTS(k) = Union({{");
  for (MemoryKind k = 0; k < MEMORY_KINDS; k++)
    str_addf(out, "%s%s.t.k", k ? ", " : "", script_memory_channel(k));
  str_add(out, "} | t <- thread})\n");
}

void checks_add_race_asserts(const RunModel *m, const ScriptShape *shape,
                             const char *name, const char *steps, Str *out) {
  const Intervals *memory = shape->memory;
  uint32_t *first = mem_alloc_zero((m->run->threads.len + 1) * sizeof *first);
  bool *used = mem_alloc_zero(memory->addresses.len + 1);
  window_lengths(m->run, shape->prefix, first);
  for (uint32_t i = 0; i < memory->events.len; i++) {
    const MemoryEvent *e = &memory->events.data[i];
    used[e->interval] |=
        e->position >= first[e->thread] && e->position <= m->length[e->thread];
  }
  for (uint32_t k = 0; k < memory->addresses.len; k++)
    if (used[k])
      str_addf(out,
               "assert STOP [T= (%s [| union(RACE_EVENTS(%u), %s) |]\n"
               "  RACE(%u, union(RACE_EVENTS(%u), %s))) |\\ {race} "
               ":[partial order reduce]\n",
               name, k, steps, k, k, steps);
  mem_free(used);
  mem_free(first);
}

void checks_add_live(Str *out) {
  str_add(out, "channel live\nLIVE = live -> LIVE\n");
}

void checks_add_deadlock_assert(const char *name, Str *out) {
  str_addf(out,
           "assert LIVE [F= ((%s [| {endthreads} |> SKIP) \\ Events) ; LIVE "
           ":[partial order reduce]\n",
           name);
}
