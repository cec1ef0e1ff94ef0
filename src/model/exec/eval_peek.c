/* Values between steps: evaluates expressions by walking them, for inspection only. The
 * code that runs is eval_run.c's; both share value.c, so they agree. */
#include "model/exec/eval.h"

typedef struct {
  Exec *exec;
  const Frame *frame;
  ExecThread *thread;
  Map memo; /* expression → offset in `space` + 1, for heavy ones */
  VEC(uint64_t) space;
} Peek;

static bool peek(Peek *p, ExprId id, uint64_t *d);

static uint64_t object_address(const Peek *p, ObjectId id) {
  const Object *object = vec_at(&p->exec->program->objects, id);
  if (object->kind == OBJECT_TLS) return p->thread->tls + p->exec->object_address[id];
  if (object->kind != OBJECT_STACK) return p->exec->object_address[id];
  const Code *code = p->frame->code;
  for (uint32_t i = 0; i < code->object_count; i++)
    if (code->objects[i] == id) return p->frame->stack + code->object_offset[i];
  return 0;
}

static bool peek_leaf(Peek *p, const Expr *e, uint64_t *d) {
  const Program *program = p->exec->program;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: d[0] = e->value; return true;
  case EXPR_WIDE:
    value_from_bytes(d, &program->bytes.data[e->data], e->bits);
    return true;
  case EXPR_UNDEF: memset(d, 0, value_words(e->bits) * sizeof *d); return true;
  case EXPR_OBJECT: d[0] = object_address(p, (ObjectId)e->data); return true;
  case EXPR_FUNC: d[0] = exec_function_address(p->exec, (FuncId)e->data); return true;
  case EXPR_LABEL: d[0] = exec_label_address(p->exec, (uint32_t)e->data); return true;
  case EXPR_LOCAL: {
    if (!p->frame) return false;
    const Function *f = vec_at(&program->functions, p->frame->code->function);
    const uint64_t *slot =
        &p->frame->slots[p->frame->code->slot_of[e->data - f->first_local]];
    memcpy(d, slot, value_words(e->bits) * sizeof *d);
    return true;
  }
  default: return false;
  }
}

static bool peek_operator(Peek *p, const Expr *e, uint64_t *d) {
  const Program *program = p->exec->program;
  int operands = expr_operand_count((ExprKind)e->kind);
  const ExprId ids[3] = {e->a, e->b, e->c};
  uint64_t *values[3] = {NULL, NULL, NULL};
  bool good = true;
  /* the arm of a condition that is not taken may be undefined */
  int skip = -1;
  for (int i = 0; i < operands && good; i++) {
    values[i] = mem_alloc_zero(value_words(vec_at(&program->exprs, ids[i])->bits) * 8);
    if (i != skip) good = peek(p, ids[i], values[i]);
    if (e->kind == EXPR_ITE && i == 0) skip = values[0][0] ? 2 : 1;
  }
  if (good) {
    const Expr *a = vec_at(&program->exprs, e->a);
    ValueOp op = {.kind = e->kind,
                  .sort = e->sort,
                  .a_sort = a->sort,
                  .bits = e->bits,
                  .a_bits = a->bits};
    op.low = e->kind == EXPR_EXTRACT ? e->b : e->kind == EXPR_INSERT ? e->c : 0;
    op.b_bits = e->kind == EXPR_INSERT ? vec_at(&program->exprs, e->b)->bits : 0;
    good = value_apply(&op, d, values[0], values[1], values[2]) == VALUE_OK;
  }
  for (int i = 0; i < operands; i++) mem_free(values[i]);
  return good;
}

static bool peek(Peek *p, ExprId id, uint64_t *d) {
  const Expr *e = vec_at(&p->exec->program->exprs, id);
  if (expr_operand_count((ExprKind)e->kind) == 0) return peek_leaf(p, e, d);
  if (e->weight < 32) return peek_operator(p, e, d);
  uint32_t words = value_words(e->bits);
  uint64_t *found = map_get(&p->memo, id);
  if (found) {
    memcpy(d, &p->space.data[*found - 1], words * sizeof *d);
    return true;
  }
  if (!peek_operator(p, e, d)) return false;
  map_put(&p->memo, id, (uint64_t)p->space.len + 1);
  memcpy(vec_extend(&p->space, words), d, words * sizeof *d);
  return true;
}

bool eval_peek(Exec *exec, ExecThread *thread, ExprId e, uint64_t *words) {
  Peek p = {.exec = exec, .thread = thread, .frame = thread ? thread->frame : NULL};
  bool good = peek(&p, e, words);
  map_free(&p.memo);
  vec_free(&p.space);
  return good;
}

uint64_t eval_peek_small(Exec *exec, ExecThread *thread, ExprId e, uint64_t otherwise) {
  uint64_t value;
  if (!e || vec_at(&exec->program->exprs, e)->bits > 64) return otherwise;
  return eval_peek(exec, thread, e, &value) ? value : otherwise;
}
