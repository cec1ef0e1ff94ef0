/* The body of one function: nodes as labels, edges as statements.
 *
 * The text is made twice: the first time only to see which labels somebody jumps to. */
#include "seqc/emit.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  uint8_t *reached, *jumped; /* by node of the function */
  NodeId next;               /* the node that stands behind the one at hand, 0: none */
} Body;

static const char *local_name(const Seqc *s, LocalId id) {
  return s->locals[id - seqc_function(s, s->function)->first_local];
}

static const Local *local_at(const Seqc *s, LocalId id) {
  return vec_at(&s->program->locals, id);
}

static uint32_t number_of(const Seqc *s, NodeId node) {
  return node - seqc_function(s, s->function)->first_node;
}

static void put_jump(Seqc *s, Body *b, NodeId to, const char *before) {
  b->jumped[number_of(s, to)] = 1;
  seqc_line(s, "%sgoto n%u;", before, number_of(s, to));
}

/* The way on behind an edge: a jump, or nothing if its node is the next one. */
static void put_way(Seqc *s, Body *b, EdgeId edge, bool may_fall) {
  const Edge *e = program_edge(s->program, edge);
  bool looks;
  if (seqc_is_idle_back(s, edge, &looks)) {
    if (!looks) seqc_line(s, "if (SWITCH()) %s", seqc_leave(s));
    seqc_line(s, "ASSUME(0); /* nothing has changed: it waits */");
    seqc_line(s, "%s", seqc_leave(s));
  } else if (e->to && !(may_fall && e->to == b->next)) {
    put_jump(s, b, e->to, "");
  }
}

/* ---- single operations ---- */

static void put_rmw(Seqc *s, const Edge *e) {
  const Expr *x = program_expr(s->program, e->b);
  const char *type = seqc_type(s, x->sort, x->bits);
  char *v = seqc_value(s, e->b);
  Str now = {0};
  bool narrow = x->bits != 32 && x->bits != 64;
  const char *sign = x->bits <= 8    ? "int8_t"
                     : x->bits <= 16 ? "int16_t"
                     : x->bits <= 32 ? "int32_t"
                                     : "int64_t";
  if (x->bits > 64 && x->sort == SORT_INT)
    seqc_refuse(s, "use narrower values there", "an atomic operation of %u bits",
                x->bits);
  switch ((RmwKind)e->aux) {
  case RMW_XCHG: str_addf(&now, "%s", v); break;
  case RMW_ADD:
  case RMW_FADD: str_addf(&now, "old + (%s)", v); break;
  case RMW_SUB:
  case RMW_FSUB: str_addf(&now, "old - (%s)", v); break;
  case RMW_AND: str_addf(&now, "old & (%s)", v); break;
  case RMW_NAND: str_addf(&now, "~(old & (%s))", v); break;
  case RMW_OR: str_addf(&now, "old | (%s)", v); break;
  case RMW_XOR: str_addf(&now, "old ^ (%s)", v); break;
  case RMW_SMAX:
    str_addf(&now, "(%s)old < (%s)(%s) ? (%s) : old", sign, sign, v, v);
    break;
  case RMW_SMIN:
    str_addf(&now, "(%s)old < (%s)(%s) ? old : (%s)", sign, sign, v, v);
    break;
  case RMW_UMAX:
  case RMW_FMAX: str_addf(&now, "old < (%s) ? (%s) : old", v, v); break;
  case RMW_UMIN:
  case RMW_FMIN: str_addf(&now, "old < (%s) ? old : (%s)", v, v); break;
  case RMW_NONE:
  case RMW_COUNT: break;
  }
  char *value = narrow && x->sort == SORT_INT
                    ? str_printf("(%s)(%s)", type, str_text(&now))
                    : str_dup(str_text(&now));
  seqc_line(s, "{");
  s->indent++;
  seqc_line(s, "%s old;", type);
  seqc_load(s, "old", x->sort, x->bits, e->a, e->size);
  seqc_store(s, e->a, e->size, x->sort, x->bits, value);
  if (e->dst) seqc_line(s, "%s = old;", local_name(s, e->dst));
  s->indent--;
  seqc_line(s, "}");
  mem_free(value);
  mem_free(v);
  str_free(&now);
}

