/* See lost.h. Names are those of the source: an edge that touches memory knows what it touches, a
 * local may be a variable. Memory is told apart by these names, which is enough for a hint. */
#include "engine/interleave/lost.h"

#include <string.h>

enum { MOST_STEPS_BACK = 64, MOST_DEPTH = 16 };

typedef struct {
  const Program *p;
  const Executed *executed;
  const char *name; /* of the value that was asked for, as far as it has one */
} Trace;

/* Some local of the expression; 0: there is none. */
static LocalId local_in(const Program *p, ExprId id, int depth) {
  if (!id || depth > MOST_DEPTH) return 0;
  const Expr *x = program_expr(p, id);
  if (x->kind == EXPR_LOCAL) return (LocalId)x->data;
  const ExprId operands[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++) {
    LocalId local = local_in(p, operands[i], depth + 1);
    if (local) return local;
  }
  return 0;
}

/* The last edge before `at` that set the local in this thread; executed.len: there is none. */
static uint32_t set_before(const Trace *t, uint32_t at, LocalId local) {
  uint32_t thread = t->executed->data[at].thread;
  for (uint32_t i = at; i-- > 0;) {
    const ExecutedEdge *x = &t->executed->data[i];
    const Edge *e = program_edge(t->p, x->edge);
    if (x->thread == thread && (e->dst == local || e->dst2 == local)) return i;
  }
  return t->executed->len;
}

static bool is_write(const Edge *e) {
  return e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
}

static uint32_t stored_before(const Trace *t, uint32_t at, const char *path) {
  for (uint32_t i = at; i-- > 0 && *path;) {
    const Edge *e = program_edge(t->p, t->executed->data[i].edge);
    if (is_write(e) && !strcmp(sym_text(t->p, e->path), path)) return i;
  }
  return t->executed->len;
}

static void name_it(Trace *t, const char *name) {
  if (!t->name && name && *name) t->name = name;
}

/* The edge that the value used by edge `at` comes from, one step back. */
static uint32_t step_back(Trace *t, uint32_t at) {
  const Edge *e = program_edge(t->p, t->executed->data[at].edge);
  if (e->op == OP_LOAD) {
    name_it(t, sym_text(t->p, e->path));
    return stored_before(t, at, sym_text(t->p, e->path));
  }
  ExprId value = e->op == OP_STORE                                                ? e->b
                 : e->op == OP_ASSIGN || e->op == OP_ASSUME || e->op == OP_ASSERT ? e->a
                                                                                  : 0;
  LocalId local = local_in(t->p, value, 0);
  if (!local) return t->executed->len;
  const Local *l = &t->p->locals.data[local];
  if (l->flags & LOCAL_VARIABLE) name_it(t, sym_text(t->p, l->name));
  return set_before(t, at, local);
}

const char *lost_value(const Program *p, const Executed *executed, Arena *arena) {
  uint32_t at = executed->len;
  while (at && !executed->data[at - 1].guessed) at--;
  if (!at) return NULL;
  Trace t = {p, executed, NULL};
  at--;
  for (int i = 0; i < MOST_STEPS_BACK; i++) {
    uint32_t before = step_back(&t, at);
    if (before >= executed->len) break;
    at = before;
  }
  const Edge *e = program_edge(p, executed->data[at].edge);
  const Loc *loc = &p->locs.data[e->loc];
  const char *what = t.name ? arena_printf(arena, "the value of %s", t.name) : "a value";
  if (!loc->line) return arena_printf(arena, "%s was lost", what);
  return arena_printf(arena, "%s was lost at %s:%u", what, sym_text(p, loc->file),
                      loc->line);
}
