/* Targets: the errors that a question is about, and which of them are known. See kiss.h.
 *
 * A target is a term that holds where the error is reached. Of a model only what the interpreter
 * confirms counts. */
#include "engine/kiss/search_internal.h"

enum { MOST_TARGETS = 20000 };

static uint64_t pair_key(EdgeId a, EdgeId b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Uses memory in ways of which only the interpreter knows all. */
static bool is_touch(const SeqEvent *e) {
  return e->kind == SEQ_TOUCH || (e->kind == SEQ_SYNC && e->phase == LOWER_START);
}

static bool may_race(const SeqEvent *e) {
  return e->kind == SEQ_READ || e->kind == SEQ_WRITE || e->kind == SEQ_UPDATE ||
         e->kind == SEQ_FREE || is_touch(e);
}

static bool may_write(const SeqEvent *e) {
  return e->kind == SEQ_TOUCH ? e->writes : e->kind != SEQ_READ;
}

static bool conflict(const SeqEvent *a, const SeqEvent *b) {
  return (may_write(a) || may_write(b)) && !(a->atomic && b->atomic);
}

/* An access inside of a step that something else begins is never next. */
static bool begins_step(const SeqThread *t, uint32_t i) {
  const SeqEvent *e = &t->events.data[i];
  while (e->glued && i && t->events.data[i - 1].edge == e->edge) e = &t->events.data[--i];
  return !e->glued;
}

typedef struct {
  uint32_t thread, event;
} Spot;
typedef VEC(Spot) Spots;

static void spots_of(const SeqProgram *seq, EdgeId edge, Spots *ret) {
  vec_clear(ret);
  for (uint32_t t = 0; t < seq->threads.len; t++)
    for (uint32_t i = 0; i < seq->threads.data[t].events.len; i++)
      if (seq->threads.data[t].events.data[i].edge == edge) vec_push(ret, (Spot){t, i});
}

static void add_race(Rounds *r, const SeqProgram *seq, Spot a, Spot b, bool unordered,
                     KissTargets *targets) {
  const SeqThread *ta = &seq->threads.data[a.thread], *tb = &seq->threads.data[b.thread];
  const SeqEvent *x = &ta->events.data[a.event], *y = &tb->events.data[b.event];
  if (a.thread == b.thread || !may_race(x) || !may_race(y) || !conflict(x, y) ||
      targets->len >= MOST_TARGETS)
    return;
  if (!unordered && (!begins_step(ta, a.event) || !begins_step(tb, b.event))) return;
  Terms *t = seq->terms;
  Term holds = unordered ? term_and(t, rounds_performed(r, a.thread, a.event),
                                    rounds_performed(r, b.thread, b.event))
                         : term_and(t, rounds_is_next(r, a.thread, a.event),
                                    rounds_is_next(r, b.thread, b.event));
  holds = term_and(t, holds, rounds_overlap(r, x, y));
  if (term_is_false(t, holds)) return;
  vec_push(targets, (KissTarget){.kind = WITNESS_RACE,
                                 .threads = {a.thread, b.thread},
                                 .events = {a.event, b.event},
                                 .unordered = unordered || is_touch(x) || is_touch(y),
                                 .standing = !unordered,
                                 .holds = holds});
}

void targets_of_races(Search *s, Rounds *r, const SeqProgram *seq, bool unordered,
                      KissTargets *targets) {
  Spots as = {0}, bs = {0};
  for (uint32_t i = 0; i < s->request->pair_count; i++) {
    const HuntPair *p = &s->request->pairs[i];
    if (map_get(&s->known_pairs, pair_key(p->a, p->b))) continue;
    spots_of(seq, p->a, &as);
    spots_of(seq, p->b, &bs);
    for (uint32_t k = 0; k < as.len; k++)
      for (uint32_t m = p->a == p->b ? k + 1 : 0; m < bs.len; m++)
        add_race(r, seq, as.data[k], bs.data[m], unordered, targets);
  }
  vec_free(&as);
  vec_free(&bs);
}

void targets_of_asserts(Search *s, Rounds *r, const SeqProgram *seq,
                        KissTargets *targets) {
  Spots spots = {0};
  Terms *t = seq->terms;
  for (uint32_t i = 0; i < s->request->assert_count; i++) {
    EdgeId edge = s->request->asserts[i];
    if (map_get(&s->known_pairs, edge)) continue;
    spots_of(seq, edge, &spots);
    for (uint32_t k = 0; k < spots.len; k++) {
      const SeqEvent *e =
          &seq->threads.data[spots.data[k].thread].events.data[spots.data[k].event];
      if (e->kind != SEQ_ASSERT) continue;
      Term holds =
          term_and(t, rounds_performed(r, spots.data[k].thread, spots.data[k].event),
                   term_not(t, e->value));
      if (term_is_false(t, holds)) continue;
      vec_push(targets, (KissTarget){.kind = WITNESS_ASSERT,
                                     .threads = {spots.data[k].thread},
                                     .events = {spots.data[k].event},
                                     .holds = holds});
    }
  }
  vec_free(&spots);
}

void targets_of_deadlocks(Search *s, Rounds *r, KissTargets *targets) {
  /* who may wake up for no reason is never stuck */
  if (!s->request->deadlocks || s->stuck_known || witness_wakes(s->world)) return;
  Term stuck = rounds_stuck(r), circle = s->request->unlock_any ? 0 : rounds_circle(r);
  if (stuck) vec_push(targets, (KissTarget){.kind = WITNESS_DEADLOCK, .holds = stuck});
  if (circle) vec_push(targets, (KissTarget){.kind = WITNESS_DEADLOCK, .holds = circle});
}

static bool is_shown(const Search *s, const Witness *w) {
  switch (w->kind) {
  case WITNESS_RACE: return map_get(&s->known_pairs, pair_key(w->edges[0], w->edges[1]));
  case WITNESS_ASSERT: return map_get(&s->known_pairs, w->edge);
  case WITNESS_DEADLOCK: return s->stuck_known;
  case WITNESS_NONE: break;
  }
  return true;
}

static void note_shown(Search *s, const Witness *w) {
  if (w->kind == WITNESS_RACE)
    map_put(&s->known_pairs, pair_key(w->edges[0], w->edges[1]), 1);
  if (w->kind == WITNESS_ASSERT) map_put(&s->known_pairs, w->edge, 1);
  if (w->kind == WITNESS_DEADLOCK) s->stuck_known = true;
}

static EdgeId edge_of(const SeqProgram *seq, const KissTarget *t, int i) {
  return seq->threads.data[t->threads[i]].events.data[t->events[i]].edge;
}

static bool is_known(const Search *s, const SeqProgram *seq, const KissTarget *t) {
  switch (t->kind) {
  case WITNESS_RACE:
    return map_get(&s->known_pairs, pair_key(edge_of(seq, t, 0), edge_of(seq, t, 1)));
  case WITNESS_ASSERT: return map_get(&s->known_pairs, edge_of(seq, t, 0));
  case WITNESS_DEADLOCK: return s->stuck_known;
  case WITNESS_NONE: break;
  }
  return true;
}

/* The targets without those that are shown. */
static void drop_known(const Search *s, const SeqProgram *seq, KissTargets *targets) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < targets->len; i++)
    if (!is_known(s, seq, &targets->data[i])) targets->data[n++] = targets->data[i];
  targets->len = n;
}