static void put_cmpxchg(Seqc *s, const Edge *e) {
  const Expr *x = program_expr(s->program, e->b);
  char *expected = seqc_value(s, e->b), *desired = seqc_value(s, e->c);
  seqc_line(s, "{");
  s->indent++;
  seqc_line(s, "%s old;", seqc_type(s, x->sort, x->bits));
  seqc_load(s, "old", x->sort, x->bits, e->a, e->size);
  seqc_line(s, "int outcome = old == (%s);", expected);
  seqc_line(s, "if (outcome) {");
  s->indent++;
  seqc_store(s, e->a, e->size, x->sort, x->bits, desired);
  s->indent--;
  seqc_line(s, "}");
  if (e->dst) seqc_line(s, "%s = old;", local_name(s, e->dst));
  if (e->dst2) seqc_line(s, "%s = (uint8_t)outcome;", local_name(s, e->dst2));
  s->indent--;
  seqc_line(s, "}");
  mem_free(expected);
  mem_free(desired);
}

static void put_havoc(Seqc *s, const Edge *e) {
  const Local *dst = local_at(s, e->dst);
  const char *to = local_name(s, e->dst), *type = seqc_type(s, dst->sort, dst->bits);
  if (dst->sort == SORT_FLOAT)
    seqc_line(s,
              dst->bits == 32 ? "%s = bits_float((uint32_t)any(32));"
                              : "%s = bits_double(any(64));",
              to);
  else if (dst->bits > 64)
    seqc_line(s, "%s = (unsigned __int128)any(%u) << 64 | any(64);", to, dst->bits - 64);
  else
    seqc_line(s, "%s = (%s)any(%u);", to, type, dst->bits);
}

static void put_assert(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  const Loc *loc = vec_at(&s->program->locs, e->loc);
  const Expr *x = program_expr(s->program, e->a);
  const char *file = sym_text(s->program, loc->file), *slash = strrchr(file, '/');
  Str fail = {0};
  /* with a distinguished location a failed assertion is the end of the program, no more */
  if (s->place.object) {
    str_add(&fail, "STOP();");
  } else {
    str_add(&fail, "FAIL(\"");
    for (const char *c = slash ? slash + 1 : file; *c; c++)
      str_add_char(&fail, *c == '"' || *c == '\\' ? '_' : *c);
    str_addf(&fail, ":%u\");", loc->line);
  }
  char *condition = seqc_value(s, e->a);
  if (x->kind == EXPR_CONST && !x->value)
    seqc_line(s, "%s", str_text(&fail));
  else
    seqc_line(s, "if (!(%s)) %s", condition, str_text(&fail));
  mem_free(condition);
  str_free(&fail);
}

static void put_return(Seqc *s, const Edge *e) {
  const Function *f = seqc_function(s, s->function);
  if (f->flags & FUNCTION_ATOMIC) seqc_line(s, "if (section) section--;");
  if (!e->a || !f->return_bits) {
    seqc_line(s, "%s", seqc_leave(s));
    return;
  }
  char *value = seqc_value(s, e->a);
  seqc_line(s, "return %s;", value);
  mem_free(value);
}

static void put_bulk(Seqc *s, const Edge *e) {
  char *to = seqc_value(s, e->a), *from = seqc_value(s, e->b),
       *bytes = seqc_value(s, e->c);
  seqc_line(s, "%s(%s, %s, %s);", e->op == OP_COPY ? "memmove" : "memset", to, from,
            bytes);
  mem_free(to);
  mem_free(from);
  mem_free(bytes);
}

static void put_alloca(Seqc *s, const Edge *e) {
  char *bytes = seqc_value(s, e->a);
  bool chosen = s->place.object && e->aux == s->place.object;
  seqc_line(s, chosen ? "%s = distinguish(frame_new(%s));" : "%s = frame_new(%s);",
            local_name(s, e->dst), bytes);
  mem_free(bytes);
}

static void put_value(Seqc *s, const Edge *e) {
  char *value = seqc_value(s, e->a);
  seqc_line(s, "%s = %s;", local_name(s, e->dst), value);
  mem_free(value);
}

static void put_memory(Seqc *s, const Edge *e) {
  if (e->op == OP_LOAD) {
    if (!e->dst) return;
    const Local *dst = local_at(s, e->dst);
    seqc_load(s, local_name(s, e->dst), dst->sort, dst->bits, e->a, e->size);
    return;
  }
  const Expr *x = program_expr(s->program, e->b);
  char *value = seqc_value(s, e->b);
  seqc_store(s, e->a, e->size, x->sort, x->bits, value);
  mem_free(value);
}

static void put_assume(Seqc *s, const Edge *e) {
  char *condition = seqc_value(s, e->a);
  seqc_line(s, "ASSUME(%s);", condition);
  mem_free(condition);
}

