/* See through.h.
 *
 * Every edge of the model has a spot, the file and the line where it stands; 0 where no waypoint
 * is. A thread comes to a waypoint by a step into its spot from elsewhere: further steps of the
 * same line belong to the same statement. */
#include "engine/hunt/through.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/exec/clocks.h"
#include "verdict/place.h"

#include <string.h>

enum {
  MOST_STEPS = 100000, /* of a run */
  BURST = 64, /* steps of one thread between two waypoints, before others have a turn */
  SHORT = 8,  /* fewer, in half of the runs */
  POLL_EVERY = 64,
};

typedef struct {
  const Through *through;
  StrMap names;            /* of files, without folders → number, from 1 */
  Map spots;               /* number << 32 | line → spot, from 1 */
  VEC(uint32_t) at;        /* by waypoint: its spot */
  VEC(uint32_t) edge_spot; /* by edge */
  /* the run */
  uint64_t number, random;
  Exec *exec;
  uint32_t next; /* waypoint */
  VEC(uint32_t)
  ahead; /* by spot: how many waypoints to be followed are there, from `next` on */
  VEC(uint32_t) avoided;  /* by spot: how many are to be avoided before `next` */
  VEC(uint32_t) stood;    /* by thread: the spot of its last step */
  uint32_t thread, burst; /* who moves */
  uint32_t finishing;     /* … so many steps at most, to the end of its statement */
  bool given;             /* the value of the step being taken */
  int64_t value;
  HuntSteps steps;
  HuntValues values;
  Clocks *clocks;
  Witness seen; /* a race at the target */
  uint32_t passed;
} Walk;

static uint64_t draw(Walk *w) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random;
}

/* ---- spots ------------------------------------------------------------------------ */

static uint64_t *spot_of(Walk *w, const char *file, uint32_t line) {
  const char *slash = strrchr(file, '/');
  const char *name = slash ? slash + 1 : file;
  uint64_t *number = strmap_at(&w->names, name, strlen(name));
  if (!*number) *number = w->names.len;
  return map_at(&w->spots, *number << 32 | line);
}

static void find_spots(Walk *w) {
  const Program *p = w->through->program;
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->through->count; i++) {
    const Waypoint *point = &w->through->waypoints[i];
    uint64_t *spot = spot_of(w, point->file, point->line);
    if (!*spot) *spot = ++count;
    vec_push(&w->at, (uint32_t)*spot);
  }
  for (EdgeId e = 0; e < p->edges.len; e++) {
    SourcePlace place = place_of_edge(p, e);
    bool known = e && place_is_known(&place);
    vec_push(&w->edge_spot, known ? (uint32_t)*spot_of(w, place.file, place.line) : 0);
  }
  for (uint32_t i = 0; i <= count; i++) {
    vec_push(&w->ahead, 0);
    vec_push(&w->avoided, 0);
  }
}

/* The edge may be what the waypoint in its line tells of. Statements begin before what they do,
 * calls end behind it. */
static bool is_meant(const Walk *w, const Waypoint *point, EdgeId edge) {
  const Edge *e = program_edge(w->through->program, edge);
  uint32_t column = place_of_edge(w->through->program, edge).column;
  if (point->kind == WAYPOINT_RETURN && point->has_value && e->op != OP_HAVOC)
    return false;
  if (!point->column || !column) return true;
  bool ends = point->kind == WAYPOINT_RETURN || point->kind == WAYPOINT_ENTER;
  return ends ? column <= point->column : column >= point->column;
}

static uint32_t first_nowhere(const Walk *w) {
  uint32_t i = 0;
  for (; i < w->through->count; i++) {
    bool there = false;
    for (EdgeId e = 1; e < w->edge_spot.len && !there; e++)
      there = w->edge_spot.data[e] == w->at.data[i] &&
              is_meant(w, &w->through->waypoints[i], e);
    if (!there && !w->through->waypoints[i].avoid) break;
  }
  return i;
}

/* ---- the next step ---------------------------------------------------------------- */

