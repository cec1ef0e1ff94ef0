/* The search: breadth first over packed states, each visited once.
 *
 * Only one thread moves where its next step commutes with all that others can do before
 * it (machine_is_local), provided that this leads to a state that was not seen before:
 * then what the others do is only put off, never forgotten. Otherwise every thread moves.
 *
 * A visited state is known by the 128-bit hash of its canonical form. */
#include "engine/interleave/interleave.h"
#include "engine/interleave/machine.h"

#include <time.h>
#include <xxhash.h>

enum { POLL_EVERY = 256 };
static const uint64_t DEFAULT_BYTES = UINT64_C(2) << 30;

/* ---- the visited set ---- */

typedef struct {
  XXH128_hash_t *slots; /* all zero: empty */
  uint64_t size, used;
} Visited;

static bool same_hash(XXH128_hash_t a, XXH128_hash_t b) {
  return a.low64 == b.low64 && a.high64 == b.high64;
}

static bool is_empty(XXH128_hash_t h) {
  return !h.low64 && !h.high64;
}

static XXH128_hash_t *find_slot(const Visited *v, XXH128_hash_t h) {
  uint64_t at = h.low64 & (v->size - 1);
  while (!is_empty(v->slots[at]) && !same_hash(v->slots[at], h))
    at = (at + 1) & (v->size - 1);
  return &v->slots[at];
}

static void grow(Visited *v) {
  Visited larger = {.size = v->size ? 2 * v->size : 1 << 12, .used = v->used};
  larger.slots = mem_alloc_zero(larger.size * sizeof *larger.slots);
  for (uint64_t i = 0; i < v->size; i++)
    if (!is_empty(v->slots[i])) *find_slot(&larger, v->slots[i]) = v->slots[i];
  mem_free(v->slots);
  *v = larger;
}

/* True if it was not there yet. */
static bool visit(Visited *v, XXH128_hash_t h) {
  if (is_empty(h)) h.low64 = 1;
  if (2 * (v->used + 1) > v->size) grow(v);
  XXH128_hash_t *slot = find_slot(v, h);
  if (!is_empty(*slot)) return false;
  *slot = h;
  v->used++;
  return true;
}

/* ---- the queue ---- */

typedef struct Waiting {
  struct Waiting *next;
  uint32_t len;
  uint8_t bytes[];
} Waiting;

typedef struct {
  const InterleaveQuestion *question;
  InterleaveAnswer *answer;
  Machine machine;
  Facts *facts;
  Packer *packer;
  Visited visited;
  Waiting *first, **last;
  uint64_t bytes, max_bytes;
  double deadline;
  Str why;
  bool ended; /* something was found or given up */
} Search;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Adds the machine's state to those that wait; true if it is new. */
static bool add_state(Search *x) {
  Packed packed = state_pack(x->packer, x->facts, &x->machine.s);
  if (!visit(&x->visited, XXH3_128bits(packed.data, packed.hashed))) return false;
  Waiting *w = mem_alloc(sizeof *w + packed.len);
  w->next = NULL;
  w->len = packed.len;
  memcpy(w->bytes, packed.data, packed.len);
  *x->last = w;
  x->last = &w->next;
  x->bytes += sizeof *w + packed.len;
  return true;
}

static Waiting *take_state(Search *x) {
  Waiting *w = x->first;
  if (!w) return NULL;
  x->first = w->next;
  if (!x->first) x->last = &x->first;
  x->bytes -= sizeof *w + w->len;
  return w;
}

/* ---- expansion ---- */

static void conclude(Search *x, Outcome out) {
  x->ended = true;
  if (out == OUTCOME_RACE) {
    x->answer->edges[0] = x->machine.race_edges[0];
    x->answer->edges[1] = x->machine.race_edges[1];
    str_add(&x->why, "two accesses are ordered by nothing in some interleaving");
  } else {
    str_addf(&x->why, "%s", str_text(&x->machine.why));
  }
}

/* The next answers to the choices of a step; false when all have been given. */
static bool next_choices(Machine *m) {
  uint32_t n = m->choice_count;
  while (n && m->chosen[n - 1] + 1u >= m->options[n - 1]) n--;
  if (!n) return false;
  m->chosen[n - 1]++;
  m->choice_given = n;
  return true;
}

