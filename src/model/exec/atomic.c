/* Atomic read-modify-write operations and compare-and-exchange, at every width that the
 * model has. One edge is one step, so atomicity comes for free; memory orders make no
 * difference in the interleaving of steps that the machine runs. */
#include "model/exec/eval.h"
#include "model/exec/event.h"

enum { ATOMIC_WORDS = VALUE_SMALL_WORDS };

static ExprKind arithmetic_kind(RmwKind kind) {
  switch (kind) {
  case RMW_ADD: return EXPR_ADD;
  case RMW_SUB: return EXPR_SUB;
  case RMW_AND:
  case RMW_NAND: return EXPR_AND;
  case RMW_OR: return EXPR_OR;
  case RMW_XOR: return EXPR_XOR;
  case RMW_FADD: return EXPR_FADD;
  case RMW_FSUB: return EXPR_FSUB;
  default: return EXPR_NONE;
  }
}

/* fmax and fmin: a NaN loses against a number. */
static const uint64_t *choose_float(RmwKind kind, const ValueOp *shape,
                                    const uint64_t *old, const uint64_t *value) {
  ValueOp op = *shape;
  uint64_t bit;
  op.sort = SORT_INT;
  op.bits = 1;
  op.kind = EXPR_FORD;
  if (value_apply(&op, &bit, old, old, NULL) != VALUE_OK || !bit) return value;
  if (value_apply(&op, &bit, value, value, NULL) != VALUE_OK || !bit) return old;
  op.kind = EXPR_FLT;
  value_apply(&op, &bit, old, value, NULL);
  return (kind == RMW_FMAX) == (bit != 0) ? value : old;
}

static const uint64_t *choose_int(RmwKind kind, uint32_t bits, const uint64_t *old,
                                  const uint64_t *value) {
  bool is_signed = kind == RMW_SMAX || kind == RMW_SMIN;
  int order = is_signed ? value_compare_signed(old, value, bits)
                        : value_compare(old, value, bits);
  bool wants_greater = kind == RMW_SMAX || kind == RMW_UMAX;
  return wants_greater == (order < 0) ? value : old;
}

static ValueStatus combine(RmwKind kind, uint8_t sort, uint32_t bits, uint64_t *d,
                           const uint64_t *old, const uint64_t *value) {
  uint32_t words = value_words(bits);
  ValueOp op = {.kind = (uint8_t)arithmetic_kind(kind),
                .sort = sort,
                .a_sort = sort,
                .bits = bits,
                .a_bits = bits};
  if (kind == RMW_XCHG) {
    memcpy(d, value, words * sizeof *d);
    return VALUE_OK;
  }
  if (op.kind == EXPR_NONE) {
    const uint64_t *chosen = kind == RMW_FMAX || kind == RMW_FMIN
                                 ? choose_float(kind, &op, old, value)
                                 : choose_int(kind, bits, old, value);
    memcpy(d, chosen, words * sizeof *d);
    return VALUE_OK;
  }
  ValueStatus status = value_apply(&op, d, old, value, NULL);
  if (kind == RMW_NAND) {
    for (uint32_t i = 0; i < words; i++) d[i] = ~d[i];
    if (bits % 64) d[words - 1] &= value_mask(bits % 64);
  }
  return status;
}

Outcome atomic_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  const Expr *shape = vec_at(&exec->program->exprs, e->b);
  uint64_t address = r[site->a], old[ATOMIC_WORDS], result[ATOMIC_WORDS];
  uint32_t bits = shape->bits, words = value_words(bits);
  if (words > ATOMIC_WORDS) {
    exec_stop(exec, "an atomic operation on %u bits is not modelled", bits);
    return OUT_STOP;
  }
  if (!memory_may_write(&exec->memory, address, e->size)) {
    event_access(exec, t, address, e->size, ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE,
                 ORDER_RELAXED);
    return memory_fault(exec, "atomic access", address, e->size);
  }
  uint8_t *bytes = exec->memory.bytes + address;
  value_from_bytes(old, bytes, bits);
  if (e->op == OP_CMPXCHG) {
    bool equal = value_compare(old, &r[site->b], bits) == 0;
    event_access(exec, t, address, e->size,
                 ACCESS_ATOMIC | ACCESS_READ | (equal ? ACCESS_WRITE : 0),
                 (MemoryOrder)(equal ? e->order : e->order_fail));
    if (equal) value_to_bytes(bytes, &r[site->c], bits);
    if (site->dst2) r[site->dst2] = equal;
  } else {
    ValueStatus status =
        combine((RmwKind)e->aux, shape->sort, bits, result, old, &r[site->b]);
    if (status != VALUE_OK) {
      exec_stop(exec, "%s", value_status_text(status));
      return OUT_STOP;
    }
    event_access(exec, t, address, e->size, ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE,
                 (MemoryOrder)e->order);
    value_to_bytes(bytes, result, bits);
  }
  if (site->dst) memcpy(&r[site->dst], old, words * sizeof *old);
  return OUT_NEXT;
}
