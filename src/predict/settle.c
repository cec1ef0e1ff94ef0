/* See settle.h. */
#include "predict/settle.h"

#include "predict/foreign.h"

static bool same_places(const RacePair *p, const RacePair *q) {
  return (p->a.pc == q->a.pc && p->b.pc == q->b.pc) ||
         (p->a.pc == q->b.pc && p->b.pc == q->a.pc);
}

/* One that a replay has shown, or else any, at these places. */
static Prediction *find(Predictions *all, const RacePair *pair) {
  Prediction *found = NULL;
  for (uint32_t i = 0; i < all->predictions.len; i++) {
    Prediction *x = &all->predictions.data[i];
    if (x->property != PROPERTY_RACE || !same_places(&x->pair, pair)) continue;
    if (x->state == PREDICT_REPLAYED) return x;
    if (!found) found = x;
  }
  return found;
}

/* A replay took all of its steps, and one of the two threads still waited in vain: what
 * may have ordered them in the recorded run has done so again. */
static bool was_kept_apart(const Prediction *x) {
  return x->state == PREDICT_DROPPED && x->shown &&
         (x->shown->outcome == CONTROL_FOLLOWED ||
          (x->shown->outcome == CONTROL_DIVERGED && x->shown->diverged_op == TRACE_NONE));
}

/* An order in which every step can be done was followed, and the two still did not meet.
 * Locks of a library that was not watched do that, and would have ordered the recorded run
 * as well. Orders that let atomic operations read other values lead elsewhere anyway. */
static bool may_be_locked(const Prediction *x) {
  return was_kept_apart(x) && x->way && !str_eq(x->way, "blind");
}

static void settle(const ObservedRace *seen, bool foreign, Predictions *all) {
  ObservedRace copy = *seen, *race = &copy;
  Prediction *x = find(all, &race->pair);
  if (!x) {
    Prediction fresh = {.property = PROPERTY_RACE, .pair = race->pair};
    schedule_init(&fresh.schedule);
    vec_push(&all->predictions, fresh);
    x = vec_last(&all->predictions);
  }
  bool library = foreign && !race->doubt && may_be_locked(x);
  if (library) race->doubt = OBSERVED_LIBRARY;
  x->seen = true;
  x->observed = *race;
  if (x->state == PREDICT_REPLAYED) return;
  if (race->doubt && !library && was_kept_apart(x)) return;
  x->state = race->doubt ? PREDICT_OPEN : PREDICT_OBSERVED;
  x->pair = race->pair;
}

void settle_observed(const Observed *observed, const Trace *trace,
                     Predictions *predictions) {
  bool foreign = observed->races.len && foreign_any(trace);
  for (uint32_t i = 0; i < observed->races.len; i++)
    settle(&observed->races.data[i], foreign, predictions);
}