static uint32_t stood_at(const Walk *w, uint32_t thread) {
  return thread < w->stood.len ? w->stood.data[thread] : 0;
}

/* The spot that the step enters, or 0. */
static uint32_t enters(const Walk *w, const ExecChoice *c) {
  uint32_t spot = c->kind == CHOICE_STEP ? w->edge_spot.data[c->edge] : 0;
  return spot == stood_at(w, c->thread) ? 0 : spot;
}

static bool is_next(const Walk *w, const ExecChoice *c) {
  const Waypoint *point = &w->through->waypoints[w->next];
  if (c->kind != CHOICE_STEP || w->edge_spot.data[c->edge] != w->at.data[w->next] ||
      !is_meant(w, point, c->edge))
    return false;
  return point->kind == WAYPOINT_RETURN || point->kind == WAYPOINT_TARGET ||
         enters(w, c) != 0;
}

static bool is_free(const Walk *w, const ExecChoice *c) {
  uint32_t spot = enters(w, c);
  return c->kind == CHOICE_STEP &&
         !(spot && (w->ahead.data[spot] || w->avoided.data[spot]));
}

static bool is_allowed(const Walk *w, const ExecChoice *c) {
  uint32_t spot = enters(w, c);
  return !(spot && w->avoided.data[spot]);
}

/* One of the choices of which `fits` is true, the first one in the first run; n: none. */
static size_t pick_one(Walk *w, const ExecChoice *choices, size_t n,
                       bool (*fits)(const Walk *, const ExecChoice *)) {
  size_t count = 0, best = n;
  for (size_t i = 0; i < n; i++)
    if (fits(w, &choices[i]) && (!count++ || (w->number && draw(w) % count == 0)))
      best = i;
  return best;
}

static size_t pick_same(Walk *w, const ExecChoice *choices, size_t n) {
  if (!w->burst) return n;
  w->burst--;
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == w->thread && is_free(w, &choices[i])) return i;
  return n;
}

/* In every other run the first access of a race is put off until the others can do nothing else:
 * the run may end with it. */
static bool waits(const Walk *w) {
  return !w->through->assertion && w->next + 2 == w->through->count && w->number % 2;
}

/* The rest of the statement that a waypoint has begun: what matters may be its last step. In every
 * fourth run others come in between. */
static size_t pick_rest(Walk *w, const ExecChoice *choices, size_t n) {
  for (size_t i = 0; i < n && w->finishing; i++)
    if (choices[i].thread == w->thread && choices[i].kind == CHOICE_STEP &&
        w->edge_spot.data[choices[i].edge] == stood_at(w, w->thread)) {
      w->finishing--;
      return i;
    }
  w->finishing = 0;
  return n;
}

/* Who stands at the waypoint goes, also of several; then those who are on their way; then whoever
 * can, but for what is to be avoided. */
static size_t pick(Walk *w, const ExecChoice *choices, size_t n) {
  size_t i = pick_rest(w, choices, n);
  if (i == n && !waits(w)) i = pick_one(w, choices, n, is_next);
  if (i == n) i = pick_same(w, choices, n);
  if (i == n) {
    i = pick_one(w, choices, n, is_free);
    w->burst = w->number / 2 % 2 ? (uint32_t)(draw(w) % SHORT) : BURST;
  }
  if (i == n) i = pick_one(w, choices, n, is_next);
  if (i == n) i = pick_one(w, choices, n, is_allowed);
  return i;
}

/* ---- taking it -------------------------------------------------------------------- */

static void count_ahead(Walk *w) {
  for (uint32_t i = 0; i < w->ahead.len; i++) w->ahead.data[i] = w->avoided.data[i] = 0;
  for (uint32_t i = 0; i < w->through->count; i++)
    if (i >= w->next && !w->through->waypoints[i].avoid) w->ahead.data[w->at.data[i]]++;
}

