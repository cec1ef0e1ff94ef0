/* See explore.h. The search: all states, breadth first, then what they say.
 *
 *   explore [-s STATES] < PROGRAM
 *
 * prints one line of JSON: the lines of assertions that can fail, the pairs of lines and the
 * variables that race under the most and under the fewest orders, whether a deadlock is
 * reachable, and why nothing should be concluded, if so. */
#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Explorer {
  const Prog *p;
  HbMode mode;
  State *states;
  uint32_t len, limit;
  uint32_t *table, mask; /* index + 1 */
  bool full;
  const char *undefined;
  bool failed[4096], raced[MAX_SITES][MAX_SITES];
  /* of the state that is being expanded */
  bool moved;  /* somebody can go on by a step that exists */
  bool pruned; /* somebody comes to an assumption that does not hold */
  bool deadlock, unclear;
};

static uint32_t hash(const State *s) {
  const uint8_t *b = (const uint8_t *)s;
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < sizeof *s; i++) h = (h ^ b[i]) * 1099511628211u;
  return (uint32_t)(h ^ h >> 32);
}

static void insert(Explorer *e, const State *s) {
  uint32_t i = hash(s) & e->mask;
  for (; e->table[i]; i = (i + 1) & e->mask)
    if (!memcmp(&e->states[e->table[i] - 1], s, sizeof *s)) return;
  if (e->len == e->limit) {
    e->full = true;
    return;
  }
  e->states[e->len++] = *s;
  e->table[i] = e->len;
}

void explorer_emit(Explorer *e, const State *next, StepKind kind, int thread, int line) {
  (void)thread;
  if (kind == STEP_FAILED && line > 0 && line < 4096) e->failed[line] = true;
  if (kind != STEP_SPURIOUS && kind != STEP_PRUNED) e->moved = true;
  if (kind == STEP_PRUNED) e->pruned = true;
  if (kind != STEP_NORMAL && kind != STEP_SPURIOUS) return;
  State s = *next;
  if (e->mode != HB_NONE) hb_canonical(e->p, &s);
  insert(e, &s);
}

void explorer_race(Explorer *e, int first, int second) {
  e->raced[first][second] = true;
}

void explorer_undefined(Explorer *e, const char *what) {
  e->undefined = what;
}

/* ---- deadlocks ---- */

/* Whether t, which cannot move, waits for something that one of `stuck` (or an ended thread)
 * holds and will not give back. */
static bool is_held(const Explorer *e, const State *s, int t, unsigned stuck) {
  const Thread *x = &s->thread[t];
  const Op *o = step_next(e->p, s, t);
  int holder = 0;
  switch (o->code) {
  case I_lock: holder = s->owner[o->a[0]]; break;
  case I_cwait: holder = s->owner[o->a[1]]; break;
  case I_ctimed: holder = s->owner[o->a[2]]; break; /* its wait is over */
  case I_oncein: holder = s->once[o->a[0]] == 100 ? 0 : s->once[o->a[0]]; break;
  case I_join:
    holder = x->handle[(o->a[0] >= REG ? x->reg[o->a[0] - REG] : o->a[0]) + o->a[1]] + 1;
    if (s->thread[holder - 1].state == T_ENDED) return false;
    break;
  case I_rdlock: holder = s->writer[o->a[0]]; break;
  case I_wrlock:
    holder = s->writer[o->a[0]];
    for (int u = 0; u < MAX_THREADS; u++)
      if (s->readers[o->a[0]][u] && (stuck >> u & 1)) return true;
    break;
  default: return false;
  }
  return holder && (stuck >> (holder - 1) & 1);
}

/* The largest set of threads that wait for locks, joins or initialisers of each other or of ended
 * threads: whoever waits for somebody outside of it is taken out, until nothing changes. */
