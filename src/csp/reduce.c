/* Partial order reduction by stubborn sets of components.
 *
 * In: a machine and what is ready in a state. Out: a part of it that is enough.
 *
 * A set K of components is closed in a state when, for every component of K and every rule
 * that it offers its part of,
 *   - if the rule is ready, all its components are in K;
 *   - if it is not, one of the components that do not offer their part is in K.
 * Rules without a component in K then neither disturb nor need the ready rules of K:
 * whatever is done outside first, a ready rule of K stays ready and may be moved to the
 * front. So every deadlock stays reachable. When all ready rules of K are internal, the
 * trace does not change by that either, and every stable state stays reachable with its
 * trace: traces and failures are preserved, provided that no move is put off for ever, for
 * which the search expands fully wherever the reduced moves lead only to states that were
 * expanded already (Valmari; the component-wise closure is that of systems of
 * communicating processes).
 *
 * The conditions are edges of a graph on components: closed sets are what is closed under
 * its edges, and the smallest with a ready rule are strongly connected parts from which no
 * other ready rule can be reached. Tarjan's algorithm finds them in one pass over what it
 * visits; it ends with the first set of one or two moves.
 *
 * A component with one rule to offer, whose partners have nothing else to offer either, is
 * a closed set by itself. Such moves are forced: csp_chase follows them without storing
 * the states between. */
#include "csp/reduce.h"

#include "csp/pool.h"

#include <stdlib.h>
#include <string.h>

enum { GOOD_ENOUGH = 2, CHASE_STEPS = 10000 };

/* What is known of the strongly connected part that a component belongs to. */
enum { PART_OPEN, PART_IDLE, PART_MOVES };

typedef struct {
  uint32_t seen;  /* the round in which the rest was set */
  uint32_t index; /* in the order of visits */
  uint32_t low;
  uint8_t part; /* PART_OPEN while on the stack */
  bool beyond;  /* reaches ready rules of another part */
  bool bad;     /* has a ready rule that must not be followed */
  bool chosen;  /* of the best set */
  uint32_t ready;
} Mark;

typedef struct {
  uint32_t component;
  uint32_t at, end; /* rules left */
  uint32_t part;    /* of a ready rule: its next component */
} Frame;

struct CspReducer {
  const CspMachine *m;
  bool only_internal;
  /* Per component and state: the rules that it offers its part of. */
  uint32_t **first; /* component → state + 1 entries */
  uint32_t **rules; /* component → rules */
  Mark *marks;
  uint32_t *ready_round; /* per rule: the round in which it was ready */
  uint32_t round, visits;
  VEC(Frame) frames;
  VEC(uint32_t) stack;
  VEC(uint32_t) best; /* components of the best set */
  VEC(uint32_t) work; /* components that moved, while chasing */
  VEC(uint64_t) undo; /* component above, state below */
};

/* ---- tables ------------------------------------------------------------------------ */

typedef VEC(uint64_t) Uses; /* column above, rule below */

