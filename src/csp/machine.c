/* Exploration of a machine by its rules.
 *
 * In: components with their transitions, rules. Out: the successors of packed states.
 * Each rule belongs to one of its parts, the owner, whose label is the rarest among the
 * states of its component. For every state of a component the rules that it owns and
 * enables are listed beforehand; what remains at run time is to look the other parts up
 * in their tables. So the cost of a state follows the number of moves, not of rules.
 *
 * Component state × column gives the move: nothing, one target, or a list. */
#include "csp/machine_chase.h"

#include "csp/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

CspMachine *csp_machine_new(Csp *csp) {
  CspMachine *m = mem_alloc_zero(sizeof *m);
  m->csp = csp;
  return m;
}

uint32_t csp_machine_component(CspMachine *m, const char *name, const CspLts *lts) {
  if (m->components.len >= 100000)
    csp_limit(m->csp, (CspPlace){0}, "look for recursion through a parallel operator",
              "the process has more than %u components", m->components.len);
  vec_push(&m->components, (CspComponent){.name = name, .lts = lts});
  return m->components.len - 1;
}

void csp_machine_free(CspMachine *m) {
  if (!m) return;
  for (uint32_t i = 0; i < m->components.len; i++) {
    mem_free(m->components.data[i].row_first);
    mem_free(m->components.data[i].rows);
    mem_free(m->components.data[i].table);
  }
  vec_free(&m->components);
  vec_free(&m->rules);
  vec_free(&m->pool);
  mem_free(m->fast);
  mem_free(m->slots);
  mem_free(m->owned_first);
  mem_free(m->owned);
  csp_chase_free(m->chase);
  mem_free(m);
}

/* ---- packing ----------------------------------------------------------------------- */

static unsigned bits_for(uint32_t states) {
  unsigned bits = 0;
  while (bits < 32 && (UINT64_C(1) << bits) < states) bits++;
  return bits;
}

/* Components do not cross words. Large ones first wastes the least, but the order of the
 * script keeps neighbours together, which is worth more to the cache. */
static void lay_out(CspMachine *m) {
  uint32_t word = 0, used = 0, total = 0;
  for (uint32_t i = 0; i < m->components.len; i++) {
    CspComponent *c = &m->components.data[i];
    unsigned bits = bits_for(c->lts->states);
    if (used + bits > 64) {
      word++;
      used = 0;
    }
    c->word = word;
    c->shift = used;
    c->mask = bits == 0 ? 0 : (UINT64_C(1) << bits) - 1;
    assert(used + bits <= 64);
    used += bits;
    total = word * 64 + used;
  }
  m->words = total == 0 ? 1 : (total + 63) / 64;
  m->bits = total;
}

/* ---- tables ------------------------------------------------------------------------ */

enum { TABLE_SMALL = 1 << 16, TABLE_SPARSE = 16 };

static void make_columns(CspMachine *m, Map *columns) {
  for (uint32_t r = 0; r < m->rules.len; r++)
    for (uint32_t k = 0; k < m->rules.data[r].count; k++) {
      CspPart *part = &m->rules.data[r].parts[k];
      uint64_t *slot = map_at(&columns[part->component], part->label);
      if (!*slot) *slot = ++m->components.data[part->component].label_count;
    }
}

/* The move for edges [from, to) of one label. */
static uint32_t encode(CspMachine *m, const CspEdge *edges, uint32_t count) {
  assert(count && edges->target < MOVE_MANY - 1);
  if (count == 1) return edges->target + 1;
  uint32_t at = m->pool.len;
  vec_push(&m->pool, count);
  for (uint32_t i = 0; i < count; i++) vec_push(&m->pool, edges[i].target);
  assert(at < MOVE_MANY);
  return MOVE_MANY | at;
}

static int compare_moves(const void *x, const void *y) {
  const CspMove *a = x, *b = y;
  return a->column < b->column ? -1 : a->column > b->column;
}

static void make_rows(CspMachine *m, CspComponent *c, const Map *columns,
                      uint32_t *uses) {
  const CspLts *lts = c->lts;
  VEC(CspMove) rows = {0};
  c->row_first = mem_alloc((lts->states + 1) * sizeof *c->row_first);
  for (uint32_t s = 0; s < lts->states; s++) {
    uint32_t begin = c->row_first[s] = rows.len;
    for (uint32_t k = lts->first[s], n; k < lts->first[s + 1]; k += n) {
      const CspEdge *edges = lts->edges + k;
      for (n = 1; k + n < lts->first[s + 1] && edges[n].label == edges->label;) n++;
      uint64_t column = map_find(columns, edges->label, 0);
      if (!column) continue;
      uses[column - 1]++;
      vec_push(&rows, (CspMove){(uint32_t)column - 1, encode(m, edges, n)});
    }
    if (rows.len - begin > 1)
      qsort(rows.data + begin, rows.len - begin, sizeof *rows.data, compare_moves);
  }
  c->row_first[lts->states] = rows.len;
  c->rows = rows.data;
}

