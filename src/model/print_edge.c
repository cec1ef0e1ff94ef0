/* Edges as statements: one operation in one line, and the ways out of a node together.
 *
 * A node with one edge is its operation, followed by "; goto nK" unless the next line is
 * where it goes. Two complementary ASSUME edges are an if, ASSUME edges that compare one
 * value with constants are a switch, and any other choice is listed with "when". */
#include "model/print_parts.h"

#include <inttypes.h>

/* ---- operands ---------------------------------------------------------------------- */

static void add_expr(Printer *pr, ExprId id, Str *out) {
  printer_expr(pr, id, out);
}

static void add_destination(Printer *pr, LocalId dst, Str *out) {
  if (!dst) return;
  const Local *local = vec_at(&pr->program->locals, dst);
  if (!pr->read[dst] && !is_source_variable(pr->program, local))
    return; /* a result that nobody looks at */
  printer_local(pr, dst, out);
  str_add(out, " := ");
}

/* The accessed place: the source's words if the front found them. */
static void add_place(Printer *pr, const Edge *e, ExprId address, Str *out) {
  if (e->path)
    printer_place_named(pr, address, e->size, sym_text(pr->program, e->path), out);
  else
    printer_memory(pr, address, e->size, BIND_NONE, out);
}

/* A synchronisation object: m for &m, in the source's words where there are some. */
static void add_sync_object(Printer *pr, const Edge *e, Str *out) {
  add_place(pr, e, e->a, out);
}

/* The memory behind an operand other than the one that `path` names. */
static void add_memory(Printer *pr, ExprId address, Str *out) {
  printer_memory(pr, address, 0, BIND_NONE, out);
}

static void add_access_kind(const Edge *e, Str *out) {
  if (e->order == ORDER_NONE && !(e->flags & (EDGE_VOLATILE | EDGE_WEAK))) return;
  const char *separator = "(";
  if (e->flags & EDGE_VOLATILE) {
    str_addf(out, "%svolatile", separator);
    separator = ", ";
  }
  if (e->flags & EDGE_WEAK) {
    str_addf(out, "%sweak", separator);
    separator = ", ";
  }
  if (e->order != ORDER_NONE) {
    str_addf(out, "%s%s", separator, order_text((MemoryOrder)e->order));
    separator = ", ";
  }
  if (e->order_fail != ORDER_NONE)
    str_addf(out, "%selse %s", separator, order_text((MemoryOrder)e->order_fail));
  str_add_char(out, ')');
}

/* ---- memory operations ------------------------------------------------------------- */

static void add_cmpxchg(Printer *pr, const Edge *e, Str *out) {
  bool old = e->dst && pr->read[e->dst], stored = e->dst2 && pr->read[e->dst2];
  str_add(out, "compare_exchange");
  add_access_kind(e, out);
  str_add_char(out, ' ');
  if (old) printer_local(pr, e->dst, out);
  if (old && stored) str_add(out, ", ");
  if (stored) printer_local(pr, e->dst2, out);
  if (old || stored) str_add(out, " := ");
  add_place(pr, e, e->a, out);
  str_add(out, ": ");
  add_expr(pr, e->b, out);
  str_add(out, " -> ");
  add_expr(pr, e->c, out);
}

/* What a copy reads. A constant made by the compiler for an initialiser is shown as its
 * value, with the type of the object that it fills. */
static void add_source(Printer *pr, const Edge *e, Str *out) {
  const Program *p = pr->program;
  const Expr *from = program_expr(p, e->b), *to = program_expr(p, e->a);
  const Object *literal = from->kind == EXPR_OBJECT ? &p->objects.data[from->data] : NULL;
  const Object *filled = to->kind == EXPR_OBJECT ? &p->objects.data[to->data] : NULL;
  if (!literal || !(literal->flags & OBJECT_LITERAL)) {
    if (e->aux)
      printer_place_named(pr, e->b, 0, sym_text(p, e->aux), out);
    else
      add_memory(pr, e->b, out);
  } else if (!literal->type && filled && filled->type && filled->size == literal->size) {
    printer_initial(pr, (ObjectId)from->data, filled->type, 40, out);
  } else {
    printer_object(pr, (ObjectId)from->data, out);
  }
}

