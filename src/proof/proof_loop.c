/* Loops that count: `for (i = low; i < bound; i++)`.
 *
 * A node is the test of such a loop if it has two ways out, `i < bound` into the body and its
 * negation out of it. The head is the test, or a node from which only loads lead to it. The body
 * (the nodes on a way from the test back to the head) is entered through the head only, and one
 * edge of the body changes i, adding 1, at most once in each round. Then i counts the rounds from
 * its value at the entry without a gap, it never wraps round (i < bound held before each step),
 * and where the loop is left by the negation all values from the first one up to the bound have
 * been there. */
#include "proof/proof_internal.h"

#include <assert.h>

/* ---- reachability ---- */

/* Nodes that can be reached from `from` without passing `head`, or the edge `without`. The head
 * is marked when it is met. */
static void flood(const Proof *p, const Function *f, NodeId from, NodeId head,
                  EdgeId without, uint8_t *seen) {
  VEC(NodeId) stack = {0};
  assert(!from || from - f->first_node < f->node_count);
  memset(seen, 0, f->node_count);
  if (from) {
    seen[from - f->first_node] = 1;
    vec_push(&stack, from);
  }
  while (stack.len) {
    NodeId n = vec_pop(&stack);
    for (EdgeId e = node_first_edge(p->p, n); n != head && e < node_end_edge(p->p, n);
         e++) {
      NodeId to = program_edge(p->p, e)->to;
      if (!to || e == without || seen[to - f->first_node]) continue;
      seen[to - f->first_node] = 1;
      vec_push(&stack, to);
    }
  }
  vec_free(&stack);
}

bool loop_reaches(Proof *p, const CountLoop *l, NodeId from, NodeId to, EdgeId without) {
  const Function *f = &p->p->functions.data[l->function];
  assert(to - f->first_node < f->node_count);
  uint8_t *seen = mem_alloc(f->node_count + 1);
  flood(p, f, from, l->head, without, seen);
  bool found = seen[to - f->first_node];
  mem_free(seen);
  return found;
}

bool node_reaches(const Proof *p, NodeId from, NodeId to, EdgeId without) {
  const Function *f = &p->p->functions.data[p->p->nodes.data[from].function];
  assert(to - f->first_node < f->node_count);
  uint8_t *seen = mem_alloc(f->node_count + 1);
  flood(p, f, from, 0, without, seen);
  bool found = seen[to - f->first_node];
  mem_free(seen);
  return found;
}

bool loop_has(const Proof *p, const CountLoop *l, NodeId node) {
  const Function *f = &p->p->functions.data[l->function];
  return node >= f->first_node && node < f->first_node + f->node_count &&
         l->body[node - f->first_node];
}

/* ---- recognition ---- */

static LocalId plain_local(const Proof *p, ExprId e) {
  const Expr *x = program_expr(p->p, e);
  while (x->kind == EXPR_SEXT || x->kind == EXPR_ZEXT) x = program_expr(p->p, x->a);
  return x->kind == EXPR_LOCAL ? (LocalId)x->data : 0;
}

/* One edge is `i < bound`, the other says that it is not so. */
static bool is_test(const Proof *p, EdgeId enter, EdgeId leave, CountLoop *l) {
  const Edge *in = program_edge(p->p, enter), *out = program_edge(p->p, leave);
  if (in->op != OP_ASSUME || out->op != OP_ASSUME || !in->to || !out->to) return false;
  const Expr *c = program_expr(p->p, in->a), *n = program_expr(p->p, out->a);
  if (c->kind != EXPR_SLT && c->kind != EXPR_ULT) return false;
  if (n->kind != (c->kind == EXPR_SLT ? EXPR_SLE : EXPR_ULE) || n->a != c->b ||
      n->b != c->a)
    return false;
  l->enter = enter;
  l->leave = leave;
  l->counter = plain_local(p, c->a);
  l->bound = c->b;
  l->compare = c->kind;
  return l->counter != 0;
}

