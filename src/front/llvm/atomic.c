/* Atomic instructions, and the library calls that stand for atomics too large or too oddly
 * aligned for an instruction (__atomic_load_16, __atomic_compare_exchange, …). */
#include "front/llvm/internal.h"

MemoryOrder order_of(LLVMAtomicOrdering ordering) {
  switch (ordering) {
  case LLVMAtomicOrderingNotAtomic: return ORDER_NONE;
  case LLVMAtomicOrderingUnordered:
  case LLVMAtomicOrderingMonotonic: return ORDER_RELAXED;
  case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
  case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
  case LLVMAtomicOrderingAcquireRelease: return ORDER_ACQ_REL;
  case LLVMAtomicOrderingSequentiallyConsistent: return ORDER_SEQ_CST;
  }
  return ORDER_NONE;
}

static RmwKind rmw_of(LLVMAtomicRMWBinOp op) {
  switch (op) {
  case LLVMAtomicRMWBinOpXchg: return RMW_XCHG;
  case LLVMAtomicRMWBinOpAdd: return RMW_ADD;
  case LLVMAtomicRMWBinOpSub: return RMW_SUB;
  case LLVMAtomicRMWBinOpAnd: return RMW_AND;
  case LLVMAtomicRMWBinOpNand: return RMW_NAND;
  case LLVMAtomicRMWBinOpOr: return RMW_OR;
  case LLVMAtomicRMWBinOpXor: return RMW_XOR;
  case LLVMAtomicRMWBinOpMax: return RMW_SMAX;
  case LLVMAtomicRMWBinOpMin: return RMW_SMIN;
  case LLVMAtomicRMWBinOpUMax: return RMW_UMAX;
  case LLVMAtomicRMWBinOpUMin: return RMW_UMIN;
  case LLVMAtomicRMWBinOpFAdd: return RMW_FADD;
  case LLVMAtomicRMWBinOpFSub: return RMW_FSUB;
  case LLVMAtomicRMWBinOpFMax: return RMW_FMAX;
  case LLVMAtomicRMWBinOpFMin: return RMW_FMIN;
  default: return RMW_NONE;
  }
}

/* What a cmpxchg returns, the old value beside the success bit; taking one of them out again
 * gives the local itself. */
static ExprId pair_of(Translator *t, LLVMTypeRef type, LocalId old, LocalId stored) {
  ExprId pair = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  pair = builder_insert(t->b, pair, builder_local(t->b, old), 0);
  return builder_insert(t->b, pair, builder_local(t->b, stored),
                        (uint32_t)LLVMOffsetOfElement(t->layout, type, 1) * 8);
}

bool atomic_instruction(Translator *t, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFence:
    if (LLVMIsAtomicSingleThread(i)) return true; /* orders nothing between threads */
    emit(t, (Edge){.op = OP_FENCE, .order = order_of(LLVMGetOrdering(i))});
    return true;
  case LLVMAtomicRMW: {
    RmwKind kind = rmw_of(LLVMGetAtomicRMWBinOp(i));
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    ExprId address = value_of(t, pointer), value = value_of(t, LLVMGetOperand(i, 1));
    if (!kind) return false;
    emit(t, (Edge){.op = OP_RMW,
                   .a = address,
                   .b = value,
                   .dst = result_local(t, i),
                   .aux = kind,
                   .size = bits_to_bytes(builder_bits(t->b, value)),
                   .order = order_of(LLVMGetOrdering(i)),
                   .flags = LLVMGetVolatile(i) ? EDGE_VOLATILE : 0,
                   .path = path_of(t, pointer, NULL)});
    return true;
  }
  case LLVMAtomicCmpXchg: {
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    ExprId address = value_of(t, pointer), expected = value_of(t, LLVMGetOperand(i, 1));
    ExprId desired = value_of(t, LLVMGetOperand(i, 2));
    LocalId old =
        temporary(t, builder_sort(t->b, expected), builder_bits(t->b, expected));
    LocalId stored = temporary(t, SORT_INT, 1);
    set_value(t, i, pair_of(t, LLVMTypeOf(i), old, stored));
    emit(t, (Edge){.op = OP_CMPXCHG,
                   .a = address,
                   .b = expected,
                   .c = desired,
                   .dst = old,
                   .dst2 = stored,
                   .size = bits_to_bytes(builder_bits(t->b, expected)),
                   .order = order_of(LLVMGetCmpXchgSuccessOrdering(i)),
                   .order_fail = order_of(LLVMGetCmpXchgFailureOrdering(i)),
                   .flags = (LLVMGetWeak(i) ? EDGE_WEAK : 0) |
                            (LLVMGetVolatile(i) ? EDGE_VOLATILE : 0),
                   .path = path_of(t, pointer, NULL)});
    return true;
  }
  default: return false;
  }
}

