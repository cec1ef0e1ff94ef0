/* Ways from one join to the next. See rejoined_internal.h.
 *
 * Two of them have the same id if it was read once for both, or twice from one cell which no creation
 * has filled in between: a search over the nodes of the function and what has become of the cell since
 * the first reading. It is the same; its index was counted, so it is another one; nobody knows; or it
 * was filled. Beside that, whether the array is still known by the same words, and how far it has been
 * filled as a whole: a way ends where the id is nowhere any more (rejoined_gone.c). And the second join
 * must be possible behind the first. */
#include "analysis/rejoined_internal.h"
#include "base/mem.h"

typedef enum {
  CELL_SAME,
  CELL_UP,
  CELL_DOWN,
  CELL_LOST,
  CELL_FILLED,
  CELL_STATES
} CellState;

/* What is known on a way. */
typedef struct {
  uint8_t cell; /* CellState; of another search: whether a result is still there */
  bool kept;    /* the root still points to the object from which `first` has read */
  FillPhase phase;
} Known;

enum { KNOWN_STATES = CELL_STATES * 2 * (2 * MOST_FILLS + 1) };

static uint32_t known_number(const Known *k) {
  uint32_t phase = k->phase.fill ? 2u * k->phase.fill - 1 + k->phase.one : 0;
  return (phase * 2 + k->kept) * CELL_STATES + k->cell;
}

static bool assigns(const Edge *e, LocalId local) {
  return local && (e->dst == local || e->dst2 == local);
}

static LocalId root_local(const Rejoin *r, const IdPlace *place) {
  const Expr *x = place->from == FROM_CELL ? program_expr(r->p, place->root) : NULL;
  return x && x->kind == EXPR_LOCAL ? (LocalId)x->data : 0;
}

static bool allocates(const Edge *e) {
  return (e->op == OP_CALL || e->op == OP_ALLOCA) && e->aux;
}

bool rejoin_is_new(const Rejoin *r, FuncId function, LocalId local) {
  const Function *f = vec_at(&r->p->functions, function);
  if (vec_at(&r->p->locals, local)->flags & LOCAL_PARAM) return false;
  bool any = false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(r->p, f->first_edge + i);
    if (!assigns(e, local)) continue;
    if (!allocates(e)) return false;
    any = true;
  }
  return any;
}

/* Where the cell is that the place means now. */
static CellState moved(const Rejoin *r, const Edge *e, LocalId index, CellState cell) {
  int64_t by = rejoin_counts(r, e, index);
  if (by > 0 && (cell == CELL_SAME || cell == CELL_UP)) return CELL_UP;
  if (by < 0 && (cell == CELL_SAME || cell == CELL_DOWN)) return CELL_DOWN;
  return CELL_LOST;
}

static CellState after(const Rejoin *r, const IdPlace *place, EdgeId id, CellState cell) {
  const Edge *e = program_edge(r->p, id);
  bool elsewhere = cell == CELL_UP || cell == CELL_DOWN;
  if (assigns(e, root_local(r, place)) && !(place->fixed && elsewhere))
    cell = allocates(e) ? CELL_FILLED : place->fixed ? cell : CELL_LOST;
  if (assigns(e, place->index)) cell = moved(r, e, place->index, cell);
  if (place->address && e->a == place->address &&
      (e->op == OP_CREATE || rejoin_stores_new(r, id)))
    cell = CELL_FILLED;
  return cell;
}

/* The value of the condition if the local is 0: 0, 1 or -1 where that does not decide it. */
static int decided(const Rejoin *r, ExprId condition, LocalId local) {
  const Expr *c = program_expr(r->p, condition);
  if (c->kind == EXPR_LOCAL) return c->data == local ? 0 : -1;
  if (c->kind != EXPR_EQ && c->kind != EXPR_NE) return -1;
  const Expr *x = program_expr(r->p, c->a), *y = program_expr(r->p, c->b);
  if (x->kind != EXPR_LOCAL || x->data != local || y->kind != EXPR_CONST) return -1;
  return (y->value == 0) == (c->kind == EXPR_EQ);
}

typedef struct {
  NodeId node;
  Known known;
} Visit;

typedef struct {
  const Rejoin *r;
  const Function *f;
  VEC(Visit) stack;
  uint8_t *seen;
} Search;

static Search search_new(const Rejoin *r, FuncId function) {
  const Function *f = vec_at(&r->p->functions, function);
  return (Search){
      .r = r, .f = f, .seen = mem_alloc_zero((f->node_count + 1) * KNOWN_STATES)};
}

static void search_free(Search *s) {
  vec_free(&s->stack);
  mem_free(s->seen);
}

static void visit(Search *s, NodeId node, Known known) {
  if (!node) return;
  uint8_t *seen =
      &s->seen[(node - s->f->first_node) * KNOWN_STATES + known_number(&known)];
  if (*seen) return;
  *seen = 1;
  vec_push(&s->stack, ((Visit){node, known}));
}

/* ---- the same id ---- */

