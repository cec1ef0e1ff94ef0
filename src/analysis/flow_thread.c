/* Threads: their creation, and what rounds settle about them. See flow.h.
 *
 * What a join means depends on where ids are stored, how often a thread is created, and what
 * it leaves running; that is found out by the very analysis that wants to know it. So the
 * analysis runs in rounds: each uses what the round before found, until both agree. Only that
 * last round counts. */
#include "analysis/flow_internal.h"

/* The address that the joined id was loaded from, if that is the only definition. */
static ExprId loaded_from(Analyzer *a, const Function *f, ExprId id) {
  const Expr *e = program_expr(a->p, id);
  if (e->kind != EXPR_LOCAL) return 0;
  ExprId address = 0;
  for (uint32_t k = 0; k < f->edge_count; k++) {
    const Edge *edge = program_edge(a->p, f->first_edge + k);
    if (!assigns(edge, (LocalId)e->data)) continue;
    if (edge->op != OP_LOAD || address) return 0;
    address = edge->a;
  }
  return address;
}

void threads_prepare(Analyzer *a) {
  const Program *p = a->p;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    a->jumps = a->jumps || ((function->flags & FUNCTION_RETURNS_TWICE) &&
                            pointsto_is_reachable(a->pt, f));
    if (!(function->flags & FUNCTION_DEFINED)) continue;
    *map_at(&a->in_degree, function->entry) += 1;
    for (uint32_t k = 0; k < function->edge_count; k++) {
      EdgeId e = function->first_edge + k;
      const Edge *edge = program_edge(p, e);
      if (edge->to) *map_at(&a->in_degree, edge->to) += 1;
      bool accesses = edge->op == OP_LOAD || edge->op == OP_STORE || edge->op == OP_RMW ||
                      edge->op == OP_CMPXCHG;
      bool weak = edge->order == ORDER_RELAXED ||
                  (edge->order == ORDER_ACQUIRE && edge->op != OP_LOAD) ||
                  (edge->order == ORDER_RELEASE && edge->op != OP_STORE);
      if (accesses && weak && edge->size >= 8) a->weak_publication = true;
      stores_note(a, e);
      if (edge->op == OP_CANCEL) a->cancels = true;
      if (edge->op == OP_CREATE) find_loop(a, f, e, edge->a, true);
      if (edge->op == OP_JOIN) {
        ExprId address = loaded_from(a, function, edge->a);
        if (address) find_loop(a, f, e, address, false);
      }
    }
  }
  lock_kinds_prepare(a);
  flow_words_prepare(a);
}

/* ---- create ---- */

static uint32_t thread_of(Analyzer *a, EdgeId site, FuncId entry) {
  uint64_t *slot = map_at(&a->thread_ids, (uint64_t)site << 32 | entry);
  if (!*slot) {
    Thread t = {.entry = entry, .site = site};
    vec_push(&a->threads, t);
    *slot = a->threads.len;
  }
  return (uint32_t)*slot - 1;
}

const ThreadFacts *thread_ask(Analyzer *a, uint32_t thread, uint8_t about) {
  Thread *t = vec_at(&a->threads, thread);
  t->asked |= about;
  return &t->used;
}

static void note_overlap(Analyzer *a, uint32_t x, uint32_t y) {
  map_put(&a->overlaps, (uint64_t)x << 32 | y, 1);
  map_put(&a->overlaps, (uint64_t)y << 32 | x, 1);
}

static void note_overlaps(Analyzer *a, uint32_t thread, uint32_t alive) {
  if (alive == SET_ALL)
    for (uint32_t i = 0; i < a->threads.len; i++) note_overlap(a, thread, i);
  else
    for (uint32_t i = 0; i < set_size(a->sets, alive); i++)
      note_overlap(a, thread, set_element(a->sets, alive, i));
}

static void enter_thread(Analyzer *a, uint32_t thread, FlowValue argument,
                         Work *creator) {
  FuncId entry = a->threads.data[thread].entry;
  if (argument.known && argument.base && !flow_is_symbol(argument.base))
    map_put(&a->argument_objects, flow_base_id(argument.base), 1);
  const Function *f = vec_at(&a->p->functions, entry);
  Work start = {.in_thread = 1};
  handover_move(a, thread, creator, &start);
  if (f->param_count) {
    int64_t n;
    bool fixed = value_is_number(&argument, &n) ||
                 (argument.known && argument.base && !flow_is_symbol(argument.base) &&
                  !argument.index);
    work_bind(&start, f->first_local,
              fixed ? argument : value_symbol(a, (Symbol){.kind = SYMBOL_ARGUMENT}));
  }
  uint32_t context = context_enter(a, entry, &start);
  work_free(&start);
  Thread *t = vec_at(&a->threads, thread);
  for (uint32_t i = 0; i < t->entries.len; i++)
    if (t->entries.data[i] == context) return;
  vec_push(&t->entries, context);
}

