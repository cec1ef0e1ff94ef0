/* An error in the context: a real one?
 *
 * First the way to it is walked with exact numbers. If a thread leaves a place where none is, the
 * counters were too coarse. Otherwise it is known how many threads take part. With so many
 * all states of the system itself are searched, in order of the number of steps: so a run is as
 * short as any of that many threads. If there is none, what was too coarse is the context. */
#include "engine/circ/context_internal.h"

#include "engine/circ/tts_net.h"

/* ---- how many ------------------------------------------------------------------------ */

typedef struct {
  const Reach *r;
  int64_t *here;   /* per location: threads that came there */
  uint64_t *there; /* per location: threads that are there from the beginning */
  uint32_t used;   /* of those */
  uint32_t spawned;
} Walk;

static bool take(Walk *w, uint32_t n) {
  if (w->here[n] > 0) {
    w->here[n]--;
  } else if (w->there[n] > 0) {
    w->there[n]--;
    w->used++;
  } else {
    return false;
  }
  return true;
}

static void put_spawns(Walk *w, uint32_t row) {
  uint32_t len;
  const uint32_t *spawns = numbers_row(&w->r->p->spawns, row, &len);
  for (uint32_t i = 0; i < len; i++) w->here[w->r->a->starts.data[spawns[i]]]++;
  w->spawned += len;
}

static bool walk(Walk *w, const Numbers *path) {
  const Reach *r = w->r;
  const Tts *tts = r->p->tts;
  for (uint32_t i = 0; i < tts->threads.len; i++) {
    const TtsThreads *t = &tts->threads.data[i];
    for (uint32_t k = 0; k < t->initial_count; k++)
      w->there[r->a->starts.data[tts->initials.data[t->first_initial + k]]] += t->count;
  }
  for (uint32_t i = path->len; i > 0; i--) {
    Arrival arrival = r->arrivals.data[path->data[i - 1]];
    if (arrival.kind == MOVE_START) continue;
    if (arrival.kind == MOVE_MAIN) {
      put_spawns(w, r->p->step_spawns[arrival.number]);
      continue;
    }
    const AcfaEdge *e = &r->a->edges.data[arrival.number];
    if (!take(w, e->from)) return false;
    if (e->to != TTS_NONE) w->here[e->to]++;
    put_spawns(w, e->spawns);
  }
  return r->bad_place == TTS_NONE || take(w, r->bad_place);
}

/* ---- searching the system ------------------------------------------------------------ */

enum { HEAD = 8 }; /* bytes: the shared state, and who is inside */

typedef struct {
  uint32_t parent, step; /* of the first states: TTS_NONE, and the number of the crew */
} Way;

typedef struct {
  Problem *p;
  StrMap seen;
  VEC(Way) ways;
  VEC(TtsCrew) crews;
  TtsCrew crew;
  size_t size;
  uint32_t most; /* threads */
  uint8_t *now, *next;
  uint32_t error; /* that was found */
} Search;