/* A reading, and from where on: what was read, how it is filled anew, whether that is any help. */
typedef struct {
  const Taker *taker; /* who reads again, or whose cell it is */
  Fills fills;
  bool late; /* what was read first was read at any time from there on */
} Again;

/* What is known behind the edge; false: the id that was read is nowhere any more. */
static bool pass(const Rejoin *r, const Again *a, EdgeId id, Known *k) {
  const Edge *e = program_edge(r->p, id);
  const IdPlace *place = &a->taker->place;
  if (a->late && k->cell == CELL_FILLED) k->cell = CELL_LOST;
  if (k->kept) {
    if (rejoin_frees(r, e, place->root)) return false;
    k->phase = rejoin_fill(r, &a->fills, id, k->phase);
    if (k->phase.all) return false;
    if (k->phase.over || assigns(e, root_local(r, place))) {
      k->kept = false;
      k->phase = (FillPhase){0};
    }
  }
  k->cell = (uint8_t)after(r, place, id, (CellState)k->cell);
  return true;
}

/* On a way from the node, where this is known, the taker may read what was there before. */
static bool may_read(const Rejoin *r, NodeId from, Known begins, const Again *a) {
  Search s = search_new(r, a->taker->function);
  bool found = false;
  visit(&s, from, begins);
  while (s.stack.len && !found) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      Known k = v.known;
      bool filled = k.cell == CELL_FILLED && !a->late;
      bool other = k.cell == CELL_UP || k.cell == CELL_DOWN;
      if (e == a->taker->load && !filled && !other) found = true;
      if (pass(r, a, e, &k)) visit(&s, rejoin_next(r, program_edge(r->p, e)), k);
    }
  }
  search_free(&s);
  return found;
}

/* What `first` has read may be found again where `second` reads. */
static bool reads_again(const Rejoin *r, const Taker *first, const Taker *second) {
  bool same_words = first->place.from == second->place.from && first->place.address &&
                    first->place.address == second->place.address;
  bool same_root = first->place.from == FROM_CELL && second->place.from == FROM_CELL &&
                   first->place.root == second->place.root;
  Again again = {.taker = second, .late = first->late};
  if (same_root) rejoin_find_fills(r, first, &again.fills);
  Known begins = {.cell = same_words ? CELL_SAME : CELL_LOST,
                  .kept = same_root && !first->late};
  const Edge *load = program_edge(r->p, first->load);
  return may_read(r, load->to, begins, &again);
}

bool rejoin_fills_first(const Rejoin *r, const Taker *taker) {
  Again again = {.taker = taker};
  return !taker->late && taker->place.from == FROM_CELL &&
         !may_read(r, vec_at(&r->p->functions, taker->function)->entry,
                   (Known){.cell = CELL_LOST}, &again);
}

bool rejoin_frees_behind(const Rejoin *r, const Taker *taker) {
  if (taker->late || taker->place.from != FROM_CELL || taker->edge == taker->load)
    return false;
  Again again = {.taker = taker};
  Search s = search_new(r, taker->function);
  bool returns = false;
  visit(&s, program_edge(r->p, taker->load)->to, (Known){.kept = true});
  while (s.stack.len && !returns) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      Known k = v.known;
      const Edge *edge = program_edge(r->p, e);
      returns = returns || edge->op == OP_RETURN;
      if (pass(r, &again, e, &k)) visit(&s, rejoin_next(r, edge), k);
    }
  }
  search_free(&s);
  return !returns;
}

/* There is a way from the one to the other, not along the edge `without`. */
static bool comes_behind(const Rejoin *r, const Taker *first, const Taker *second,
                         EdgeId without) {
  const Edge *from = program_edge(r->p, first->edge);
  LocalId result = from->dst;
  bool attempt = from->op == OP_JOIN && from->attempt != ATTEMPT_BLOCK && result;
  Search s = search_new(r, first->function);
  bool found = false;
  visit(&s, rejoin_next(r, from), (Known){.cell = attempt});
  while (s.stack.len && !found) {
    Visit v = vec_pop(&s.stack);
    for (EdgeId e = node_first_edge(r->p, v.node); e < node_end_edge(r->p, v.node); e++) {
      const Edge *edge = program_edge(r->p, e);
      if (e == without) continue;
      if (v.known.cell && edge->op == OP_ASSUME && decided(r, edge->a, result) == 0)
        continue;
      if (e == second->edge) found = true;
      visit(&s, rejoin_next(r, edge),
            (Known){.cell = v.known.cell && !assigns(edge, result)});
    }
  }
  search_free(&s);
  return found;
}

bool rejoin_follows(const Rejoin *r, const Taker *first, const Taker *second) {
  if (first->load == second->load && first->load != first->edge &&
      comes_behind(r, first, second, first->load))
    return true;
  /* what calls return are new threads, each time */
  if (first->place.from == FROM_CALL && second->place.from == FROM_CALL) return false;
  if (!comes_behind(r, first, second, 0)) return false;
  /* what the first one reads is freed behind it, and the second one has not read it before */
  if (first->gone && second->load == second->edge) return false;
  return reads_again(r, first, second) || reads_again(r, second, first);
}