static int compare_uses(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

static void list_offers(CspReducer *r, uint32_t number, Uses *uses) {
  const CspComponent *c = &r->m->components.data[number];
  VEC(uint32_t) rules = {0};
  uint32_t *begin = mem_alloc_zero((c->label_count + 2) * sizeof *begin);
  if (uses->len) qsort(uses->data, uses->len, sizeof *uses->data, compare_uses);
  for (uint32_t k = 0; k < uses->len; k++) begin[(uses->data[k] >> 32) + 1] = k + 1;
  for (uint32_t k = 1; k <= c->label_count; k++)
    if (begin[k] < begin[k - 1]) begin[k] = begin[k - 1];
  r->first[number] = mem_alloc((c->lts->states + 1) * sizeof **r->first);
  for (uint32_t s = 0; s < c->lts->states; s++) {
    r->first[number][s] = rules.len;
    for (uint32_t row = c->row_first[s]; row < c->row_first[s + 1]; row++)
      for (uint32_t k = begin[c->rows[row].column]; k < begin[c->rows[row].column + 1];
           k++)
        vec_push(&rules, (uint32_t)uses->data[k]);
  }
  r->first[number][c->lts->states] = rules.len;
  r->rules[number] = rules.data;
  mem_free(begin);
}

CspReducer *csp_reducer_new(const CspMachine *m, bool only_internal) {
  CspReducer *r = csp_lines_new(sizeof *r);
  uint32_t n = m->components.len;
  r->m = m;
  r->only_internal = only_internal;
  r->first = mem_alloc_zero((n + 1) * sizeof *r->first);
  r->rules = mem_alloc_zero((n + 1) * sizeof *r->rules);
  r->marks = csp_lines_new((n + 1) * sizeof *r->marks);
  r->ready_round = csp_lines_new((m->rules.len + 1) * sizeof *r->ready_round);
  Uses *uses = mem_alloc_zero((n + 1) * sizeof *uses);
  for (uint32_t i = 0; i < m->rules.len; i++)
    for (int k = -1; k < (int)m->fast[i].count; k++)
      vec_push(&uses[m->fast[i].others[k].component],
               (uint64_t)m->fast[i].others[k].label << 32 | i);
  for (uint32_t c = 0; c < n; c++) {
    list_offers(r, c, &uses[c]);
    vec_free(&uses[c]);
  }
  mem_free(uses);
  return r;
}

void csp_reducer_free(CspReducer *r) {
  if (!r) return;
  for (uint32_t c = 0; c < r->m->components.len; c++) {
    mem_free(r->first[c]);
    mem_free(r->rules[c]);
  }
  mem_free(r->first);
  mem_free(r->rules);
  csp_lines_free(r->marks);
  csp_lines_free(r->ready_round);
  vec_free(&r->frames);
  vec_free(&r->stack);
  vec_free(&r->best);
  vec_free(&r->work);
  vec_free(&r->undo);
  csp_lines_free(r);
}

/* ---- forced moves ------------------------------------------------------------------ */

/* The only rule that the component offers, or UINT32_MAX. */
static inline uint32_t only_offer(const CspReducer *r, const uint32_t *current,
                                  uint32_t c) {
  const uint32_t *first = r->first[c] + current[c];
  return first[1] - first[0] == 1 ? r->rules[c][first[0]] : UINT32_MAX;
}

/* Whether the rule is ready and all that its components can do; such a rule is a closed
 * set. */
static bool is_forced(const CspReducer *r, const uint32_t *current, uint32_t rule) {
  const CspFastRule *fast = &r->m->fast[rule];
  if (fast->event == EVENT_TICK || (r->only_internal && fast->event != EVENT_TAU))
    return false;
  for (int k = -1; k < (int)fast->count; k++)
    if (only_offer(r, current, fast->others[k].component) != rule) return false;
  return true;
}

/* Does the rule, whose components offer it; false when one has several ways to do so. */
static bool step(CspReducer *r, CspMoves *moves, uint64_t *state, uint32_t rule) {
  const CspMachine *m = r->m;
  const CspFastRule *fast = &m->fast[rule];
  for (int k = -1; k < (int)fast->count; k++) {
    const CspFastPart *part = &fast->others[k];
    uint32_t move = csp_component_move(&m->components.data[part->component],
                                       moves->current[part->component], part->label);
    assert(move);
    if (move & MOVE_MANY) return false;
  }
  for (int k = -1; k < (int)fast->count; k++) {
    const CspFastPart *part = &fast->others[k];
    uint32_t c = part->component, from = moves->current[c];
    uint32_t to = csp_component_move(&m->components.data[c], from, part->label) - 1;
    const CspSlot *slot = &m->slots[c];
    vec_push(&r->undo, (uint64_t)c << 32 | from);
    vec_push(&r->work, c);
    moves->current[c] = to;
    state[slot->word] ^= (uint64_t)(from ^ to) << slot->shift;
  }
  return true;
}

uint32_t csp_chase(CspReducer *r, CspMoves *moves, uint64_t *state, uint32_t rule,
                   CspRuleVec *log) {
  const CspFastRule *fast = &r->m->fast[rule];
  uint32_t steps = 0;
  vec_clear(&r->work);
  vec_clear(&r->undo);
  for (int k = -1; k < (int)fast->count; k++) {
    uint32_t c = fast->others[k].component;
    const CspSlot *slot = &r->m->slots[c];
    vec_push(&r->undo, (uint64_t)c << 32 | moves->current[c]);
    vec_push(&r->work, c);
    moves->current[c] = (uint32_t)(state[slot->word] >> slot->shift) & slot->mask;
  }
  while (r->work.len && steps < CHASE_STEPS) {
    uint32_t next = only_offer(r, moves->current, vec_pop(&r->work));
    if (next == UINT32_MAX || !is_forced(r, moves->current, next)) continue;
    if (!step(r, moves, state, next)) continue;
    steps++;
    if (log) vec_push(log, next);
  }
  while (r->undo.len) {
    uint64_t old = vec_pop(&r->undo);
    moves->current[old >> 32] = (uint32_t)old;
  }
  return steps;
}

/* ---- closed sets ------------------------------------------------------------------- */

static inline Mark *mark_of(CspReducer *r, uint32_t c) {
  Mark *mark = &r->marks[c];
  if (mark->seen != r->round) *mark = (Mark){.seen = r->round};
  return mark;
}

static inline bool offers(const CspReducer *r, const CspMoves *moves,
                          const CspFastPart *part) {
  const CspComponent *c = &r->m->components.data[part->component];
  return csp_component_move(c, moves->current[part->component], part->label) != 0;
}

/* A component that keeps the rule from being ready: best one whose set is known to have
 * nothing ready, then one that is being visited, then a new one. */
static uint32_t choose_blocker(CspReducer *r, const CspMoves *moves,
                               const CspFastRule *rule) {
  uint32_t chosen = UINT32_MAX;
  int least = 4;
  for (int k = -1; k < (int)rule->count && least > 0; k++) {
    const CspFastPart *part = &rule->others[k];
    if (offers(r, moves, part)) continue;
    const Mark *mark = mark_of(r, part->component);
    int cost = !mark->index              ? 2
               : mark->part == PART_IDLE ? 0
               : mark->part == PART_OPEN ? 1
                                         : 3;
    if (cost < least) {
      least = cost;
      chosen = part->component;
    }
  }
  assert(chosen != UINT32_MAX);
  return chosen;
}

static void enter(CspReducer *r, const CspMoves *moves, uint32_t c) {
  Mark *mark = mark_of(r, c);
  const uint32_t *first = r->first[c] + moves->current[c];
  mark->index = mark->low = ++r->visits;
  vec_push(&r->stack, c);
  vec_push(&r->frames, (Frame){c, first[0], first[1], 0});
}

/* The next edge of the frame, or UINT32_MAX when there is none left. */
static uint32_t next_edge(CspReducer *r, const CspMoves *moves, Frame *f) {
  if (f->at == f->end) return UINT32_MAX;
  uint32_t rule = r->rules[f->component][f->at];
  const CspFastRule *fast = &r->m->fast[rule];
  if (r->ready_round[rule] != r->round) {
    f->at++;
    return choose_blocker(r, moves, fast);
  }
  if (r->only_internal && fast->event != EVENT_TAU) r->marks[f->component].bad = true;
  uint32_t c = fast->others[(int)f->part - 1].component;
  if (++f->part > fast->count) {
    f->part = 0;
    f->at++;
  }
  return c;
}

/* Takes a finished part off the stack, and keeps it when it is the best so far. */
static void close_part(CspReducer *r, uint32_t root, uint32_t *best) {
  uint32_t from = r->stack.len, ready = 0;
  bool beyond = false, bad = false;
  do {
    const Mark *mark = &r->marks[r->stack.data[--from]];
    ready += mark->ready;
    beyond |= mark->beyond;
    bad |= mark->bad;
  } while (r->stack.data[from] != root);
  bool better = ready && !beyond && !bad && ready < *best;
  if (better) {
    *best = ready;
    vec_clear(&r->best);
  }
  for (uint32_t i = from; i < r->stack.len; i++) {
    uint32_t c = r->stack.data[i];
    r->marks[c].part = ready || beyond ? PART_MOVES : PART_IDLE;
    if (better) vec_push(&r->best, c);
  }
  r->stack.len = from;
}

static bool good_enough(const CspReducer *r, uint32_t best) {
  return r->best.len && best <= GOOD_ENOUGH;
}

/* Tarjan's algorithm from one component on. */
static void search_from(CspReducer *r, const CspMoves *moves, uint32_t start,
                        uint32_t *best) {
  enter(r, moves, start);
  while (r->frames.len && !good_enough(r, *best)) {
    Frame *f = vec_last(&r->frames);
    uint32_t c = f->component, to = next_edge(r, moves, f);
    Mark *mark = &r->marks[c];
    if (to != UINT32_MAX) {
      Mark *other = mark_of(r, to);
      if (!other->index)
        enter(r, moves, to);
      else if (other->part == PART_MOVES)
        mark->beyond = true;
      else if (other->part == PART_OPEN && other->index < mark->low)
        mark->low = other->index;
      continue;
    }
    if (mark->low == mark->index) close_part(r, c, best);
    (void)vec_pop(&r->frames);
    if (!r->frames.len) break;
    Mark *above = &r->marks[vec_last(&r->frames)->component];
    if (mark->part == PART_MOVES) above->beyond = true;
    if (mark->part == PART_OPEN && mark->low < above->low) above->low = mark->low;
  }
}

bool csp_reduce(CspReducer *r, const CspMoves *moves, bool *keep) {
  uint32_t best = moves->ready_count;
  if (moves->ready_count < 2) return false;
  for (uint32_t i = 0; i < moves->ready_count; i++)
    if (is_forced(r, moves->current, moves->ready[i].rule)) {
      memset(keep, 0, moves->ready_count * sizeof *keep);
      keep[i] = true;
      return true;
    }
  if (++r->round == 0) { /* once around: no old mark may look new */
    memset(r->marks, 0, r->m->components.len * sizeof *r->marks);
    memset(r->ready_round, 0, r->m->rules.len * sizeof *r->ready_round);
    r->round = 1;
  }
  r->visits = 0;
  for (uint32_t i = 0; i < moves->ready_count; i++) {
    r->ready_round[moves->ready[i].rule] = r->round;
    mark_of(r, r->m->fast[moves->ready[i].rule].owner)->ready++;
  }
  vec_clear(&r->best);
  vec_clear(&r->stack);
  vec_clear(&r->frames);
  for (uint32_t i = 0; i < moves->ready_count && !good_enough(r, best); i++) {
    uint32_t owner = r->m->fast[moves->ready[i].rule].owner;
    if (!mark_of(r, owner)->index) search_from(r, moves, owner, &best);
  }
  if (!r->best.len) return false;
  memset(keep, 0, moves->ready_count * sizeof *keep);
  for (uint32_t i = 0; i < r->best.len; i++) r->marks[r->best.data[i]].chosen = true;
  for (uint32_t i = 0; i < moves->ready_count; i++)
    keep[i] = r->marks[r->m->fast[moves->ready[i].rule].owner].chosen;
  return true;
}