static void add_bulk(Printer *pr, const Edge *e, Str *out) {
  const Expr *bytes = program_expr(pr->program, e->c);
  str_add(out, e->op == OP_FILL ? "fill" : e->flags & EDGE_OVERLAP ? "move" : "copy");
  add_access_kind(e, out);
  str_add_char(out, ' ');
  if (e->path)
    printer_place_named(pr, e->a, 0, sym_text(pr->program, e->path), out);
  else
    add_memory(pr, e->a, out);
  str_add(out, " := ");
  if (e->op == OP_FILL)
    add_expr(pr, e->b, out);
  else
    add_source(pr, e, out);
  str_add(out, ", ");
  add_expr(pr, e->c, out);
  str_add(out, bytes->kind == EXPR_CONST && bytes->value == 1 ? " byte" : " bytes");
}

static bool add_memory_operation(Printer *pr, const Edge *e, Str *out) {
  switch ((OpKind)e->op) {
  case OP_LOAD:
    str_add(out, "load");
    add_access_kind(e, out);
    str_add_char(out, ' ');
    add_destination(pr, e->dst, out);
    add_place(pr, e, e->a, out);
    return true;
  case OP_STORE:
    str_add(out, e->flags & EDGE_INIT ? "init" : "store");
    add_access_kind(e, out);
    str_add_char(out, ' ');
    add_place(pr, e, e->a, out);
    str_add(out, " := ");
    add_expr(pr, e->b, out);
    return true;
  case OP_RMW:
    str_addf(out, e->aux == RMW_XCHG ? "exchange" : "fetch_%s",
             rmw_text((RmwKind)e->aux));
    add_access_kind(e, out);
    str_add_char(out, ' ');
    add_destination(pr, e->dst, out);
    add_place(pr, e, e->a, out);
    str_add(out, ", ");
    add_expr(pr, e->b, out);
    return true;
  case OP_CMPXCHG: add_cmpxchg(pr, e, out); return true;
  case OP_FENCE:
    str_add(out, "fence");
    add_access_kind(e, out);
    return true;
  case OP_COPY:
  case OP_FILL: add_bulk(pr, e, out); return true;
  case OP_ALLOCA:
    add_destination(pr, e->dst, out);
    str_add(out, "alloca ");
    printer_object(pr, e->aux, out);
    str_add(out, ", ");
    add_expr(pr, e->a, out);
    str_add(out, " bytes");
    return true;
  case OPS_CONTROL:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return false;
}

/* ---- calls, threads, locks --------------------------------------------------------- */

static void add_call(Printer *pr, const Edge *e, Str *out) {
  const Program *p = pr->program;
  add_destination(pr, e->dst, out);
  if (program_expr(p, e->a)->kind == EXPR_FUNC) {
    add_expr(pr, e->a, out);
  } else {
    str_add(out, "(*");
    if (e->path)
      str_add(out, sym_text(p, e->path));
    else
      add_expr(pr, e->a, out);
    str_add_char(out, ')');
  }
  str_add_char(out, '(');
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = &p->args.data[e->first_arg + i];
    if (i) str_add(out, ", ");
    if (arg->passing.byval_size)
      add_memory(pr, arg->value, out); /* passed by value: the callee gets a copy */
    else
      add_expr(pr, arg->value, out);
  }
  str_add_char(out, ')');
  if (e->aux) {
    str_add(out, " as ");
    printer_object(pr, e->aux, out);
  }
}

static void add_create(Printer *pr, const Edge *e, Str *out) {
  add_destination(pr, e->dst, out);
  str_add(out, "create ");
  if (program_expr(pr->program, e->b)->kind == EXPR_FUNC) {
    add_expr(pr, e->b, out);
  } else {
    str_add(out, "(*");
    add_expr(pr, e->b, out);
    str_add_char(out, ')');
  }
  str_add_char(out, '(');
  if (e->c) add_expr(pr, e->c, out);
  str_add_char(out, ')');
  if (e->a && program_expr(pr->program, e->a)->kind != EXPR_CONST) {
    str_add(out, ", id in ");
    add_place(pr, e, e->a, out);
  }
}

