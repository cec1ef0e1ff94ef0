/* Rounds of contexts. See kiss.h.
 *
 * In each round every thread runs once, in the order of their creation, from where it was left to
 * where it likes. `ran` of a unit and a round says that the unit was performed by the end of that
 * round: it grows with the rounds and falls along the thread. Memory and ghost variables are taken
 * through all contexts in their order, so each has one present value; an event changes it if it is
 * performed in this very context. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

/* ---- units ---- */

/* Events that are glued together are one unit; ends of the program and of threads stand alone. */
static void make_units(Rounds *r, uint32_t thread) {
  const SeqThread *t = &r->seq->threads.data[thread];
  RoundsThread *mine = &r->threads[thread];
  mine->unit_of = mem_alloc_zero((t->events.len + 1) * sizeof *mine->unit_of);
  mine->accesses = mem_alloc_zero((t->events.len + 1) * sizeof *mine->accesses);
  mine->first_pick = mem_alloc_zero((t->events.len + 1) * sizeof *mine->first_pick);
  uint32_t unit = 0;
  for (uint32_t i = 0; i < t->events.len; i++) {
    if (i && !t->events.data[i].glued) unit++;
    mine->unit_of[i] = unit;
  }
  mine->units = t->events.len ? unit + 1 : 0;
  mine->ran =
      mem_alloc_zero(((size_t)mine->units * r->family.rounds + 1) * sizeof *mine->ran);
}

/* Main alone: its units before the first creation are performed in the first round. */
static uint32_t units_alone(const Rounds *r) {
  const SeqThread *main = &r->seq->threads.data[0];
  for (uint32_t i = 0; i < main->events.len; i++) {
    const SeqEvent *e = &main->events.data[i];
    bool plain = e->kind == SEQ_BEGIN || e->kind == SEQ_READ || e->kind == SEQ_WRITE ||
                 e->kind == SEQ_UPDATE || e->kind == SEQ_TOUCH ||
                 (e->kind == SEQ_SYNC && !e->created &&
                  !op_has(program_edge(r->seq->program, e->edge)->op, OP_BLOCKS));
    if (!plain) return r->threads[0].unit_of[i];
  }
  return 0;
}

static void make_runs(Rounds *r, uint32_t thread, uint32_t sure) {
  Terms *t = r->t;
  for (uint32_t u = 0; u < r->threads[thread].units; u++)
    for (uint32_t k = 0; k < r->family.rounds; k++) {
      Term now = u < sure ? term_bool(t, true) : term_var(t, 1, "ran");
      *ran_at(r, thread, u, k) = now;
      if (k) rounds_fact(r, *ran_at(r, thread, u, k - 1), now);
      if (u) rounds_fact(r, now, *ran_at(r, thread, u - 1, k));
    }
}

static Term in_round(Rounds *r, uint32_t thread, uint32_t unit, uint32_t round) {
  Term now = *ran_at(r, thread, unit, round);
  return round ? term_and(r->t, now, term_not(r->t, *ran_at(r, thread, unit, round - 1)))
               : now;
}

/* ---- contexts ---- */

/* With rounds, nothing comes behind an end. With all schedules it is enough that there is one end at
 * most: it changes nothing, so whoever comes behind it may as well come before, and of several ends
 * all but one may be left out. */
static void end_program(Rounds *r, Term ends) {
  if (r->family.all && !term_is_false(r->t, r->exited))
    rounds_fact(r, ends, term_not(r->t, r->exited));
  r->exited = term_or(r->t, r->exited, ends);
}

static void perform(Rounds *r, uint32_t thread, uint32_t event, Term here) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  Term performed = term_and(r->t, here, e->guard);
  if (term_is_false(r->t, performed)) return;
  r->here = performed;
  if (!term_is_false(r->t, r->exited) && !r->family.all)
    rounds_fact(r, performed, term_not(r->t, r->exited));
  if (r->family.balanced && e->kind == SEQ_BEGIN && thread)
    family_begin(r, thread, performed);
  else if (r->family.balanced)
    family_step(r, performed);
  switch ((SeqKind)e->kind) {
  case SEQ_BEGIN:
    if (thread && !r->family.all) rounds_fact(r, performed, ghosts_known(r, thread));
    break;
  case SEQ_READ:
  case SEQ_WRITE:
  case SEQ_UPDATE: cells_access(r, thread, event, performed); break;
  case SEQ_SYNC:
    ghosts_perform(r, thread, event, performed);
    if (e->created) ghosts_create(r, e->created, performed);
    if (e->created && r->family.balanced) family_create(r, e->created, performed);
    break;
  case SEQ_FREE:
  case SEQ_TOUCH: break;
  case SEQ_ASSERT: /* one that fails is the end */
    end_program(r, term_and(r->t, performed, term_not(r->t, e->value)));
    break;
  case SEQ_EXIT: end_program(r, performed); break;
  case SEQ_END: ghosts_end(r, thread, performed); break;
  }
}