/* What is to be avoided stands before what is to be followed. */
static void skip_avoided(Walk *w) {
  for (uint32_t i = 0; i < w->avoided.len; i++) w->avoided.data[i] = 0;
  for (; w->next + 1 < w->through->count && w->through->waypoints[w->next].avoid;
       w->next++)
    w->avoided.data[w->at.data[w->next]]++;
}

static void pass(Walk *w) {
  const Waypoint *point = &w->through->waypoints[w->next];
  if (point->kind == WAYPOINT_TARGET) return;
  w->given = point->has_value;
  w->value = point->value;
  w->ahead.data[w->at.data[w->next]]--;
  w->next++;
  w->finishing = w->number % 4 == 3 ? 0 : BURST;
  skip_avoided(w);
  if (w->next > w->passed) w->passed = w->next;
  w->burst = 0;
}

static bool take(Walk *w, const ExecChoice *choices, size_t i) {
  ExecChoice c = choices[i];
  HuntStep step = {c.thread, c.edge, c.kind, c.waiter};
  w->given = false;
  if (is_next(w, &c)) pass(w);
  while (w->stood.len <= c.thread) vec_push(&w->stood, 0);
  if (program_edge(w->through->program, c.edge)->loc)
    w->stood.data[c.thread] = w->edge_spot.data[c.edge];
  w->thread = c.thread;
  vec_push(&w->steps, step);
  return exec_step(w->exec, i);
}

static void choose_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  Walk *w = user;
  bool given = w->given && program_edge(w->through->program, edge)->op == OP_HAVOC;
  uint64_t value = w->number ? draw(w) % 8 : 0;
  for (uint32_t i = 0; i < (bits + 63) / 64; i++) {
    uint64_t sign = given && w->value < 0 ? UINT64_MAX : 0;
    words[i] = i ? sign : given ? (uint64_t)w->value : value;
    vec_push(&w->values, words[i]);
  }
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

/* ---- the target ------------------------------------------------------------------- */

static bool at_target(const Walk *w, EdgeId edge) {
  uint32_t last = w->through->count - 1;
  return w->edge_spot.data[edge] == w->at.data[last] &&
         is_meant(w, &w->through->waypoints[last], edge);
}

static bool wants_all(void *user, EdgeId edge) {
  (void)user, (void)edge;
  return true;
}

/* Two accesses that nothing orders, one of them at the target, when all else was passed. */
static void see_race(void *user, const ClockAccess *before, const ExecEvent *now) {
  Walk *w = user;
  uint32_t step = w->steps.len - 1;
  if (w->seen.kind != WITNESS_NONE || w->next + 1 < w->through->count ||
      before->step >= step || (!at_target(w, now->edge) && !at_target(w, before->edge)))
    return;
  w->seen = (Witness){.kind = WITNESS_RACE,
                      .threads = {before->thread, now->thread},
                      .edges = {before->edge, now->edge},
                      .address = before->address,
                      .unordered = true,
                      .at = {before->step, step},
                      .hidden = now->hidden};
}

static void watch(void *user, const ExecEvent *event) {
  Walk *w = user;
  if (w->steps.len) clocks_event(w->clocks, event, w->steps.len - 1);
}

static bool has_failed(const Walk *w) {
  const ExecResult *end = exec_result(w->exec);
  const Program *p = w->through->program;
  return w->through->assertion && end->end == EXEC_ASSERTION &&
         w->next + 1 == w->through->count && at_target(w, end->edge) &&
         str_eq(sym_text(p, program_edge(p, end->edge)->path), w->through->assertion);
}

/* Two threads stand before conflicting accesses, one of them at the target, and the other one where
 * the waypoint before it is, or that was passed. */
static void look_for_meeting(Walk *w, const ExecChoice *choices, size_t n) {
  if (w->through->assertion || w->next + 2 < w->through->count) return;
  for (size_t i = 0; i < n; i++) {
    if (choices[i].kind != CHOICE_STEP || !at_target(w, choices[i].edge)) continue;
    for (size_t k = 0; k < n; k++) {
      Witness race = {.kind = WITNESS_RACE,
                      .threads = {choices[i].thread, choices[k].thread},
                      .edges = {choices[i].edge, choices[k].edge}};
      bool passed = w->next + 1 == w->through->count || is_next(w, &choices[k]);
      if (passed && race.threads[0] != race.threads[1] &&
          choices[k].kind == CHOICE_STEP &&
          hunt_accesses_meet(w->exec, race.threads, race.edges, &race.address))
        w->seen = race;
    }
  }
}