/* ---- libatomic ---- */

typedef struct {
  LLVMValueRef call;
  uint32_t bits;
  bool generic; /* values are passed in memory, the size as first argument */
} LibraryAtomic;

static LLVMValueRef operand(const LibraryAtomic *a, unsigned i) {
  return LLVMGetOperand(a->call, i + (a->generic ? 1 : 0));
}

/* The order argument as the model's; one that is not constant is the strongest. */
static MemoryOrder order_argument(LLVMValueRef value, bool loads, bool stores) {
  uint64_t c = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 5;
  MemoryOrder order = c == 0             ? ORDER_RELAXED
                      : c == 1 || c == 2 ? ORDER_ACQUIRE
                      : c == 3           ? ORDER_RELEASE
                      : c == 4           ? ORDER_ACQ_REL
                                         : ORDER_SEQ_CST;
  if (!stores && (order == ORDER_RELEASE || order == ORDER_ACQ_REL)) return ORDER_SEQ_CST;
  if (!loads && (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL)) return ORDER_SEQ_CST;
  return order;
}

static ExprId plain_load(Translator *t, ExprId address, uint32_t bits) {
  LocalId local = temporary(t, SORT_INT, bits);
  emit(t, (Edge){.op = OP_LOAD, .a = address, .dst = local, .size = bits / 8});
  return builder_local(t->b, local);
}

static void plain_store(Translator *t, ExprId address, ExprId value, uint32_t bits) {
  emit(t, (Edge){.op = OP_STORE, .a = address, .b = value, .size = bits / 8});
}

/* A value argument: itself, or what it points to. */
static ExprId value_argument(Translator *t, const LibraryAtomic *a, unsigned i) {
  ExprId e = value_of(t, operand(a, i));
  return a->generic ? plain_load(t, e, a->bits)
                    : builder_resize(t->b, builder_as(t->b, e, SORT_INT), a->bits, false);
}

static void give_result(Translator *t, const LibraryAtomic *a, ExprId value) {
  if (LLVMGetTypeKind(LLVMTypeOf(a->call)) == LLVMVoidTypeKind) return;
  Shape shape = shape_of(t, LLVMTypeOf(a->call));
  set_value(t, a->call,
            builder_as(t->b, builder_resize(t->b, value, shape.bits, false), shape.sort));
}

static void library_load(Translator *t, const LibraryAtomic *a) {
  ExprId address = value_of(t, operand(a, 0));
  LLVMValueRef order = operand(a, a->generic ? 2 : 1);
  LocalId local = temporary(t, SORT_INT, a->bits);
  emit(t, (Edge){.op = OP_LOAD,
                 .a = address,
                 .dst = local,
                 .size = a->bits / 8,
                 .order = order_argument(order, true, false),
                 .path = path_of(t, operand(a, 0), NULL)});
  if (a->generic)
    plain_store(t, value_of(t, operand(a, 1)), builder_local(t->b, local), a->bits);
  else
    give_result(t, a, builder_local(t->b, local));
}

static void library_store(Translator *t, const LibraryAtomic *a) {
  ExprId address = value_of(t, operand(a, 0)), value = value_argument(t, a, 1);
  emit(t, (Edge){.op = OP_STORE,
                 .a = address,
                 .b = value,
                 .size = a->bits / 8,
                 .order = order_argument(operand(a, 2), false, true),
                 .path = path_of(t, operand(a, 0), NULL)});
}

