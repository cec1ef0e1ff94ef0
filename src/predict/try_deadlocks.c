/* Deadlocks: circles of locks, and those of any kind by the CSP checker. Circles of the same
 * places are many in a long run; only some of them are asked. */
#include "predict/predictor.h"

enum { MOST_ALIKE = 16 }; /* circles of the same places that are asked */

/* All within the window. */
static bool are_near(const Predictor *p, const Circle *c) {
  for (uint32_t i = 0; p->o->window && i < c->targets.len; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Target *a = &c->targets.data[i], *b = &c->targets.data[k];
      if (run_distance(p->run, a->thread, a->position, b->thread, b->position) >
          p->o->window)
        return false;
    }
  return true;
}

/* The places in the code, in other threads, rounds, or with other locks of a kind: the
 * same circle to the reader. */
static void add_places(const Predictor *p, const Circle *c, Str *key) {
  uint32_t first = 0, n = c->targets.len;
  uint64_t *places = mem_alloc((n + 1) * sizeof *places);
  for (uint32_t i = 0; i < n; i++) {
    const RunThread *t = &p->run->threads.data[c->targets.data[i].thread];
    const Step *s = &p->run->steps.data[t->steps.data[c->targets.data[i].position]];
    places[i] = p->run->trace->events.data[s->event].pc;
    if (places[i] < places[first]) first = i;
  }
  for (uint32_t i = 0; i < n; i++)
    str_add_bytes(key, &places[(first + i) % n], sizeof *places);
  mem_free(places);
}

/* The program reads what it read and still goes another way: what decides about that was not
 * seen. Circles of the same places are told once, by the one that showed. */
static void keep_circle(Predictor *p, Prediction *x, bool found, uint64_t *open) {
  bool surprised = found && x->state == PREDICT_DROPPED && x->surprised;
  if (surprised) x->state = PREDICT_OPEN;
  if (found && *open && x->state == PREDICT_REPLAYED)
    p->ret->predictions.data[*open - 1].state = PREDICT_DROPPED;
  uint32_t before = p->ret->predictions.len;
  attempt_keep(p, x, found && !(surprised && *open));
  if (surprised && p->ret->predictions.len > before) *open = p->ret->predictions.len;
}

/* Of one circle; *known counts those of its places that were asked, and is set to the most
 * when one of them is reported. */
static bool try_circle(Predictor *p, const Circle *c, uint64_t *known, uint64_t *open) {
  bool found = false, ok;
  SolveAnswer answer;
  if (*known >= MOST_ALIKE || !p->work || predictor_time_is_over(p)) {
    if (*known < MOST_ALIKE && p->work)
      p->ret->stats.unexplored++;
    else
      p->ret->stats.unasked += *known <= MOST_ALIKE; /* not those of a known error */
    return true;
  }
  ++*known;
  Prediction x = {.property = PROPERTY_DEADLOCK};
  schedule_init(&x.schedule);
  Solver *solver = solve_begin(p->run, c->targets.data, c->targets.len, &p->limits);
  ok = attempt_situation(p, &x, solver, ORDERS_ALL, &found, &answer);
  p->ret->stats.undecided += answer == SOLVE_UNDECIDED;
  attempt_end(p, solver);
  if (found && (x.state == PREDICT_REPLAYED || !p->o->replay)) *known = MOST_ALIKE + 1;
  keep_circle(p, &x, found, open);
  return ok;
}

bool try_circles(Predictor *p) {
  Circles circles;
  bool ok = true;
  StrMap tried = {0}, open = {0}; /* by places: how many, and which one stays open + 1 */
  deadlocks_find(p->run, &circles);
  p->ret->stats.circles = circles.circles.len;
  p->ret->stats.circles_cut |= circles.cut;
  progress_phase(p->o->progress, "deadlocks", circles.circles.len);
  for (uint32_t i = 0; ok && i < circles.circles.len; i++) {
    const Circle *c = &circles.circles.data[i];
    Str key = {0};
    add_places(p, c, &key);
    bool far = !are_near(p, c);
    p->ret->stats.distant += far;
    if (!far)
      ok = try_circle(p, c, strmap_at(&tried, str_text(&key), key.len),
                      strmap_at(&open, str_text(&key), key.len));
    str_free(&key);
    progress_step(p->o->progress, 1, NULL);
  }
  strmap_free(&tried);
  strmap_free(&open);
  deadlocks_free(&circles);
  return ok;
}

/* In a window of the run, or in all of it. */
static bool try_window(Predictor *p, Window window, bool *ret_found,
                       SolveAnswer *answer) {
  Solver *solver = solve_begin(p->run, NULL, 0, &p->limits);
  Prediction x = {.property = PROPERTY_DEADLOCK};
  schedule_init(&x.schedule);
  if (window.begin || window.end < p->run->steps.len) solve_set_window(solver, window);
  bool ok = attempt_situation(p, &x, solver, ORDERS_ALL, ret_found, answer);
  attempt_end(p, solver);
  attempt_keep(p, &x, ok && *ret_found);
  return ok;
}

static bool try_windows(Predictor *p, uint32_t width, bool *undecided) {
  uint32_t count = window_count(p->run, width);
  bool ok = true, found = false;
  for (uint32_t i = 0; ok && !found && i < count; i++) {
    SolveAnswer answer;
    if (predictor_time_is_over(p) || !p->work) {
      *undecided = true;
      break;
    }
    ok = try_window(p, window_at(p->run, width, i), &found, &answer);
    *undecided |= answer == SOLVE_UNDECIDED;
  }
  return ok;
}

/* Deadlocks that are no circles of locks: the run as a CSP system, or its windows if that is asked for. Not
 * by itself when a run is too large: threads that stand still at the end of a window may wait for
 * something behind it. */
bool try_any_deadlock(Predictor *p) {
  bool undecided = false, ok = try_windows(p, p->o->window, &undecided);
  p->ret->stats.deadlock_undecided |= undecided;
  return ok;
}