/* A table finds a move at once; that of a long chain with an event per state would be
 * quadratic, so that such a component is searched in its rows instead. */
static void make_table(CspComponent *c) {
  size_t size = (size_t)c->lts->states * c->label_count;
  uint32_t rows = c->row_first[c->lts->states];
  if (size > TABLE_SMALL && size / TABLE_SPARSE > (size_t)rows + c->lts->states) return;
  c->table = mem_alloc_zero((size ? size : 1) * sizeof *c->table);
  for (uint32_t s = 0; s < c->lts->states; s++)
    for (uint32_t k = c->row_first[s]; k < c->row_first[s + 1]; k++)
      c->table[(size_t)s * c->label_count + c->rows[k].column] = c->rows[k].move;
}

uint32_t csp_component_find(const CspComponent *c, uint32_t state, uint32_t column) {
  uint32_t low = c->row_first[state], high = c->row_first[state + 1], end = high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->rows[middle].column < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && c->rows[low].column == column ? c->rows[low].move : 0;
}

static void make_tables(CspMachine *m, const Map *columns, uint32_t **uses) {
  for (uint32_t i = 0; i < m->components.len; i++) {
    CspComponent *c = &m->components.data[i];
    uses[i] = mem_alloc_zero((c->label_count + 1) * sizeof **uses);
    make_rows(m, c, &columns[i], uses[i]);
    make_table(c);
  }
}

/* The part that is enabled in the smallest share of its component's states. */
static uint32_t choose_owner(const CspMachine *m, const CspRule *rule,
                             const CspFastPart *parts, uint32_t **uses) {
  uint32_t best = 0;
  double least = 2;
  for (uint32_t k = 0; k < rule->count; k++) {
    const CspComponent *c = &m->components.data[parts[k].component];
    double share = (double)uses[parts[k].component][parts[k].label] / c->lts->states;
    if (share < least) {
      least = share;
      best = k;
    }
  }
  return best;
}

static void make_rules(CspMachine *m, const Map *columns, uint32_t **uses) {
  m->fast = mem_alloc_zero((m->rules.len + 1) * sizeof *m->fast);
  for (uint32_t r = 0; r < m->rules.len; r++) {
    CspRule *rule = &m->rules.data[r];
    CspFastPart *parts = arena_alloc(m->csp->arena, (rule->count + 1) * sizeof *parts);
    for (uint32_t k = 0; k < rule->count; k++) {
      parts[k].component = rule->parts[k].component;
      assert(map_get(&columns[parts[k].component], rule->parts[k].label));
      parts[k].label =
          (uint32_t)map_find(&columns[parts[k].component], rule->parts[k].label, 0) - 1;
    }
    uint32_t owner = choose_owner(m, rule, parts, uses);
    CspFastPart own = parts[owner];
    parts[owner] = parts[0];
    parts[0] = own;
    m->fast[r] = (CspFastRule){rule->event, own.component, rule->count - 1, parts + 1};
  }
}

static int compare_owned(const void *x, const void *y) {
  const CspOwned *a = x, *b = y;
  return a->rule < b->rule ? -1 : a->rule > b->rule;
}

typedef VEC(CspOwned) OwnedVec;
typedef VEC(uint32_t) NumberVec;

/* The rules that each state of a component owns and enables, in the order of rules. */
static void make_owned_of(CspMachine *m, CspComponent *c, const NumberVec *rules,
                          NumberVec *firsts, OwnedVec *owned) {
  uint32_t *next = mem_alloc((rules->len + 1) * sizeof *next); /* of the same column */
  uint32_t *head = mem_alloc_zero((c->label_count + 1) * sizeof *head);
  for (uint32_t k = 0; k < rules->len; k++) {
    uint32_t column = m->fast[rules->data[k]].others[-1].label;
    next[k] = head[column];
    head[column] = k + 1;
  }
  for (uint32_t s = 0; s < c->lts->states; s++) {
    uint32_t begin = owned->len;
    vec_push(firsts, begin);
    for (uint32_t k = c->row_first[s]; k < c->row_first[s + 1]; k++)
      for (uint32_t r = head[c->rows[k].column]; r; r = next[r - 1])
        vec_push(owned, (CspOwned){rules->data[r - 1], c->rows[k].move});
    if (owned->len - begin > 1)
      qsort(owned->data + begin, owned->len - begin, sizeof *owned->data, compare_owned);
  }
  vec_push(firsts, owned->len);
  mem_free(next);
  mem_free(head);
}