static void run_context(Rounds *r, uint32_t thread, uint32_t round) {
  const SeqThread *t = &r->seq->threads.data[thread];
  for (uint32_t i = 0; i < t->events.len; i++) {
    uint32_t unit = r->threads[thread].unit_of[i];
    perform(r, thread, i, in_round(r, thread, unit, round));
  }
}

/* Who looks at the end, when all that is performed has been: one unit of a thread more. */
static void observe_end(Rounds *r) {
  RoundsThread *observer = &r->threads[r->seq->threads.len];
  observer->units = 1;
  observer->ran = mem_alloc_zero(sizeof *observer->ran);
  observer->ran[0] = r->here = term_bool(r->t, true);
  if (!r->family.stuck) return;
  r->stuck = rounds_stuck_all(r);
  r->circle = rounds_stuck_circle(r);
  slots_close(r, r->seq->threads.len, 0);
}

/* Each unit by itself; then they are put into an order. */
static void run_units(Rounds *r) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++) {
    const RoundsThread *mine = &r->threads[t];
    uint32_t events = r->seq->threads.data[t].events.len;
    for (uint32_t i = 0; i < events; i++) {
      perform(r, t, i, *ran_at(r, t, mine->unit_of[i], 0));
      if (i + 1 == events || mine->unit_of[i + 1] != mine->unit_of[i])
        slots_close(r, t, mine->unit_of[i]);
    }
  }
  observe_end(r);
  cells_keep_sync_apart(r);
  if (r->family.plain)
    r->incomplete = !plain_order_link(r);
  else
    unitorder_link(r);
}

/* What a thread returned is the value of whichever of its ends it came to. */
static void tie_results(Rounds *r) {
  for (uint32_t t = 1; t < r->seq->threads.len; t++) {
    const SeqThread *thread = &r->seq->threads.data[t];
    for (uint32_t i = 0; i < thread->events.len; i++) {
      const SeqEvent *e = &thread->events.data[i];
      if (e->kind != SEQ_END) continue;
      Term value = term_fit(r->t, e->value, 64);
      rounds_fact(r, e->guard, term_eq(r->t, thread->result, value));
    }
  }
}

Rounds *rounds_new(SeqProgram *seq, Solver *solver, const KissFamily *family) {
  Rounds *r = mem_alloc_zero(sizeof *r);
  *r = (Rounds){.seq = seq, .solver = solver, .t = seq->terms, .family = *family};
  r->exited = r->lost = term_bool(r->t, false);
  r->threads = mem_alloc_zero((seq->threads.len + 2) * sizeof *r->threads);
  for (uint32_t t = 0; t < seq->threads.len; t++) make_units(r, t);
  uint32_t alone = units_alone(r);
  for (uint32_t t = 0; t < seq->threads.len; t++) make_runs(r, t, t ? 0 : alone);
  for (uint32_t i = 0; i < seq->facts.len; i++) solver_assert(solver, seq->facts.data[i]);
  cells_build(r);
  if (family->balanced) family_prepare(r);
  if (family->all) run_units(r);
  for (uint32_t k = 0; k < family->rounds && !family->all; k++)
    for (uint32_t t = 0; t < seq->threads.len; t++) run_context(r, t, k);
  tie_results(r);
  if (family->balanced) family_balance(r);
  return r;
}

