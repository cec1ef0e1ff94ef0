/* Joins: of one thread, whose id is known or is in a cell of its own, and by loops over arrays of
 * ids. What a join means is asked of the round before (flow_thread.c). */
#include "analysis/flow_internal.h"

/* The creation may put its id there. */
static bool may_fill(Analyzer *a, EdgeId create, ObjectId object, uint64_t offset) {
  Targets cells = pointsto_expr(a->pt, program_edge(a->p, create)->a);
  for (uint32_t k = 0; k < cells.count; k++) {
    const Target *t = &cells.targets[k];
    if (!t->function && pointsto_object(a->pt, t->object) == object &&
        (t->offset == OFFSET_ANY ||
         t->offset == pointsto_fold_offset(a->pt, t->object, offset)))
      return true;
  }
  return cells.unknown;
}

/* The only thread whose ids are in the row of cells that begins at `first`; `create` is the loop
 * that put them there, each in a cell of its own. */
static bool only_thread_in(Analyzer *a, const FlowValue *first, uint64_t stride,
                           uint32_t *ret_thread, const Loop **ret_create) {
  ObjectId object = flow_base_id(first->base);
  uint32_t found = 0;
  if (first->offset < 0 || cell_is_stored(a, object, first->offset)) return false;
  for (uint32_t i = 1; i < a->threads.len; i++)
    if (may_fill(a, a->threads.data[i].site, object, (uint64_t)first->offset)) {
      *ret_thread = i;
      found++;
    }
  uint64_t loop =
      found == 1 ? map_find(&a->create_loops, a->threads.data[*ret_thread].site, 0) : 0;
  if (!loop) return false;
  *ret_create = vec_at(&a->loops, loop - 1);
  const FlowValue *cell = &thread_ask(a, *ret_thread, ASKED_CELL)->id_cell;
  return cell->known && cell->base == first->base && cell->index &&
         cell->stride == (int64_t)stride && cell->offset == first->offset &&
         (*ret_create)->stride == stride;
}

/* Where the loop's ids begin: in an object that exists once, or in a variable. */
static bool first_cell(Analyzer *a, const Work *w, const Loop *loop, FlowValue *ret) {
  ObjectId object;
  if (program_edge(a->p, loop->edge)->attempt != ATTEMPT_BLOCK) return false;
  if (loop->base_cell.object) {
    if (!cell_object(a, loop->base_cell, &object)) return false;
    *ret = (FlowValue){.base = FLOW_OBJECT(object), .known = 1};
  } else {
    *ret = value_of_expr(a, w, loop->base);
    if (!ret->known || !ret->base || ret->index) return false;
    if (value_object(a, ret, &object)) ret->base = FLOW_OBJECT(object);
  }
  ret->offset += loop->offset;
  ret->nonzero = 0;
  return !flow_is_symbol(ret->base);
}

uint32_t thread_joined_before(Analyzer *a, const Work *w, EdgeId at, uint32_t counter) {
  const Symbol *s = vec_at(&a->symbols, counter);
  for (uint32_t i = 0; s->kind == SYMBOL_PHI && i < a->join_loops.len; i++) {
    const Loop *loop = vec_at(&a->loops, a->join_loops.entries[i].value - 1), *create;
    NodeId from = program_edge(a->p, at)->from;
    FlowValue first;
    uint32_t thread;
    if (vec_at(&a->p->nodes, from)->function == loop->function && s->a == loop->head &&
        s->b == loop->counter &&
        loop->after[from - vec_at(&a->p->functions, loop->function)->first_node] &&
        first_cell(a, w, loop, &first) &&
        only_thread_in(a, &first, loop->stride, &thread, &create))
      return thread + 1;
  }
  return 0;
}

/* The only thread whose id can be in exactly this cell: others of the same object must be
 * known to use other cells. */
static bool only_thread_at(Analyzer *a, const FlowValue *cell, uint32_t *ret_thread) {
  uint32_t object = flow_base_id(cell->base), found = 0;
  for (uint32_t i = 1; i < a->threads.len; i++) {
    const FlowValue *own = &thread_ask(a, i, ASKED_CELL)->id_cell;
    bool exact = own->known && !own->index;
    bool here;
    if (exact) {
      here = own->base == cell->base && own->offset == cell->offset;
    } else {
      EdgeId site = a->threads.data[i].site;
      Targets cells = pointsto_expr(a->pt, program_edge(a->p, site)->a);
      here = cells.unknown;
      for (uint32_t k = 0; k < cells.count; k++)
        here = here || (!cells.targets[k].function && cells.targets[k].object == object);
    }
    if (here && !exact) return false;
    if (here) {
      *ret_thread = i;
      found++;
    }
  }
  return found == 1;
}

/* The thread has ended, and so have those of its descendants that it does not leave behind. */
static void joined(Analyzer *a, Work *w, uint32_t thread) {
  const ThreadFacts *facts = thread_ask(a, thread, ASKED_DESCENDANTS | ASKED_EXIT);
  w->alive = set_remove(a->sets, w->alive, thread);
  for (uint32_t i = 0; i < set_size(a->sets, facts->descendants); i++) {
    uint32_t d = set_element(a->sets, facts->descendants, i);
    if (!set_has(a->sets, facts->exit_alive, d))
      w->alive = set_remove(a->sets, w->alive, d);
  }
}

