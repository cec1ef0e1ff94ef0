/* See proof.h. Reads as the plan: is the certificate well formed; tables; every step of every
 * state; the starts and ends of threads; every pair of accesses; every circle of waits. */
#include "proof/proof_internal.h"

#include <assert.h>
#include <stdarg.h>

static void note_rejection(Proof *p, EdgeId edge, const char *format, va_list args) {
  if (p->result->rejections.len >= MAX_REJECTIONS) return;
  Rejection r = {edge, arena_vprintf(p->arena, format, args)};
  vec_push(&p->result->rejections, r);
}

void reject(Proof *p, EdgeId edge, const char *format, ...) {
  p->rejected = true;
  va_list args;
  va_start(args, format);
  note_rejection(p, edge, format, args);
  va_end(args);
}

void refuse(Proof *p, ObjectId object, EdgeId edge, const char *format, ...) {
  assert(object && object < p->p->objects.len);
  if (!p->refused) p->refused = arena_alloc_zero(p->arena, p->p->objects.len + 1);
  p->refused[object] = 1;
  va_list args;
  va_start(args, format);
  note_rejection(p, edge, format, args);
  va_end(args);
}

bool is_stopped(Proof *p) {
  if (!p->stop || !*p->stop) return false;
  p->result->stopped = true;
  return true;
}

static void build_tables(Proof *p) {
  const Certificate *c = p->c;
  p->unknown_local = c->symbols.len;
  p->unknown_other = p->unknown_local + p->p->locals.len;
  (void)vec_extend(&p->next_context, c->contexts.len);
  (void)vec_extend(&p->links, c->contexts.len);
  for (uint32_t i = c->contexts.len; i-- > 0;) {
    uint64_t *slot = map_at(&p->contexts_of, c->contexts.data[i].function);
    p->next_context.data[i] = (uint32_t)*slot;
    *slot = i + 1;
  }
  for (uint32_t s = 1; s < c->symbols.len; s++) {
    const CertSymbol *x = &c->symbols.data[s];
    if (x->kind == CERT_CELL) vec_push(&p->cells, s);
    if (x->kind == CERT_PARAM) vec_push(&p->params, s);
    if (x->kind == CERT_THREAD) map_put(&p->thread_symbols, x->a, s);
  }
}

static void check_step(Proof *p, uint32_t context, uint32_t state, EdgeId e, void *data) {
  (void)data;
  step(p, context, state, e);
}

static void check_steps(Proof *p) {
  visit_steps(p, check_step, NULL);
}

static void count_step(Proof *p, uint32_t context, uint32_t state, EdgeId e, void *data) {
  (void)p, (void)context, (void)state, (void)e;
  (*(uint64_t *)data)++;
}

static void note_told(Proof *p, const Val *v) {
  assert(!v->known || (v->base & 1) || v->base >> 1 < p->p->objects.len);
  if (v->known && v->base && !(v->base & 1)) p->told[v->base >> 1] = 1;
}

/* Values that may come from another thread: contents of cells, arguments of threads. */
static void find_told(Proof *p) {
  p->told = mem_alloc_zero(p->p->objects.len + 1);
  for (uint32_t i = 0; i < p->c->bindings.len; i++)
    if (p->c->bindings.data[i].kind != CERT_LOCAL_IS)
      note_told(p, &p->c->bindings.data[i].value);
  for (uint32_t t = 1; t < p->c->threads.len; t++)
    for (uint32_t i = 0; i < p->c->threads.data[t].entry_count; i++) {
      uint32_t context = p->c->numbers.data[p->c->threads.data[t].first_entry + i];
      const CertState *s = &p->c->states.data[p->c->contexts.data[context].entry];
      for (uint32_t k = 0; k < s->binding_count; k++)
        note_told(p, &p->c->bindings.data[s->first_binding + k].value);
    }
}

