/* The search: breadth first over packed states, each visited once.
 *
 * Only one thread moves where its next step commutes with all that others can do before
 * it (machine_is_local), provided that this leads to a state that was not seen before:
 * then what the others do is only put off, never forgotten. Otherwise every thread moves.
 *
 * A visited state is known by all of its bytes (visited.h), so that none is taken for
 * another one.
 *
 * For deadlocks the graph is kept as well (stuck.h), and only steps that surely exist in
 * the program may put others off: a step that was guessed could lead out of a wait that
 * the program never leaves. */
#include "engine/interleave/coarse.h"

#include "base/clock.h"
#include "engine/interleave/interleave.h"
#include "engine/interleave/machine.h"
#include "engine/interleave/path.h"
#include "engine/interleave/stuck.h"
#include "engine/interleave/visited.h"

#include <assert.h>

enum { POLL_EVERY = 16 };
static const uint64_t DEFAULT_BYTES = UINT64_C(2) << 30;

/* ---- the queue ---- */

/* Its bytes are those of the visited state, and then these. */
typedef struct Waiting {
  struct Waiting *next;
  uint32_t len;
  uint32_t number;
  uint8_t rest[];
} Waiting;

/* An assertion, and the step in which it may fail. */
typedef struct {
  EdgeId edge;
  Origin step;
} Failure;

typedef struct {
  const InterleaveQuestion *question;
  InterleaveAnswer *answer;
  Arena *arena;
  Machine machine;
  Facts *facts;
  Packer *packer;
  Coarse *coarse; /* or NULL: states are exact */
  Visited *visited;
  Waiting *first, **last;
  ByteVec now;     /* the bytes of the state that is expanded */
  uint32_t number; /* … and its number */
  Origins origins;
  VEC(Failure) failures;
  uint64_t bytes, max_bytes;
  double deadline;
  StuckGraph graph; /* if deadlocks are asked for */
  Str why;
  bool ended;   /* something was found or given up */
  bool limited; /* … because there is too much to explore */
} Search;

/* Adds the machine's state, which was reached by its last step, to those that wait; true if it is
 * new. */
static bool add_state(Search *x, uint32_t *ret_number) {
  if (machine_is_weak(&x->machine)) il_weak_tidy(&x->machine.s);
  Packed packed = state_pack(x->packer, x->facts, &x->machine.s);
  if (x->coarse) {
    state_unpack(&x->machine.s, packed.data);
    coarse_apply(x->coarse, &x->machine.s);
    packed = state_pack(x->packer, x->facts, &x->machine.s);
  }
  if (!visited_add(x->visited, &packed, ret_number)) return false;
  if (x->question->deadlocks) stuck_add_state(&x->graph);
  vec_push(&x->origins, origin_of_step(&x->machine, x->number));
  uint32_t rest = packed.len - packed.canonical;
  Waiting *w = mem_alloc(sizeof *w + rest);
  w->next = NULL;
  w->len = rest;
  w->number = *ret_number;
  if (rest) memcpy(w->rest, packed.data + packed.canonical, rest);
  *x->last = w;
  x->last = &w->next;
  x->bytes += sizeof *w + rest;
  return true;
}

static Waiting *take_state(Search *x) {
  Waiting *w = x->first;
  if (!w) return NULL;
  x->first = w->next;
  if (!x->first) x->last = &x->first;
  assert(x->bytes >= sizeof *w + w->len);
  x->bytes -= sizeof *w + w->len;
  x->number = w->number;
  vec_clear(&x->now);
  visited_get(x->visited, w->number, &x->now);
  if (w->len) memcpy(vec_extend(&x->now, w->len), w->rest, w->len);
  return w;
}

/* ---- the way to an error ---- */

/* Coarse states are not gone through once more: what a crowd does is no thread's own. */
static InterleavePath find_path(Search *x, PlanTarget target, uint32_t state,
                                const Origin *last, EdgeId first, EdgeId second) {
  InterleavePath path = {0};
  PathQuestion question = {.facts = x->facts,
                           .options = &x->machine.options,
                           .joins = x->question->deadlocks || x->question->threads,
                           .origins = &x->origins,
                           .state = state,
                           .last = last,
                           .target = target,
                           .edges = {first, second}};
  if (!x->coarse) path_find(&question, x->arena, &path);
  return path;
}

static void note_failures(Search *x) {
  const Machine *m = &x->machine;
  for (uint32_t i = 0; i < m->failing.len; i++)
    vec_push(&x->failures, ((Failure){m->failing.data[i], origin_of_step(m, x->number)}));
}

