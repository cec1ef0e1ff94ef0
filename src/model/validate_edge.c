/* The rules of edges (E in the list of validate.c).
 *
 * What each operation may carry is one row of the table `shapes`; the code below reads
 * it. An operation's operands, its destination, its successor and its small fields
 * (order, lock, mode, attempt, size, aux, flags) are all either demanded, allowed or
 * forbidden there, so a field that the front fills by mistake is found and not ignored.
 * */
#include "model/validate_parts.h"

enum {
  SHAPE_END = 1,      /* has no successor */
  SHAPE_ACCESS = 2,   /* size is that of the value; may be volatile */
  SHAPE_ORDER = 4,    /* has a memory order */
  SHAPE_LOCK = 8,     /* has a lock kind */
  SHAPE_ATTEMPT = 16, /* may be tried or timed */
  SHAPE_RESULT = 32,  /* aux is an index in results: dst is what the call returns */
  SHAPE_BULK = 64,    /* may be volatile, has no size */
};

typedef struct {
  /* For a, b, c: '-' absent; 'p' a pointer, 'v' any value, 'i' an integer, 'c' 1 bit; the
   * capital letter where it may be absent; 't' a deadline: any value, timed attempts
   * only. */
  char operands[4];
  char dst;  /* '-' absent, 'r' required, 'o' may be absent */
  char dst2; /* the same */
  uint8_t traits;
} Shape;