static void make_owned(CspMachine *m) {
  uint32_t n = m->components.len;
  NumberVec *by_owner = mem_alloc_zero((n + 1) * sizeof *by_owner), firsts = {0};
  OwnedVec owned = {0};
  m->slots = mem_alloc_zero((n + 1) * sizeof *m->slots);
  for (uint32_t r = 0; r < m->rules.len; r++) vec_push(&by_owner[m->fast[r].owner], r);
  for (uint32_t i = 0; i < n; i++) {
    CspComponent *c = &m->components.data[i];
    m->slots[i] = (CspSlot){c->word, c->shift, (uint32_t)c->mask, firsts.len};
    make_owned_of(m, c, &by_owner[i], &firsts, &owned);
    vec_free(&by_owner[i]);
  }
  m->owned_first = firsts.data;
  m->owned = owned.data;
  mem_free(by_owner);
}

void csp_machine_finish(CspMachine *m) {
  uint32_t n = m->components.len;
  Map *columns = mem_alloc_zero((n + 1) * sizeof *columns);
  uint32_t **uses = mem_alloc_zero((n + 1) * sizeof *uses);
  lay_out(m);
  make_columns(m, columns);
  make_tables(m, columns, uses);
  make_rules(m, columns, uses);
  make_owned(m);
  m->targets = m->pool.data;
  csp_chase_finish(m);
  for (uint32_t i = 0; i < n; i++) {
    map_free(&columns[i]);
    mem_free(uses[i]);
  }
  mem_free(columns);
  mem_free(uses);
}

/* ---- states ------------------------------------------------------------------------ */

void csp_machine_start(const CspMachine *m, uint64_t *state) {
  memset(state, 0, m->words * sizeof *state);
  if (!m->chase) return;
  CspChaser *chaser = csp_chaser_new(m);
  csp_chase_settle(chaser, state, UINT32_MAX, NULL);
  csp_chaser_free(chaser);
}

void csp_machine_unpack(const CspMachine *m, const uint64_t *state,
                        uint32_t *components) {
  for (uint32_t i = 0; i < m->components.len; i++) {
    const CspSlot *slot = &m->slots[i];
    components[i] = (uint32_t)(state[slot->word] >> slot->shift) & slot->mask;
  }
}

void csp_moves_init(CspMoves *moves, const CspMachine *m) {
  uint32_t components = m->components.len + 1;
  *moves = (CspMoves){.cap = 64, .ready_cap = 64};
  moves->ready = csp_lines_new(moves->ready_cap * sizeof *moves->ready);
  moves->events = csp_lines_new(moves->cap * sizeof *moves->events);
  moves->rules = csp_lines_new(moves->cap * sizeof *moves->rules);
  moves->states = csp_lines_new((size_t)moves->cap * m->words * sizeof *moves->states);
  moves->current = csp_lines_new(components * sizeof *moves->current);
  moves->chosen = csp_lines_new(components * sizeof *moves->chosen);
  if (m->chase) moves->chaser = csp_chaser_new(m);
}

void csp_moves_free(CspMoves *moves) {
  csp_lines_free(moves->events);
  csp_lines_free(moves->rules);
  csp_lines_free(moves->states);
  csp_lines_free(moves->ready);
  csp_lines_free(moves->current);
  csp_lines_free(moves->chosen);
  csp_chaser_free(moves->chaser);
  *moves = (CspMoves){0};
}

static void grow_moves(const CspMachine *m, CspMoves *moves) {
  size_t old = moves->cap, cap = 2 * old, state = m->words * sizeof *moves->states;
  moves->events = csp_lines_grow(moves->events, old * sizeof *moves->events,
                                 cap * sizeof *moves->events);
  moves->rules = csp_lines_grow(moves->rules, old * sizeof *moves->rules,
                                cap * sizeof *moves->rules);
  moves->states = csp_lines_grow(moves->states, old * state, cap * state);
  moves->cap = (uint32_t)cap;
}

static uint64_t *new_move(const CspMachine *m, CspMoves *moves, uint32_t rule,
                          uint32_t event) {
  if (moves->count == moves->cap) grow_moves(m, moves);
  moves->events[moves->count] = event;
  moves->rules[moves->count] = rule;
  return moves->states + (size_t)m->words * moves->count++;
}

static inline void place(const CspMachine *m, uint64_t *state, uint32_t component,
                         uint32_t value) {
  const CspComponent *c = &m->components.data[component];
  state[c->word] = (state[c->word] & ~(c->mask << c->shift)) | (uint64_t)value
                                                                   << c->shift;
}

static inline uint32_t lookup(const CspMachine *m, const CspMoves *moves,
                              const CspFastPart *part) {
  const CspComponent *c = &m->components.data[part->component];
  return csp_component_move(c, moves->current[part->component], part->label);
}

