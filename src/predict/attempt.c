/* One situation: orders that lead there are asked for and replayed until the error shows. */
#include "predict/predictor.h"

enum {
  ORDERS_FOR_SEEN = 2
}; /* tried for a race that happened, which needs none of them */

void attempt_end(Predictor *p, Solver *solver) {
  uint64_t work = solve_work(solver);
  p->work = p->work > work ? p->work - work : 0;
  solve_end(solver);
}

static bool showed(const Prediction *x, const Control *c) {
  return c->outcome == (x->property == PROPERTY_RACE ? CONTROL_RACE : CONTROL_DEADLOCK) ||
         (x->property == PROPERTY_RACE && c->outcome == CONTROL_DEADLOCK);
}

/* The program of a schedule; its file is read once. */
static bool stamp(Predictor *p, Schedule *s) {
  if (p->stamped) {
    s->program = arena_strdup(s->arena, p->program);
    s->program_hash = p->program_hash;
    return true;
  }
  if (!schedule_set_program(s, p->o->program, p->err)) return false;
  p->program = str_dup(s->program);
  p->program_hash = s->program_hash;
  p->stamped = true;
  return true;
}

/* What the replay tells, whose answer becomes the prediction's. */
static void take_answer(Predictor *p, Prediction *x, Control *c) {
  mem_free(x->shown);
  x->shown = c;
  x->confirmation = (Confirmation){0};
  if (showed(x, c)) {
    x->state = PREDICT_REPLAYED;
    if (c->outcome == CONTROL_DEADLOCK)
      x->property = PROPERTY_DEADLOCK;
    else if (c->outcome == CONTROL_RACE)
      x->confirmation = confirm_race(&x->schedule, c);
    if (p->ret->stats.openmp && c->outcome == CONTROL_RACE)
      x->confirmation.refuted =
          "both threads stood before their accesses, but OpenMP's own synchronisation, "
          "which is not understood, may order them";
    if (x->confirmation.refuted) x->state = PREDICT_OPEN;
  } else if (c->outcome != CONTROL_DIVERGED && c->outcome != CONTROL_FOLLOWED) {
    x->state = PREDICT_OPEN; /* the time was over on the way */
  }
}

static bool replay(Predictor *p, Prediction *x, Control **ret) {
  x->tries++;
  p->ret->stats.replays++;
  progress_step(p->o->progress, 1, "replaying");
  return p->o->replay(p->o->user, &x->schedule, ret, p->err);
}

/* Replays one order. False for an error. */
static bool try_order(Predictor *p, Prediction *x, const StepOrder *order) {
  Control *c = NULL;
  schedule_free(&x->schedule);
  schedule_init(&x->schedule);
  schedule_from_order(&x->schedule, p->run, order,
                      x->property == PROPERTY_RACE ? &x->pair : NULL);
  if (p->o->program && !stamp(p, &x->schedule)) return false;
  if (!p->o->replay) {
    p->kept += order->len;
    return true;
  }
  if (!replay(p, x, &c)) return false;
  if (x->property == PROPERTY_RACE && !showed(x, c) && c->at == x->schedule.steps.len &&
      c->outcome == CONTROL_DIVERGED && c->diverged_op != TRACE_NONE &&
      x->schedule.hold[0].pc && x->schedule.hold[1].pc) {
    /* The steps were followed, but not to that memory: it may lie elsewhere this time. */
    mem_free(c);
    c = NULL;
    x->schedule.hold[0].size = x->schedule.hold[1].size = 0;
    if (!p->o->replay(p->o->user, &x->schedule, &c, p->err)) return false;
  }
  take_answer(p, x, c);
  return true;
}

bool attempt_meeting(Predictor *p, const RacePair *pair, Prediction *x) {
  Control *c = NULL;
  *x = (Prediction){.property = PROPERTY_RACE,
                    .state = PREDICT_DROPPED,
                    .way = "meeting",
                    .pair = *pair};
  schedule_init(&x->schedule);
  schedule_from_pair(&x->schedule, p->run, pair);
  if ((p->o->program && !stamp(p, &x->schedule)) || !replay(p, x, &c)) return false;
  if (c->outcome == CONTROL_FOLLOWED && !c->held && pair->a.pc && pair->b.pc) {
    /* Nobody came to that memory: it may lie elsewhere this time. */
    mem_free(c);
    c = NULL;
    for (int k = 0; k < 2; k++) {
      x->schedule.hold[k].pc = k ? pair->b.pc : pair->a.pc;
      x->schedule.hold[k].size = 0;
    }
    if (!replay(p, x, &c)) return false;
  }
  take_answer(p, x, c);
  if (x->state == PREDICT_REPLAYED && x->property == PROPERTY_RACE)
    for (int k = 0; k < 2; k++) x->schedule.hold[k].thread = c->places[k].thread;
  return true;
}

/* Other orders would not tell more than that it is not known. */
static bool stays_open(const Predictor *p, const Prediction *x) {
  return x->state == PREDICT_OPEN && x->shown &&
         (x->shown->outcome == CONTROL_WAITING ||
          (p->ret->stats.openmp && x->confirmation.refuted));
}

