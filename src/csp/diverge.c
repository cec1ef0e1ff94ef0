/* Divergence: runs of internal steps without an end.
 *
 * First a look at the components. A rule that is taken for ever moves each of its
 * components along circles of edges whose labels belong to such rules. So an internal
 * rule with a part that is on no such circle is taken finitely often; it is struck out,
 * which takes edges away from other circles, until nothing changes. When no internal rule
 * is left, nothing diverges, and no state needs to be looked at.
 *
 * Otherwise a depth-first search along internal steps, from every state that the search
 * asks about; states that are known not to diverge are black and never entered again. */
#include "csp/search_run.h"

#include <stdlib.h>
#include <string.h>

enum { WHITE, GREY, BLACK };

/* Edges that the look at the components may cost; where it takes longer, states are looked
 * at instead. */
static const uint64_t STRIKE_EDGES = 50000000;

/* ---- components -------------------------------------------------------------------- */

typedef struct {
  const CspMachine *m;
  bool *alive;        /* per rule: internal and not struck out */
  uint32_t **users;   /* per component: living rules per column */
  VEC(uint32_t) work; /* components to be looked at again */
  bool *queued;
  uint64_t edges; /* looked at so far */
} Strike;

/* Strongly connected parts of the component by its living edges, Tarjan's algorithm. */
typedef struct {
  uint32_t *index, *low, *part;
  VEC(uint32_t) stack;
  VEC(uint64_t) frames; /* state above, next edge below */
  uint32_t visits, parts;
} Parts;

static uint32_t target_count(const CspMachine *m, uint32_t move) {
  return move & MOVE_MANY ? m->targets[move & ~MOVE_MANY] : 1;
}

static uint32_t target_at(const CspMachine *m, uint32_t move, uint32_t k) {
  return move & MOVE_MANY ? m->targets[(move & ~MOVE_MANY) + 1 + k] : move - 1;
}

typedef VEC(CspEdge) LivingEdges; /* label: the column */

/* The edges of living columns, state by state. */
static uint32_t *living_edges(const Strike *x, uint32_t number, LivingEdges *edges) {
  const CspComponent *c = &x->m->components.data[number];
  uint32_t *first = mem_alloc((c->lts->states + 1) * sizeof *first);
  for (uint32_t s = 0; s < c->lts->states; s++) {
    first[s] = edges->len;
    for (uint32_t k = c->row_first[s]; k < c->row_first[s + 1]; k++) {
      if (!x->users[number][c->rows[k].column]) continue;
      for (uint32_t t = 0; t < target_count(x->m, c->rows[k].move); t++)
        vec_push(edges,
                 (CspEdge){c->rows[k].column, target_at(x->m, c->rows[k].move, t)});
    }
  }
  first[c->lts->states] = edges->len;
  return first;
}

static void visit_from(Parts *p, const uint32_t *first, const LivingEdges *edges,
                       uint32_t start) {
  p->index[start] = p->low[start] = ++p->visits;
  vec_push(&p->stack, start);
  vec_push(&p->frames, (uint64_t)start << 32 | first[start]);
  while (p->frames.len) {
    uint64_t *top = vec_last(&p->frames);
    uint32_t s = (uint32_t)(*top >> 32), k = (uint32_t)*top;
    if (k < first[s + 1]) {
      uint32_t to = edges->data[k].target;
      *top = (uint64_t)s << 32 | (k + 1);
      if (!p->index[to]) {
        p->index[to] = p->low[to] = ++p->visits;
        vec_push(&p->stack, to);
        vec_push(&p->frames, (uint64_t)to << 32 | first[to]);
      } else if (!p->part[to] && p->index[to] < p->low[s]) {
        p->low[s] = p->index[to];
      }
      continue;
    }
    if (p->low[s] == p->index[s]) {
      p->parts++;
      uint32_t popped;
      do p->part[popped = vec_pop(&p->stack)] = p->parts;
      while (popped != s);
    }
    (void)vec_pop(&p->frames);
    if (p->frames.len) {
      uint32_t above = (uint32_t)(*vec_last(&p->frames) >> 32);
      if (p->low[s] < p->low[above]) p->low[above] = p->low[s];
    }
  }
}

