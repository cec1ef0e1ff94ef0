/* The texts of operations, memory orders and lock kinds, read off the tables in op.h. */
#include "model/op.h"

#include <assert.h>

static const struct {
  const char *text;
  const char *operands[3];
  uint32_t traits;
} ops[OP_COUNT] = {
#define OP(name, text, a, b, c, accesses, traits) {text, {a, b, c}, traits},
    OPS(OP)
#undef OP
};

const char *op_text(OpKind op) {
  assert((int)op < OP_COUNT);
  return ops[op].text;
}

const char *op_operand(OpKind op, int i) {
  assert((int)op < OP_COUNT && i >= 0 && i < 3);
  return ops[op].operands[i];
}

uint32_t op_traits(OpKind op) {
  assert((int)op < OP_COUNT);
  return ops[op].traits & OP_TRAITS;
}

SyncKind op_sync_kind(OpKind op) {
  assert((int)op < OP_COUNT);
  return (SyncKind)(ops[op].traits >> OP_KIND_SHIFT);
}

const char *order_text(MemoryOrder order) {
  static const char *const texts[] = {
      [ORDER_NONE] = "plain",      [ORDER_RELAXED] = "relaxed",
      [ORDER_ACQUIRE] = "acquire", [ORDER_RELEASE] = "release",
      [ORDER_ACQ_REL] = "acq_rel", [ORDER_SEQ_CST] = "seq_cst",
  };
  assert(order <= ORDER_SEQ_CST);
  return texts[order];
}

const char *rmw_text(RmwKind kind) {
  static const char *const texts[RMW_COUNT] = {
      [RMW_NONE] = "none", [RMW_XCHG] = "xchg", [RMW_ADD] = "add",   [RMW_SUB] = "sub",
      [RMW_AND] = "and",   [RMW_NAND] = "nand", [RMW_OR] = "or",     [RMW_XOR] = "xor",
      [RMW_SMAX] = "max",  [RMW_SMIN] = "min",  [RMW_UMAX] = "umax", [RMW_UMIN] = "umin",
      [RMW_FADD] = "fadd", [RMW_FSUB] = "fsub", [RMW_FMAX] = "fmax", [RMW_FMIN] = "fmin",
  };
  assert(kind < RMW_COUNT);
  return texts[kind];
}

const char *lock_kind_text(LockKind kind) {
  static const char *const texts[LOCK_KIND_COUNT] = {
      [LOCK_NONE] = "none", [LOCK_MUTEX] = "mutex", [LOCK_RECURSIVE] = "recursive",
      [LOCK_SPIN] = "spin", [LOCK_RW] = "rwlock",   [LOCK_WORD] = "word",
  };
  assert(kind < LOCK_KIND_COUNT);
  return texts[kind];
}