/* ---- expansion ---- */

static void conclude(Search *x, Outcome out) {
  x->ended = true;
  if (out == OUTCOME_RACE) {
    x->answer->edges[0] = x->machine.race_edges[0];
    x->answer->edges[1] = x->machine.race_edges[1];
    x->answer->object = x->machine.race_object;
    Origin last = origin_of_step(&x->machine, x->number);
    x->answer->path = find_path(x, TARGET_RACE, x->number, &last,
                                x->machine.race_edges[0], x->machine.race_edges[1]);
    str_add(&x->why, "two accesses are ordered by nothing in some interleaving");
  } else {
    x->limited = x->machine.crowded;
    str_addf(&x->why, "%s", str_text(&x->machine.why));
  }
}

/* The state that waits, with the thread apart that moves. */
static bool prepare(Search *x, uint32_t thread) {
  Machine *m = &x->machine;
  state_unpack(&m->s, x->now.data);
  if (!x->coarse || coarse_leave_crowd(x->coarse, &m->s, thread)) return true;
  m->edge = 0;
  il_give_up(m, "more than %d threads are apart", IL_MAX_THREADS);
  conclude(x, OUTCOME_GIVE_UP);
  return false;
}

/* The next answers to the choices of a step; false when all have been given. */
static bool next_choices(Machine *m) {
  uint32_t n = m->choice_count;
  while (n && m->chosen[n - 1] + 1u >= m->ways[n - 1]) n--;
  if (!n) return false;
  m->chosen[n - 1]++;
  m->choice_given = n;
  return true;
}

typedef struct {
  bool moved;   /* some way was open */
  bool fresh;   /* … to a state not seen before */
  bool waits;   /* some way was closed */
  bool guessed; /* not all of them need exist in the program */
  Wait wait;    /* why it did not move; of several ways, for all that they wait for */
  EdgeId edge;  /* … and where */
} Expansion;

/* Keeps a step of the graph for the judge. */
static void note_step(Search *x, const Waiting *w, Outcome out, uint32_t to) {
  const Machine *m = &x->machine;
  if (!x->question->deadlocks || m->guessed || m->idle) return;
  if (out == OUTCOME_EXIT || out == OUTCOME_PRUNED || out == OUTCOME_STOPPED)
    stuck_add_end(&x->graph, w->number);
  else if (out == OUTCOME_DONE)
    stuck_add_step(&x->graph, w->number, to, packer_kept_threads(x->packer));
}

static Expansion expand_thread(Search *x, const Waiting *w, uint32_t thread) {
  Expansion done = {0};
  Machine *m = &x->machine;
  m->choice_given = 0;
  do {
    if (!prepare(x, thread)) return done;
    Outcome out = machine_step(m, thread);
    note_failures(x);
    if (out == OUTCOME_RACE || out == OUTCOME_GIVE_UP) {
      conclude(x, out);
      return done;
    }
    uint32_t to = 0;
    if (out == OUTCOME_BLOCKED || m->idle) {
      done.waits = true;
      done.wait.event |= m->wait.event;
      done.wait.gone |= m->wait.gone;
      done.wait.holders |= m->wait.holders;
      done.edge = m->edge;
    } else {
      done.moved = true;
    }
    done.guessed = done.guessed || m->guessed;
    bool leads_on = out == OUTCOME_DONE || out == OUTCOME_STOPPED;
    x->answer->steps += leads_on;
    if (leads_on && add_state(x, &to)) done.fresh = true;
    note_step(x, w, out, to);
  } while (next_choices(m));
  return done;
}

/* Nothing keeps the thread from moving. A way that was guessed may not be the thread's own: where
 * another one is closed, the thread perhaps waits. */
static bool is_free(const Expansion *thread) {
  return thread->moved && !(thread->guessed && thread->waits);
}

static void report_stuck(Search *x, uint32_t state, EdgeId edge, const char *what) {
  x->ended = true;
  x->answer->path = find_path(x, TARGET_DEADLOCK, state, NULL, edge, 0);
  const Program *p = x->question->program;
  str_add(&x->why, what);
  const Loc *loc = edge ? vec_at(&p->locs, program_edge(p, edge)->loc) : NULL;
  if (loc && loc->line) str_addf(&x->why, " at %s:%u", sym_text(p, loc->file), loc->line);
}