bool targets_follow(Search *s, const SeqProgram *seq, const KissSchedule *schedule) {
  Witness w;
  if (!kiss_follow(s->request->program, seq, schedule, s->world, s->request->unlock_any,
                   &w))
    return false;
  if (!is_shown(s, &w)) s->request->show(s->request->user, &w);
  note_shown(s, &w);
  witness_free(&w);
  return true;
}

void targets_take_model(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                        KissTargets *targets) {
  uint32_t i = 0;
  while (i < targets->len && !solver_number(solver, targets->data[i].holds)) i++;
  if (i == targets->len) {
    targets->len = 0;
    return;
  }
  KissSchedule schedule;
  rounds_schedule(r, &targets->data[i], &schedule);
  if (targets_follow(s, seq, &schedule)) {
    s->misses = 0;
  } else {
    /* That nothing orders two accesses is not part of the formula: it was a guess. */
    s->report->unconfirmed += !schedule.target.unordered;
    s->misses++;
    if (!schedule.target.unordered)
      log_put(s->request->log, LOG_INFO, "kiss: a schedule of %u steps was not confirmed",
              schedule.steps.len);
  }
  kiss_schedule_free(&schedule);
  targets->data[i] = vec_pop(targets);
  drop_known(s, seq, targets);
}

bool targets_know_pair(const Search *s, const HuntPair *pair) {
  return map_get(&s->known_pairs, pair_key(pair->a, pair->b)) != NULL;
}

void targets_drop_proved(Search *s, const KissQuestion *q) {
  const KissRequest *r = s->request;
  if (q->stuck) s->stuck_known = true;
  for (uint32_t i = 0; i < q->edge_count && !q->race; i++)
    map_put(&s->known_pairs, q->edges[i], 1);
  for (uint32_t k = 0; k < r->pair_count && q->race; k++) {
    bool a = false, b = false;
    for (uint32_t i = 0; i < q->edge_count; i++) {
      a = a || q->edges[i] == r->pairs[k].a;
      b = b || q->edges[i] == r->pairs[k].b;
    }
    if (a && b) map_put(&s->known_pairs, pair_key(r->pairs[k].a, r->pairs[k].b), 1);
  }
}