/* All combinations of targets when some part has several. */
static void fire_many(const CspMachine *m, const uint64_t *state, CspMoves *moves,
                      uint32_t r, uint32_t own_move) {
  const CspFastRule *rule = &m->fast[r];
  uint32_t n = rule->count + 1;
  uint32_t *choice = moves->chosen;
  memset(choice, 0, n * sizeof *choice);
  for (;;) {
    uint64_t *to = new_move(m, moves, r, rule->event);
    memcpy(to, state, m->words * sizeof *to);
    for (uint32_t k = 0; k < n; k++) {
      const CspFastPart *part = &rule->others[(int)k - 1];
      uint32_t move = k ? lookup(m, moves, part) : own_move;
      uint32_t target =
          move & MOVE_MANY ? m->targets[(move & ~MOVE_MANY) + 1 + choice[k]] : move - 1;
      place(m, to, part->component, target);
    }
    uint32_t k = 0;
    for (; k < n; k++) {
      uint32_t move = k ? lookup(m, moves, &rule->others[k - 1]) : own_move;
      uint32_t count = move & MOVE_MANY ? m->targets[move & ~MOVE_MANY] : 1;
      if (++choice[k] < count) break;
      choice[k] = 0;
    }
    if (k == n) return;
  }
}

static inline void fire(const CspMachine *m, const uint64_t *state, CspMoves *moves,
                        CspOwned owned, uint32_t component) {
  const CspFastRule *rule = &m->fast[owned.rule];
  uint32_t many = owned.move & MOVE_MANY;
  for (uint32_t k = 0; k < rule->count; k++) {
    uint32_t move = lookup(m, moves, &rule->others[k]);
    if (!move) return;
    many |= move & MOVE_MANY;
  }
  if (many) {
    fire_many(m, state, moves, owned.rule, owned.move);
    return;
  }
  uint64_t *to = new_move(m, moves, owned.rule, rule->event);
  for (uint32_t w = 0; w < m->words; w++) to[w] = state[w];
  place(m, to, component, owned.move - 1);
  for (uint32_t k = 0; k < rule->count; k++)
    place(m, to, rule->others[k].component, lookup(m, moves, &rule->others[k]) - 1);
}

void csp_machine_fire(const CspMachine *m, const uint64_t *state, CspMoves *moves,
                      CspOwned ready) {
  fire(m, state, moves, ready, m->fast[ready.rule].owner);
}

static void all_moves(const CspMachine *m, const uint64_t *state, CspMoves *moves) {
  moves->count = 0;
  csp_machine_unpack(m, state, moves->current);
  for (uint32_t i = 0; i < m->components.len; i++) {
    const uint32_t *first = m->owned_first + m->slots[i].first + moves->current[i];
    for (uint32_t k = first[0]; k < first[1]; k++) fire(m, state, moves, m->owned[k], i);
  }
}

void csp_machine_moves(const CspMachine *m, const uint64_t *state, CspMoves *moves) {
  all_moves(m, state, moves);
  for (uint32_t i = 0; m->chase && i < moves->count; i++)
    csp_chase_settle(moves->chaser, moves->states + (size_t)i * m->words, moves->rules[i],
                     NULL);
}

void csp_machine_chased(const CspMachine *m, const uint64_t *state, uint32_t rule,
                        const uint64_t *to, CspMoves *moves, CspRuleVec *taken) {
  size_t size = m->words * sizeof *to;
  all_moves(m, state, moves);
  for (uint32_t i = 0; i < moves->count; i++) {
    uint64_t *reached = moves->states + (size_t)i * m->words;
    if (moves->rules[i] != rule) continue;
    vec_clear(taken);
    csp_chase_settle(moves->chaser, reached, rule, taken);
    if (memcmp(reached, to, size) == 0) return;
  }
}

static inline bool is_ready(const CspMachine *m, const CspMoves *moves, uint32_t rule) {
  const CspFastRule *fast = &m->fast[rule];
  for (uint32_t k = 0; k < fast->count; k++)
    if (!lookup(m, moves, &fast->others[k])) return false;
  return true;
}

void csp_machine_ready(const CspMachine *m, const uint64_t *state, CspMoves *moves) {
  moves->count = moves->ready_count = 0;
  csp_machine_unpack(m, state, moves->current);
  for (uint32_t i = 0; i < m->components.len; i++) {
    const uint32_t *first = m->owned_first + m->slots[i].first + moves->current[i];
    for (uint32_t k = first[0]; k < first[1]; k++) {
      if (!is_ready(m, moves, m->owned[k].rule)) continue;
      if (moves->ready_count == moves->ready_cap) {
        size_t size = moves->ready_cap * sizeof *moves->ready;
        moves->ready = csp_lines_grow(moves->ready, size, 2 * size);
        moves->ready_cap *= 2;
      }
      moves->ready[moves->ready_count++] = m->owned[k];
    }
  }
}