/* An operand of a CREATE edge. In a creating loop the counter counts as unknown even in the
 * first round, where it is a number: all rounds are to look alike. */
static FlowValue create_operand(Analyzer *a, EdgeId e, const Work *w, ExprId operand) {
  uint64_t loop = map_find(&a->create_loops, e, 0);
  if (!operand) return value_number(0);
  if (!loop) return value_of_expr(a, w, operand);
  const Loop *l = vec_at(&a->loops, loop - 1);
  Work any = {0};
  work_copy(&any, w);
  work_bind(&any, l->counter,
            value_symbol(a, (Symbol){.kind = SYMBOL_PHI, .a = l->head, .b = l->counter}));
  FlowValue v = value_of_expr(a, &any, operand);
  work_free(&any);
  return v;
}

void thread_apart(Analyzer *a, EdgeId site, FuncId entry, uint32_t context) {
  Thread *t = vec_at(&a->threads, thread_of(a, site, entry));
  t->found.many = true;
  for (uint32_t i = 0; i < t->entries.len; i++)
    if (t->entries.data[i] == context) return;
  vec_push(&t->entries, context);
}

/* ---- ids in cells ---- */

/* A cell that only creations by this very thread change, as a binding; 0 if it is none. */
static LocalId id_cell(Analyzer *a, uint32_t context, const FlowValue *address) {
  if (!address->known || !address->base || flow_is_symbol(address->base) ||
      address->index || address->offset < 0)
    return 0;
  uint32_t object = flow_base_id(address->base);
  const Object *o = vec_at(&a->p->objects, object);
  bool own_frame =
      o->kind == OBJECT_STACK && o->owner == vec_at(&a->contexts, context)->function;
  if ((!own_frame && !object_is_unique(a, object)) ||
      cell_is_stored(a, object, address->offset) ||
      map_get(&a->argument_objects, object) ||
      (!own_frame && (a->all_written_used || map_get(&a->foreign_used, object))))
    return 0;
  Symbol cell = {.kind = SYMBOL_CELL, .a = object, .b = (uint32_t)address->offset};
  return ID_FACT | symbol_id(a, cell);
}

FlowValue id_in_cell(Analyzer *a, uint32_t context, const Work *w,
                     const FlowValue *address) {
  LocalId cell = id_cell(a, context, address);
  const FlowValue *thread = cell ? work_find(w, cell) : NULL;
  int64_t n;
  if (!thread || !value_is_number(thread, &n)) return value_unknown();
  return value_symbol(a, (Symbol){.kind = SYMBOL_THREAD, .a = (uint32_t)n});
}

/* A creation through an address that is not known exactly may change any cell. */
static void note_id(Analyzer *a, uint32_t context, Work *w, const FlowValue *address,
                    uint32_t thread, bool only) {
  LocalId cell = id_cell(a, context, address);
  if (!cell)
    work_forget_ids(w);
  else
    work_bind(w, cell, only ? value_number(thread) : value_unknown());
}

void create_forget_id(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  FlowValue cell = value_of_expr(a, w, program_edge(a->p, e)->a);
  note_id(a, context, w, &cell, 0, false);
}

uint32_t create_alive(Analyzer *a, EdgeId e, const Work *w) {
  const FuncId *functions;
  uint32_t alive = w->alive, n = pointsto_callees(a->pt, e, &functions);
  for (uint32_t i = 0; i < n; i++) {
    if (!(a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)) continue;
    uint32_t thread = thread_of(a, e, functions[i]);
    const ThreadFacts *facts = thread_ask(a, thread, ASKED_DESCENDANTS);
    alive = set_union(a->sets, set_add(a->sets, alive, thread), facts->descendants);
  }
  return alive;
}

void create_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  FlowValue argument = create_operand(a, e, w, edge->c);
  uint32_t before = w->alive;
  for (uint32_t i = 0; i < n; i++) {
    if (!(a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)) continue;
    uint32_t thread = thread_of(a, e, functions[i]);
    uint32_t family =
        set_add(a->sets, thread_ask(a, thread, ASKED_DESCENDANTS)->descendants, thread);
    for (uint32_t k = 0; k < set_size(a->sets, family); k++) {
      uint32_t member = set_element(a->sets, family, k);
      if (set_has(a->sets, before, member))
        vec_at(&a->threads, member)->found.many = true; /* it will be there once more */
      note_overlaps(a, member, before);
    }
    w->alive = set_union(a->sets, w->alive, family);
    work_purge(a, w, SYMBOL_THREAD, thread); /* the latest one is another now */
    Context *c = vec_at(&a->contexts, context);
    bool known = false;
    for (uint32_t k = 0; k < c->creates.len; k++)
      known = known || c->creates.data[k] == thread;
    if (!known) vec_push(&c->creates, thread);
    enter_thread(a, thread, argument, w);
    FlowValue cell = value_of_expr(a, w, edge->a);
    note_id(a, context, w, &cell, thread, n == 1);
  }
  if (edge->c) work_publish(w, &argument);
  if (argument.known && argument.index) work_set_handed(w, argument.index);
  uint64_t loop = map_find(&a->create_loops, e, 0);
  if (loop && edge->c && !argument.known) { /* it may be any element of this round */
    const Loop *l = vec_at(&a->loops, loop - 1);
    work_set_handed(
        w, symbol_id(a, (Symbol){.kind = SYMBOL_PHI, .a = l->head, .b = l->counter}));
  }
}