#define SHAPES(SHAPE)                                                                    \
  SHAPE(NOP, "---", '-', '-', 0)                                                         \
  SHAPE(ASSUME, "c--", '-', '-', 0)                                                      \
  SHAPE(ASSIGN, "v--", 'r', '-', 0)                                                      \
  SHAPE(HAVOC, "---", 'r', '-', 0)                                                       \
  SHAPE(CALL, "p--", 'o', '-', 0)                                                        \
  SHAPE(RETURN, "V--", '-', '-', SHAPE_END)                                              \
  SHAPE(GOTO, "p--", '-', '-', 0)                                                        \
  SHAPE(UNREACHABLE, "---", '-', '-', SHAPE_END)                                         \
  SHAPE(LOAD, "p--", 'o', '-', SHAPE_ACCESS | SHAPE_ORDER)                               \
  SHAPE(STORE, "pv-", '-', '-', SHAPE_ACCESS | SHAPE_ORDER)                              \
  SHAPE(RMW, "pv-", 'o', '-', SHAPE_ACCESS | SHAPE_ORDER)                                \
  SHAPE(CMPXCHG, "pvv", 'o', 'o', SHAPE_ACCESS | SHAPE_ORDER)                            \
  SHAPE(FENCE, "---", '-', '-', SHAPE_ORDER)                                             \
  SHAPE(COPY, "ppi", '-', '-', SHAPE_BULK)                                               \
  SHAPE(FILL, "pii", '-', '-', SHAPE_BULK)                                               \
  SHAPE(ALLOCA, "i--", 'o', '-', 0)                                                      \
  SHAPE(STACK_SAVE, "---", 'r', '-', 0)                                                  \
  SHAPE(STACK_RESTORE, "p--", '-', '-', 0)                                               \
  SHAPE(VA_START, "p--", '-', '-', 0)                                                    \
  SHAPE(VA_COPY, "pp-", '-', '-', 0)                                                     \
  SHAPE(VA_END, "p--", '-', '-', 0)                                                      \
  SHAPE(CREATE, "PpV", 'o', '-', SHAPE_RESULT)                                           \
  SHAPE(JOIN, "vPt", 'o', '-', SHAPE_RESULT | SHAPE_ATTEMPT)                             \
  SHAPE(DETACH, "v--", 'o', '-', SHAPE_RESULT)                                           \
  SHAPE(EXIT_THREAD, "V--", '-', '-', SHAPE_END)                                         \
  SHAPE(SELF, "---", 'o', '-', SHAPE_RESULT)                                             \
  SHAPE(CANCEL, "v--", 'o', '-', SHAPE_RESULT)                                           \
  SHAPE(CANCEL_POINT, "---", 'o', '-', SHAPE_RESULT)                                     \
  SHAPE(LOCK_INIT, "pV-", 'o', '-', SHAPE_RESULT | SHAPE_LOCK)                           \
  SHAPE(LOCK, "pt-", 'o', '-', SHAPE_RESULT | SHAPE_LOCK | SHAPE_ATTEMPT)                \
  SHAPE(UNLOCK, "p--", 'o', '-', SHAPE_RESULT | SHAPE_LOCK)                              \
  SHAPE(LOCK_DESTROY, "p--", 'o', '-', SHAPE_RESULT | SHAPE_LOCK)                        \
  SHAPE(COND_INIT, "p--", 'o', '-', SHAPE_RESULT)                                        \
  SHAPE(WAIT, "ppt", 'o', '-', SHAPE_RESULT | SHAPE_ATTEMPT)                             \
  SHAPE(SIGNAL, "p--", 'o', '-', SHAPE_RESULT)                                           \
  SHAPE(BROADCAST, "p--", 'o', '-', SHAPE_RESULT)                                        \
  SHAPE(COND_DESTROY, "p--", 'o', '-', SHAPE_RESULT)                                     \
  SHAPE(BARRIER_INIT, "pi-", 'o', '-', SHAPE_RESULT)                                     \
  SHAPE(BARRIER_WAIT, "p--", 'o', '-', SHAPE_RESULT)                                     \
  SHAPE(BARRIER_DESTROY, "p--", 'o', '-', SHAPE_RESULT)                                  \
  SHAPE(SEM_INIT, "pi-", 'o', '-', SHAPE_RESULT)                                         \
  SHAPE(SEM_WAIT, "pt-", 'o', '-', SHAPE_RESULT | SHAPE_ATTEMPT)                         \
  SHAPE(SEM_POST, "p--", 'o', '-', SHAPE_RESULT)                                         \
  SHAPE(SEM_VALUE, "pp-", 'o', '-', SHAPE_RESULT)                                        \
  SHAPE(SEM_DESTROY, "p--", 'o', '-', SHAPE_RESULT)                                      \
  SHAPE(ONCE, "pp-", 'o', '-', SHAPE_RESULT)                                             \
  SHAPE(RELEASE, "p--", 'o', '-', SHAPE_RESULT)                                          \
  SHAPE(ACQUIRE, "p--", 'o', '-', SHAPE_RESULT)                                          \
  SHAPE(ATOMIC_BEGIN, "---", '-', '-', 0)                                                \
  SHAPE(ATOMIC_END, "---", '-', '-', 0)                                                  \
  SHAPE(ASSERT, "c--", '-', '-', 0)                                                      \
  SHAPE(EXIT, "I--", '-', '-', SHAPE_END)

static const Shape shapes[OP_COUNT] = {
#define SHAPE(op, ...) [OP_##op] = {__VA_ARGS__},
    SHAPES(SHAPE)
#undef SHAPE
};

#define SHAPE(...) +1
_Static_assert(0 SHAPES(SHAPE) == OP_COUNT, "every operation has a shape");
#undef SHAPE

/* The bit of each memory order, to write sets of them. */
#define ORDER_BIT(order) (1u << (order))
enum {
  ANY_ORDER = (1 << (ORDER_SEQ_CST + 1)) - 2, /* all but ORDER_NONE */
  LOAD_ORDERS =
      1 << ORDER_NONE | 1 << ORDER_RELAXED | 1 << ORDER_ACQUIRE | 1 << ORDER_SEQ_CST,
  STORE_ORDERS =
      1 << ORDER_NONE | 1 << ORDER_RELAXED | 1 << ORDER_RELEASE | 1 << ORDER_SEQ_CST,
};

static const Expr *expr_of(const Check *check, ExprId id) {
  return &check->program->exprs.data[id];
}
static const Local *local_of(const Check *check, LocalId id) {
  return &check->program->locals.data[id];
}