void join_transfer(Analyzer *a, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowValue id = value_of_expr(a, w, edge->a);
  if (edge->attempt != ATTEMPT_BLOCK || !id.known || !flow_is_symbol(id.base) ||
      id.index || id.offset)
    return;
  const Symbol *s = vec_at(&a->symbols, flow_base_id(id.base));
  if (s->kind == SYMBOL_THREAD) {
    if (!thread_ask(a, s->a, ASKED_MANY)->many) joined(a, w, s->a);
    return;
  }
  FlowValue cell = s->address;
  if (s->kind == SYMBOL_CELL)
    cell = (FlowValue){.base = FLOW_OBJECT(s->a), .offset = s->b, .known = 1};
  uint32_t thread = 0;
  if ((s->kind != SYMBOL_LOAD && s->kind != SYMBOL_CELL) || !cell.known || !cell.base ||
      flow_is_symbol(cell.base) || cell.index ||
      !object_is_unique(a, flow_base_id(cell.base)) ||
      cell_is_stored(a, flow_base_id(cell.base), cell.offset) ||
      !only_thread_at(a, &cell, &thread))
    return;
  if (!thread_ask(a, thread, ASKED_MANY)->many) joined(a, w, thread);
}

/* Both bounds are loaded from one place, which had its value when the first thread was created. */
static bool same_cell(Analyzer *a, const Loop *create, const Loop *join) {
  EdgeId store;
  return create->bound_cell.object == join->bound_cell.object &&
         create->bound_cell.offset == join->bound_cell.offset &&
         create->bound_kind == join->bound_kind &&
         only_store(a, create->bound_cell, &store) &&
         (!store ||
          (edge_runs_once(a, store) && edge_comes_first(a, store, create->edge)));
}

static bool covers(Analyzer *a, const Work *w, const Loop *join, const Loop *create) {
  if (join->low > create->low || join->stride != create->stride) return false;
  const Expr *limit = program_expr(a->p, create->bound);
  FlowValue bound = value_of_expr(a, w, join->bound);
  int64_t n;
  if (limit->kind == EXPR_CONST)
    return value_is_number(&bound, &n) && n >= (int64_t)limit->value;
  if (create->bound_cell.object || join->bound_cell.object)
    return same_cell(a, create, join);
  /* the same local, which is not set from the first loop on */
  return join->function == create->function && join->bound == create->bound &&
         !is_set_after(a, create, (LocalId)limit->data);
}

/* Every thread of this kind that may be alive was created by `create` in this very run of the
 * function, into its own array: the function runs once, or started without any of them. */
static bool all_from_here(Analyzer *a, uint32_t context, const Loop *create,
                          uint32_t object, uint32_t thread) {
  uint8_t kind = a->p->objects.data[object].kind;
  if (!create->once) return false;
  if (function_runs_once(a, create->function) &&
      (kind == OBJECT_HEAP || object_is_unique(a, object)))
    return true; /* first_cell takes no other heap objects than those that exist once */
  const Context *c = vec_at(&a->contexts, context);
  return kind == OBJECT_STACK && a->p->objects.data[object].owner == c->function &&
         create->function == c->function && !map_get(&a->argument_objects, object) &&
         !set_has(a->sets, vec_at(&a->states, c->entry)->alive, thread);
}

/* Threads that were created one by one into cells of the array: those whose ids are known to be
 * in cells that the loop has gone through. */
static void join_known(Analyzer *a, Work *w, const Loop *loop, const FlowValue *base) {
  FlowValue bound = value_of_expr(a, w, loop->bound);
  int64_t n, thread;
  if (!loop->calm || !value_is_number(&bound, &n) || loop->stride < 8) return;
  VEC(uint32_t) ended = {0};
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    const Binding *b = &w->bindings.data[i];
    if (!(b->local & ID_FACT) || (b->local & FACT) ||
        !value_is_number(&b->value, &thread))
      continue;
    const Symbol *cell = vec_at(&a->symbols, b->local & ~(uint32_t)ID_FACT);
    int64_t inside = (int64_t)cell->b - base->offset;
    if (cell->a == flow_base_id(base->base) && inside >= 0 &&
        inside % (int64_t)loop->stride == 0 &&
        inside / (int64_t)loop->stride >= loop->low &&
        inside / (int64_t)loop->stride < n &&
        !thread_ask(a, (uint32_t)thread, ASKED_MANY)->many)
      vec_push(&ended, (uint32_t)thread);
  }
  for (uint32_t i = 0; i < ended.len; i++) joined(a, w, ended.data[i]);
  vec_free(&ended);
}

void loop_exit_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  uint64_t found = map_find(&a->join_loops, e, 0);
  if (!found) return;
  const Loop *loop = vec_at(&a->loops, found - 1), *create;
  FlowValue first;
  uint32_t thread = 0;
  if (!first_cell(a, w, loop, &first)) return;
  join_known(a, w, loop, &first);
  if (only_thread_in(a, &first, loop->stride, &thread, &create) &&
      all_from_here(a, context, create, flow_base_id(first.base), thread) &&
      covers(a, w, loop, create))
    joined(a, w, thread);
}