static void add_deadline(Printer *pr, ExprId deadline, Str *out) {
  if (!deadline) return;
  str_add(out, " until ");
  add_memory(pr, deadline, out);
}

static void add_lock(Printer *pr, const Edge *e, Str *out) {
  static const char *const attempts[] = {"", "try", "timed"};
  add_destination(pr, e->dst, out);
  if (e->lock == LOCK_RW)
    str_add(out, e->mode == MODE_SHARED ? "read-" : e->op == OP_LOCK ? "write-" : "rw-");
  else if (e->lock == LOCK_SPIN)
    str_add(out, "spin-");
  str_addf(out, "%s%s ", attempts[e->attempt], op_text((OpKind)e->op));
  add_sync_object(pr, e, out);
  if (e->op == OP_LOCK) add_deadline(pr, e->b, out);
  if (e->op == OP_LOCK_INIT && e->b &&
      program_expr(pr->program, e->b)->sort == SORT_PTR &&
      program_expr(pr->program, e->b)->kind != EXPR_CONST) {
    str_add(out, " with ");
    add_memory(pr, e->b, out);
  }
}

static void add_wait(Printer *pr, const Edge *e, Str *out) {
  add_destination(pr, e->dst, out);
  str_addf(out, "%swait ", e->attempt == ATTEMPT_TIMED ? "timed" : "");
  add_sync_object(pr, e, out);
  str_add(out, " releasing ");
  add_memory(pr, e->b, out);
  add_deadline(pr, e->c, out);
}

static void add_join(Printer *pr, const Edge *e, Str *out) {
  static const char *const attempts[] = {"", "try", "timed"};
  add_destination(pr, e->dst, out);
  str_addf(out, "%sjoin ", attempts[e->attempt]);
  if (e->path)
    str_add(out, sym_text(pr->program, e->path));
  else
    add_expr(pr, e->a, out);
  if (e->b && program_expr(pr->program, e->b)->kind != EXPR_CONST) {
    str_add(out, ", result in ");
    add_memory(pr, e->b, out);
  }
  add_deadline(pr, e->c, out);
}

/* The rest of the synchronisation operations: the name and the operands in order. */
static void add_plain(Printer *pr, const Edge *e, Str *out) {
  static const char *const attempts[] = {"", "try", "timed"};
  const ExprId operands[3] = {e->a, e->b, e->c};
  add_destination(pr, e->dst, out);
  if (e->op == OP_SEM_WAIT && e->attempt != ATTEMPT_BLOCK)
    str_addf(out, "sem_%swait", attempts[e->attempt]);
  else
    str_add(out, op_text((OpKind)e->op));
  for (int i = 0; i < 3; i++) {
    if (!operands[i]) continue;
    str_add(out, i ? ", " : " ");
    const Expr *x = program_expr(pr->program, operands[i]);
    bool object = x->sort == SORT_PTR && x->kind != EXPR_FUNC && x->kind != EXPR_CONST;
    if (i == 0 && e->path)
      str_add(out, sym_text(pr->program, e->path));
    else if (object && i < 2 && e->op >= OP_COND_INIT && e->op <= OP_ACQUIRE)
      add_memory(pr, operands[i], out);
    else
      add_expr(pr, operands[i], out);
  }
}