/* ---- runs ------------------------------------------------------------------------- */

static void start(Walk *w, uint64_t number) {
  w->number = number;
  w->random = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  w->next = w->thread = w->burst = 0;
  w->finishing = 0;
  w->given = false;
  w->seen = (Witness){0};
  vec_clear(&w->stood);
  vec_clear(&w->steps);
  vec_clear(&w->values);
  clocks_clear(w->clocks);
  count_ahead(w);
  skip_avoided(w);
}

static bool is_over(const Walk *w, double deadline) {
  return (w->through->stop && *w->through->stop) || clock_now() > deadline;
}

static void move(Walk *w, double deadline) {
  for (uint32_t taken = 0; taken < MOST_STEPS; taken++) {
    const ExecChoice *choices;
    size_t n = exec_choices(w->exec, &choices);
    look_for_meeting(w, choices, n);
    if (w->seen.kind != WITNESS_NONE) return;
    size_t i = n ? pick(w, choices, n) : n;
    if (i == n || !take(w, choices, i) || w->seen.kind != WITNESS_NONE) return;
    if (taken % POLL_EVERY == 0 && is_over(w, deadline)) return;
  }
}

static bool complete(const Walk *w, Witness *witness) {
  if (w->steps.len)
    memcpy(vec_extend(&witness->steps, w->steps.len), w->steps.data,
           w->steps.len * sizeof *w->steps.data);
  if (w->values.len)
    memcpy(vec_extend(&witness->values, w->values.len), w->values.data,
           w->values.len * sizeof *w->values.data);
  if (witness_check(w->through->program, witness)) return true;
  witness_free(witness);
  return false;
}

static bool run(Walk *w, uint64_t number, double deadline, Witness *ret) {
  start(w, number);
  ExecOptions options = {.seed = number,
                         .argc = 1,
                         .argv = witness_arguments(),
                         .stepwise = true,
                         .spurious = witness_wakes(number),
                         .refusals = witness_refuses(number),
                         .isolated = true,
                         .input = "",
                         .havoc = choose_value,
                         .output = drop_output,
                         .watch = w->through->assertion ? NULL : watch,
                         .user = w};
  w->exec = exec_new(w->through->program, &options);
  move(w, deadline);
  bool failed = has_failed(w), races = w->seen.kind != WITNESS_NONE;
  Witness witness = {.kind = WITNESS_ASSERT, .edge = exec_result(w->exec)->edge};
  if (races) witness = w->seen;
  witness.seed = number;
  witness.input = "";
  exec_free(w->exec);
  if ((!failed && !races) || !complete(w, &witness)) return false;
  *ret = witness;
  return true;
}

bool hunt_through(const Through *through, Witness *ret_witness, uint32_t *ret_passed,
                  uint32_t *ret_nowhere) {
  Walk w = {.through = through};
  double deadline = clock_now() + through->seconds;
  w.clocks = clocks_new(wants_all, see_race, &w);
  find_spots(&w);
  *ret_nowhere = first_nowhere(&w);
  bool found = false;
  for (uint64_t n = 0; *ret_nowhere == through->count && !found && !is_over(&w, deadline);
       n++)
    found = run(&w, n, deadline, ret_witness);
  *ret_passed = w.passed;
  clocks_free(w.clocks);
  strmap_free(&w.names);
  map_free(&w.spots);
  vec_free(&w.at);
  vec_free(&w.edge_spot);
  vec_free(&w.ahead);
  vec_free(&w.avoided);
  vec_free(&w.stood);
  vec_free(&w.steps);
  vec_free(&w.values);
  return found;
}