/* The operation itself, with the switch before it. */
static void put_operation(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  s->edge = edge;
  seqc_place_comment(s, e->loc);
  if (seqc_is_noticed(s, edge)) seqc_switch(s, edge);
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_FENCE:
  case OP_STACK_RESTORE: break;
  case OP_ASSUME: put_assume(s, e); break;
  case OP_ASSIGN: put_value(s, e); break;
  case OP_HAVOC: put_havoc(s, e); break;
  case OP_CALL: seqc_call(s, edge); break;
  case OP_RETURN: put_return(s, e); break;
  case OP_GOTO: break; /* the node does it */
  case OP_UNREACHABLE:
    seqc_line(s, "ASSUME(0);");
    seqc_line(s, "%s", seqc_leave(s));
    break;
  case OP_LOAD:
  case OP_STORE: put_memory(s, e); break;
  case OP_RMW: put_rmw(s, e); break;
  case OP_CMPXCHG: put_cmpxchg(s, e); break;
  case OPS_BULK: put_bulk(s, e); break;
  case OP_ALLOCA: put_alloca(s, e); break;
  case OP_STACK_SAVE: seqc_line(s, "%s = 0;", local_name(s, e->dst)); break;
  case OPS_VA:
    seqc_refuse(s, "give the function a fixed number of parameters",
                "a function with a variable number of arguments is not translated");
    break;
  case OP_ASSERT: put_assert(s, edge); break;
  case OP_EXIT:
    seqc_line(s, "STOP();");
    seqc_line(s, "%s", seqc_leave(s));
    break;
  case OPS_THREAD:
  case OPS_SYNC: seqc_sync_edge(s, edge); break;
  }
}

/* ---- branches ---- */

/* One condition is the opposite of the other. */
static bool excludes(const Program *p, ExprId a, ExprId b) {
  const Expr *x = program_expr(p, a), *y = program_expr(p, b);
  if (y->kind == EXPR_XOR && y->bits == 1 && y->a == a &&
      program_expr(p, y->b)->kind == EXPR_CONST && program_expr(p, y->b)->value == 1)
    return true;
  if (x->kind == EXPR_CONST && y->kind == EXPR_CONST) return x->value != y->value;
  bool same = x->a == y->a && x->b == y->b, crossed = x->a == y->b && x->b == y->a;
  return (x->kind == EXPR_EQ && y->kind == EXPR_NE && (same || crossed)) ||
         (x->kind == EXPR_ULT && y->kind == EXPR_ULE && crossed) ||
         (x->kind == EXPR_SLT && y->kind == EXPR_SLE && crossed);
}

static bool is_decided(const Seqc *s, EdgeId first, EdgeId end) {
  const Program *p = s->program;
  bool otherwise = false;
  for (EdgeId i = first; i < end; i++) {
    const Edge *e = program_edge(p, i);
    if (e->op != OP_ASSUME || (e->flags & EDGE_USER)) return false;
    if (e->flags & EDGE_DEFAULT) otherwise = true;
  }
  if (otherwise) return true;
  ExprId a = program_edge(p, first)->a, b = program_edge(p, end - 1)->a;
  return end - first == 2 && (excludes(p, a, b) || excludes(p, b, a));
}

/* A conditional way. */
static void put_test(Seqc *s, Body *b, EdgeId edge, const char *condition) {
  bool looks;
  char *test = str_printf("if (%s) ", condition);
  if (seqc_is_idle_back(s, edge, &looks)) {
    seqc_line(s, "%s{", test);
    s->indent++;
    put_way(s, b, edge, false);
    s->indent--;
    seqc_line(s, "}");
  } else {
    put_jump(s, b, program_edge(s->program, edge)->to, test);
  }
  mem_free(test);
}

/* Exactly one of the conditions holds: tests one after the other. */
static void put_branch(Seqc *s, Body *b, EdgeId first, EdgeId end) {
  EdgeId last = end - 1;
  for (EdgeId i = first; i < end; i++)
    if (program_edge(s->program, i)->flags & EDGE_DEFAULT) last = i;
  seqc_place_comment(s, program_edge(s->program, first)->loc);
  EdgeId other = first + (last == first);
  if (end - first == 2 && program_edge(s->program, other)->to == b->next &&
      program_edge(s->program, last)->to != b->next) {
    char *condition = seqc_value(s, program_edge(s->program, other)->a);
    char *opposite = str_printf("!(%s)", condition);
    put_test(s, b, last, opposite);
    mem_free(condition);
    mem_free(opposite);
    return;
  }
  for (EdgeId i = first; i < end; i++) {
    if (i == last) continue;
    s->edge = i;
    char *condition = seqc_value(s, program_edge(s->program, i)->a);
    put_test(s, b, i, condition);
    mem_free(condition);
  }
  put_way(s, b, last, true);
}