/* E3: the operands are there, of the right sort, and mean something in this function. */
static bool check_operands(Check *check, FuncId f, EdgeId id, const Edge *e) {
  const ExprId operands[3] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++) {
    char want = shapes[e->op].operands[i];
    char letter = (char)('a' + i);
    bool optional = want == 't' || (want >= 'A' && want <= 'Z');
    if (!id_inside(&check->program->exprs, operands[i]))
      return fail_edge(check, "E3", id, "operand %c does not exist", letter);
    if (operands[i] == 0) {
      if (want != '-' && !optional)
        return fail_edge(check, "E3", id, "operand %c (%s) is missing", letter,
                         op_operand((OpKind)e->op, i));
      continue;
    }
    if (want == '-')
      return fail_edge(check, "E3", id, "operand %c is not used by this operation",
                       letter);
    if (want == 't' && e->attempt != ATTEMPT_TIMED)
      return fail_edge(check, "E3", id, "a deadline without a timed attempt");
    const Expr *x = expr_of(check, operands[i]);
    char kind = (char)(want | 0x20);
    if ((kind == 'p' && x->sort != SORT_PTR) || (kind == 'i' && x->sort != SORT_INT) ||
        (kind == 'c' && (x->sort != SORT_INT || x->bits != 1)))
      return fail_edge(check, "E3", id, "operand %c (%s) has the wrong sort or width",
                       letter, op_operand((OpKind)e->op, i));
    FuncId owner = check->expr_owner[operands[i]];
    if (owner != 0 && owner != f)
      return fail_edge(check, "E3", id, "operand %c uses the frame of another function",
                       letter);
  }
  return true;
}

/* E4: destinations are locals of this function. */
static bool check_destination(Check *check, FuncId f, EdgeId id, LocalId dst, char want,
                              const char *which) {
  if (dst == 0) return want != 'r' || fail_edge(check, "E4", id, "%s is missing", which);
  if (want == '-')
    return fail_edge(check, "E4", id, "%s is not used by this operation", which);
  if (dst >= check->program->locals.len || check->local_owner[dst] != f)
    return fail_edge(check, "E4", id, "%s is not a local of this function", which);
  return true;
}

/* E4: dst, where there is one, has the shape of `x`. */
static bool dst_is_like(const Check *check, LocalId dst, const Expr *x) {
  return dst == 0 ||
         (local_of(check, dst)->bits == x->bits && local_of(check, dst)->sort == x->sort);
}

/* E2: the successor. */
static bool check_successor(Check *check, FuncId f, EdgeId id, const Edge *e) {
  const Function *function = &check->program->functions.data[f];
  if (e->to == 0) {
    if (shapes[e->op].traits & SHAPE_END) return true;
    if (e->op == OP_CALL && e->a < check->program->exprs.len) {
      const Expr *callee = expr_of(check, e->a);
      if (callee->kind == EXPR_FUNC &&
          (check->program->functions.data[callee->data].flags & FUNCTION_NORETURN))
        return true;
    }
    return fail_edge(check, "E2", id, "it must have a successor");
  }
  if (shapes[e->op].traits & SHAPE_END)
    return fail_edge(check, "E2", id, "it cannot have a successor");
  if (e->to < function->first_node ||
      e->to - function->first_node >= function->node_count)
    return fail_edge(check, "E2", id, "its successor lies outside of the function");
  return true;
}

