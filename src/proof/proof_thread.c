/* Kinds of threads: who creates whom, which may run at the same time; create and join.
 *
 * Let c be a thread instance at some moment. `alive` must contain the kind of every descendant
 * of c (created by c, or by a descendant) that has been created or may be created by one that
 * has, unless everything it does happens before this moment. A thread is taken out only at a
 * join, so what is out is ordered before.
 *
 * Two accesses by instances a and b of different threads are then ordered if
 *   a is an ancestor of b, and b's kind is not alive at a's access: b was created later (and
 *     creation orders), or is over;
 *   neither is the other's ancestor: let c be their youngest common ancestor, and a' and b' its
 *     children above (or equal to) a and b, a' created first. If at the creation of b' the kind
 *     of a is not alive in c, all of a happens before b' is created.
 * So kinds overlap if one is alive where another, or an ancestor of another, is created. */
#include "proof/proof_internal.h"

#include <assert.h>

#define AT(matrix, x, y) ((matrix)[(size_t)(x) * p->c->threads.len + (y)])

uint32_t thread_of(const Proof *p, EdgeId site, FuncId entry) {
  for (uint32_t i = 0; i < p->c->threads.len; i++)
    if (p->c->threads.data[i].site == site && p->c->threads.data[i].entry == entry)
      return i;
  return UINT32_MAX;
}

bool thread_is_apart(const Proof *p, uint32_t thread) {
  EdgeId site = p->c->threads.data[thread].site;
  return site && program_edge(p->p, site)->op != OP_CREATE;
}

/* Functions that a thread of this kind may run, by the call graph. */
static void find_functions(Proof *p, uint32_t thread) {
  uint8_t *runs = p->runs_in + (size_t)thread * p->p->functions.len;
  VEC(FuncId) stack = {0};
  if (thread == 0) {
    for (uint32_t i = 1; i < p->p->constructors.len; i++)
      vec_push(&stack, p->p->constructors.data[i].function);
    for (uint32_t i = 1; i < p->p->destructors.len; i++)
      vec_push(&stack, p->p->destructors.data[i].function);
  }
  vec_push(&stack, p->c->threads.data[thread].entry);
  while (stack.len) {
    FuncId id = vec_pop(&stack);
    if (runs[id]) continue;
    runs[id] = 1;
    const Function *f = &p->p->functions.data[id];
    for (uint32_t i = 0; i < f->edge_count; i++) {
      EdgeId e = f->first_edge + i;
      const Edge *edge = program_edge(p->p, e);
      if (edge->op != OP_CALL && edge->op != OP_ONCE && edge->op != OP_CREATE) continue;
      const FuncId *callees;
      uint32_t count = pointsto_callees(p->pt, e, &callees);
      for (uint32_t k = 0; k < count; k++) {
        uint32_t made = thread_of(p, e, callees[k]);
        if (made != UINT32_MAX)
          AT(p->creates, thread, made) = 1;
        else if (edge->op != OP_CREATE)
          vec_push(&stack, callees[k]);
      }
    }
  }
  vec_free(&stack);
}

/* All that may run once a thread of kind `made` does, beside all that may run then because
 * it, or something that creates it, is alive. */
static void note_overlap(Proof *p, uint32_t made, uint32_t alive) {
  size_t n = p->c->threads.len;
  uint8_t *beside = mem_alloc_zero(n + 1);
  for (uint32_t y = 0; y < n; y++) {
    if (!certificate_set_has(p->c, alive, y)) continue;
    beside[y] = 1;
    /* most kinds create nothing: their rows are empty */
    if (!memchr(&AT(p->descends, y, 0), 1, n)) continue;
    for (uint32_t x = 0; x < n; x++) beside[x] |= AT(p->descends, y, x);
  }
  for (uint32_t d = 0; d < n; d++) {
    if (d != made && !AT(p->descends, made, d)) continue;
    for (uint32_t x = 0; x < n; x++)
      if (beside[x]) AT(p->overlaps, x, d) = AT(p->overlaps, d, x) = 1;
  }
  mem_free(beside);
}

