/* Questions to a system: breadth-first search for runs, each of another order.
 *
 * In: the machine of the system and the orders of the runs given before. Out: a run, or
 * none. A record is a packed state and one bit per order given, which says that the run
 * so far differs from it. The bit is set when an event happens at an object before one
 * that it followed in that order; a run is only new when all bits are set.
 *
 * Invariants. Every event moves a thread forward, so there are no circles, no move can be
 * put off for ever, and a reduction by stubborn sets needs no further care. The bits do
 * not change when neighbouring independent events are exchanged: events of one object are
 * never independent. So the reduction loses no order at the objects: of a deadlock all
 * runs keep an equivalent one; a run that breaks the rule keeps one that is equivalent up
 * to further events the rule does not watch. Forced moves are followed without storing
 * the states between, so that what a thread does on its own costs next to nothing. */
#include "csp/reduce.h"

#include "base/clock.h"
#include "csp/store.h"
#include "csp/system_build.h"

typedef struct {
  CspSystem *s;
  CspMachine *m;
  CspQuestion question;
  CspOrders *given;
  CspStore store;
  CspNumbers parents, rules; /* per record: where it came from, by which rule */
  CspMoves moves;
  CspReducer *reducer;
  CspRuleVec forced; /* scratch: the forced moves after a rule */
  bool *keep;
  uint32_t keep_cap;
  uint32_t state_bytes, bit_bytes;
  uint8_t *record, *bits; /* scratch: a successor; the bits of the state expanded */
  uint64_t *state;
} Search;

/* ---- orders ------------------------------------------------------------------------ */

static uint64_t key_of(CspOccurrence x) {
  return (uint64_t)x.thread << 32 | x.place;
}

static bool happened(const Search *r, CspOccurrence x) {
  return x.thread == NO_COMPONENT || r->moves.current[x.thread] > x.place;
}

/* Whether the event of this machine rule, now, follows what it followed in the order; an
 * event that the order does not have comes after all that it has. */
static bool in_order(const Search *r, const CspOrder *order, uint32_t rule) {
  uint32_t event = r->m->rules.data[rule].origin, owner = r->s->owner.data[event];
  const CspNumbers *objects = &r->s->objects_of[event];
  uint64_t first =
      map_find(&order->first, key_of((CspOccurrence){owner, r->moves.current[owner]}), 0);
  for (uint32_t k = 0; k < objects->len; k++)
    if (!happened(r, first ? order->before.data[first - 1 + k]
                           : order->last[objects->data[k]]))
      return false;
  return true;
}

/* The threads of the rule go `by` one place forward or back. */
static void advance(Search *r, uint32_t rule, uint32_t by) {
  const CspRule *parts = &r->m->rules.data[rule];
  for (uint32_t k = 0; k < parts->count; k++)
    if (parts->parts[k].component < r->s->threads.len)
      r->moves.current[parts->parts[k].component] += by;
}

static void mark_bits(const Search *r, uint32_t rule, uint8_t *bits) {
  for (uint32_t i = 0; i < r->given->len; i++) {
    uint8_t bit = (uint8_t)(1u << i % 8);
    if (!(bits[i / 8] & bit) && !in_order(r, &r->given->data[i], rule))
      bits[i / 8] |= bit;
  }
}

/* Writes the bits after the rule and the forced ones to `out`. */
static void bits_after(Search *r, uint32_t rule, uint8_t *out) {
  memcpy(out, r->bits, r->bit_bytes);
  if (!r->given->len) return;
  mark_bits(r, rule, out);
  advance(r, rule, 1);
  for (uint32_t i = 0; i < r->forced.len; i++) {
    mark_bits(r, r->forced.data[i], out);
    advance(r, r->forced.data[i], 1);
  }
  for (uint32_t i = r->forced.len; i-- > 0;) advance(r, r->forced.data[i], UINT32_MAX);
  advance(r, rule, UINT32_MAX);
}

static bool differs_by(const Search *r, const uint8_t *bits) {
  for (uint32_t i = 0; i < r->given->len; i++)
    if (!(bits[i / 8] >> i % 8 & 1)) return false;
  return true;
}