/* The nodes from which the head can be reached again, among those behind the entry. */
static void find_body(const Proof *p, const Function *f, CountLoop *l) {
  uint8_t *ahead = mem_alloc(f->node_count + 1);
  flood(p, f, program_edge(p->p, l->enter)->to, l->head, 0, ahead);
  for (NodeId n = l->head; n != l->test;
       n = program_edge(p->p, node_first_edge(p->p, n))->to)
    l->body[n - f->first_node] = 1;
  l->body[l->test - f->first_node] = 1;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = f->edge_count; i-- > 0;) {
      const Edge *e = program_edge(p->p, f->first_edge + i);
      uint32_t from = e->from - f->first_node;
      if (!e->to || l->body[from] || !ahead[from] || !l->body[e->to - f->first_node])
        continue;
      l->body[from] = again = true;
    }
  }
  mem_free(ahead);
}

static bool is_step(const Proof *p, const Edge *e, LocalId counter) {
  const Expr *v = e->op == OP_ASSIGN ? program_expr(p->p, e->a) : NULL;
  if (!v || v->kind != EXPR_ADD) return false;
  const Expr *i = program_expr(p->p, v->a), *one = program_expr(p->p, v->b);
  return i->kind == EXPR_LOCAL && i->data == counter && one->kind == EXPR_CONST &&
         one->value == 1;
}

/* From the head to the test there are only loads, and no other way leads there. */
static bool find_test(const Proof *p, const Function *f, CountLoop *l) {
  enum { MOST_LOADS = 8 };
  l->test = l->head;
  for (int step = 0; step < MOST_LOADS; step++) {
    EdgeId first = node_first_edge(p->p, l->test);
    const Edge *e = program_edge(p->p, first);
    uint32_t ways = 0;
    if (node_end_edge(p->p, l->test) - first != 1) break;
    if (e->op != OP_LOAD || !e->to) return false;
    for (uint32_t i = 0; i < f->edge_count; i++)
      ways += program_edge(p->p, f->first_edge + i)->to == e->to;
    if (ways != 1 || e->to == l->head) return false;
    l->test = e->to;
  }
  EdgeId first = node_first_edge(p->p, l->test);
  return node_end_edge(p->p, l->test) - first == 2 &&
         (is_test(p, first, first + 1, l) || is_test(p, first + 1, first, l));
}

static bool loop_at(Proof *p, FuncId function, NodeId head, CountLoop *ret) {
  const Function *f = &p->p->functions.data[function];
  *ret = (CountLoop){.function = function, .head = head};
  if (!find_test(p, f, ret)) return false;
  ret->body = arena_alloc_zero(p->arena, f->node_count + 1);
  find_body(p, f, ret);
  if (!loop_has(p, ret, program_edge(p->p, ret->enter)->to) ||
      loop_has(p, ret, program_edge(p->p, ret->leave)->to))
    return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    EdgeId id = f->first_edge + i;
    const Edge *e = program_edge(p->p, id);
    bool from = loop_has(p, ret, e->from), to = e->to && loop_has(p, ret, e->to);
    if (to && !from && e->to != head) return false;
    if (!from || (e->dst != ret->counter && e->dst2 != ret->counter)) continue;
    if (ret->step || !is_step(p, e, ret->counter)) return false;
    ret->step = id;
  }
  if (f->entry == head || !ret->step) return false;
  const Edge *step = program_edge(p->p, ret->step);
  return !loop_reaches(p, ret, step->to, step->from, 0);
}

bool loop_around(Proof *p, EdgeId edge, uint32_t nth, CountLoop *ret) {
  NodeId at = program_edge(p->p, edge)->from;
  FuncId function = p->p->nodes.data[at].function;
  const Function *f = &p->p->functions.data[function];
  for (NodeId n = f->first_node; n < f->first_node + f->node_count; n++)
    if (loop_at(p, function, n, ret) && loop_has(p, ret, at) && nth-- == 0) return true;
  return false;
}

/* ---- values in the states of the certificate ---- */

/* Calls `visit` for the states at a node, in one context or (NO_CONTEXT) in all. */
typedef bool StateVisit(Proof *p, uint32_t state, void *data);

static bool visit_node(Proof *p, FuncId function, uint32_t context, NodeId node,
                       StateVisit *visit, void *data) {
  const Function *f = &p->p->functions.data[function];
  for (uint64_t c = map_find(&p->contexts_of, function, 0); c;
       c = p->next_context.data[c - 1]) {
    if (context != NO_CONTEXT && context != c - 1) continue;
    const CertNode *n = vec_at(&p->c->nodes, p->c->contexts.data[c - 1].first_node +
                                                 node - f->first_node);
    for (uint32_t i = 0; i < n->count; i++)
      if (!visit(p, p->c->node_states.data[n->first + i], data)) return false;
  }
  return true;
}