static void look_at_create(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                           void *data) {
  (void)context, (void)data;
  if (program_edge(p->p, e)->op != OP_CREATE) return;
  const FuncId *callees;
  uint32_t count = pointsto_callees(p->pt, e, &callees);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t made = thread_of(p, e, callees[i]);
    if (made != UINT32_MAX) note_overlap(p, made, p->c->states.data[state].alive);
  }
}

static void note_left(Proof *p, uint32_t k, uint32_t state) {
  for (uint32_t d = 0; d < p->c->threads.len; d++)
    if (certificate_set_has(p->c, p->c->states.data[state].alive, d))
      AT(p->leaves, k, d) = 1;
}

/* What may run on when a thread ends: by its return, by pthread_exit in any function that it
 * may run, or wherever it may be cancelled. */
static void find_leaves(Proof *p, uint32_t k) {
  const CertThread *t = &p->c->threads.data[k];
  for (uint32_t i = 0; i < t->entry_count; i++) {
    const CertContext *c = &p->c->contexts.data[p->c->numbers.data[t->first_entry + i]];
    for (uint32_t x = 0; x < c->exit_count; x++)
      note_left(p, k, p->c->exits.data[c->first_exit + x].state);
  }
  for (uint32_t i = 0; i < p->c->contexts.len; i++) {
    const CertContext *c = &p->c->contexts.data[i];
    const Function *f = &p->p->functions.data[c->function];
    if (!p->runs_in[(size_t)k * p->p->functions.len + c->function]) continue;
    for (uint32_t e = 0; e < f->edge_count; e++) {
      const Edge *edge = program_edge(p->p, f->first_edge + e);
      const CertNode *n = &p->c->nodes.data[c->first_node + edge->from - f->first_node];
      for (uint32_t s = 0; (edge->op == OP_EXIT_THREAD || p->has_cancel) && s < n->count;
           s++)
        note_left(p, k, p->c->node_states.data[n->first + s]);
    }
  }
}

void kinds_prepare(Proof *p) {
  size_t n = p->c->threads.len;
  p->creates = mem_alloc_zero(n * n + 1);
  p->descends = mem_alloc_zero(n * n + 1);
  p->overlaps = mem_alloc_zero(n * n + 1);
  p->runs_in = mem_alloc_zero(n * p->p->functions.len + 1);
  p->leaves = mem_alloc_zero(n * n + 1);
  for (uint32_t i = 0; i < n && !is_stopped(p); i++) find_functions(p, i);
  memcpy(p->descends, p->creates, n * n);
  for (uint32_t k = 0; k < n && !is_stopped(p); k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; AT(p->descends, i, k) && j < n; j++)
        AT(p->descends, i, j) |= AT(p->descends, k, j);
  visit_steps(p, look_at_create, NULL);
  for (uint32_t k = 1; k < n && !is_stopped(p); k++) find_leaves(p, k);
}

/* The library starts a thread to call it. */
static bool has_own_thread(const Proof *p, uint32_t thread) {
  const Edge *site = program_edge(p->p, p->c->threads.data[thread].site);
  const Expr *callee = site->op == OP_CALL ? program_expr(p->p, site->a) : NULL;
  if (!callee) return false;
  return callee->kind != EXPR_FUNC || effect_makes_thread(p->p, (FuncId)callee->data);
}

/* Handlers and destructors of keys run beside anything, but not beside nothing: with no thread
 * but main they only interrupt it. */
static bool has_threads(const Proof *p) {
  for (uint32_t i = 1; i < p->c->threads.len; i++)
    if (!thread_is_apart(p, i) || has_own_thread(p, i)) return true;
  return false;
}