/* E5: memory orders that C11 allows, and none where there is no access. */
static bool check_order(Check *check, EdgeId id, const Edge *e) {
  unsigned allowed = ORDER_BIT(ORDER_NONE);
  switch ((OpKind)e->op) {
  case OP_LOAD: allowed = LOAD_ORDERS; break;
  case OP_STORE: allowed = STORE_ORDERS; break;
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_FENCE: allowed = ANY_ORDER; break;
  case OPS_CONTROL:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  if (e->order > ORDER_SEQ_CST || !(allowed & ORDER_BIT(e->order)))
    return fail_edge(check, "E5", id, "memory order %u is not one that it can have",
                     e->order);
  unsigned fail =
      e->op == OP_CMPXCHG ? LOAD_ORDERS & ~ORDER_BIT(ORDER_NONE) : ORDER_BIT(ORDER_NONE);
  if (e->order_fail > ORDER_SEQ_CST || !(fail & ORDER_BIT(e->order_fail)))
    return fail_edge(check, "E5", id,
                     "memory order %u of failure is not one that it can have",
                     e->order_fail);
  return true;
}

/* E6: lock kind, mode and attempt. */
static bool check_lock(Check *check, EdgeId id, const Edge *e) {
  uint8_t traits = shapes[e->op].traits;
  bool locks = traits & SHAPE_LOCK;
  if (locks ? e->lock == LOCK_NONE || e->lock >= LOCK_WORD
            : e->lock != LOCK_NONE && (e->op != OP_WAIT || e->lock >= LOCK_WORD))
    return fail_edge(check, "E6", id, "lock kind %u does not belong here", e->lock);
  bool mode_ok = e->mode == MODE_EXCLUSIVE ||
                 (e->mode == MODE_SHARED && (e->op == OP_LOCK || e->op == OP_UNLOCK) &&
                  e->lock == LOCK_RW) ||
                 (e->mode == MODE_ANY && e->op == OP_UNLOCK);
  if (!mode_ok)
    return fail_edge(check, "E6", id, "lock mode %u does not belong here", e->mode);
  bool attempt_ok =
      e->attempt == ATTEMPT_BLOCK ||
      ((traits & SHAPE_ATTEMPT) &&
       (e->attempt == ATTEMPT_TIMED || (e->attempt == ATTEMPT_TRY && e->op != OP_WAIT)));
  return attempt_ok ||
         fail_edge(check, "E6", id, "attempt %u does not belong here", e->attempt);
}

/* E7: flags stand only where they mean something. */
static bool check_flags(Check *check, EdgeId id, const Edge *e) {
  uint32_t allowed = EDGE_TAIL;
  if (shapes[e->op].traits & (SHAPE_ACCESS | SHAPE_BULK)) allowed |= EDGE_VOLATILE;
  switch ((OpKind)e->op) {
  case OP_CMPXCHG: allowed |= EDGE_WEAK; break;
  case OP_COPY: allowed |= EDGE_OVERLAP | EDGE_INIT; break;
  case OP_FILL:
  case OP_STORE:
  case OP_ASSIGN: allowed |= EDGE_INIT; break;
  case OP_ASSUME: allowed |= EDGE_USER | EDGE_DEFAULT; break;
  case OP_EXIT: allowed |= EDGE_ABORT | EDGE_QUICK; break;
  case OP_ASSERT: allowed |= EDGE_ABORT; break;
  case OP_CALL: allowed |= EDGE_MISMATCH; break;
  case OP_NOP:
  case OP_HAVOC:
  case OP_RETURN:
  case OP_GOTO:
  case OP_UNREACHABLE:
  case OP_LOAD:
  case OP_RMW:
  case OP_FENCE:
  case OPS_STACK:
  case OPS_VA: break;
  case OPS_THREAD:
  case OPS_SYNC: allowed |= EDGE_USER; break;
  }
  uint32_t extra = e->flags & ~allowed;
  return extra == 0 || fail_edge(check, "E7", id, "flags 0x%x do not belong here", extra);
}

/* E8: an access is as wide as its value. */
static bool check_access(Check *check, EdgeId id, const Edge *e) {
  if (!(shapes[e->op].traits & SHAPE_ACCESS)) {
    /* JOIN: the bytes of the result that is stored through b */
    if (e->size != 0 && e->op != OP_JOIN)
      return fail_edge(check, "E8", id, "size %u without an access", e->size);
    return true;
  }
  uint32_t bits = 0;
  if (e->op == OP_LOAD)
    bits = e->dst ? local_of(check, e->dst)->bits : e->size * 8;
  else
    bits = expr_of(check, e->b)->bits;
  if (e->size == 0 || e->size != bits_to_bytes(bits))
    return fail_edge(check, "E8", id, "it accesses %u bytes of a value of %u bits",
                     e->size, bits);
  if (e->op == OP_LOAD || e->op == OP_STORE) return true;
  if (!dst_is_like(check, e->dst, expr_of(check, e->b)))
    return fail_edge(check, "E4", id, "the old value does not fit its destination");
  if (e->op == OP_CMPXCHG) {
    const Expr *expected = expr_of(check, e->b), *desired = expr_of(check, e->c);
    if (expected->bits != desired->bits || expected->sort != desired->sort)
      return fail_edge(check, "E8", id, "expected and desired value differ in shape");
    if (e->dst2 && (local_of(check, e->dst2)->bits != 1 ||
                    local_of(check, e->dst2)->sort != SORT_INT))
      return fail_edge(check, "E4", id, "the destination of the outcome is not 1 bit");
  }
  return true;
}

/* E9: what aux refers to. */
static bool check_aux(Check *check, FuncId f, EdgeId id, const Edge *e) {
  const Program *p = check->program;
  if (e->op == OP_RMW) {
    if (e->aux == RMW_NONE || e->aux >= RMW_COUNT)
      return fail_edge(check, "E9", id, "unknown kind %u of read-modify-write", e->aux);
    bool is_float = e->aux >= RMW_FADD;
    uint8_t sort = expr_of(check, e->b)->sort;
    bool sort_ok =
        e->aux == RMW_XCHG || (sort == SORT_FLOAT || sort == SORT_BFLOAT) == is_float;
    return sort_ok || fail_edge(check, "E9", id, "%s does not work on this sort of value",
                                rmw_text((RmwKind)e->aux));
  }
  if (e->op == OP_ALLOCA || e->op == OP_CALL) {
    if (e->aux == 0 && e->op == OP_CALL) return true;
    if (e->aux == 0 || e->aux >= p->objects.len)
      return fail_edge(check, "E9", id, "the object that it allocates does not exist");
    const Object *object = &p->objects.data[e->aux];
    bool fits = e->op == OP_CALL
                    ? object->kind == OBJECT_HEAP
                    : object->kind == OBJECT_STACK && (object->flags & OBJECT_DYNAMIC) &&
                          object->owner == f;
    return (fits && object->site == id) ||
           fail_edge(check, "E9", id, "the object that it allocates is not made here");
  }
  if (e->op == OP_GOTO) {
    if (e->aux == 0 || e->aux >= p->labels.len || p->labels.data[e->aux] != e->to)
      return fail_edge(check, "E9", id, "its label is not at its target");
    return true;
  }
  if (e->op == OP_COPY)
    return e->aux == 0 || e->aux < p->text.len ||
           fail_edge(check, "E9", id, "the name of what it reads does not exist");
  if (!(shapes[e->op].traits & SHAPE_RESULT))
    return e->aux == 0 || fail_edge(check, "E9", id, "aux is not used by this operation");
  if (!id_inside(&p->results, e->aux))
    return fail_edge(check, "E9", id, "its result does not exist");
  if (e->dst && e->aux && e->op != OP_SELF) {
    const SyncResult *result = &p->results.data[e->aux];
    if (result->no_result || result->bits != local_of(check, e->dst)->bits)
      return fail_edge(check, "E9", id, "its result does not fit its destination");
  }
  if (e->dst && !e->aux && e->op != OP_SELF)
    return fail_edge(check, "E9", id, "a destination without a result");
  return true;
}

/* E10: arguments exist, and fit the callee's definition unless the call is marked. */
static bool check_call(Check *check, FuncId f, EdgeId id, const Edge *e) {
  const Program *p = check->program;
  if (e->op != OP_CALL)
    return e->arg_count == 0 || fail_edge(check, "E10", id, "arguments without a call");
  if (e->arg_count && !range_inside(e->first_arg, e->arg_count, p->args.len))
    return fail_edge(check, "E10", id, "its arguments lie outside of the table");
  check->args_seen += e->arg_count;
  if (check->args_seen > p->args.len)
    return fail_edge(check, "E10", id, "it shares arguments with another call");
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = &p->args.data[e->first_arg + i];
    if (arg->value == 0 || arg->value >= p->exprs.len)
      return fail_edge(check, "E10", id, "argument %u does not exist", i + 1);
    FuncId owner = check->expr_owner[arg->value];
    if (owner != 0 && owner != f)
      return fail_edge(check, "E10", id, "argument %u uses the frame of another function",
                       i + 1);
    if (arg->passing.byval_size && expr_of(check, arg->value)->sort != SORT_PTR)
      return fail_edge(check, "E10", id, "argument %u is copied but is no pointer",
                       i + 1);
  }
  const Expr *callee_expr = expr_of(check, e->a);
  if (callee_expr->kind != EXPR_FUNC || (e->flags & EDGE_MISMATCH)) return true;
  const Function *callee = &p->functions.data[callee_expr->data];
  if (!(callee->flags & FUNCTION_DEFINED)) return true;
  if (e->arg_count < callee->param_count ||
      (e->arg_count > callee->param_count && !(callee->flags & FUNCTION_VARARGS)))
    return fail_edge(check, "E10", id,
                     "it passes %u arguments to %s, which has %u parameters",
                     e->arg_count, sym_text(p, callee->name), callee->param_count);
  for (uint32_t i = 0; i < callee->param_count; i++) {
    const Local *param = &p->locals.data[callee->first_local + i];
    const Expr *value = expr_of(check, p->args.data[e->first_arg + i].value);
    if (param->bits != value->bits || param->sort != value->sort)
      return fail_edge(check, "E10", id, "argument %u does not fit the parameter of %s",
                       i + 1, sym_text(p, callee->name));
  }
  if (e->dst && (local_of(check, e->dst)->bits != callee->return_bits ||
                 local_of(check, e->dst)->sort != callee->return_sort))
    return fail_edge(check, "E10", id, "the result of %s does not fit its destination",
                     sym_text(p, callee->name));
  return true;
}