static void put_edge(Seqc *s, Body *b, EdgeId edge, bool may_fall) {
  const Edge *e = program_edge(s->program, edge);
  if (e->op == OP_GOTO) {
    char *address = seqc_value(s, e->a);
    seqc_line(s, "ASSUME(%s == &labels[%u]);", address, e->aux);
    mem_free(address);
  }
  put_operation(s, edge);
  put_way(s, b, edge, may_fall);
}

static void put_node(Seqc *s, Body *b, NodeId node) {
  EdgeId first = node_first_edge(s->program, node), end = node_end_edge(s->program, node);
  if (first == end) {
    seqc_line(s, "ASSUME(0);");
    seqc_line(s, "%s", seqc_leave(s));
  } else if (end - first == 1) {
    put_edge(s, b, first, true);
  } else if (is_decided(s, first, end)) {
    put_branch(s, b, first, end);
  } else {
    seqc_line(s, "switch (choose(%u)) {", end - first);
    for (EdgeId i = first; i < end; i++) {
      seqc_line(s, i + 1 < end ? "case %u:" : "default:", i - first);
      s->indent++;
      put_edge(s, b, i, false);
      s->indent--;
    }
    seqc_line(s, "}");
  }
}

static void put_nodes(Seqc *s, Body *b) {
  const Function *f = seqc_function(s, s->function);
  s->last_loc = 0;
  if (f->entry != f->first_node) put_jump(s, b, f->entry, "");
  for (uint32_t i = 0; i < f->node_count; i++) {
    if (!b->reached[i]) continue;
    uint32_t next = i + 1;
    while (next < f->node_count && !b->reached[next]) next++;
    b->next = next < f->node_count ? f->first_node + next : 0;
    if (b->jumped[i]) {
      s->indent--;
      seqc_line(s, "n%u:;", i);
      s->indent++;
      s->last_loc = 0;
    }
    put_node(s, b, f->first_node + i);
  }
}

/* ---- the function ---- */

static void find_reached(const Seqc *s, Body *b) {
  const Function *f = seqc_function(s, s->function);
  VEC(NodeId) todo = {0};
  vec_push(&todo, f->entry);
  b->reached[number_of(s, f->entry)] = 1;
  while (todo.len) {
    NodeId node = vec_pop(&todo);
    for (EdgeId i = node_first_edge(s->program, node);
         i < node_end_edge(s->program, node); i++) {
      NodeId to = program_edge(s->program, i)->to;
      if (!to || b->reached[number_of(s, to)]) continue;
      b->reached[number_of(s, to)] = 1;
      vec_push(&todo, to);
    }
  }
  vec_free(&todo);
}

static void put_locals(Seqc *s) {
  const Program *p = s->program;
  const Function *f = seqc_function(s, s->function);
  for (uint32_t i = f->param_count; i < f->local_count; i++) {
    const Local *l = vec_at(&p->locals, f->first_local + i);
    const char *type = seqc_type(s, l->sort, l->bits);
    seqc_line(s, "%s%s%s = 0;", type, str_ends(type, "*") ? "" : " ", s->locals[i]);
  }
  for (uint32_t i = 0; i < f->object_count; i++)
    seqc_declare_frame(s, p->frame_objects.data[f->first_object + i]);
}

void seqc_body(Seqc *s, FuncId id) {
  const Function *f = seqc_function(s, id);
  Body b = {mem_alloc_zero(f->node_count + 1), mem_alloc_zero(f->node_count + 1), 0};
  s->edge = f->first_edge;
  if (f->flags & FUNCTION_VARARGS)
    seqc_refuse(s, "give it a fixed number of parameters",
                "the function %s with a variable number of arguments is not translated",
                sym_text(s->program, f->name));
  seqc_name_locals(s, id);
  find_reached(s, &b);
  Str scratch = {0}, *out = s->out;
  s->out = &scratch;
  put_nodes(s, &b);
  s->out = out;
  str_free(&scratch);
  s->indent++;
  put_locals(s);
  if (f->flags & FUNCTION_ATOMIC) {
    seqc_line(s, "if (SWITCH()) %s", seqc_leave(s));
    seqc_line(s, "section++;");
  }
  put_nodes(s, &b);
  s->indent--;
  mem_free(b.reached);
  mem_free(b.jumped);
}