/* Which columns have an edge on a circle of living edges. */
static void columns_on_circles(const Strike *x, uint32_t number, bool *on_circle) {
  const CspComponent *c = &x->m->components.data[number];
  uint32_t n = c->lts->states;
  LivingEdges edges = {0};
  uint32_t *first = living_edges(x, number, &edges);
  Parts p = {.index = mem_alloc_zero((n + 1) * sizeof *p.index),
             .low = mem_alloc_zero((n + 1) * sizeof *p.low),
             .part = mem_alloc_zero((n + 1) * sizeof *p.part)};
  for (uint32_t s = 0; s < n; s++)
    if (!p.index[s]) visit_from(&p, first, &edges, s);
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t k = first[s]; k < first[s + 1]; k++)
      if (p.part[s] == p.part[edges.data[k].target])
        on_circle[edges.data[k].label] = true;
  mem_free(p.index);
  mem_free(p.low);
  mem_free(p.part);
  vec_free(&p.stack);
  vec_free(&p.frames);
  vec_free(&edges);
  mem_free(first);
}

static void strike(Strike *x, uint32_t rule) {
  const CspFastRule *fast = &x->m->fast[rule];
  x->alive[rule] = false;
  for (int k = -1; k < (int)fast->count; k++) {
    uint32_t c = fast->others[k].component;
    x->users[c][fast->others[k].label]--;
    if (!x->queued[c]) {
      x->queued[c] = true;
      vec_push(&x->work, c);
    }
  }
}

/* Rules of the component that are taken finitely often. */
static void strike_at(Strike *x, uint32_t number, const CspRuleVec *rules) {
  const CspComponent *c = &x->m->components.data[number];
  bool *on_circle = mem_alloc_zero(c->label_count + 1);
  columns_on_circles(x, number, on_circle);
  for (uint32_t i = 0; i < rules->len; i++) {
    const CspFastRule *fast = &x->m->fast[rules->data[i]];
    for (int k = -1; k < (int)fast->count && x->alive[rules->data[i]]; k++)
      if (fast->others[k].component == number && !on_circle[fast->others[k].label])
        strike(x, rules->data[i]);
  }
  mem_free(on_circle);
}

bool csp_machine_may_diverge(const CspMachine *m) {
  uint32_t n = m->components.len;
  Strike x = {.m = m, .alive = mem_alloc_zero(m->rules.len + 1)};
  CspRuleVec *rules = mem_alloc_zero((n + 1) * sizeof *rules);
  x.users = mem_alloc_zero((n + 1) * sizeof *x.users);
  x.queued = mem_alloc_zero(n + 1);
  for (uint32_t c = 0; c < n; c++)
    x.users[c] =
        mem_alloc_zero((m->components.data[c].label_count + 1) * sizeof **x.users);
  for (uint32_t r = 0; r < m->rules.len; r++) {
    if (m->fast[r].event != EVENT_TAU) continue;
    x.alive[r] = true;
    for (int k = -1; k < (int)m->fast[r].count; k++) {
      const CspFastPart *part = &m->fast[r].others[k];
      x.users[part->component][part->label]++;
      vec_push(&rules[part->component], r);
    }
  }
  for (uint32_t c = n; c-- > 0;)
    if (rules[c].len) {
      x.queued[c] = true;
      vec_push(&x.work, c);
    }
  while (x.work.len && x.edges < STRIKE_EDGES) {
    uint32_t c = vec_pop(&x.work);
    x.queued[c] = false;
    x.edges += m->components.data[c].row_first[m->components.data[c].lts->states];
    strike_at(&x, c, &rules[c]);
  }
  bool left = false;
  for (uint32_t r = 0; r < m->rules.len; r++) left |= x.alive[r];
  for (uint32_t c = 0; c < n; c++) {
    mem_free(x.users[c]);
    vec_free(&rules[c]);
  }
  mem_free(x.users);
  mem_free(rules);
  mem_free(x.alive);
  mem_free(x.queued);
  vec_free(&x.work);
  return left;
}

/* ---- states ------------------------------------------------------------------------ */

typedef struct {
  uint32_t number;    /* of the state among the coloured ones */
  uint32_t next, end; /* its internal successors in `pending` */
  uint32_t rule;      /* by which it was entered */
} Visit;

typedef struct {
  uint32_t number, rule;
} Pending;

struct CspDiverge {
  const CspMachine *m;
  CspMoves moves;
  CspStore states;
  VEC(uint8_t) colour;
  VEC(Visit) stack;
  VEC(Pending) pending;
  uint64_t *state; /* scratch */
  uint32_t bytes;
  uint64_t looks;
  const char *gave_up; /* why, or NULL */
};