bool is_loop_counter(Analyzer *a, uint32_t symbol, EdgeId create) {
  uint64_t loop = map_find(&a->create_loops, create, 0);
  const Symbol *s = vec_at(&a->symbols, symbol);
  if (!loop || s->kind != SYMBOL_PHI) return false;
  const Loop *l = vec_at(&a->loops, loop - 1);
  /* only its value at the head of the loop: one from further inside may be an older one */
  return s->a == l->head && s->b == l->counter && l->once &&
         function_runs_once(a, l->function);
}

/* Each creation hands over another argument: a fresh object, an element of its own, or the
 * counter of the loop itself. */
static bool own_argument(Analyzer *a, EdgeId e, const Work *w, FlowValue v,
                         uint64_t *ret_stride) {
  *ret_stride = 0;
  if (!v.known) return false;
  if (flow_is_symbol(v.base) && !v.index && !v.offset &&
      work_is_fresh(w, flow_base_id(v.base)))
    return true;
  if (v.index && v.base && is_loop_counter(a, v.index, e)) {
    *ret_stride = (uint64_t)(v.stride < 0 ? -v.stride : v.stride);
    return v.stride != 0;
  }
  return flow_is_symbol(v.base) && !v.index &&
         is_loop_counter(a, flow_base_id(v.base), e);
}

void create_record(Analyzer *a, EdgeId e, const Work *w) {
  const Edge *edge = program_edge(a->p, e);
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  FlowValue cell = create_operand(a, e, w, edge->a);
  cell.nonzero = 0;
  ObjectId object;
  if (value_object(a, &cell, &object)) cell.base = FLOW_OBJECT(object);
  if (!cell.known || !cell.base || flow_is_symbol(cell.base)) cell = value_unknown();
  FlowValue argument = create_operand(a, e, w, edge->c);
  uint64_t stride;
  bool own = own_argument(a, e, w, argument, &stride);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t id = map_find(&a->thread_ids, (uint64_t)e << 32 | functions[i], 0);
    if (!id) continue;
    Thread *t = vec_at(&a->threads, id - 1);
    if (t->id_seen && !value_equal(&t->found.id_cell, &cell))
      t->found.id_cell = value_unknown();
    else
      t->found.id_cell = cell;
    t->id_seen = true;
    t->own_argument =
        own && (!t->argument_seen || (t->own_argument && t->argument_stride == stride &&
                                      value_equal(&t->argument, &argument)));
    t->argument_stride = stride;
    t->argument = argument;
    t->argument_seen = true;
  }
}

/* ---- rounds ---- */

static bool may_end_program(const Analyzer *a, FuncId function) {
  const Function *f = vec_at(&a->p->functions, function);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(a->p, f->first_edge + i);
    if (e->op == OP_EXIT && !(e->flags & (EDGE_ABORT | EDGE_QUICK))) return true;
  }
  return false;
}

/* Destructors run in the thread that ends the program, while the others go on. They are the
 * last entries of the main thread. */
static void add_destructors(Analyzer *a, Map *seen, ContextList *ret) {
  const Thread *main = vec_at(&a->threads, MAIN_THREAD);
  uint32_t count = a->p->destructors.len - 1;
  for (uint32_t i = main->entries.len - count; i < main->entries.len; i++)
    if (!map_get(seen, main->entries.data[i])) {
      map_put(seen, main->entries.data[i], 1);
      vec_push(ret, main->entries.data[i]);
    }
}

void thread_contexts(Analyzer *a, uint32_t thread, ContextList *ret) {
  Map seen = {0};
  vec_clear(ret);
  const Thread *t = vec_at(&a->threads, thread);
  for (uint32_t i = 0; i < t->entries.len; i++)
    if (!map_get(&seen, t->entries.data[i])) {
      map_put(&seen, t->entries.data[i], 1);
      vec_push(ret, t->entries.data[i]);
    }
  bool destructors = a->p->destructors.len > 1 && thread != MAIN_THREAD;
  for (uint32_t i = 0; i < ret->len; i++) {
    const Context *c = vec_at(&a->contexts, ret->data[i]);
    if (destructors && may_end_program(a, c->function)) {
      add_destructors(a, &seen, ret);
      destructors = false;
    }
    for (uint32_t k = 0; k < c->callees.len; k++)
      if (!map_get(&seen, c->callees.data[k])) {
        map_put(&seen, c->callees.data[k], 1);
        vec_push(ret, c->callees.data[k]);
      }
  }
  map_free(&seen);
}