bool may_be_parallel(const Proof *p, uint32_t x, uint32_t alive_x, uint32_t y,
                     uint32_t alive_y) {
  assert(x < p->c->threads.len && y < p->c->threads.len);
  if (thread_is_apart(p, x) || thread_is_apart(p, y)) return has_threads(p);
  if (AT(p->descends, x, y) && certificate_set_has(p->c, alive_x, y)) return true;
  if (AT(p->descends, y, x) && certificate_set_has(p->c, alive_y, x)) return true;
  return AT(p->overlaps, x, y);
}

/* ---- starts ---- */

/* The function is entered like this: at any moment of the program, or at its beginning. */
static void check_start(Proof *p, uint32_t context, const Set *alive, bool in_thread) {
  const CertContext *c = &p->c->contexts.data[context];
  const Function *f = &p->p->functions.data[c->function];
  const char *why;
  World w = {.next_unknown = p->unknown_other, .entering = true, .in_thread = in_thread};
  w.section = (f->flags & FUNCTION_ATOMIC) != 0;
  w.alive.all = alive->all;
  for (uint32_t i = 0; i < alive->list.len; i++)
    numset_add(&w.alive, alive->list.data[i]);
  for (uint32_t i = 0; i < f->param_count; i++) {
    Val v = world_new_value(p, &w);
    world_set_local(p, &w, f->first_local + i, v);
    for (uint32_t s = 1; s < p->c->symbols.len; s++)
      if (p->c->symbols.data[s].kind == CERT_PARAM && p->c->symbols.data[s].a == i)
        world_redefine(p, &w, s, v);
  }
  if (!world_fits(p, &w, c->entry, 0, &why))
    reject(p, f->first_edge, "the start of %s does not follow: %s",
           sym_text(p->p, f->name), why);
  world_free(&w);
}

/* All contexts of the function among the entries of a thread; there must be one. */
static void check_start_of(Proof *p, uint32_t thread, FuncId function, Set *alive,
                           bool leaves) {
  const CertThread *t = &p->c->threads.data[thread];
  bool met = false;
  Set after = {0};
  for (uint32_t i = 0; i < t->entry_count; i++) {
    uint32_t context = p->c->numbers.data[t->first_entry + i];
    const CertContext *c = &p->c->contexts.data[context];
    if (c->function != function) continue;
    met = true;
    check_start(p, context, alive, thread != 0);
    for (uint32_t x = 0; leaves && x < c->exit_count; x++)
      for (uint32_t d = 0; d < p->c->threads.len; d++)
        if (certificate_set_has(
                p->c, p->c->states.data[p->c->exits.data[c->first_exit + x].state].alive,
                d))
          numset_add(&after, d);
  }
  for (uint32_t i = 0; i < after.list.len; i++) numset_add(alive, after.list.data[i]);
  vec_free(&after.list);
  if (!met)
    reject(p, p->p->functions.data[function].first_edge,
           "%s runs, but not in the certificate",
           sym_text(p->p, p->p->functions.data[function].name));
}

/* Constructors run one after the other, then main, with what they left running. Destructors,
 * and what the library calls later, run beside anything. */
void check_starts(Proof *p) {
  Set alive = {0}, all = {.all = true};
  for (uint32_t i = 1; i < p->p->constructors.len; i++)
    check_start_of(p, 0, p->p->constructors.data[i].function, &alive, true);
  check_start_of(p, 0, p->p->main, &alive, false);
  for (uint32_t i = 1; i < p->p->destructors.len; i++)
    check_start_of(p, 0, p->p->destructors.data[i].function, &all, false);
  for (uint32_t t = 1; t < p->c->threads.len; t++)
    if (thread_is_apart(p, t))
      check_start_of(p, t, p->c->threads.data[t].entry, &all, false);
  vec_free(&alive.list);
}

/* ---- create ---- */

