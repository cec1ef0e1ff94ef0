/* See observe.h. hb.c tells what happened before what; races.c finds the accesses that this
 * leaves unordered. Those are asked again with everything that is not understood taken for an
 * order: what is still unordered then is certain. */
#include "predict/observe.h"

#include "predict/hb.h"

typedef struct {
  const Run *run;      /* as prediction sees it */
  const Run *happened; /* hb.h */
  const Run *presumed; /* the same, with what is presumed */
} Judge;

static bool is_ordered(const Run *run, const RacePair *p) {
  const RaceAccess *a = &p->a, *b = &p->b;
  return run_ordered(run, a->thread, a->position, b->thread, b->position) ||
         run_ordered(run, b->thread, b->position, a->thread, a->position);
}

static bool is_stranger(const Trace *trace, uint32_t thread) {
  return thread && !trace->threads.data[thread].started;
}

/* The last call before the access that may have waited for something; or NULL. */
static const TraceEvent *last_take(const Trace *trace, const RaceAccess *a) {
  const TraceThread *t = &trace->threads.data[a->thread];
  for (uint32_t i = a->position / HB_POSITIONS; i-- > 0;) {
    const TraceEvent *e = &trace->events.data[t->events.data[i]];
    if (e->op == TRACE_TAKE) return e;
  }
  return NULL;
}

static void find_doubt(const Judge *j, ObservedRace *race) {
  const Trace *trace = j->run->trace;
  const RacePair *p = &race->pair;
  if (is_stranger(trace, p->a.thread) || is_stranger(trace, p->b.thread)) {
    race->doubt = OBSERVED_STRANGER;
    return;
  }
  if (!is_ordered(j->presumed, p)) return;
  race->doubt = OBSERVED_UNKNOWN;
  bool a_first =
      run_ordered(j->presumed, p->a.thread, p->a.position, p->b.thread, p->b.position);
  const RaceAccess *later = a_first ? &p->b : &p->a;
  const TraceEvent *e = last_take(trace, later);
  if (!e) return;
  race->doubt = OBSERVED_CALL;
  race->waited = later->thread;
  race->call = e->pc;
}

/* How far each of the two knew the other. */
static void note_known(const Judge *j, ObservedRace *race) {
  for (int i = 0; i < 2; i++) {
    const RaceAccess *me = i ? &race->pair.b : &race->pair.a,
                     *other = i ? &race->pair.a : &race->pair.b;
    const RunThread *t = &j->happened->threads.data[me->thread];
    uint32_t known =
        j->happened->epochs.data[t->epochs.data[me->position]].clock[other->thread];
    if (!known) continue;
    const TraceThread *o = &j->run->trace->threads.data[other->thread];
    const TraceEvent *e =
        &j->run->trace->events.data[o->events.data[known / HB_POSITIONS - 1]];
    race->known[i] = e->pc;
    race->known_op[i] = e->op;
  }
}

/* From events to steps. */
static void convert(const Run *run, RaceAccess *a) {
  const RunThread *t = &run->threads.data[a->thread];
  uint32_t event = a->position / HB_POSITIONS;
  a->position = event < t->positions.len ? t->positions.data[event] : t->steps.len;
}

static void note_locks(const Run *run, const RaceAccess *a, uint64_t *ret) {
  const RunThread *t = &run->threads.data[a->thread];
  const LockSet *set = &run->lock_sets.data[t->held.data[a->position]];
  for (uint32_t i = 0; i < set->count && i < OBSERVED_LOCKS; i++)
    ret[i] = run->objects.data[set->locks[i]].address;
}

/* The first pair of a candidate that is certain, or the first of all. */
static void add_race(const Judge *j, const RaceCandidate *c, Observed *ret) {
  ObservedRace best = {0};
  for (uint32_t i = 0; i < c->pairs.len; i++) {
    ObservedRace race = {.pair = c->pairs.data[i]};
    find_doubt(j, &race);
    if (i && race.doubt) continue;
    best = race;
    if (!race.doubt) break;
  }
  best.key = c->key;
  note_known(j, &best);
  convert(j->run, &best.pair.a);
  convert(j->run, &best.pair.b);
  note_locks(j->run, &best.pair.a, best.locks[0]);
  note_locks(j->run, &best.pair.b, best.locks[1]);
  vec_push(&ret->races, best);
}

void observe_races(const Run *run, const RacesOptions *options, uint64_t memory,
                   Observed *ret) {
  Run happened, presumed = {0};
  Races races;
  bool cut, more = false;
  RacesOptions o = *options;
  *ret = (Observed){0};
  o.places = true;
  hb_init(&happened, run->trace, false, memory / 2, &cut);
  races_find(&happened, &o, &races);
  ret->left_out = races.left_out;
  ret->uncompared = races.uncompared;
  if (races.candidates.len) {
    hb_init(&presumed, run->trace, true, memory / 2, &more);
    Judge j = {run, &happened, &presumed};
    for (uint32_t i = 0; i < races.candidates.len; i++)
      if (races.candidates.data[i].pairs.len)
        add_race(&j, &races.candidates.data[i], ret);
    run_free(&presumed);
  }
  ret->cut = cut || more || races.cut;
  races_free(&races);
  run_free(&happened);
}

void observe_free(Observed *observed) {
  vec_free(&observed->races);
}