/* E11: the shapes that follow from one operation's meaning alone. */
static bool check_special(Check *check, FuncId f, EdgeId id, const Edge *e) {
  const Function *function = &check->program->functions.data[f];
  switch ((OpKind)e->op) {
  case OP_ASSIGN:
    return dst_is_like(check, e->dst, expr_of(check, e->a)) ||
           fail_edge(check, "E11", id, "the value does not fit its destination");
  case OP_RETURN: {
    bool fits = e->a == 0 ? function->return_bits == 0
                          : expr_of(check, e->a)->bits == function->return_bits &&
                                expr_of(check, e->a)->sort == function->return_sort;
    return fits ||
           fail_edge(check, "E11", id, "it does not return what the function returns");
  }
  case OP_ALLOCA:
  case OP_STACK_SAVE:
    return e->dst == 0 || local_of(check, e->dst)->sort == SORT_PTR ||
           fail_edge(check, "E11", id, "its destination is no pointer");
  case OP_FILL:
    return expr_of(check, e->b)->bits == 8 ||
           fail_edge(check, "E11", id, "it fills with something else than a byte");
  case OPS_MOVE:
  case OP_HAVOC:
  case OP_CALL:
  case OP_UNREACHABLE:
  case OPS_ACCESS:
  case OP_FENCE:
  case OP_COPY:
  case OP_STACK_RESTORE:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
  return true;
}

bool check_edge(Check *check, FuncId f, EdgeId id) {
  const Edge *e = &check->program->edges.data[id];
  if (e->op >= OP_COUNT) return fail_edge(check, "E1", id, "unknown operation %u", e->op);
  const Shape *shape = &shapes[e->op];
  return check_operands(check, f, id, e) && check_successor(check, f, id, e) &&
         check_destination(check, f, id, e->dst, shape->dst, "the destination") &&
         check_destination(check, f, id, e->dst2, shape->dst2,
                           "the second destination") &&
         check_order(check, id, e) && check_lock(check, id, e) &&
         check_flags(check, id, e) && check_access(check, id, e) &&
         check_aux(check, f, id, e) && check_call(check, f, id, e) &&
         check_special(check, f, id, e);
}