static void library_rmw(Translator *t, const LibraryAtomic *a, RmwKind kind) {
  ExprId address = value_of(t, operand(a, 0)), value = value_argument(t, a, 1);
  LLVMValueRef order = operand(a, a->generic ? 3 : 2);
  LocalId old = temporary(t, SORT_INT, a->bits);
  emit(t, (Edge){.op = OP_RMW,
                 .a = address,
                 .b = value,
                 .dst = old,
                 .aux = kind,
                 .size = a->bits / 8,
                 .order = order_argument(order, true, true),
                 .path = path_of(t, operand(a, 0), NULL)});
  if (a->generic)
    plain_store(t, value_of(t, operand(a, 2)), builder_local(t->b, old), a->bits);
  else
    give_result(t, a, builder_local(t->b, old));
}

/* On failure the old value goes back to where the expected one came from. */
static void library_cmpxchg(Translator *t, const LibraryAtomic *a) {
  ExprId address = value_of(t, operand(a, 0)), home = value_of(t, operand(a, 1));
  ExprId expected = plain_load(t, home, a->bits), desired = value_argument(t, a, 2);
  LocalId old = temporary(t, SORT_INT, a->bits), stored = temporary(t, SORT_INT, 1);
  emit(t, (Edge){.op = OP_CMPXCHG,
                 .a = address,
                 .b = expected,
                 .c = desired,
                 .dst = old,
                 .dst2 = stored,
                 .size = a->bits / 8,
                 .order = order_argument(operand(a, 3), true, true),
                 .order_fail = order_argument(operand(a, 4), true, false),
                 .path = path_of(t, operand(a, 0), NULL)});
  ExprId success = builder_local(t->b, stored);
  NodeId branch = t->body.current;
  emit(t, (Edge){.op = OP_ASSUME, .a = builder_not(t->b, success)});
  plain_store(t, home, builder_local(t->b, old), a->bits);
  NodeId joined = t->body.current;
  Edge skip = {
      .op = OP_ASSUME, .a = success, .from = branch, .to = joined, .loc = t->body.loc};
  builder_add_edge(t->b, &skip);
  give_result(t, a, success);
}

bool atomic_library_call(Translator *t, LLVMValueRef call, const char *name) {
  if (!str_starts(name, "__atomic_")) return false;
  static const struct {
    const char *name;
    RmwKind kind;
  } fetches[] = {{"fetch_add", RMW_ADD}, {"fetch_sub", RMW_SUB},
                 {"fetch_and", RMW_AND}, {"fetch_or", RMW_OR},
                 {"fetch_xor", RMW_XOR}, {"fetch_nand", RMW_NAND}};
  const char *what = name + strlen("__atomic_");
  size_t length = strlen(what);
  LibraryAtomic a = {.call = call, .generic = true};
  const char *last = strrchr(what, '_');
  long long size;
  if (last && str_to_long(last + 1, &size) && size >= 1 && size <= 16) {
    a.generic = false;
    a.bits = (uint32_t)size * 8;
    length = (size_t)(last - what);
  } else if (LLVMGetNumArgOperands(call) && LLVMIsAConstantInt(LLVMGetOperand(call, 0))) {
    a.bits = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) * 8;
  }
  if (!a.bits) return false;
  if (length == 4 && !strncmp(what, "load", 4))
    library_load(t, &a);
  else if (length == 5 && !strncmp(what, "store", 5))
    library_store(t, &a);
  else if (length == 8 && !strncmp(what, "exchange", 8))
    library_rmw(t, &a, RMW_XCHG);
  else if (length == 16 && !strncmp(what, "compare_exchange", 16))
    library_cmpxchg(t, &a);
  else {
    for (size_t i = 0; i < sizeof fetches / sizeof *fetches; i++)
      if (strlen(fetches[i].name) == length && !strncmp(what, fetches[i].name, length)) {
        library_rmw(t, &a, fetches[i].kind);
        return true;
      }
    return false;
  }
  return true;
}