static void remember(Search *r, const CspRun *run) {
  CspSystem *s = r->s;
  CspOrder order = {0};
  order.last = mem_alloc((s->objects.len + 1) * sizeof *order.last);
  for (uint32_t o = 0; o < s->objects.len; o++)
    order.last[o] = (CspOccurrence){NO_COMPONENT, 0};
  /* How far each thread is; events that another thread owns count as well. */
  uint32_t *place = mem_alloc_zero((s->threads.len + 1) * sizeof *place);
  for (uint32_t i = 0; i < run->count; i++) {
    uint32_t event = run->events[i];
    CspOccurrence x = {run->threads[i], place[run->threads[i]]};
    const CspRule *rule = &r->m->rules.data[s->rule_of[event]];
    *map_at(&order.first, key_of(x)) = order.before.len + 1;
    for (uint32_t k = 0; k < s->objects_of[event].len; k++) {
      uint32_t o = s->objects_of[event].data[k];
      vec_push(&order.before, order.last[o]);
      order.last[o] = x;
    }
    for (uint32_t k = 0; k < rule->count; k++)
      if (rule->parts[k].component < s->threads.len) place[rule->parts[k].component]++;
  }
  mem_free(place);
  vec_push(r->given, order);
}

/* ---- records ----------------------------------------------------------------------- */

static bool add_record(Search *r, uint32_t parent, uint32_t rule) {
  bool fresh;
  csp_store_add(&r->store, r->record, &fresh);
  if (fresh) {
    vec_push(&r->parents, parent);
    vec_push(&r->rules, rule);
  }
  return fresh;
}

static void load_record(Search *r, uint32_t number) {
  const uint8_t *record = csp_store_at(&r->store, number);
  r->state[r->m->words - 1] = 0;
  memcpy(r->state, record, r->state_bytes);
  memcpy(r->bits, record + r->state_bytes, r->bit_bytes);
}

/* The rules from a record to one that came of it, last one first. The forced moves were
 * not kept: they are followed again. */
static void rules_between(Search *r, uint32_t from, uint32_t to, CspNumbers *rules) {
  uint32_t rule = r->rules.data[to], words = r->m->words;
  bool found = false;
  load_record(r, from);
  csp_machine_ready(r->m, r->state, &r->moves);
  for (uint32_t i = 0; i < r->moves.ready_count; i++)
    if (r->moves.ready[i].rule == rule)
      csp_machine_fire(r->m, r->state, &r->moves, r->moves.ready[i]);
  for (uint32_t i = 0; i < r->moves.count && !found; i++) {
    uint64_t *state = r->moves.states + (size_t)i * words;
    vec_clear(&r->forced);
    csp_chase(r->reducer, &r->moves, state, rule, &r->forced);
    found = memcmp(state, csp_store_at(&r->store, to), r->state_bytes) == 0;
  }
  assert(found);
  for (uint32_t i = r->forced.len; i-- > 0;) vec_push(rules, r->forced.data[i]);
  vec_push(rules, rule);
}

static void fill_run(Search *r, uint32_t number, uint32_t last_rule, CspRun *ret) {
  CspNumbers rules = {0};
  if (last_rule != UINT32_MAX) vec_push(&rules, last_rule);
  for (; number; number = r->parents.data[number])
    rules_between(r, r->parents.data[number], number, &rules);
  ret->count = rules.len;
  ret->events = mem_alloc((rules.len + 1) * sizeof *ret->events);
  ret->threads = mem_alloc((rules.len + 1) * sizeof *ret->threads);
  for (uint32_t i = 0; i < rules.len; i++) {
    uint32_t event = r->m->rules.data[rules.data[rules.len - 1 - i]].origin;
    ret->events[i] = event;
    ret->threads[i] = r->s->owner.data[event];
  }
  vec_free(&rules);
}

/* ---- one state --------------------------------------------------------------------- */

static bool all_ended(const Search *r) {
  for (uint32_t t = 0; t < r->s->threads.len; t++)
    if (r->moves.current[t] != r->s->threads.data[t].events.len) return false;
  return true;
}

static bool breaks_rule(const Search *r, uint32_t move) {
  if (r->moves.events[move] == EVENT_TAU) return false;
  const CspComponent *c = &r->m->components.data[r->s->threads.len + r->s->objects.len];
  const uint64_t *to = r->moves.states + (size_t)move * r->m->words;
  return (to[c->word] >> c->shift & c->mask) == r->s->rule.states;
}

static bool is_deadlock(const Search *r) {
  return r->moves.ready_count == 0 && !all_ended(r) && differs_by(r, r->bits);
}

/* The successors by one rule; true when a run was found. A run that breaks the rule is
 * looked for also where the reduction would put it off. */