static uint32_t get_word(const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static void set_word(uint8_t *at, uint32_t word) {
  memcpy(at, &word, sizeof word);
}

static void see(Search *x, const uint8_t *state, Way way) {
  uint64_t *slot = strmap_at(&x->seen, (const char *)state, x->size);
  if (*slot) return;
  *slot = x->seen.len;
  vec_push(&x->ways, way);
}

static void begin_here(Search *x) {
  Numbers initial = {0};
  TtsCrew copy = {0};
  memset(x->next, 0, x->size);
  set_word(x->next + 4, TTS_NONE);
  for (uint32_t i = 0; i < x->crew.len; i++) {
    vec_push(&copy, x->crew.data[i]);
    x->next[HEAD + x->crew.data[i].start]++;
  }
  problem_initial(x->p, &initial);
  for (uint32_t i = 0; i < initial.len; i++) {
    set_word(x->next, initial.data[i]);
    see(x, x->next, (Way){TTS_NONE, x->crews.len});
  }
  vec_push(&x->crews, copy);
  vec_free(&initial);
}

/* All ways in which the threads of the sets can begin, `any` of them where there may be any
 * number. */
static void begin(Search *x, uint32_t set, uint32_t first, uint32_t left, uint32_t any) {
  const Tts *tts = x->p->original;
  if (set == tts->threads.len) {
    begin_here(x);
    return;
  }
  const TtsThreads *t = &tts->threads.data[set];
  if (left == 0) {
    uint32_t next = set + 1 == tts->threads.len ? 0 : tts->threads.data[set + 1].count;
    begin(x, set + 1, 0, next == NET_OMEGA ? any : next, any);
    return;
  }
  for (uint32_t i = first; i < t->initial_count; i++) {
    vec_push(&x->crew, (TtsMember){set, tts->initials.data[t->first_initial + i]});
    begin(x, set, i, left - 1, any);
    x->crew.len--;
  }
}

static bool is_error(const Search *x, const TtsError *e) {
  uint32_t s = get_word(x->now), inside = get_word(x->now + 4), first = e->locals[0];
  if (!problem_agrees(x->p, s, e->first_touch, e->touch_count)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t local = e->locals[i];
    if (local == TTS_NONE) continue;
    bool second = i == 1 && local == first;
    if (x->p->original->locals.data[local].atomic) {
      if (inside != local || second) return false;
    } else if (x->now[HEAD + local] < (second ? 2 : 1)) {
      return false;
    }
  }
  return inside == TTS_NONE || inside == first || inside == e->locals[1];
}

static void move(Search *x, uint32_t number, uint32_t step) {
  const Tts *tts = x->p->original;
  const TtsStep *t = &tts->steps.data[step];
  uint32_t s = get_word(x->now), inside = get_word(x->now + 4), threads = 0;
  if (!problem_agrees(x->p, s, t->first_touch, t->touch_count)) return;
  if (tts->locals.data[t->from].atomic ? inside != t->from
                                       : inside != TTS_NONE || !x->now[HEAD + t->from])
    return;
  memcpy(x->next, x->now, x->size);
  set_word(x->next, problem_after(x->p, s, t));
  set_word(x->next + 4, TTS_NONE);
  if (inside == TTS_NONE) x->next[HEAD + t->from]--;
  if (t->to != TTS_NONE && tts->locals.data[t->to].atomic)
    set_word(x->next + 4, t->to);
  else if (t->to != TTS_NONE)
    x->next[HEAD + t->to]++;
  for (uint32_t i = 0; i < tts->locals.len; i++) threads += x->next[HEAD + i];
  if (threads + t->spawn_count > x->most && t->spawn_count) return;
  for (uint32_t i = 0; i < t->spawn_count; i++)
    x->next[HEAD + tts->spawns.data[t->first_spawn + i]]++;
  see(x, x->next, (Way){number, step});
}

/* The state in which an error is, or TTS_NONE. */
static uint32_t search(Search *x) {
  const Tts *tts = x->p->original;
  for (uint32_t i = 0; i < x->seen.len; i++) {
    if (x->seen.len > x->p->most_states || net_time_is_up(&x->p->options->limits)) {
      x->p->stopped = "a run to an error may need too many threads to search for";
      return TTS_NONE;
    }
    memcpy(x->now, x->seen.entries[i].key, x->size);
    for (x->error = 0; x->error < tts->errors.len; x->error++)
      if (is_error(x, &tts->errors.data[x->error])) return i;
    for (uint32_t k = 0; k < tts->steps.len; k++) move(x, i, k);
  }
  return TTS_NONE;
}

static void take_run(Search *x, uint32_t state, TtsRun *ret) {
  const Tts *tts = x->p->original;
  const ContextSpace *space = &x->p->space;
  Numbers steps = {0}, values = {0};
  while (x->ways.data[state].parent != TTS_NONE) {
    vec_push(&steps, x->ways.data[state].step);
    state = x->ways.data[state].parent;
  }
  for (uint32_t i = 0, k = steps.len; i + 1 < k; i++, k--) {
    uint32_t step = steps.data[i];
    steps.data[i] = steps.data[k - 1], steps.data[k - 1] = step;
  }
  uint32_t first = get_word((const uint8_t *)x->seen.entries[state].key);
  for (uint32_t i = 0; i < tts->groups.len; i++) vec_push(&values, 0);
  for (uint32_t i = 0; i < space->groups.len; i++)
    values.data[space->groups.data[i]] = space_value(space, first, i);
  tts_enact(tts, &x->crews.data[x->ways.data[state].step], &values, &steps, x->error,
            ret);
  vec_free(&steps);
  vec_free(&values);
}

static Reality search_system(Problem *p, uint32_t any, uint32_t most, TtsRun *ret) {
  Search x = {.p = p, .size = HEAD + p->original->locals.len, .most = most};
  const Tts *tts = p->original;
  uint32_t first = tts->threads.len ? tts->threads.data[0].count : 0;
  x.now = mem_alloc_zero(x.size);
  x.next = mem_alloc_zero(x.size);
  begin(&x, 0, 0, first == NET_OMEGA ? any : first, any);
  uint32_t state = search(&x);
  if (state != TTS_NONE) take_run(&x, state, ret);
  p->states += x.seen.len;
  strmap_free(&x.seen);
  vec_free(&x.ways);
  for (uint32_t i = 0; i < x.crews.len; i++) vec_free(&x.crews.data[i]);
  vec_free(&x.crews);
  vec_free(&x.crew);
  mem_free(x.now);
  mem_free(x.next);
  return state != TTS_NONE ? REAL_RUN : p->stopped ? REAL_STOPPED : REAL_COARSE;
}

Reality real_run(Problem *p, const Reach *r, TtsRun *ret) {
  Numbers path = {0};
  uint32_t n = r->a->locations.len + 1;
  Walk w = {.r = r};
  w.here = mem_alloc_zero(n * sizeof *w.here);
  w.there = mem_alloc_zero(n * sizeof *w.there);
  for (uint32_t i = r->bad; i != TTS_NONE; i = r->arrivals.data[i].parent)
    vec_push(&path, i);
  bool counted = walk(&w, &path);
  mem_free(w.here);
  mem_free(w.there);
  vec_free(&path);
  if (!counted) return REAL_COUNTERS;
  uint64_t threads = w.used + 1, fixed = 0;
  for (uint32_t i = 0; i < p->tts->threads.len; i++) {
    uint32_t count = p->tts->threads.data[i].count;
    fixed += count == NET_OMEGA ? threads : count;
  }
  if (fixed + w.spawned > 200) {
    p->stopped = "there are too many threads to search for a run";
    return REAL_STOPPED;
  }
  return search_system(p, (uint32_t)threads, (uint32_t)(fixed + w.spawned), ret);
}