typedef struct {
  bool moved; /* some way was open */
  bool fresh; /* … to a state not seen before */
} Expansion;

static Expansion expand_thread(Search *x, const Waiting *w, uint32_t thread) {
  Expansion done = {0};
  Machine *m = &x->machine;
  m->choice_given = 0;
  do {
    state_unpack(&m->s, w->bytes);
    Outcome out = machine_step(m, thread);
    if (out == OUTCOME_RACE || out == OUTCOME_GIVE_UP) {
      conclude(x, out);
      return done;
    }
    done.moved = done.moved || out != OUTCOME_BLOCKED;
    if (out == OUTCOME_DONE && add_state(x)) done.fresh = true;
  } while (next_choices(m));
  return done;
}

static void expand(Search *x, const Waiting *w) {
  Machine *m = &x->machine;
  state_unpack(&m->s, w->bytes);
  uint64_t left = state_live_threads(&m->s);
  if (m->s.section_owner) {
    uint32_t owner = m->s.section_owner - 1;
    left &= ~(UINT64_C(1) << owner);
    if (expand_thread(x, w, owner).moved || x->ended) return;
  } else {
    for (uint64_t set = left; set; set &= set - 1) {
      uint32_t thread = (uint32_t)__builtin_ctzll(set);
      state_unpack(&m->s, w->bytes);
      if (!machine_is_local(m, thread)) continue;
      left &= ~(UINT64_C(1) << thread);
      if (expand_thread(x, w, thread).fresh || x->ended) return;
    }
  }
  for (; left && !x->ended; left &= left - 1)
    expand_thread(x, w, (uint32_t)__builtin_ctzll(left));
}

static bool out_of_budget(Search *x) {
  const InterleaveQuestion *q = x->question;
  if (q->max_states && x->visited.used >= q->max_states)
    str_addf(&x->why, "no race in %llu states, and there are more",
             (unsigned long long)x->visited.used);
  else if (x->bytes > x->max_bytes)
    str_addf(&x->why, "no race in %llu states; more do not fit into memory",
             (unsigned long long)x->visited.used);
  else if ((q->stop && *q->stop) || now() > x->deadline)
    str_addf(&x->why, "no race in %llu states; the time was over",
             (unsigned long long)x->visited.used);
  else
    return false;
  return true;
}

static void search(Search *x) {
  Outcome out = machine_start(&x->machine);
  if (out != OUTCOME_NEXT) {
    conclude(x, out);
    return;
  }
  add_state(x);
  for (uint64_t n = 0; !x->ended; n++) {
    if (n % POLL_EVERY == 0 && out_of_budget(x)) {
      x->ended = true;
      break;
    }
    Waiting *w = take_state(x);
    if (!w) break;
    expand(x, w);
    mem_free(w);
  }
}

void interleave_run(const InterleaveQuestion *question, Arena *arena,
                    InterleaveAnswer *answer) {
  memset(answer, 0, sizeof *answer);
  Search x = {.question = question, .answer = answer};
  x.facts = facts_new(question->program, question->pointsto, question->watched);
  x.packer = packer_new();
  x.last = &x.first;
  x.max_bytes = question->max_bytes ? question->max_bytes : DEFAULT_BYTES;
  x.deadline = now() + question->seconds;
  machine_init(&x.machine, x.facts);
  const char *objection = facts_objection(x.facts);
  if (objection) {
    str_add(&x.why, objection);
    x.ended = true;
  } else {
    search(&x);
  }
  answer->states = x.visited.used;
  answer->race_free = !x.ended;
  answer->assert_free = !x.ended && !x.machine.assert_failed;
  answer->reason = x.ended ? arena_strdup(arena, str_text(&x.why)) : NULL;
  for (Waiting *w; (w = take_state(&x));) mem_free(w);
  machine_free(&x.machine);
  packer_free(x.packer);
  facts_free(x.facts);
  mem_free(x.visited.slots);
  str_free(&x.why);
}
