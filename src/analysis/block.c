/* Cut points and blocks. See block.h. */
#include "analysis/block.h"

#include "analysis/block_sets.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

typedef VEC(uint32_t) Numbers;

typedef struct {
  const Automata *all;
  const Automaton *a;
  Blocks *out;
  uint8_t *state; /* by location, while a depth-first search runs */
  Numbers order;  /* inner locations of the blocks of one entry, in topological order */
  Numbers exits;
  uint8_t *useful; /* by location: leads to the exit at hand */
} Cutter;

/* ---- cut points ---- */

/* Inside of a section nobody looks, but what waits lets others move. */
static bool cuts_before(const Cutter *x, const AutoStep *s) {
  if (!x->a->locations.data[s->from].depth) return s->visible;
  return op_has(program_edge(x->all->question.program, s->edge)->op, OP_BLOCKS);
}

/* A block is taken whole or not at all. Where only an assumption or an assertion leads on, the thread may come to
 * its end, and what it did before would be lost if that were in the same block. Branches lead on in any case. */
static bool may_stop_thread(const Cutter *x, const AutoStep *s) {
  const AutoLocation *at = &x->a->locations.data[s->from];
  const Edge *e = program_edge(x->all->question.program, s->edge);
  if (at->depth || at->step_count != 1 || (e->op != OP_ASSUME && e->op != OP_ASSERT))
    return false;
  const Expr *condition = program_expr(x->all->question.program, e->a);
  return condition->kind != EXPR_CONST || !condition->value;
}

static void cut_before_visible(Cutter *x) {
  for (uint32_t i = 1; i < x->a->steps.len; i++) {
    const AutoStep *s = &x->a->steps.data[i];
    if (cuts_before(x, s))
      x->out->cuts[s->from] = CUT_VISIBLE;
    else if (may_stop_thread(x, s))
      x->out->cuts[s->from] = CUT_ASSUMPTION;
  }
  if (!x->out->cuts[x->a->start]) x->out->cuts[x->a->start] = CUT_START;
}

typedef struct {
  uint32_t location, step; /* the next one to follow */
} Visit;

enum { UNSEEN, ACTIVE, DONE };

/* Depth-first search among what is not cut: a step back to an active location closes a loop. */
static void cut_loops_from(Cutter *x, uint32_t root) {
  VEC(Visit) stack = {0};
  vec_push(&stack, ((Visit){root, 0}));
  x->state[root] = ACTIVE;
  while (stack.len) {
    Visit *top = vec_last(&stack);
    const AutoLocation *at = &x->a->locations.data[top->location];
    if (top->step == at->step_count) {
      x->state[top->location] = DONE;
      stack.len--;
      continue;
    }
    uint32_t to = x->a->steps.data[at->first_step + top->step++].to;
    if (!to || x->out->cuts[to]) continue;
    if (x->state[to] == ACTIVE) x->out->cuts[to] = CUT_LOOP;
    if (x->state[to] != UNSEEN) continue;
    x->state[to] = ACTIVE;
    vec_push(&stack, ((Visit){to, 0}));
  }
  vec_free(&stack);
}

static void cut_loops(Cutter *x) {
  for (uint32_t i = 1; i < x->a->locations.len; i++)
    if (x->state[i] == UNSEEN) cut_loops_from(x, i);
}

/* ---- blocks ---- */

/* The locations between the entry and the next cut points, in reverse order of completion. */
static void gather(Cutter *x, uint32_t entry) {
  VEC(Visit) stack = {0};
  vec_clear(&x->order);
  vec_clear(&x->exits);
  vec_push(&stack, ((Visit){entry, 0}));
  while (stack.len) {
    Visit *top = vec_last(&stack);
    const AutoLocation *at = &x->a->locations.data[top->location];
    if (top->step == at->step_count) {
      vec_push(&x->order, top->location);
      stack.len--;
      continue;
    }
    uint32_t to = x->a->steps.data[at->first_step + top->step++].to;
    bool exit = !to || x->out->cuts[to];
    if (x->state[to] != UNSEEN) continue;
    x->state[to] = ACTIVE;
    if (exit)
      vec_push(&x->exits, to);
    else
      vec_push(&stack, ((Visit){to, 0}));
  }
  vec_free(&stack);
  for (uint32_t i = 0, n = x->order.len; i < n / 2; i++) {
    uint32_t other = x->order.data[n - 1 - i];
    x->order.data[n - 1 - i] = x->order.data[i];
    x->order.data[i] = other;
  }
}