CspDiverge *csp_diverge_new(const CspMachine *m) {
  CspDiverge *d = mem_alloc_zero(sizeof *d);
  d->m = m;
  d->bytes = (m->bits + 7) / 8;
  d->state = mem_alloc_zero(m->words * sizeof *d->state);
  csp_moves_init(&d->moves, m);
  csp_store_init(&d->states, d->bytes, NULL);
  return d;
}

void csp_diverge_free(CspDiverge *d) {
  if (!d) return;
  csp_moves_free(&d->moves);
  csp_store_free(&d->states);
  vec_free(&d->colour);
  vec_free(&d->stack);
  vec_free(&d->pending);
  mem_free(d->state);
  mem_free(d);
}

uint64_t csp_diverge_memory(const CspDiverge *d) {
  return csp_store_memory(&d->states) + d->colour.cap +
         (uint64_t)d->stack.cap * sizeof(Visit) +
         (uint64_t)d->pending.cap * sizeof(Pending);
}

static uint32_t number_of(CspDiverge *d, const uint64_t *state) {
  bool fresh;
  uint32_t n = csp_store_add(&d->states, state, &fresh);
  if (fresh) vec_push(&d->colour, WHITE);
  return n;
}

static void load(CspDiverge *d, uint32_t number) {
  d->state[d->m->words - 1] = 0;
  memcpy(d->state, csp_store_at(&d->states, number), d->bytes);
}

static void open_visit(CspDiverge *d, uint32_t number, uint32_t rule) {
  d->colour.data[number] = GREY;
  load(d, number);
  csp_machine_moves(d->m, d->state, &d->moves);
  uint32_t first = d->pending.len;
  for (uint32_t i = 0; i < d->moves.count; i++)
    if (d->moves.events[i] == EVENT_TAU) {
      uint32_t to = number_of(d, d->moves.states + (size_t)i * d->m->words);
      vec_push(&d->pending, (Pending){to, d->moves.rules[i]});
    }
  vec_push(&d->stack, (Visit){number, first, d->pending.len, rule});
}

static void add_step(CspDiverge *d, CspPath *path, uint32_t rule, uint32_t number) {
  load(d, number);
  vec_push(&path->rules, rule);
  for (uint32_t w = 0; w < d->m->words; w++) vec_push(&path->states, d->state[w]);
}

/* The circle found: along the stack, and back into it. */
static void record_circle(CspDiverge *d, Pending last, CspPath *path,
                          uint32_t *ret_loop) {
  *ret_loop = path->rules.len;
  for (uint32_t i = 0; i < d->stack.len; i++)
    if (d->stack.data[i].number == last.number) *ret_loop = path->rules.len + i;
  for (uint32_t i = 1; i < d->stack.len; i++)
    add_step(d, path, d->stack.data[i].rule, d->stack.data[i].number);
  add_step(d, path, last.rule, last.number);
}

const char *csp_diverge_gave_up(const CspDiverge *d) {
  return d->gave_up;
}

/* One call may visit all states there are. */
static void look_at_limits(CspDiverge *d) {
  Csp *csp = d->m->csp;
  if (csp->stop && atomic_load(csp->stop)) d->gave_up = "the time is over";
  if (csp->limits.memory &&
      csp_diverge_memory(d) + arena_used(csp->arena) > csp->limits.memory)
    d->gave_up = arena_printf(csp->arena, "more than %llu MiB would be needed",
                              (unsigned long long)(csp->limits.memory >> 20));
}

bool csp_diverges(CspDiverge *d, const uint64_t *state, CspPath *path,
                  uint32_t *ret_loop) {
  uint32_t start = number_of(d, state);
  if (d->colour.data[start] == BLACK || (d->gave_up && !path)) return false;
  vec_clear(&d->stack);
  vec_clear(&d->pending);
  open_visit(d, start, 0);
  while (d->stack.len) {
    Visit *top = vec_last(&d->stack);
    if (top->next == top->end) {
      d->colour.data[top->number] = BLACK;
      d->stack.len--;
      d->pending.len = d->stack.len ? vec_last(&d->stack)->end : 0;
      continue;
    }
    Pending p = d->pending.data[top->next++];
    if (d->colour.data[p.number] == GREY) {
      if (path) record_circle(d, p, path, ret_loop);
      return true;
    }
    if (d->colour.data[p.number] == WHITE) open_visit(d, p.number, p.rule);
    if ((++d->looks & 0xfff) == 0) look_at_limits(d);
    if (d->gave_up && !path) return false;
  }
  return false;
}
