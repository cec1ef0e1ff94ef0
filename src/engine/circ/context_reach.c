/* All states of one thread and its context, and the graph of what the thread does there.
 *
 * A state is the local state of the thread, the shared state, and how many threads are at each
 * location of the context: a number up to k, or "more than k". An edge of the context leaves what
 * it does not havoc, and leads to shared states of the label of its end.
 *
 * Two things differ from the printed text, which is wrong there (tests show both mistakes):
 *
 * One less than "more than k" is k or "more than k". In the text it is the latter only; then a place
 * that everybody has left counts as occupied for ever.
 *
 * Labels of places where threads are hold in the state before a step. In the text they are used
 * to rule out what comes after it, too; but that they hold there is what must be shown: a step
 * that breaks what another thread relies on would never be seen. So the graph gets every step, and
 * a state that breaks a label of the context is only not gone on from: if the labels are right in
 * the end, it cannot be. The label of the thread that moves may be used at once, for that is
 * what its own simulation says.
 *
 * Each kind of thread is looked at once. Threads that steps start are not there before: a thread
 * that is looked at is either there from the beginning, or becomes one of those that a step of the context
 * starts. A thread that ends is not there any more. */
#include "engine/circ/context_internal.h"

enum { HEAD = 8 }; /* bytes of a state before the counters */