static bool leads_on(const Cutter *x, const AutoStep *s, uint32_t exit) {
  if (s->to == exit) return true;
  return s->to && !x->out->cuts[s->to] && x->useful[s->to];
}

static void add_block(Cutter *x, uint32_t entry, uint32_t exit) {
  Block block = {.entry = entry, .exit = exit, .first_step = x->out->steps.len};
  block.atomic = x->a->locations.data[entry].depth != 0;
  for (uint32_t i = x->order.len; i > 0; i--) {
    const AutoLocation *at = &x->a->locations.data[x->order.data[i - 1]];
    bool useful = false;
    for (uint32_t k = 0; k < at->step_count; k++)
      useful = useful || leads_on(x, &x->a->steps.data[at->first_step + k], exit);
    x->useful[x->order.data[i - 1]] = useful;
  }
  for (uint32_t i = 0; i < x->order.len; i++) {
    const AutoLocation *at = &x->a->locations.data[x->order.data[i]];
    for (uint32_t k = 0; k < at->step_count; k++) {
      const AutoStep *s = &x->a->steps.data[at->first_step + k];
      if (!leads_on(x, s, exit)) continue;
      vec_push(&x->out->steps, at->first_step + k);
      block.ends = block.ends || s->kind == STEP_END;
    }
  }
  block.step_count = x->out->steps.len - block.first_step;
  block_find_sets(x->all, x->a, x->out, &block);
  /* they are searched by halves */
  assert(block.step_count &&
         (!x->out->blocks.len || vec_last(&x->out->blocks)->entry < entry ||
          (vec_last(&x->out->blocks)->entry == entry &&
           vec_last(&x->out->blocks)->exit < exit)));
  vec_push(&x->out->blocks, block);
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void add_blocks_from(Cutter *x, uint32_t entry) {
  gather(x, entry);
  if (x->exits.len)
    qsort(x->exits.data, x->exits.len, sizeof *x->exits.data, compare_numbers);
  for (uint32_t i = 0; i < x->exits.len; i++) add_block(x, entry, x->exits.data[i]);
  for (uint32_t i = 0; i < x->order.len; i++) {
    x->state[x->order.data[i]] = UNSEEN;
    x->useful[x->order.data[i]] = 0;
  }
  for (uint32_t i = 0; i < x->exits.len; i++) x->state[x->exits.data[i]] = UNSEEN;
}

static Blocks *cut(const Automata *all, const Automaton *a, bool everywhere) {
  assert(!a->refused);
  Cutter x = {.all = all, .a = a, .out = mem_alloc_zero(sizeof(Blocks))};
  x.out->cuts = mem_alloc_zero(a->locations.len + 1);
  x.state = mem_alloc_zero(a->locations.len + 1);
  x.useful = mem_alloc_zero(a->locations.len + 1);
  cut_before_visible(&x);
  cut_loops(&x);
  for (uint32_t i = 1; i < a->locations.len && everywhere; i++)
    if (!x.out->cuts[i]) x.out->cuts[i] = CUT_STEP;
  memset(x.state, UNSEEN, a->locations.len + 1);
  for (uint32_t i = 1; i < a->locations.len; i++)
    if (x.out->cuts[i]) add_blocks_from(&x, i);
  vec_free(&x.order);
  vec_free(&x.exits);
  mem_free(x.state);
  mem_free(x.useful);
  return x.out;
}

Blocks *blocks_new(const Automata *all, const Automaton *a) {
  return cut(all, a, false);
}

Blocks *blocks_of_steps(const Automata *all, const Automaton *a) {
  return cut(all, a, true);
}

void blocks_free(Blocks *blocks) {
  if (!blocks) return;
  mem_free(blocks->cuts);
  vec_free(&blocks->blocks);
  vec_free(&blocks->steps);
  vec_free(&blocks->variables);
  vec_free(&blocks->cells);
  mem_free(blocks);
}

uint32_t blocks_from(const Blocks *blocks, uint32_t entry, uint32_t *ret_first) {
  uint32_t from = 0, to = blocks->blocks.len, count = 0;
  while (from < to) {
    uint32_t mid = (from + to) / 2;
    if (blocks->blocks.data[mid].entry < entry)
      from = mid + 1;
    else
      to = mid;
  }
  *ret_first = from;
  while (from + count < blocks->blocks.len &&
         blocks->blocks.data[from + count].entry == entry)
    count++;
  return count;
}