static bool follow(Search *r, uint32_t number, uint32_t ready, bool kept, CspRun *ret) {
  uint32_t rule = r->moves.ready[ready].rule;
  bool watched = r->question == CSP_ASK_RULE && r->m->fast[rule].event != EVENT_TAU;
  if (!kept && !watched) return false;
  r->moves.count = 0;
  csp_machine_fire(r->m, r->state, &r->moves, r->moves.ready[ready]);
  for (uint32_t i = 0; i < r->moves.count; i++) {
    bool breaks = watched && breaks_rule(r, i);
    if (!kept && !breaks) continue;
    uint64_t *to = r->moves.states + (size_t)i * r->m->words;
    vec_clear(&r->forced);
    if (!breaks) csp_chase(r->reducer, &r->moves, to, rule, &r->forced);
    memcpy(r->record, to, r->state_bytes);
    bits_after(r, rule, r->record + r->state_bytes);
    if (breaks && differs_by(r, r->record + r->state_bytes)) {
      fill_run(r, number, rule, ret);
      return true;
    }
    if (!breaks) add_record(r, number, rule);
  }
  return false;
}

/* True when a run was found. */
static bool expand(Search *r, uint32_t number, CspRun *ret) {
  load_record(r, number);
  csp_machine_ready(r->m, r->state, &r->moves);
  if (r->question == CSP_ASK_DEADLOCK && is_deadlock(r)) {
    fill_run(r, number, UINT32_MAX, ret);
    return true;
  }
  if (r->keep_cap < r->moves.ready_count) {
    r->keep_cap = r->moves.ready_count * 2;
    r->keep = mem_realloc(r->keep, r->keep_cap * sizeof *r->keep);
  }
  bool reduced = csp_reduce(r->reducer, &r->moves, r->keep);
  for (uint32_t i = 0; i < r->moves.ready_count; i++)
    if (follow(r, number, i, !reduced || r->keep[i], ret)) return true;
  return false;
}

/* ---- the search -------------------------------------------------------------------- */

static bool is_late(double deadline) {
  return deadline > 0 && clock_now() > deadline;
}

static const char *over_limit(const Search *r) {
  const CspLimits *limits = &r->s->csp.limits;
  uint64_t memory = csp_store_memory(&r->store) +
                    (uint64_t)(r->parents.cap + r->rules.cap) * sizeof(uint32_t);
  if (memory > limits->memory) return "more memory would be needed";
  if (limits->states && r->store.count > limits->states)
    return "the limit of states was reached";
  if (r->store.count >= UINT32_MAX - 1) return "there are more than 4294967294 states";
  if (r->s->csp.stop && atomic_load(r->s->csp.stop)) return "the time is over";
  if (is_late(r->s->deadline)) return "the time is over";
  return NULL;
}

static CspVerdict search(Search *r, CspRun *ret) {
  csp_machine_start(r->m, r->state);
  memset(r->record, 0, r->store.bytes);
  memcpy(r->record, r->state, r->state_bytes);
  add_record(r, 0, 0);
  for (uint32_t at = 0; at < r->store.count; at++) {
    if ((at & 0xff) == 0 && (ret->why = over_limit(r))) return CSP_UNDECIDED;
    if (expand(r, at, ret)) return CSP_FAILS;
  }
  return CSP_HOLDS;
}

CspVerdict csp_system_next(CspSystem *s, CspQuestion question, CspRun *ret) {
  *ret = (CspRun){0};
  assert(question == CSP_ASK_DEADLOCK || s->has_rule);
  if (!s->machine) csp_system_build(s);
  Search r = {.s = s, .m = s->machine, .question = question};
  r.given = &s->given[question];
  r.state_bytes = (r.m->bits + 7) / 8;
  r.bit_bytes = (r.given->len + 7) / 8;
  r.record = mem_alloc_zero(r.m->words * sizeof *r.state + r.bit_bytes + 8);
  r.bits = mem_alloc_zero(r.bit_bytes + 1);
  r.state = mem_alloc_zero(r.m->words * sizeof *r.state);
  csp_store_init(&r.store, r.state_bytes + r.bit_bytes, NULL);
  csp_moves_init(&r.moves, r.m);
  r.reducer = csp_reducer_new(r.m, question == CSP_ASK_RULE);
  CspVerdict verdict = search(&r, ret);
  if (verdict == CSP_FAILS) remember(&r, ret);
  ret->states = r.store.count;
  csp_reducer_free(r.reducer);
  csp_moves_free(&r.moves);
  csp_store_free(&r.store);
  vec_free(&r.forced);
  vec_free(&r.parents);
  vec_free(&r.rules);
  mem_free(r.keep);
  mem_free(r.state);
  mem_free(r.bits);
  mem_free(r.record);
  return verdict;
}

void csp_run_free(CspRun *run) {
  mem_free(run->events);
  mem_free(run->threads);
  *run = (CspRun){0};
}