static bool add_control(Printer *pr, const Edge *e, Str *out) {
  switch ((OpKind)e->op) {
  case OP_ASSUME:
    str_add(out, "assume(");
    add_expr(pr, e->a, out);
    str_add_char(out, ')');
    return true;
  case OP_ASSIGN:
    printer_local(pr, e->dst, out);
    str_add(out, " := ");
    add_expr(pr, e->a, out);
    return true;
  case OP_HAVOC:
    printer_local(pr, e->dst, out);
    str_add(out, " := any value");
    return true;
  case OP_RETURN:
    str_add(out, "return");
    if (e->a) {
      str_add_char(out, ' ');
      add_expr(pr, e->a, out);
    }
    return true;
  case OP_GOTO:
    str_add(out, "goto *");
    add_expr(pr, e->a, out);
    return true;
  case OP_ASSERT:
    str_add(out, "assert(");
    add_expr(pr, e->a, out);
    str_add_char(out, ')');
    return true;
  case OP_EXIT:
    str_add(out, e->flags & EDGE_ABORT   ? "abort"
                 : e->flags & EDGE_QUICK ? "_exit"
                                         : "exit");
    if (e->a) {
      str_add_char(out, '(');
      add_expr(pr, e->a, out);
      str_add_char(out, ')');
    }
    return true;
  case OP_EXIT_THREAD:
    str_add(out, "exit_thread");
    if (e->a) {
      str_add_char(out, ' ');
      add_expr(pr, e->a, out);
    }
    return true;
  case OP_NOP:
  case OP_CALL:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_SYNC: break;
  }
  return false;
}

void printer_edge(Printer *pr, EdgeId id, Str *out) {
  const Edge *e = program_edge(pr->program, id);
  if (add_control(pr, e, out) || add_memory_operation(pr, e, out)) return;
  switch ((OpKind)e->op) {
  case OP_CALL: add_call(pr, e, out); break;
  case OP_CREATE: add_create(pr, e, out); break;
  case OP_LOCK_INIT:
  case OP_LOCK:
  case OP_UNLOCK:
  case OP_LOCK_DESTROY: add_lock(pr, e, out); break;
  case OP_WAIT: add_wait(pr, e, out); break;
  case OP_JOIN: add_join(pr, e, out); break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_RETURN:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION:
  case OP_ASSERT:
  case OP_EXIT: add_plain(pr, e, out);
  }
}

/* ---- the ways out of a node -------------------------------------------------------- */

uint32_t printer_node_number(const Printer *pr, NodeId node) {
  const Node *n = vec_at(&pr->program->nodes, node);
  return node - pr->program->functions.data[n->function].first_node + 1;
}

/* Whether y is made as the negation of x, in one of the forms of the builder. */
static bool is_negation_of(const Program *p, ExprId x, ExprId y) {
  const Expr *a = program_expr(p, x), *b = program_expr(p, y);
  if (b->kind == EXPR_XOR && b->a == x && program_expr(p, b->b)->kind == EXPR_CONST &&
      program_expr(p, b->b)->value == 1)
    return true;
  if (a->kind == EXPR_CONST && b->kind == EXPR_CONST) return a->value != b->value;
  switch ((ExprKind)a->kind) {
  case EXPR_EQ: return b->kind == EXPR_NE && a->a == b->a && a->b == b->b;
  case EXPR_NE: return b->kind == EXPR_EQ && a->a == b->a && a->b == b->b;
  case EXPR_ULT: return b->kind == EXPR_ULE && a->a == b->b && a->b == b->a;
  case EXPR_ULE: return b->kind == EXPR_ULT && a->a == b->b && a->b == b->a;
  case EXPR_SLT: return b->kind == EXPR_SLE && a->a == b->b && a->b == b->a;
  case EXPR_SLE: return b->kind == EXPR_SLT && a->a == b->b && a->b == b->a;
  default: return false;
  }
}

static bool is_negation(const Program *p, ExprId x, ExprId y) {
  return is_negation_of(p, x, y) || is_negation_of(p, y, x);
}

/* The value that all edges but the default compare with constants; 0 if it is no switch.
 * */
static ExprId switch_value(const Program *p, EdgeId first, EdgeId end) {
  ExprId value = 0;
  uint32_t defaults = 0;
  for (EdgeId id = first; id < end; id++) {
    const Edge *e = program_edge(p, id);
    if (e->flags & EDGE_DEFAULT) {
      defaults++;
      continue;
    }
    const Expr *x = program_expr(p, e->a);
    if (x->kind != EXPR_EQ || program_expr(p, x->b)->kind != EXPR_CONST ||
        (value && value != x->a))
      return 0;
    value = x->a;
  }
  return defaults == 1 ? value : 0;
}