void rounds_free(Rounds *r) {
  if (!r) return;
  for (uint32_t t = 0; t < r->seq->threads.len; t++) {
    mem_free(r->threads[t].unit_of);
    mem_free(r->threads[t].ran);
    mem_free(r->threads[t].accesses);
    mem_free(r->threads[t].first_pick);
    vec_free(&r->threads[t].picks);
  }
  mem_free(r->threads[r->seq->threads.len].ran);
  mem_free(r->threads);
  mem_free(r->waits_in_ts);
  mem_free(r->is_put);
  cells_free(r);
  vec_free(&r->objects);
  map_free(&r->object_at);
  map_free(&r->ghosts);
  vec_free(&r->slots);
  vec_free(&r->open);
  vec_free(&r->touches);
  unitorder_free(r->order);
  vec_free(&r->found);
  mem_free(r);
}

bool rounds_is_complete(const Rounds *r) {
  return !r->incomplete;
}

uint64_t rounds_size(const Rounds *r) {
  return r->size;
}

/* ---- what can be asked ---- */

static Term ran_at_end(Rounds *r, uint32_t thread, uint32_t event) {
  return *ran_at(r, thread, r->threads[thread].unit_of[event], r->family.rounds - 1);
}

Term rounds_performed(Rounds *r, uint32_t thread, uint32_t event) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  return term_and(r->t, e->guard, ran_at_end(r, thread, event));
}

Term rounds_is_next(Rounds *r, uint32_t thread, uint32_t event) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  uint32_t unit = r->threads[thread].unit_of[event];
  Term next = term_and(r->t, e->guard, term_not(r->t, ran_at_end(r, thread, event)));
  if (r->family.all) next = term_and(r->t, next, term_not(r->t, r->exited));
  return unit ? term_and(r->t, next, *ran_at(r, thread, unit - 1, r->family.rounds - 1))
              : next;
}

Term rounds_cut(Rounds *r, uint32_t thread, uint32_t cut) {
  const SeqCut *c = &r->seq->threads.data[thread].cuts.data[cut];
  return c->event ? term_and(r->t, c->guard, ran_at_end(r, thread, c->event - 1))
                  : c->guard;
}

Term rounds_lost(Rounds *r) {
  return r->lost;
}

Term rounds_overlap(Rounds *r, const SeqEvent *a, const SeqEvent *b) {
  Terms *t = r->t;
  uint64_t x, y;
  /* an operation of synchronisation uses more than its object */
  if (a->kind == SEQ_SYNC || b->kind == SEQ_SYNC || !a->address || !b->address)
    return term_bool(t, true);
  if (!a->size || !b->size) {
    Term one = term_extract(t, a->address, SEQ_BASE_SHIFT, 64 - SEQ_BASE_SHIFT);
    Term two = term_extract(t, b->address, SEQ_BASE_SHIFT, 64 - SEQ_BASE_SHIFT);
    return term_eq(t, one, two);
  }
  if (a->size == b->size && term_get_const(t, a->address, &x) &&
      term_get_const(t, b->address, &y))
    return term_bool(t, x < y + b->size && y < x + a->size);
  /* a < b + its size, and b < a + its size */
  Term a_end = term_add(t, a->address, term_const(t, 64, a->size));
  Term b_end = term_add(t, b->address, term_const(t, 64, b->size));
  return term_and(t, term_ult(t, a->address, b_end), term_ult(t, b->address, a_end));
}

Term rounds_stuck(Rounds *r) {
  return r->family.all ? r->stuck : rounds_stuck_all(r);
}

Term rounds_circle(Rounds *r) {
  return r->family.all ? r->circle : rounds_stuck_circle(r);
}

/* ---- the schedule of a model ---- */

bool rounds_is_schedule(Rounds *r) {
  OrderedUnits units = {0};
  bool good = !r->family.all || unitorder_of_model(r, &units);
  vec_free(&units);
  return good;
}

static bool is_true(Rounds *r, Term t) {
  return solver_number(r->solver, t) != 0;
}

static uint32_t woken_by(Rounds *r, uint32_t thread, uint32_t event,
                         const uint32_t *numbers) {
  const RoundsThread *mine = &r->threads[thread];
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  bool wakes = false;
  for (uint32_t i = 0; i < e->row_count; i++) {
    const SeqRow *row = &r->seq->rows.data[e->first_row + i];
    wakes = wakes || (row->row->wake == WAKE_ONE && is_true(r, row->chosen));
  }
  if (!wakes || !mine->first_pick[event]) return 0;
  for (uint32_t u = 0; u < r->seq->threads.len; u++)
    if (u != thread && is_true(r, mine->picks.data[mine->first_pick[event] + u]))
      return numbers[u];
  return 0;
}

