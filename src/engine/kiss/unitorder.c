/* All schedules: the order of units by variables. See kiss.h.
 *
 * A schedule is a total order of the units of all threads. For each two units of different threads
 * whose order matters, because both touch a slot that several threads use, a variable says which one
 * comes first; it agrees with the order within threads and with creation. What a unit finds in a
 * slot is what some other unit has left there, or what was there in the beginning:
 *
 *   found(i) = left(j)   if j comes before i, and no unit that writes comes between them.
 *
 * Which j it is, is a variable too (reads-from, as in the axioms of memory models; Alglave, Kroening,
 * Tautschnig, "Partial orders for efficient bounded model checking of concurrent software", CAV 2013).
 * Two threads can have no circle then; circles through three and more are excluded when a model has
 * one (unitorder_model.c).
 *
 * Slots that the same units touch and write (owner and count of a lock) share their reads-from. */
#include "engine/kiss/unitorder_internal.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* ---- what is known of the order ---- */

bool unitorder_is_fixed(const Rounds *r, uint32_t thread_a, uint32_t unit_a,
                        uint32_t thread_b, uint32_t unit_b) {
  uint32_t observer = r->seq->threads.len;
  if (thread_a == thread_b) return unit_a < unit_b;
  if (thread_a == observer || thread_b == observer) return thread_b == observer;
  while (thread_b) {
    unit_b = r->order->created_at[thread_b];
    thread_b = r->seq->threads.data[thread_b].creator;
    if (thread_a == thread_b) return unit_a <= unit_b;
  }
  return false;
}

static bool comes_first(const Rounds *r, const Touch *a, const Touch *b) {
  return unitorder_is_fixed(r, a->thread, a->unit, b->thread, b->unit);
}

/* A thread begins after it was created. */
static void find_creations(Rounds *r) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++) {
    const SeqThread *thread = &r->seq->threads.data[t];
    for (uint32_t i = 0; i < thread->events.len; i++) {
      uint32_t created = thread->events.data[i].created;
      if (!created) continue;
      r->order->created_at[created] = r->threads[t].unit_of[i];
      if (r->threads[created].units)
        rounds_fact(r, *ran_at(r, created, 0, 0), rounds_performed(r, t, i));
    }
  }
}

/* ---- touches by slot ---- */

static int by_slot(const void *x, const void *y) {
  const Touch *a = x, *b = y;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  return a->unit < b->unit ? -1 : a->unit > b->unit;
}

typedef struct {
  Touch *all;
  uint32_t count;
} Group;

static bool writes(const Rounds *r, const Touch *t) {
  return !term_is_false(r->t, t->written);
}

/* Several threads touch it, and one of them writes. */
static bool is_common(const Rounds *r, const Group *g) {
  bool several = false, written = false;
  for (uint32_t i = 0; i < g->count; i++) {
    several = several || g->all[i].thread != g->all[0].thread;
    written = written || writes(r, &g->all[i]);
  }
  return several && written;
}

static uint32_t group_end(const Rounds *r, uint32_t first) {
  uint32_t end = first;
  while (end < r->touches.len && r->touches.data[end].slot == r->touches.data[first].slot)
    end++;
  return end;
}

/* ---- points and their order ---- */

static void add_points(Rounds *r) {
  UnitOrder *o = r->order;
  for (uint32_t first = 0, end; first < r->touches.len; first = end) {
    end = group_end(r, first);
    Group g = {&r->touches.data[first], end - first};
    for (uint32_t i = 0; i < g.count && is_common(r, &g); i++)
      o->point_of[g.all[i].thread][g.all[i].unit] = 1;
  }
  for (uint32_t t = 0; t <= r->seq->threads.len; t++)
    for (uint32_t u = 0; u < r->threads[t].units; u++)
      if (o->point_of[t][u]) {
        vec_push(&o->points, (Point){t, u});
        o->point_of[t][u] = o->points.len;
      }
}

static uint32_t point_of(const Rounds *r, const Touch *t) {
  assert(r->order->point_of[t->thread][t->unit]);
  return r->order->point_of[t->thread][t->unit] - 1;
}