/* Every thread was asked to move: is anybody in a wait that cannot end? */
static void judge_waits(Search *x, const Waiting *w, const Expansion *threads) {
  Machine *m = &x->machine;
  state_unpack(&m->s, x->now.data);
  Wait waits[IL_MAX_THREADS] = {0};
  uint64_t ended = 0, events = 0, moved = 0;
  EdgeId any = 0, event = 0;
  for (uint32_t t = 0; t < m->s.thread_count; t++) {
    uint64_t bit = UINT64_C(1) << t;
    if (m->s.threads[t].status == THREAD_STOPPED) {
      /* whoever waits for it waits no longer than the program runs */
      moved |= bit;
      stuck_add_end(&x->graph, w->number);
      continue;
    }
    if (m->s.threads[t].status != THREAD_LIVE) ended |= bit;
    if (m->s.threads[t].status != THREAD_LIVE) continue;
    if (is_free(&threads[t])) moved |= bit;
    if (is_free(&threads[t])) continue;
    waits[t] = threads[t].wait;
    any = threads[t].edge;
    if (!waits[t].event) continue;
    events |= bit;
    event = any;
  }
  uint64_t circle = stuck_circle(waits, ended);
  stuck_settle(&x->graph, w->number, events, event);
  if (circle)
    report_stuck(x, w->number, threads[__builtin_ctzll(circle)].edge,
                 "threads may wait for each other for ever");
  else if (!moved && any)
    report_stuck(x, w->number, any, "all threads may wait for ever");
}

static void expand(Search *x, const Waiting *w) {
  Machine *m = &x->machine;
  Expansion threads[IL_MAX_THREADS] = {0};
  bool careful = x->question->deadlocks;
  state_unpack(&m->s, x->now.data);
  uint64_t left = state_live_threads(&m->s);
  uint64_t candidates = x->question->no_reduction ? 0 : left;
  if (m->s.section_owner) {
    uint32_t owner = m->s.section_owner - 1;
    assert(owner < m->s.thread_count);
    left &= ~(UINT64_C(1) << owner);
    threads[owner] = expand_thread(x, w, owner);
    if (threads[owner].moved || x->ended) return;
  } else {
    for (uint64_t set = candidates; set; set &= set - 1) {
      uint32_t thread = (uint32_t)__builtin_ctzll(set);
      if (!prepare(x, thread)) return;
      if (!machine_is_local(m, thread)) continue;
      left &= ~(UINT64_C(1) << thread);
      threads[thread] = expand_thread(x, w, thread);
      if (x->ended) return;
      if (!threads[thread].fresh || (careful && threads[thread].guessed)) continue;
      x->answer->reduced += left != 0;
      return;
    }
  }
  for (; left && !x->ended; left &= left - 1) {
    uint32_t thread = (uint32_t)__builtin_ctzll(left);
    threads[thread] = expand_thread(x, w, thread);
  }
  if (careful && !x->ended) judge_waits(x, w, threads);
}

static bool out_of_budget(Search *x) {
  const InterleaveQuestion *q = x->question;
  uint64_t bytes = x->bytes + visited_bytes(x->visited) +
                   x->graph.steps.len * sizeof *x->graph.steps.data +
                   x->origins.len * sizeof *x->origins.data;
  if (q->max_states && visited_count(x->visited) >= q->max_states)
    str_addf(&x->why, "%llu states were seen, and there are more",
             (unsigned long long)visited_count(x->visited));
  else if (bytes > x->max_bytes)
    str_addf(&x->why, "%llu states were seen; more do not fit into memory",
             (unsigned long long)visited_count(x->visited));
  else if ((q->stop && *q->stop) || clock_now() > x->deadline)
    str_addf(&x->why, "%llu states were seen before the time was over",
             (unsigned long long)visited_count(x->visited));
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
  uint32_t first;
  add_state(x, &first);
  for (uint64_t n = 0; !x->ended; n++) {
    if (n % POLL_EVERY == 0 && out_of_budget(x)) {
      x->ended = x->limited = true;
      break;
    }
    Waiting *w = take_state(x);
    if (!w) break;
    expand(x, w);
    mem_free(w);
  }
  EdgeId edge = 0;
  uint32_t state = 0;
  if (!x->ended && x->question->deadlocks && !stuck_has_hope(&x->graph, &edge, &state))
    report_stuck(x, state, edge, "a thread may wait for ever");
  if (!x->ended && x->machine.cut) {
    x->ended = true;
    str_addf(&x->why, "no %s up to %u threads of each creating point",
             x->question->deadlocks ? "deadlock" : "race", x->question->threads);
  }
}