typedef struct {
  const CountLoop *loop;
  World world;
  ExprId expr;
  bool met, constant;
  Val value;
  int64_t low, high;
} Query;

static Val counter_value(const Proof *p) {
  return val_symbol(p->unknown_other);
}

bool loop_counts(const Proof *p, const CountLoop *l, uint32_t symbol) {
  if (symbol >= p->c->symbols.len) return symbol == p->unknown_other;
  const CertSymbol *s = &p->c->symbols.data[symbol];
  return s->kind == CERT_PHI && s->a == l->head && s->b == l->counter;
}

/* The value in the loop's terms: the counter, as it was at the head, is the first unknown. */
Val loop_value(Proof *p, World *w, uint32_t state, const CountLoop *l, ExprId e) {
  world_load(p, w, state);
  assert(w->next_unknown == p->unknown_other); /* the counter is the first */
  w->next_unknown++;
  world_set_local(p, w, l->counter, counter_value(p));
  Val v = eval(p, w, e);
  if (v.known && (v.base & 1) && loop_counts(p, l, v.base >> 1))
    v.base = counter_value(p).base;
  if (v.known && v.index && loop_counts(p, l, v.index)) v.index = p->unknown_other;
  return v;
}

static bool same_value(Proof *p, uint32_t state, void *data) {
  Query *q = data;
  Val v = loop_value(p, &q->world, state, q->loop, q->expr);
  if (q->met && !val_equal(&v, &q->value)) { /* one place by two names, perhaps */
    v = val_settled(p, &v);
    q->value = val_settled(p, &q->value);
  }
  if (!v.known || (q->met && !val_equal(&v, &q->value))) return false;
  q->value = v;
  q->met = true;
  return true;
}

bool loop_operand(Proof *p, const CountLoop *l, uint32_t context, EdgeId at, ExprId e,
                  Val *ret) {
  Query q = {.loop = l, .expr = e};
  bool same =
      visit_node(p, l->function, context, program_edge(p->p, at)->from, same_value, &q);
  world_free(&q.world);
  *ret = q.value;
  return same && q.met;
}

static bool note_number(Proof *p, uint32_t state, void *data) {
  Query *q = data;
  int64_t n;
  world_load(p, &q->world, state);
  Val v =
      q->expr ? eval(p, &q->world, q->expr) : world_local(p, &q->world, q->loop->counter);
  if (!val_is_number(&v, &n) || n < 0 || n > INT32_MAX) return false;
  q->low = n < q->low ? n : q->low;
  q->high = n > q->high ? n : q->high;
  return true;
}

bool loop_bound(Proof *p, const CountLoop *l, uint32_t context, int64_t *ret_high) {
  Query q = {.loop = l, .expr = l->bound, .low = INT64_MAX};
  bool good = visit_node(p, l->function, context, l->test, note_number, &q);
  world_free(&q.world);
  *ret_high = q.high;
  return good;
}

bool loop_start(Proof *p, const CountLoop *l, uint32_t context, int64_t *ret_low,
                int64_t *ret_high) {
  const Function *f = &p->p->functions.data[l->function];
  Query q = {.loop = l, .low = INT64_MAX, .high = -1};
  bool good = true;
  for (uint32_t i = 0; good && i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->to != l->head || loop_has(p, l, e->from)) continue;
    bool sets = e->dst == l->counter || e->dst2 == l->counter;
    q.expr = sets ? e->a : 0;
    good = (!sets || e->op == OP_ASSIGN) &&
           visit_node(p, l->function, context, e->from, note_number, &q);
  }
  world_free(&q.world);
  *ret_low = q.low;
  *ret_high = q.high;
  return good;
}

static bool lacks(Proof *p, uint32_t state, void *data) {
  return !certificate_set_has(p->c, p->c->states.data[state].alive, *(uint32_t *)data);
}

bool loop_starts_without(Proof *p, const CountLoop *l, uint32_t kind) {
  const Function *f = &p->p->functions.data[l->function];
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p->p, f->first_edge + i);
    if (e->to == l->head && !loop_has(p, l, e->from) &&
        !visit_node(p, l->function, NO_CONTEXT, e->from, lacks, &kind))
      return false;
  }
  return true;
}