static void make_variables(Rounds *r) {
  UnitOrder *o = r->order;
  size_t n = o->points.len;
  o->before = mem_alloc_zero((n * n + 1) * sizeof *o->before);
  o->linked = mem_alloc_zero(n * n + 1);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      Point x = o->points.data[a], y = o->points.data[b];
      bool first = unitorder_is_fixed(r, x.thread, x.unit, y.thread, y.unit);
      bool last = unitorder_is_fixed(r, y.thread, y.unit, x.thread, x.unit);
      o->before[a * n + b] =
          first || last ? term_bool(r->t, first) : term_var(r->t, 1, "before");
    }
}

/* Before a later unit of a thread is before an earlier one, and so on. */
static void agree_with_threads(Rounds *r) {
  const UnitOrder *o = r->order;
  for (uint32_t a = 0; a + 1 < o->points.len; a++) {
    if (o->points.data[a].thread != o->points.data[a + 1].thread) continue;
    for (uint32_t b = 0; b < o->points.len; b++) {
      if (o->points.data[b].thread == o->points.data[a].thread) continue;
      rounds_fact(r, unitorder_before(r, a + 1, b), unitorder_before(r, a, b));
    }
  }
}

/* ---- reads-from ---- */

/* Slots of one thread: each unit finds what the last one has left. */
static void link_alone(Rounds *r, const Group *g) {
  Term now = r->slots.data[g->all[0].slot].start;
  for (uint32_t i = 0; i < g->count; i++) {
    const Touch *t = &g->all[i];
    assert(!i || t[-1].unit < t->unit);
    rounds_fact(r, t->used, term_eq(r->t, t->in, now));
    now = term_ite(r->t, t->written, t->out, now);
  }
}

/* Nobody writes. */
static void link_constant(Rounds *r, const Group *g) {
  for (uint32_t i = 0; i < g->count; i++)
    rounds_fact(r, g->all[i].used,
                term_eq(r->t, g->all[i].in, r->slots.data[g->all[i].slot].start));
}

/* Groups that share their reads-from: the first one's terms say when they are read and written. */
typedef struct {
  Group *groups;
  uint32_t count;
} Family;

/* What is read and written of any of the slots; a slot that is not written with the others is passed
 * on as it was found. */
static void unite(Rounds *r, const Family *f, uint32_t i, Term *ret_used,
                  Term *ret_written) {
  Term used = term_bool(r->t, false), written = used;
  for (uint32_t k = 0; k < f->count; k++) {
    used = term_or(r->t, used, f->groups[k].all[i].used);
    written = term_or(r->t, written, f->groups[k].all[i].written);
  }
  for (uint32_t k = 0; k < f->count; k++)
    if (f->groups[k].all[i].written != written) used = term_or(r->t, used, written);
  *ret_used = used;
  *ret_written = written;
}

static Term values_agree(Rounds *r, const Family *f, uint32_t i, uint32_t source) {
  Term all = term_bool(r->t, true);
  for (uint32_t k = 0; k < f->count; k++) {
    const Group *g = &f->groups[k];
    Term is =
        source == UINT32_MAX ? r->slots.data[g->all[0].slot].start : g->all[source].out;
    all = term_and(r->t, all, term_eq(r->t, g->all[i].in, is));
  }
  return all;
}

/* Some unit that surely writes when `to` is performed surely comes between. Whoever looks at the end
 * comes behind all units, whether they are performed or not. */
static bool is_hidden(Rounds *r, const Group *g, const Term *written, uint32_t from,
                      uint32_t to) {
  if (g->all[to].thread == r->seq->threads.len) return false;
  for (uint32_t k = 0; k < g->count; k++)
    if (k != from && k != to && !term_is_false(r->t, written[k]) &&
        written[k] == *ran_at(r, g->all[k].thread, g->all[k].unit, 0) &&
        comes_first(r, &g->all[k], &g->all[to]) &&
        (from == UINT32_MAX || comes_first(r, &g->all[from], &g->all[k])))
      return true;
  return false;
}

/* `i` finds what `j` (UINT32_MAX: the beginning) has left, if `is`. */
static void link_pair(Rounds *r, const Family *f, const Term *written, uint32_t i,
                      uint32_t j, Term is) {
  const Group *g = &f->groups[0];
  assert(i < g->count && i != j && (j < g->count || j == UINT32_MAX));
  uint32_t to = point_of(r, &g->all[i]);
  uint32_t from = j == UINT32_MAX ? j : point_of(r, &g->all[j]);
  rounds_fact(r, is, values_agree(r, f, i, j));
  if (j != UINT32_MAX) {
    rounds_fact(r, is, written[j]);
    rounds_fact(r, is, unitorder_before(r, from, to));
  }
  for (uint32_t k = 0; k < g->count; k++) {
    if (k == i || k == j || term_is_false(r->t, written[k])) continue;
    uint32_t other = point_of(r, &g->all[k]);
    Term apart = unitorder_before(r, to, other);
    if (j != UINT32_MAX) apart = term_or(r->t, apart, unitorder_before(r, other, from));
    rounds_fact(r, term_and(r->t, is, written[k]), apart);
  }
}