typedef struct {
  PrintLine *line;
  void *user;
  EdgeId edge;
  Str text;
} Lines;

static void end_line(Lines *l) {
  l->line(l->user, l->edge, str_text(&l->text));
  str_clear(&l->text);
}

/* The cases of one target together: "case 1, 2: n5". Several on a line while they fit. */
static void add_switch(Printer *pr, EdgeId first, EdgeId end, ExprId value, Lines *l) {
  const Program *p = pr->program;
  enum { WIDTH = 66 };
  str_add(&l->text, "switch (");
  add_expr(pr, value, &l->text);
  str_add_char(&l->text, ')');
  bool fresh = true;
  for (EdgeId id = first; id < end;) {
    const Edge *e = program_edge(p, id);
    Str entry = {0};
    NodeId to = e->to;
    if (e->flags & EDGE_DEFAULT) {
      str_add(&entry, "default");
      id++;
    } else {
      for (bool more = false; id < end; id++, more = true) {
        e = program_edge(p, id);
        if (e->to != to || (e->flags & EDGE_DEFAULT)) break;
        str_add(&entry, more ? ", " : "");
        printer_case(pr, value, program_expr(p, e->a)->b, &entry);
      }
    }
    str_addf(&entry, ": n%u", printer_node_number(pr, to));
    if (l->text.len + entry.len > WIDTH && !fresh) {
      end_line(l);
      str_add(&l->text, "   ");
    }
    fresh = false;
    str_addf(&l->text, "%s%s", l->text.len > 3 ? "  " : " ", str_text(&entry));
    str_free(&entry);
  }
  end_line(l);
}

static void add_choice(Printer *pr, EdgeId first, EdgeId end, Lines *l) {
  const Program *p = pr->program;
  const Edge *e = program_edge(p, first);
  if (e->op == OP_GOTO || e->op == OP_NOP) {
    if (e->op == OP_GOTO)
      printer_edge(pr, first, &l->text);
    else
      str_add(&l->text, "choose");
    for (EdgeId id = first; id < end; id++)
      str_addf(&l->text, "%s n%u", id == first && e->op == OP_GOTO ? ", one of" : "",
               printer_node_number(pr, program_edge(p, id)->to));
    end_line(l);
    return;
  }
  for (EdgeId id = first; id < end; id++) {
    e = program_edge(p, id);
    l->edge = id;
    str_add(&l->text, "when ");
    add_expr(pr, e->a, &l->text);
    str_addf(&l->text, " goto n%u", printer_node_number(pr, e->to));
    end_line(l);
  }
}

void printer_node(Printer *pr, NodeId node, NodeId next, PrintLine *line, void *user) {
  const Program *p = pr->program;
  EdgeId first = node_first_edge(p, node), end = node_end_edge(p, node);
  const Edge *e = program_edge(p, first);
  Lines l = {.line = line, .user = user, .edge = first};
  ExprId value = 0;
  if (end - first == 1) {
    printer_edge(pr, first, &l.text);
    if (e->to && e->to != next)
      str_addf(&l.text, "%sgoto n%u", e->op == OP_NOP ? "" : "; ",
               printer_node_number(pr, e->to));
    end_line(&l);
  } else if (end - first == 2 && e->op == OP_ASSUME &&
             is_negation(p, e->a, program_edge(p, first + 1)->a)) {
    str_add(&l.text, "if (");
    add_expr(pr, e->a, &l.text);
    str_addf(&l.text, ") goto n%u else n%u", printer_node_number(pr, e->to),
             printer_node_number(pr, program_edge(p, first + 1)->to));
    end_line(&l);
  } else if (e->op == OP_ASSUME && (value = switch_value(p, first, end)) != 0) {
    add_switch(pr, first, end, value, &l);
  } else {
    add_choice(pr, first, end, &l);
  }
  str_free(&l.text);
}