/* All steps were taken, and no deadlock was there: a lock that is only tried makes none. (Of a
 * race, the two may have been kept apart by something that was not seen.) */
static bool refutes(const Prediction *x) {
  return x->property == PROPERTY_DEADLOCK && x->shown &&
         (x->shown->outcome != CONTROL_DIVERGED || x->shown->at >= x->schedule.steps.len);
}

/* Every access up to the situation finds what was written there before it in the recorded
 * run. */
static bool keeps_values(const Predictor *p, const Prediction *x,
                         const StepOrder *order) {
  const Run *run = p->run;
  if (!p->strict || !str_eq(x->way, "values")) return false;
  uint32_t *taken = mem_alloc_zero((run->threads.len + 1) * sizeof *taken);
  bool kept = true;
  for (uint32_t i = 0; i < order->len; i++)
    taken[run->steps.data[order->data[i]].thread]++;
  for (uint32_t t = 0; kept && t < run->threads.len; t++) {
    const SourceList *list = sources_of(p->strict, t);
    for (uint32_t i = 0; kept && list && i < list->len; i++) {
      const Source *s = &list->data[i];
      if (s->position > taken[t]) break;
      kept = taken[s->thread] >= s->steps;
    }
  }
  mem_free(taken);
  return kept;
}

/* Orders of a race that change what is read lead elsewhere most of the time; circles of locks,
 * which are few, get one order of any kind. */
static bool is_unlikely(const Predictor *p, const Prediction *x, Orders which) {
  return p->o->replay && which != ORDERS_QUICK &&
         (x->property == PROPERTY_RACE || x->tries) && predictor_is_late(p);
}

bool attempt_situation(Predictor *p, Prediction *x, Solver *solver, Orders which,
                       bool *ret_found, SolveAnswer *ret_answer) {
  StepOrder order = {0};
  bool ok = true;
  *ret_found = false;
  *ret_answer = SOLVE_FOUND;
  uint32_t most = p->o->replay && which != ORDERS_QUICK ? p->o->orders : 1;
  if (p->is_seen && most > ORDERS_FOR_SEEN) most = ORDERS_FOR_SEEN;
  for (uint32_t i = 0; ok && i < most && x->state != PREDICT_REPLAYED; i++) {
    if (is_unlikely(p, x, which)) {
      p->ret->stats.hurried++;
      break;
    }
    if (predictor_time_is_over(p)) {
      if (which == ORDERS_QUICK) break; /* it is counted when its turn comes again */
      p->ret->stats.unexplored++;
      /* No order keeps the values that were read, and those that do not were tried in vain:
       * nothing that is worth a story. */
      if (x->property != PROPERTY_RACE || !x->tries) x->state = PREDICT_OPEN;
      break;
    }
    SolveAnswer answer =
        which == ORDERS_QUICK ? solve_quick(solver, &order) : solve_next(solver, &order);
    if (which == ORDERS_REST && answer == SOLVE_FOUND && solve_was_quick(solver))
      continue;
    *ret_answer = answer;
    if (answer != SOLVE_FOUND) break;
    x->way = solve_way(solver);
    x->state = p->o->replay ? PREDICT_DROPPED : PREDICT_OPEN;
    *ret_found = true;
    ok = try_order(p, x, &order);
    if (x->state == PREDICT_DROPPED && !refutes(x) && keeps_values(p, x, &order))
      x->surprised = true;
    if (stays_open(p, x)) break;
  }
  vec_free(&order);
  return ok;
}

/* True when no deadlock showed at these places before. */
static bool new_deadlock(Predictor *p, const Prediction *x) {
  Str key = {0};
  if (!x->shown || x->state != PREDICT_REPLAYED) return true;
  uint64_t places[CONTROL_STUCK], n = 0;
  bool all_join = true; /* who joins a stuck thread is no cause */
  for (uint32_t i = 0; i < x->shown->stuck_count; i++)
    all_join &= x->shown->stuck[i].op == TRACE_JOIN;
  for (uint32_t i = 0; i < x->shown->stuck_count; i++) {
    if (x->shown->stuck[i].op == TRACE_JOIN && !all_join) continue;
    uint64_t place = x->shown->stuck[i].pc, at = n++;
    for (; at > 0 && places[at - 1] > place; at--) places[at] = places[at - 1];
    places[at] = place;
  }
  str_add_bytes(&key, places, n * sizeof *places);
  uint64_t *seen = strmap_at(&p->stuck, str_text(&key), key.len);
  bool fresh = !*seen;
  *seen = 1;
  str_free(&key);
  return fresh;
}

void attempt_keep(Predictor *p, Prediction *x, bool found) {
  /* That a run which was merely thought out cannot be followed is no news. */
  if (p->skipping && x->state != PREDICT_REPLAYED && p->o->replay) found = false;
  if (found && (x->property != PROPERTY_DEADLOCK || new_deadlock(p, x)))
    vec_push(&p->ret->predictions, *x);
  else
    prediction_free(x);
}