static void link_common(Rounds *r, const Family *f) {
  const Group *g = &f->groups[0];
  Terms *t = r->t;
  UnitOrder *o = r->order;
  Term *used = mem_alloc_zero((g->count + 1) * sizeof *used);
  Term *written = mem_alloc_zero((g->count + 1) * sizeof *written);
  for (uint32_t i = 0; i < g->count; i++) unite(r, f, i, &used[i], &written[i]);
  for (uint32_t i = 0; i < g->count; i++) {
    if (term_is_false(t, used[i])) continue;
    Term some = term_bool(t, false);
    for (uint32_t j = 0; j <= g->count; j++) {
      uint32_t source = j == g->count ? UINT32_MAX : j;
      if (source == i || is_hidden(r, g, written, source, i)) continue;
      if (source != UINT32_MAX &&
          (term_is_false(t, written[j]) || comes_first(r, &g->all[i], &g->all[j])))
        continue;
      Term is = term_var(t, 1, "from");
      link_pair(r, f, written, i, source, is);
      some = term_or(t, some, is);
    }
    rounds_fact(r, used[i], some);
  }
  for (uint32_t i = 0; i < g->count; i++)
    for (uint32_t j = 0; j < g->count; j++)
      if (!term_is_false(t, written[i]) || !term_is_false(t, written[j]))
        o->linked[(size_t)point_of(r, &g->all[i]) * o->points.len +
                  point_of(r, &g->all[j])] = 1;
  mem_free(used);
  mem_free(written);
}

static bool are_alike(const Rounds *r, const Group *a, const Group *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->all[i].thread != b->all[i].thread || a->all[i].unit != b->all[i].unit ||
        writes(r, &a->all[i]) != writes(r, &b->all[i]))
      return false;
  return true;
}

static void link_slots(Rounds *r) {
  VEC(Group) common = {0};
  for (uint32_t first = 0, end; first < r->touches.len; first = end) {
    end = group_end(r, first);
    Group g = {&r->touches.data[first], end - first};
    bool one = g.all[0].thread == g.all[g.count - 1].thread;
    if (is_common(r, &g))
      vec_push(&common, g);
    else if (one)
      link_alone(r, &g);
    else
      link_constant(r, &g);
  }
  for (uint32_t i = 0; i < common.len;) {
    uint32_t n = 1;
    for (uint32_t k = i + 1; k < common.len; k++)
      if (are_alike(r, &common.data[i], &common.data[k])) {
        Group g = common.data[k];
        common.data[k] = common.data[i + n];
        common.data[i + n++] = g;
      }
    link_common(r, &(Family){&common.data[i], n});
    i += n;
  }
  vec_free(&common);
}

void unitorder_link(Rounds *r) {
  UnitOrder *o = r->order = mem_alloc_zero(sizeof *o);
  uint32_t threads = r->seq->threads.len + 1; /* and the observer */
  o->point_of = mem_alloc_zero((threads + 1) * sizeof *o->point_of);
  o->created_at = mem_alloc_zero((threads + 1) * sizeof *o->created_at);
  for (uint32_t t = 0; t < threads; t++)
    o->point_of[t] = mem_alloc_zero((r->threads[t].units + 1) * sizeof **o->point_of);
  find_creations(r);
  if (r->touches.len)
    qsort(r->touches.data, r->touches.len, sizeof *r->touches.data, by_slot);
  add_points(r);
  if (o->points.len > UNITORDER_MOST_POINTS) {
    r->size = UINT64_MAX / 2; /* too much, whoever asks */
    return;
  }
  make_variables(r);
  agree_with_threads(r);
  link_slots(r);
}

void unitorder_free(UnitOrder *o) {
  if (!o) return;
  for (uint32_t t = 0; o->point_of && o->point_of[t]; t++) mem_free(o->point_of[t]);
  mem_free(o->point_of);
  mem_free(o->created_at);
  mem_free(o->before);
  mem_free(o->linked);
  vec_free(&o->points);
  mem_free(o);
}