static uint32_t get_word(const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static void set_head(uint8_t *state, uint32_t main, uint32_t s) {
  memcpy(state, &main, sizeof main);
  memcpy(state + 4, &s, sizeof s);
}

static bool is_local(uint32_t main) {
  return main < MAIN_UNBORN;
}

static const AcfaLocation *location(const Reach *r, uint32_t n) {
  return &r->a->locations.data[n];
}

/* ---- counting ------------------------------------------------------------------------ */

static void add(const Reach *r, uint8_t *counts, uint32_t n, uint32_t many) {
  if (counts[n] == CONTEXT_OMEGA || many > r->k || counts[n] + many > r->k)
    counts[n] = many ? CONTEXT_OMEGA : counts[n];
  else
    counts[n] = (uint8_t)(counts[n] + many);
}

/* ---- arriving ------------------------------------------------------------------------ */

static bool labels_hold(const Reach *r, const uint8_t *state) {
  uint32_t s = get_word(state + 4);
  for (uint32_t n = 0; n < r->a->locations.len; n++)
    if (state[HEAD + n] && !set_has(location(r, n)->label, s)) return false;
  return true;
}

static void arrive(Reach *r, const uint8_t *state, Arrival arrival) {
  uint64_t *slot = strmap_at(&r->seen, (const char *)state, r->size);
  if (*slot) return;
  *slot = r->seen.len;
  vec_push(&r->arrivals, arrival);
}

/* ---- the beginning ------------------------------------------------------------------- */

static void begin_all(Reach *r, uint32_t set, uint32_t taken, uint8_t *state);

/* `count` threads of a set, in its initial local states from `first` on. */
static void spread(Reach *r, uint32_t set, uint32_t taken, uint32_t first, uint32_t count,
                   uint8_t *state) {
  const TtsThreads *t = &r->p->tts->threads.data[set];
  uint32_t local = r->p->tts->initials.data[t->first_initial + first];
  uint8_t *here = state + HEAD + r->a->starts.data[local], before = *here;
  bool last = first + 1 == t->initial_count;
  for (uint32_t n = last ? count : 0; n <= count; n++) {
    add(r, state + HEAD, r->a->starts.data[local], n);
    if (last)
      begin_all(r, set + 1, taken, state);
    else
      spread(r, set, taken, first + 1, count - n, state);
    *here = before;
  }
}

/* Threads of the sets from `set` on, less one of the set `taken`. Where there may be any number, it
 * is enough to look at many everywhere: what fewer can do, they can do, too. */
static void begin_all(Reach *r, uint32_t set, uint32_t taken, uint8_t *state) {
  const Tts *tts = r->p->tts;
  if (set == tts->threads.len) {
    arrive(r, state, (Arrival){TTS_NONE, MOVE_START, 0});
    return;
  }
  const TtsThreads *t = &tts->threads.data[set];
  if (t->count != NET_OMEGA) {
    spread(r, set, taken, 0, t->count - (set == taken), state);
    return;
  }
  uint8_t *counts = mem_dup(state, r->size);
  uint32_t many = r->p->few && !r->nobody ? r->k : r->k + 1;
  for (uint32_t i = 0; i < t->initial_count; i++)
    add(r, counts + HEAD, r->a->starts.data[tts->initials.data[t->first_initial + i]],
        many);
  begin_all(r, set + 1, taken, counts);
  mem_free(counts);
}

static void begin_with(Reach *r, uint32_t main, uint32_t s, uint32_t taken) {
  uint8_t *state = mem_alloc_zero(r->size);
  set_head(state, main, s);
  begin_all(r, 0, taken, state);
  mem_free(state);
}

static bool is_started(const Reach *r, uint32_t kind) {
  const Tts *tts = r->p->tts;
  for (uint32_t i = 0; i < tts->spawns.len; i++)
    if (tts->locals.data[tts->spawns.data[i]].kind == kind) return true;
  return false;
}

static void begin(Reach *r) {
  const Tts *tts = r->p->tts;
  problem_initial(r->p, &r->initial);
  for (uint32_t i = 0; i < r->initial.len; i++) {
    uint32_t s = r->initial.data[i];
    if (r->nobody) {
      begin_with(r, MAIN_NOBODY, s, TTS_NONE);
      continue;
    }
    for (uint32_t set = 0; set < tts->threads.len; set++) {
      const TtsThreads *t = &tts->threads.data[set];
      for (uint32_t k = 0; t->count && k < t->initial_count; k++) {
        uint32_t local = tts->initials.data[t->first_initial + k];
        graph_begin(r->graph, local, s);
        begin_with(r, local, s, set);
      }
    }
    for (uint32_t k = 0; k < r->p->kinds.len; k++)
      if (is_started(r, r->p->kinds.data[k]))
        begin_with(r, MAIN_UNBORN | r->p->kinds.data[k], s, TTS_NONE);
  }
}

/* ---- steps --------------------------------------------------------------------------- */

static void move_main(Reach *r, uint32_t number, uint32_t step) {
  const Problem *p = r->p;
  const TtsStep *t = &p->tts->steps.data[step];
  uint32_t local = get_word(r->now), s = get_word(r->now + 4), len;
  if (!problem_agrees(p, s, t->first_touch, t->touch_count)) return;
  uint32_t after = problem_after(p, s, t);
  const uint32_t *spawns = numbers_row(&p->spawns, p->step_spawns[step], &len);
  memcpy(r->state, r->now, r->size);
  set_head(r->state, t->to, after);
  for (uint32_t i = 0; i < len; i++)
    add(r, r->state + HEAD, r->a->starts.data[spawns[i]], 1);
  if (p->options->labels_after && !labels_hold(r, r->state)) return;
  graph_step(r->graph, local, s, step, after);
  if (t->to != TTS_NONE) arrive(r, r->state, (Arrival){number, MOVE_MAIN, step});
}

/* `moved` lacks only the threads that the edge starts. One of them may be the thread that is looked
 * at: then it is `born`, a place in the list. */
static void leave_context(Reach *r, uint32_t number, uint32_t edge, uint32_t born) {
  uint32_t main = get_word(r->now), s = get_word(r->now + 4), len;
  uint32_t after = get_word(r->moved + 4);
  const uint32_t *spawns =
      numbers_row(&r->p->spawns, r->a->edges.data[edge].spawns, &len);
  memcpy(r->state, r->moved, r->size);
  if (born != TTS_NONE) set_head(r->state, spawns[born], after);
  for (uint32_t i = 0; i < len; i++) {
    uint32_t start = r->a->starts.data[spawns[i]];
    if (i != born) add(r, r->state + HEAD, start, 1);
    r->broken = r->broken || !set_has(location(r, start)->label, after);
  }
  if (r->p->options->labels_after && !labels_hold(r, r->state)) return;
  if (born != TTS_NONE)
    graph_begin(r->graph, spawns[born], after);
  else if (is_local(main))
    graph_unite(r->graph, main, s, after);
  arrive(r, r->state, (Arrival){number, MOVE_CONTEXT, edge});
}

/* With the thread gone from where it was, in one of the ways of counting that. */
static void count_context(Reach *r, uint32_t number, uint32_t edge, uint8_t left) {
  const AcfaEdge *e = &r->a->edges.data[edge];
  uint32_t main = get_word(r->now), len;
  const uint32_t *spawns = numbers_row(&r->p->spawns, e->spawns, &len);
  memcpy(r->moved + HEAD, r->now + HEAD, r->size - HEAD);
  if (e->from != e->to) {
    r->moved[HEAD + e->from] = left;
    if (e->to != TTS_NONE) add(r, r->moved + HEAD, e->to, 1);
  }
  leave_context(r, number, edge, TTS_NONE);
  for (uint32_t i = 0; i < len && !is_local(main) && main != MAIN_NOBODY; i++) {
    bool again = i > 0 && spawns[i] == spawns[i - 1];
    if (!again && r->p->tts->locals.data[spawns[i]].kind == (main & ~MAIN_UNBORN))
      leave_context(r, number, edge, i);
  }
}

static void note_beside(Reach *r, uint32_t edge) {
  uint32_t from = r->a->edges.data[edge].from, width = r->a->locations.len;
  const uint8_t *counts = r->now + HEAD;
  for (uint32_t n = 0; n < width; n++)
    if (n == from ? counts[n] >= 2 : counts[n] > 0) r->beside[edge * width + n] = true;
}

static void move_context(Reach *r, uint32_t number, uint32_t edge) {
  const AcfaEdge *e = &r->a->edges.data[edge];
  uint32_t main = get_word(r->now), s = get_word(r->now + 4);
  uint8_t count = r->now[HEAD + e->from];
  if (r->beside) note_beside(r, edge);
  space_havoc(&r->p->space, s, e->havoc, &r->after);
  for (uint32_t i = 0; i < r->after.len; i++) {
    uint32_t after = r->after.data[i];
    if (e->to != TTS_NONE && !set_has(location(r, e->to)->label, after)) continue;
    set_head(r->moved, main, after);
    if (count != CONTEXT_OMEGA) {
      count_context(r, number, edge, (uint8_t)(count - 1));
      continue;
    }
    count_context(r, number, edge, CONTEXT_OMEGA);
    if (e->from != e->to && !r->p->options->omega_remains)
      count_context(r, number, edge, (uint8_t)r->k);
  }
}

/* ---- errors -------------------------------------------------------------------------- */

/* Is a thread of the context in this local state, beside one at `other` (or TTS_NONE), and nobody
 * else in an atomic one? Which location, or TTS_NONE. */
static uint32_t place_in_error(const Reach *r, uint32_t local, uint32_t inside,
                               uint32_t other) {
  const uint8_t *counts = r->now + HEAD;
  for (uint32_t n = 0; n < r->a->locations.len; n++)
    if (location(r, n)->mark == local && counts[n] >= (n == other ? 2 : 1) &&
        (inside == TTS_NONE || inside == n || inside == other))
      return n;
  return TTS_NONE;
}

/* Both threads are of the context; the location of one of them. */
static uint32_t error_of_two(const Reach *r, const TtsError *e, uint32_t inside) {
  for (uint32_t n = 0; n < r->a->locations.len; n++) {
    if (location(r, n)->mark != e->locals[0] || !r->now[HEAD + n]) continue;
    if (e->locals[1] == TTS_NONE) {
      if (inside == TTS_NONE || inside == n) return n;
    } else if (place_in_error(r, e->locals[1], inside, n) != TTS_NONE) {
      return n;
    }
  }
  return TTS_NONE;
}

static bool find_error(Reach *r, uint32_t number, uint32_t inside) {
  const Tts *tts = r->p->tts;
  uint32_t main = get_word(r->now), s = get_word(r->now + 4);
  for (uint32_t i = 0; i < tts->errors.len; i++) {
    const TtsError *e = &tts->errors.data[i];
    if (!problem_agrees(r->p, s, e->first_touch, e->touch_count)) continue;
    uint32_t place = main == MAIN_NOBODY ? error_of_two(r, e, inside) : TTS_NONE;
    bool found = place != TTS_NONE;
    for (uint32_t k = 0; k < 2 && !found; k++) {
      if (e->locals[k] != main) continue;
      uint32_t other = e->locals[1 - k];
      if (other != TTS_NONE) place = place_in_error(r, other, inside, TTS_NONE);
      found = other == TTS_NONE ? inside == TTS_NONE : place != TTS_NONE;
    }
    if (!found) continue;
    r->bad = number, r->bad_error = i, r->bad_place = place;
    return true;
  }
  return false;
}

/* ---- going on ------------------------------------------------------------------------ */

/* False if no execution gets here: a label is broken, or two threads are in atomic states. */
static bool can_be(const Reach *r, uint32_t *ret_inside) {
  uint32_t main = get_word(r->now);
  bool main_inside = is_local(main) && r->p->tts->locals.data[main].atomic;
  *ret_inside = TTS_NONE;
  if (!labels_hold(r, r->now)) return false;
  for (uint32_t n = 0; n < r->a->locations.len; n++) {
    uint8_t count = r->now[HEAD + n];
    if (!count || !location(r, n)->atomic) continue;
    bool two = count == CONTEXT_OMEGA ? r->k >= 1 : count >= 2;
    if (two || main_inside || *ret_inside != TTS_NONE) return false;
    *ret_inside = n;
  }
  return true;
}

static bool go_on(Reach *r, uint32_t number) {
  uint32_t inside, len, main = get_word(r->now);
  bool main_inside = is_local(main) && r->p->tts->locals.data[main].atomic;
  if (!can_be(r, &inside)) return true;
  bool trusts = r->nobody && r->p->options->omega_trusts;
  if (!trusts && find_error(r, number, inside)) return false;
  if (is_local(main) && inside == TTS_NONE) {
    const uint32_t *steps = numbers_row(&r->p->steps_of, main, &len);
    for (uint32_t i = 0; i < len; i++) move_main(r, number, steps[i]);
  }
  for (uint32_t i = 0; i < r->a->edges.len && !main_inside; i++) {
    uint32_t from = r->a->edges.data[i].from;
    if (r->now[HEAD + from] && (inside == TTS_NONE || inside == from))
      move_context(r, number, i);
  }
  return true;
}

ReachResult reach_run(Reach *r) {
  assert(r->k <= CONTEXT_MOST_K);
  r->size = HEAD + r->a->locations.len;
  r->now = mem_alloc_zero(r->size);
  r->moved = mem_alloc_zero(r->size);
  r->state = mem_alloc_zero(r->size);
  r->bad = TTS_NONE;
  begin(r);
  for (uint32_t i = 0; i < r->seen.len; i++) {
    if (r->seen.len > r->p->most_states) {
      r->p->stopped = "there are too many states of a thread and its context";
      return REACH_STOPPED;
    }
    if (i % 256 == 0 && net_time_is_up(&r->p->options->limits)) {
      r->p->stopped = "the time limit was reached";
      return REACH_STOPPED;
    }
    r->p->states++;
    memcpy(r->now, r->seen.entries[i].key, r->size);
    if (!go_on(r, i)) return REACH_ERROR;
  }
  return REACH_ENDED;
}

void reach_free(Reach *r) {
  strmap_free(&r->seen);
  vec_free(&r->arrivals);
  vec_free(&r->initial);
  vec_free(&r->after);
  mem_free(r->now);
  mem_free(r->moved);
  mem_free(r->state);
}