static bool fits_entry(Proof *p, World *w, uint32_t thread, Val argument,
                       const char **ret_why) {
  const CertThread *t = &p->c->threads.data[thread];
  const Function *f = &p->p->functions.data[t->entry];
  World entry = {0};
  world_copy(&entry, w);
  entry.entering = true;
  entry.edge = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < entry.bindings.len; i++)
    if (entry.bindings.data[i].kind == CERT_CELL_IS)
      entry.bindings.data[kept++] = entry.bindings.data[i];
  entry.bindings.len = kept;
  vec_clear(&entry.locks);
  vec_clear(&entry.fresh);
  vec_clear(&entry.alive.list);
  vec_clear(&entry.inside.list);
  entry.alive.all = entry.inside.all = false;
  entry.section = (f->flags & FUNCTION_ATOMIC) != 0;
  entry.in_thread = 1;
  if (!argument.known) argument = world_new_value(p, &entry);
  for (uint32_t i = 0; i < f->param_count; i++)
    world_set_local(p, &entry, f->first_local + i,
                    i ? world_new_value(p, &entry) : argument);
  for (uint32_t s = 1; s < p->c->symbols.len; s++) {
    const CertSymbol *x = &p->c->symbols.data[s];
    if (x->kind == CERT_ARGUMENT || (x->kind == CERT_PARAM && x->a == 0))
      world_redefine(p, &entry, s, argument);
    if (x->kind == CERT_THREAD) /* the creator may start another one meanwhile */
      world_redefine(p, &entry, s, val_unknown());
  }
  bool ok = false;
  *ret_why = "it has no entry";
  for (uint32_t i = 0; i < t->entry_count && !ok; i++) {
    uint32_t context = p->c->numbers.data[t->first_entry + i];
    ok = p->c->contexts.data[context].function == t->entry &&
         world_fits(p, &entry, p->c->contexts.data[context].entry, 0, ret_why);
  }
  world_free(&entry);
  return ok;
}

static void create_ends(Proof *p, uint32_t context, World *w, EdgeId e, Val result) {
  const Edge *edge = program_edge(p->p, e);
  if (edge->dst) world_set_local(p, w, edge->dst, result);
  w->edge_value[0] = result;
  world_arrive(p, w, context, e);
}

/* There is no new thread, nobody got the argument, and the result says so. */
static void create_fails(Proof *p, uint32_t context, World *w, EdgeId e,
                         const SyncResult *r) {
  forget_written(p, w, e);
  Val result = world_new_value(p, w);
  if (r->ok == 0) vec_push(&w->nonzero, (NonZero){result.base >> 1, r->bits});
  create_ends(p, context, w, e, result);
}

/* The new thread starts with nothing but its argument and what is fixed; its creator has one
 * more that runs, and all that it may create. If somebody looks at the result, it tells whether
 * there is one. */