/* A function starts in the states of its entry node. */
static void check_entries(Proof *p) {
  World w = {0};
  const char *why;
  for (uint32_t i = 0; i < p->c->contexts.len; i++) {
    const CertContext *c = &p->c->contexts.data[i];
    const Function *f = &p->p->functions.data[c->function];
    assert(f->entry - f->first_node < f->node_count);
    const CertNode *n = vec_at(&p->c->nodes, c->first_node + f->entry - f->first_node);
    world_load(p, &w, c->entry);
    bool ok = world_fits_one(p, &w, p->c->node_states.data + n->first, n->count, f->entry,
                             &why);
    take_claim(p, f->first_edge);
    if (!ok) reject(p, f->first_edge, "the function does not start in its entry state");
    p->contexts_entered++;
  }
  world_free(&w);
}

/* Only this says yes. The zero value of the result, and of every count, is no. */
static bool everything_was_examined(Proof *p) {
  assert(p->threads_examined <= p->c->threads.len);
  assert(p->contexts_entered <= p->c->contexts.len);
  uint64_t steps = 0;
  visit_steps(p, count_step, &steps);
  return !p->rejected && !p->result->stopped && !is_stopped(p) &&
         steps == p->result->steps && p->threads_examined == p->c->threads.len &&
         p->records_left == 0 && p->contexts_entered == p->c->contexts.len;
}

static void proof_free(Proof *p) {
  assert(!p->settling);
  for (uint32_t i = 0; i < p->links.len; i++) vec_free(&p->links.data[i].callees);
  passed_free(p);
  vec_free(&p->links);
  vec_free(&p->words);
  vec_free(&p->next_context);
  vec_free(&p->once_memo);
  vec_free(&p->recursive);
  map_free(&p->contexts_of);
  vec_free(&p->cells);
  vec_free(&p->params);
  map_free(&p->may_do);
  map_free(&p->may_unlock);
  map_free(&p->edge_symbols);
  map_free(&p->thread_symbols);
  map_free(&p->written);
  map_free(&p->cells_of);
  map_free(&p->may_write);
  vec_free(&p->next_cell);
  vec_free(&p->writers);
  vec_free(&p->reached);
  mem_free(p->creates);
  mem_free(p->descends);
  mem_free(p->overlaps);
  mem_free(p->runs_in);
  mem_free(p->leaves);
  mem_free(p->told);
  mem_free(p->exposed);
  map_free(&p->writer);
  vec_free(&p->joins);
  vec_free(&p->own);
  map_free(&p->foreign);
  map_free(&p->live);
  strmap_free(&p->touched);
  vec_free(&p->loose);
  vec_free(&p->remade);
}

/* They are searched by halves. */
static bool ranges_are_sorted(const ProofQuestion *q) {
  for (uint32_t i = 1; i < q->open_range_count; i++)
    if (q->open_ranges[i - 1].object > q->open_ranges[i].object) return false;
  return true;
}

void proof_check(const ProofQuestion *question, Arena *arena, ProofResult *ret_result) {
  *ret_result = (ProofResult){0};
  Proof p = {.p = question->program,
             .pt = question->pointsto,
             .c = question->certificate,
             .accepted = question->accepted_edges,
             .open = question->open,
             .open_ranges = question->open_ranges,
             .open_range_count = question->open_range_count,
             .asks_orders = question->orders,
             .stop = question->stop,
             .arena = arena,
             .result = ret_result};
  assert(ranges_are_sorted(question));
  static void (*const parts[])(Proof *) = {build_tables,   find_told,     shares_prepare,
                                           places_prepare, kinds_prepare, arrays_prepare,
                                           words_prepare,  check_starts,  check_entries,
                                           check_steps,    check_pairs,   check_orders};
  bool sound = shape_is_sound(&p);
  size_t done = 0, count = sizeof parts / sizeof *parts;
  for (; sound && done < count && !is_stopped(&p); done++) parts[done](&p);
  bool examined = done == count && everything_was_examined(&p);
  ret_result->accepted = examined && !p.refused;
  ret_result->orders_accepted =
      examined && p.orders_examined && !ret_result->against_orders.what;
  ret_result->refused = examined ? p.refused : NULL;
  ret_result->doubted = p.doubted;
  /* what is accepted was gone through to its end, and nothing was said against it */
  assert(!ret_result->accepted || (!ret_result->rejections.len && !ret_result->stopped));
  assert(!ret_result->orders_accepted || question->orders);
  proof_free(&p);
}

void proof_result_free(ProofResult *result) {
  vec_free(&result->rejections);
}