/* How a search goes about. */
typedef struct {
  double seconds;
  uint32_t values; /* coarse states, see coarse.h; 0: exact ones */
  bool split;      /* unknown indices one by one */
  bool weak;       /* atomics may read old values */
} Manner;

/* What another manner may do better. */
typedef struct {
  bool limited; /* there was too much to explore */
  bool vague;   /* unknown indices mattered */
  bool several; /* weak atomics are at several places, or there are fences */
} Complaint;

/* The assertions that may fail; all others hold if the search is complete. */
static void keep_failed(Search *x) {
  enum { MOST_PATHS = 8 };
  InterleaveAnswer *a = x->answer;
  uint32_t most = x->machine.failed.len;
  EdgeId *list = arena_alloc(x->arena, (most + 1) * sizeof *list);
  InterleavePath *paths = arena_alloc(x->arena, (most + 1) * sizeof *paths);
  Map seen = {0};
  for (uint32_t i = x->failures.len; i-- > 0;) { /* the last one is the surest */
    const Failure *f = &x->failures.data[i];
    if (map_get(&seen, f->edge)) continue;
    map_put(&seen, f->edge, 1);
    list[a->failed_count] = f->edge;
    paths[a->failed_count] = (InterleavePath){0};
    if (a->failed_count < MOST_PATHS)
      paths[a->failed_count] =
          find_path(x, TARGET_ASSERTION, f->step.parent, &f->step, f->edge, 0);
    a->failed_count++;
  }
  assert(a->failed_count <= most);
  a->failed = list;
  a->failing = paths;
  map_free(&seen);
}

static Complaint attempt(const InterleaveQuestion *question, Manner manner, Arena *arena,
                         InterleaveAnswer *answer) {
  memset(answer, 0, sizeof *answer);
  Search x = {.question = question, .answer = answer, .arena = arena};
  x.facts = facts_new(question->program, question->pointsto, question->watched,
                      question->havocked);
  x.packer = packer_new(question->deadlocks || question->threads);
  x.coarse = manner.values ? coarse_new(x.facts, manner.values) : NULL;
  x.visited = visited_new();
  x.last = &x.first;
  x.max_bytes = question->max_bytes ? question->max_bytes : DEFAULT_BYTES;
  x.deadline = clock_now() + manner.seconds;
  MachineOptions options = {question->deadlocks, question->unlock_any, question->threads,
                            manner.split,        manner.weak,          question->settled};
  machine_init(&x.machine, x.facts, &options);
  search(&x);
  answer->states = visited_count(x.visited);
  assert(x.ended || !x.first); /* all that was seen was gone through */
  answer->race_free = !x.ended;
  answer->deadlock_free = !x.ended && question->deadlocks;
  keep_failed(&x);
  answer->reason = x.ended ? arena_strdup(arena, str_text(&x.why)) : NULL;
  for (Waiting *w; (w = take_state(&x));) mem_free(w);
  Complaint complaint = {x.limited, x.machine.vague, x.machine.several};
  machine_free(&x.machine);
  coarse_free(x.coarse);
  packer_free(x.packer);
  facts_free(x.facts);
  visited_free(x.visited);
  vec_free(&x.now);
  vec_free(&x.origins);
  vec_free(&x.failures);
  stuck_free(&x.graph);
  str_free(&x.why);
  return complaint;
}

void interleave_run(const InterleaveQuestion *question, Arena *arena,
                    InterleaveAnswer *answer) {
  enum { COARSE = 2 };
  static const uint32_t VALUES[COARSE] = {16, 3};
  bool bounded = question->threads || question->max_states;
  Manner manner = {.seconds = bounded ? question->seconds : question->seconds / 2};
  InterleaveAnswer other;
  Complaint first = attempt(question, manner, arena, answer), second = {0};
  if (first.several && answer->reason && !question->deadlocks) {
    manner.weak = true;
    first = attempt(question, manner, arena, answer);
  }
  if (bounded || !answer->reason) return;
  /* exact first, then with more effort, then coarser: what fails there says nothing */
  manner.seconds = question->seconds / 2 / (COARSE + 1);
  manner.split = first.vague;
  if (manner.split) second = attempt(question, manner, arena, &other);
  if (manner.split && !other.reason) *answer = other;
  if (!first.limited && !second.limited) return;
  for (int i = 0; i < COARSE && answer->reason && !question->deadlocks; i++) {
    if (question->stop && *question->stop) return;
    manner.values = VALUES[i];
    attempt(question, manner, arena, &other);
    if (!other.reason) *answer = other;
  }
}