static void find_family(Analyzer *a, uint32_t thread) {
  ContextList contexts = {0};
  thread_contexts(a, thread, &contexts);
  ThreadFacts *facts = &a->threads.data[thread].found;
  facts->exit_alive = a->any_exit_alive;
  for (uint32_t i = 0; i < contexts.len; i++) {
    const Context *c = vec_at(&a->contexts, contexts.data[i]);
    for (uint32_t k = 0; k < c->creates.len; k++)
      facts->descendants = set_add(a->sets, facts->descendants, c->creates.data[k]);
  }
  const Thread *t = &a->threads.data[thread];
  for (uint32_t i = 0; i < t->entries.len; i++) {
    const Context *c = vec_at(&a->contexts, t->entries.data[i]);
    for (uint32_t k = 0; k < c->exits.len; k++)
      facts->exit_alive = set_union(a->sets, facts->exit_alive,
                                    vec_at(&a->states, c->exits.data[k].state)->alive);
  }
  vec_free(&contexts);
}

/* A thread of which many are created, by many or by several creators, is many. What a thread
 * creates by itself was found by find_family, before descendants were closed. */
static void spread_many(Analyzer *a, const uint32_t *children) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < a->threads.len; i++) {
      uint32_t creators = 0;
      bool by_many = false;
      for (uint32_t k = 0; k < a->threads.len; k++) {
        bool creates = set_has(a->sets, children[k], i);
        creators += creates;
        by_many = by_many || (creates && a->threads.data[k].found.many);
      }
      if ((creators > 1 || by_many) && !a->threads.data[i].found.many) {
        a->threads.data[i].found.many = true;
        again = true;
      }
    }
  }
}

static void close_descendants(Analyzer *a) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < a->threads.len; i++) {
      ThreadFacts *facts = &a->threads.data[i].found;
      uint32_t all = facts->descendants;
      for (uint32_t k = 0; k < set_size(a->sets, facts->descendants); k++)
        all = set_union(a->sets, all,
                        a->threads.data[set_element(a->sets, facts->descendants, k)]
                            .found.descendants);
      again = again || all != facts->descendants;
      facts->descendants = all;
    }
  }
}

static bool written_settle(Analyzer *a) {
  bool same = a->written_used.len == a->written_found.len &&
              a->all_written_used == a->all_written_found;
  for (uint32_t i = 0; same && i < a->written_found.len; i++)
    same = map_get(&a->written_used, a->written_found.entries[i].key) != NULL;
  same = same && a->foreign_used.len == a->foreign_found.len;
  /* where anything may be written, nobody looks further */
  same = same || (a->all_written_used && a->all_written_found);
  map_clear(&a->foreign_used);
  for (uint32_t i = 0; i < a->foreign_found.len; i++)
    map_put(&a->foreign_used, a->foreign_found.entries[i].key, 1);
  map_clear(&a->written_used);
  for (uint32_t i = 0; i < a->written_found.len; i++)
    map_put(&a->written_used, a->written_found.entries[i].key, 1);
  a->all_written_used = a->all_written_found;
  return same;
}

bool threads_settle(Analyzer *a) {
  uint32_t *children = mem_alloc(a->threads.len * sizeof *children);
  for (uint32_t i = 0; i < a->threads.len; i++) {
    find_family(a, i);
    children[i] = a->threads.data[i].found.descendants;
  }
  close_descendants(a);
  spread_many(a, children);
  mem_free(children);
  bool cells_agree = true, agree = true;
  for (uint32_t i = 0; i < a->threads.len; i++) {
    const Thread *t = &a->threads.data[i];
    const ThreadFacts *used = &t->used, *found = &t->found;
    cells_agree = cells_agree && (!(t->asked & ASKED_CELL) ||
                                  value_equal(&used->id_cell, &found->id_cell));
    agree =
        agree && (!(t->asked & ASKED_MANY) || used->many == found->many) &&
        (!(t->asked & ASKED_DESCENDANTS) || used->descendants == found->descendants) &&
        (!(t->asked & ASKED_EXIT) || used->exit_alive == found->exit_alive);
  }
  agree = agree && written_settle(a);
  for (uint32_t i = 0; i < a->threads.len; i++) {
    Thread *t = &a->threads.data[i];
    t->used = t->found;
    if (!cells_agree) t->used.many = false; /* joins could not be seen yet: ask again */
  }
  return cells_agree && agree;
}