static bool is_circular(const Explorer *e, const State *s, unsigned blocked) {
  unsigned ended = 0, set = blocked;
  for (int u = 0; u < MAX_THREADS; u++) ended |= (s->thread[u].state == T_ENDED) << u;
  for (bool changed = true; changed;) {
    changed = false;
    for (int t = 0; t < MAX_THREADS; t++)
      if ((set >> t & 1) && !is_held(e, s, t, set | ended)) {
        set &= ~(1u << t);
        changed = true;
      }
  }
  return set != 0;
}

/* Deadlocks as docs/interleave.md defines them. Where all loops are bounded, a thread that waits
 * for a signal, a post or an arrival for ever leads to a state where nobody moves; tree.py marks
 * programs with other loops, for which `no` is not said. */
static void look_for_deadlock(Explorer *e, const State *s, unsigned blocked) {
  if (!blocked || s->inside) return;
  if (is_circular(e, s, blocked))
    e->deadlock = true;
  else if (!e->moved && !e->pruned)
    e->deadlock = true;
  else if (!e->moved)
    e->unclear = true;
}

static void expand(Explorer *e, State s) {
  unsigned blocked = 0;
  e->moved = e->pruned = false;
  for (int t = 0; t < MAX_THREADS; t++) {
    const Thread *x = &s.thread[t];
    if (x->state == T_NONE || x->state == T_ENDED) continue;
    if (s.inside && s.inside != t + 1) continue;
    if (!step_thread(e, e->p, e->mode, &s, t)) blocked |= 1u << t;
  }
  if (s.inside && blocked) e->undefined = "waits inside of an atomic section";
  look_for_deadlock(e, &s, blocked);
}

static void explore(Explorer *e, const Prog *p, HbMode mode, uint32_t limit) {
  memset(e, 0, sizeof *e);
  e->p = p;
  e->mode = mode;
  e->limit = limit;
  e->states = malloc(limit * sizeof *e->states);
  for (e->mask = 1; e->mask < 2 * limit;) e->mask *= 2;
  e->table = calloc(e->mask--, sizeof *e->table);
  State s;
  memset(&s, 0, sizeof s);
  s.thread[0].state = T_RUNS;
  memcpy(s.var, p->init, sizeof s.var);
  for (int i = 0; i < p->sems; i++) s.sem[i] = (uint8_t)p->sem_init[i];
  if (mode != HB_NONE) s.thread[0].clock[0] = 1;
  step_local(p, &s, 0);
  insert(e, &s);
  for (uint32_t i = 0; i < e->len && !e->full && !e->undefined; i++)
    expand(e, e->states[i]);
  free(e->states);
  free(e->table);
}

static void print_races(const Explorer *e, const char *name) {
  printf("\"%s\": [", name);
  const char *comma = "";
  for (int i = 0; i < e->p->sites; i++)
    for (int k = 0; k < e->p->sites; k++) {
      if (!e->raced[i][k]) continue;
      const Site *a = &e->p->site[i], *b = &e->p->site[k];
      printf("%s[%d, %d, %d]", comma, a->line, b->line, a->var);
      comma = ", ";
    }
  printf("], ");
}

int main(int argc, char **argv) {
  static Prog p;
  static Explorer values, most, fewest;
  uint32_t limit = argc > 2 ? (uint32_t)atol(argv[2]) : 100000;
  if (!prog_read(&p)) return 3;
  explore(&values, &p, HB_NONE, limit);
  explore(&most, &p, HB_MOST, limit);
  explore(&fewest, &p, HB_FEWEST, limit);
  printf("{\"states\": [%u, %u, %u], \"full\": %s, ", values.len, most.len, fewest.len,
         values.full || most.full || fewest.full ? "true" : "false");
  printf("\"undefined\": \"%s\", ", values.undefined ? values.undefined : "");
  print_races(&most, "races");
  print_races(&fewest, "perhaps_races");
  printf("\"deadlock\": \"%s\", \"asserts\": [", values.deadlock  ? "yes"
                                                 : values.unclear ? "unclear"
                                                                  : "no");
  const char *comma = "";
  for (int i = 0; i < 4096; i++)
    if (values.failed[i]) printf("%s%d", comma, i), comma = ", ";
  printf("]}\n");
  return 0;
}