/* The wait is ended by its time: a row for that is taken. */
static bool ends_late(Rounds *r, const SeqEvent *e) {
  for (uint32_t i = 0; i < e->row_count; i++) {
    const SeqRow *row = &r->seq->rows.data[e->first_row + i];
    if (row->row->outcome == RESULT_TIMEOUT && row->row->end == ENDS_RESULT &&
        is_true(r, row->chosen))
      return true;
  }
  return false;
}

/* Operations that are several events and one step of the interpreter. */
static bool goes_on_in_step(const Program *program, const SeqEvent *e,
                            const KissStep *last) {
  if (!e->glued || !last || last->edge != e->edge || e->kind == SEQ_SYNC) return false;
  uint8_t op = program_edge(program, e->edge)->op;
  return e->kind == SEQ_TOUCH || op == OP_COPY || op == OP_FILL || op == OP_CREATE ||
         op == OP_JOIN || op == OP_SEM_VALUE || op == OP_CALL;
}

/* The step of the event, if it is performed by `performed`. */
static void add_step(Rounds *r, uint32_t thread, uint32_t event, Term performed,
                     uint32_t *numbers, uint32_t *born, KissSchedule *s) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  if ((!e->edge && e->kind != SEQ_END) || !is_true(r, performed) || !is_true(r, e->guard))
    return;
  const KissStep *last = s->steps.len ? vec_last(&s->steps) : NULL;
  if (e->created) numbers[e->created] = ++*born;
  if (goes_on_in_step(r->seq->program, e, last)) return;
  vec_push(&s->steps, (KissStep){.thread = numbers[thread],
                                 .edge = e->edge,
                                 .waiter = woken_by(r, thread, event, numbers),
                                 .late = e->kind == SEQ_SYNC && ends_late(r, e),
                                 .spurious = e->spurious && is_true(r, e->spurious) &&
                                             !ends_late(r, e),
                                 .returns = e->returns});
}

static void add_rounds(Rounds *r, uint32_t *numbers, uint32_t *born, KissSchedule *s) {
  for (uint32_t k = 0; k < r->family.rounds; k++)
    for (uint32_t t = 0; t < r->seq->threads.len; t++)
      for (uint32_t i = 0; numbers[t] && i < r->seq->threads.data[t].events.len; i++)
        add_step(r, t, i, in_round(r, t, r->threads[t].unit_of[i], k), numbers, born, s);
}

static void add_in_order(Rounds *r, uint32_t *numbers, uint32_t *born, KissSchedule *s) {
  OrderedUnits units = {0};
  unitorder_of_model(r, &units);
  for (uint32_t i = 0; i < units.len; i++) {
    uint32_t t = (uint32_t)(units.data[i] >> 32), unit = (uint32_t)units.data[i];
    for (uint32_t k = 0; k < r->seq->threads.data[t].events.len; k++)
      if (r->threads[t].unit_of[k] == unit)
        add_step(r, t, k, *ran_at(r, t, unit, 0), numbers, born, s);
  }
  vec_free(&units);
}

static void add_values(Rounds *r, const uint32_t *numbers, KissSchedule *s) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    for (uint32_t i = 0; numbers[t] && i < r->seq->threads.data[t].inputs.len; i++) {
      const SeqInput *in = &r->seq->threads.data[t].inputs.data[i];
      if (!is_true(r, in->guard)) continue;
      KissValue v = {
          .thread = numbers[t], .edge = in->edge, .bits = term_bits(r->t, in->value)};
      if (v.bits <= 128) solver_value(r->solver, in->value, v.words);
      vec_push(&s->values, v);
    }
}

void rounds_schedule(Rounds *r, const KissTarget *target, KissSchedule *s) {
  uint32_t born = 1;
  uint32_t *numbers = mem_alloc_zero((r->seq->threads.len + 1) * sizeof *numbers);
  *s = (KissSchedule){.target = *target};
  numbers[0] = 1;
  if (r->family.all)
    add_in_order(r, numbers, &born, s);
  else
    add_rounds(r, numbers, &born, s);
  add_values(r, numbers, s);
  for (int i = 0; i < 2; i++) s->numbers[i] = numbers[target->threads[i]];
  mem_free(numbers);
}

void kiss_schedule_free(KissSchedule *s) {
  vec_free(&s->steps);
  vec_free(&s->values);
  *s = (KissSchedule){0};
}