void step_create(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  const FuncId *callees;
  uint32_t count = pointsto_callees(p->pt, e, &callees), made = UINT32_MAX, kinds = 0;
  Val address = eval(p, w, edge->a), argument = eval(p, w, edge->c);
  const SyncResult *r = edge->dst && edge->aux ? vec_at(&p->p->results, edge->aux) : NULL;
  bool tells = r && !r->no_result;
  if (tells) {
    World failed = {0};
    world_copy(&failed, w);
    create_fails(p, context, &failed, e, r);
    world_free(&failed);
  }
  escape_expr(p, w, edge->c);
  forget_written(p, w, e);
  for (uint32_t i = 0; i < count; i++) {
    if (!(p->p->functions.data[callees[i]].flags & FUNCTION_DEFINED)) continue;
    made = thread_of(p, e, callees[i]);
    kinds++;
    if (made == UINT32_MAX) {
      reject(p, e, "the thread that is created is not among the threads");
      return;
    }
    uint64_t symbol = map_find(&p->thread_symbols, made, 0);
    if (symbol) world_rename(p, w, (uint32_t)symbol);
    numset_add(&w->alive, made);
    for (uint32_t d = 0; d < p->c->threads.len;
         d++) /* what stands apart is beside anything */
      if (AT(p->descends, made, d) && !thread_is_apart(p, d)) numset_add(&w->alive, d);
  }
  for (uint32_t i = 0; i < count; i++) {
    const char *why;
    uint32_t t = thread_of(p, e, callees[i]);
    if (t != UINT32_MAX && !fits_entry(p, w, t, argument, &why))
      reject(p, e, "the entry of the thread does not follow: %s", why);
  }
  if (kinds == 1 && address.known && address.base && !(address.base & 1) &&
      !address.index &&
      !function_is_recursive(p, p->p->objects.data[address.base >> 1].owner)) {
    assert(made != UINT32_MAX);
    uint32_t cell = cell_at(p, &address, 0);
    if (cell) world_set_cell(w, CERT_ID_IS, cell, val_number(made));
  }
  for (uint32_t s = 1; s < p->c->symbols.len; s++)
    if (made != UINT32_MAX && p->own.data[made].kind == OWN_ELEMENT &&
        p->c->symbols.data[s].kind == CERT_PHI &&
        p->c->symbols.data[s].a == p->own.data[made].head &&
        p->c->symbols.data[s].b == p->own.data[made].counter)
      vec_push(&w->handed, s);
  create_ends(p, context, w, e, tells ? val_number(r->ok) : world_new_value(p, w));
}

/* ---- join ---- */

/* With all threads of the kind, everything below them is over that does not run on at their
 * end, unless somebody else creates such threads too. */
void threads_are_over(Proof *p, World *w, uint32_t k) {
  assert(k < p->c->threads.len);
  uint32_t n = p->c->threads.len;
  if (w->alive.all || AT(p->descends, k, k)) return;
  numset_remove(&w->alive, k);
  for (uint32_t d = 0; d < n; d++) {
    if (!AT(p->descends, k, d) || AT(p->leaves, k, d)) continue;
    bool others = false;
    for (uint32_t x = 0; x < n; x++)
      others = others || (x != k && !AT(p->descends, k, x) && AT(p->creates, x, d));
    if (!others) numset_remove(&w->alive, d);
  }
}

/* If no two of the kind run at a time, the earlier ones have been over before. */
void thread_is_over(Proof *p, World *w, uint32_t k) {
  if (!AT(p->overlaps, k, k)) threads_are_over(p, w, k);
}

bool thread_meant(Proof *p, const Val *id, uint32_t *ret) {
  uint32_t symbol;
  if (!val_is_symbol(id, &symbol) || symbol >= p->c->symbols.len) return false;
  if (p->c->symbols.data[symbol].kind != CERT_THREAD)
    return thread_in_symbol(p, symbol, ret);
  *ret = p->c->symbols.data[symbol].a;
  return true;
}

void step_join(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  Val id = eval(p, w, edge->a);
  forget_written(p, w, e);
  uint32_t k;
  const SyncResult *r = edge->dst && edge->aux ? vec_at(&p->p->results, edge->aux) : NULL;
  World joined = {0};
  world_copy(&joined, w);
  if (thread_meant(p, &id, &k)) thread_is_over(p, &joined, k);
  Val result = success(p, edge);
  if (!result.known) result = world_new_value(p, &joined);
  if (edge->dst) world_set_local(p, &joined, edge->dst, result);
  joined.edge_value[0] = result;
  world_arrive(p, &joined, context, e);
  world_free(&joined);
  if (edge->attempt == ATTEMPT_BLOCK) return;
  result = world_new_value(p, w);
  if (r && r->ok == 0) vec_push(&w->nonzero, (NonZero){result.base >> 1, r->bits});
  if (edge->dst) world_set_local(p, w, edge->dst, result);
  w->edge_value[0] = result;
  world_arrive(p, w, context, e);
}
