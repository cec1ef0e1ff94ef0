/* Instructions other than calls and terminators.
 *
 * A pure instruction becomes an expression over the values of its operands. It gets an edge
 * and a temporary of its own only when it is used several times and large: expressions are
 * shared in memory, but whoever walks one as a tree would walk it again and again. */
#include "front/llvm/internal.h"

enum { WEIGHT_LIMIT = 24 };

bool is_gep(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* ---- addresses ---- */

/* The value itself, or one lane of a vector. */
static ExprId lane_of(Translator *t, LLVMValueRef value, unsigned lane) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return is_vector(type) ? lane_get(t, value_of(t, value), type, lane)
                         : value_of(t, value);
}

/* Where an index stays: in the array that is declared there, or, for p[i] and for arrays of no or one
 * element, which may be longer than they say, in steps of so many bytes. */
static uint32_t index_stays(LLVMTypeRef array, uint64_t step) {
  uint64_t count = array ? LLVMGetArrayLength2(array) : 0;
  return count > 1 ? ptradd_within(count * step) : ptradd_by_elements(step);
}

/* Where the constant part of an address stays. Bytes may go anywhere. */
static uint32_t constant_stays(Translator *t, LLVMValueRef gep) {
  uint64_t bytes = type_bytes(t, LLVMGetGEPSourceElementType(gep));
  bool members = LLVMGetNumOperands(gep) > 2;
  return members ? ptradd_within(bytes) : ptradd_by_elements(bytes);
}

/* base + variable parts + one constant, so that equal fields of equal elements look alike. */
static ExprId gep_lane(Translator *t, LLVMValueRef gep, unsigned lane) {
  ExprId base = lane_of(t, LLVMGetOperand(gep, 0), lane);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int n = LLVMGetNumOperands(gep);
  uint64_t constant = 0;
  for (int i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      if (is_vector(LLVMTypeOf(index))) /* the same field in each lane */
        index = LLVMGetAggregateElement(index, lane);
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      constant += LLVMOffsetOfElement(t->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    bool array = i > 1 && LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    LLVMTypeRef whole = array ? type : NULL;
    if (i > 1) type = LLVMGetElementType(type);
    uint64_t step = type_bytes(t, type);
    if (LLVMIsAConstantInt(index) && !is_vector(LLVMTypeOf(index))) {
      constant += (uint64_t)LLVMConstIntGetSExtValue(index) * step;
      continue;
    }
    ExprId distance = builder_binary(
        t->b, EXPR_MUL, builder_resize(t->b, lane_of(t, index, lane), 64, true),
        builder_const(t->b, SORT_INT, 64, step));
    base = builder_offset_within(t->b, base, distance, index_stays(whole, step));
  }
  return builder_offset_within(t->b, base, builder_const(t->b, SORT_INT, 64, constant),
                               constant_stays(t, gep));
}

ExprId gep_expr(Translator *t, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMTypeOf(gep);
  if (!is_vector(type)) return gep_lane(t, gep, 0);
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  unsigned lanes = LLVMGetVectorSize(type);
  for (unsigned lane = 0; lane < lanes; lane++)
    whole = lane_set(t, whole, type, lane, gep_lane(t, gep, lane));
  return whole;
}

/* ---- arithmetic ---- */

static const struct {
  LLVMOpcode opcode;
  ExprKind kind;
} binaries[] = {
    {LLVMAdd, EXPR_ADD},   {LLVMSub, EXPR_SUB},   {LLVMMul, EXPR_MUL},
    {LLVMUDiv, EXPR_UDIV}, {LLVMSDiv, EXPR_SDIV}, {LLVMURem, EXPR_UREM},
    {LLVMSRem, EXPR_SREM}, {LLVMAnd, EXPR_AND},   {LLVMOr, EXPR_OR},
    {LLVMXor, EXPR_XOR},   {LLVMShl, EXPR_SHL},   {LLVMLShr, EXPR_LSHR},
    {LLVMAShr, EXPR_ASHR}, {LLVMFAdd, EXPR_FADD}, {LLVMFSub, EXPR_FSUB},
    {LLVMFMul, EXPR_FMUL}, {LLVMFDiv, EXPR_FDIV}, {LLVMFRem, EXPR_FREM},
};

static ExprKind binary_kind(LLVMOpcode opcode) {
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (binaries[i].opcode == opcode) return binaries[i].kind;
  return EXPR_NONE;
}

static ExprId integer_comparison(Translator *t, LLVMIntPredicate p, ExprId a, ExprId b) {
  switch (p) {
  case LLVMIntEQ: return builder_compare(t->b, EXPR_EQ, a, b);
  case LLVMIntNE: return builder_compare(t->b, EXPR_NE, a, b);
  case LLVMIntUGT: return builder_compare(t->b, EXPR_ULT, b, a);
  case LLVMIntUGE: return builder_compare(t->b, EXPR_ULE, b, a);
  case LLVMIntULT: return builder_compare(t->b, EXPR_ULT, a, b);
  case LLVMIntULE: return builder_compare(t->b, EXPR_ULE, a, b);
  case LLVMIntSGT: return builder_compare(t->b, EXPR_SLT, b, a);
  case LLVMIntSGE: return builder_compare(t->b, EXPR_SLE, b, a);
  case LLVMIntSLT: return builder_compare(t->b, EXPR_SLT, a, b);
  case LLVMIntSLE: return builder_compare(t->b, EXPR_SLE, a, b);
  }
  return builder_undef(t->b, SORT_INT, 1);
}

/* The unordered predicates are the negations of the opposite ordered ones. */
static ExprId float_comparison(Translator *t, LLVMRealPredicate p, ExprId a, ExprId b) {
  Builder *m = t->b;
  ExprId ordered = builder_compare(m, EXPR_FORD, a, b);
  switch (p) {
  case LLVMRealPredicateFalse: return builder_const(m, SORT_INT, 1, 0);
  case LLVMRealOEQ: return builder_compare(m, EXPR_FEQ, a, b);
  case LLVMRealOGT: return builder_compare(m, EXPR_FLT, b, a);
  case LLVMRealOGE: return builder_compare(m, EXPR_FLE, b, a);
  case LLVMRealOLT: return builder_compare(m, EXPR_FLT, a, b);
  case LLVMRealOLE: return builder_compare(m, EXPR_FLE, a, b);
  case LLVMRealONE:
    return builder_binary(m, EXPR_AND, ordered,
                          builder_not(m, builder_compare(m, EXPR_FEQ, a, b)));
  case LLVMRealORD: return ordered;
  case LLVMRealUNO: return builder_not(m, ordered);
  case LLVMRealUEQ:
    return builder_binary(m, EXPR_OR, builder_not(m, ordered),
                          builder_compare(m, EXPR_FEQ, a, b));
  case LLVMRealUGT: return builder_not(m, builder_compare(m, EXPR_FLE, a, b));
  case LLVMRealUGE: return builder_not(m, builder_compare(m, EXPR_FLT, a, b));
  case LLVMRealULT: return builder_not(m, builder_compare(m, EXPR_FLE, b, a));
  case LLVMRealULE: return builder_not(m, builder_compare(m, EXPR_FLT, b, a));
  case LLVMRealUNE: return builder_not(m, builder_compare(m, EXPR_FEQ, a, b));
  case LLVMRealPredicateTrue: return builder_const(m, SORT_INT, 1, 1);
  }
  return builder_undef(m, SORT_INT, 1);
}

static ExprId cast_expr(Translator *t, LLVMOpcode opcode, ExprId a, Shape to) {
  Builder *m = t->b;
  switch (opcode) {
  case LLVMTrunc:
  case LLVMZExt: return builder_resize(m, a, to.bits, false);
  case LLVMSExt: return builder_resize(m, a, to.bits, true);
  case LLVMFPToUI: return builder_op(m, EXPR_FTOUI, to.sort, to.bits, a, 0, 0);
  case LLVMFPToSI: return builder_op(m, EXPR_FTOSI, to.sort, to.bits, a, 0, 0);
  case LLVMUIToFP: return builder_op(m, EXPR_UITOF, to.sort, to.bits, a, 0, 0);
  case LLVMSIToFP: return builder_op(m, EXPR_SITOF, to.sort, to.bits, a, 0, 0);
  case LLVMFPTrunc:
  case LLVMFPExt: return builder_op(m, EXPR_FTOF, to.sort, to.bits, a, 0, 0);
  case LLVMPtrToInt: return builder_resize(m, builder_as(m, a, SORT_INT), to.bits, false);
  case LLVMIntToPtr: return builder_as(m, builder_resize(m, a, 64, false), SORT_PTR);
  default: return builder_as(m, a, to.sort); /* bitcast, addrspacecast */
  }
}

/* One scalar (or one lane) of an elementwise instruction. */
static ExprId scalar_expr(Translator *t, LLVMValueRef i, ExprId *x, LLVMTypeRef result) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  ExprKind binary = binary_kind(opcode);
  if (binary != EXPR_NONE) return builder_binary(t->b, binary, x[0], x[1]);
  switch (opcode) {
  case LLVMFNeg:
    return builder_op(t->b, EXPR_FNEG, builder_sort(t->b, x[0]), builder_bits(t->b, x[0]),
                      x[0], 0, 0);
  case LLVMICmp: return integer_comparison(t, LLVMGetICmpPredicate(i), x[0], x[1]);
  case LLVMFCmp: return float_comparison(t, LLVMGetFCmpPredicate(i), x[0], x[1]);
  case LLVMSelect: return builder_ite(t->b, x[0], x[1], x[2]);
  default: return cast_expr(t, opcode, x[0], shape_of(t, result));
  }
}

/* ---- aggregates ---- */

/* Bit position and type of the part that an extractvalue or insertvalue names. */
static uint32_t part_position(Translator *t, LLVMValueRef i, LLVMTypeRef type,
                              LLVMTypeRef *ret_part) {
  const unsigned *indices = LLVMGetIndices(i);
  unsigned n = LLVMGetNumIndices(i);
  uint64_t low = 0;
  for (unsigned k = 0; k < n; k++) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      low += LLVMOffsetOfElement(t->layout, type, indices[k]) * 8;
      type = LLVMStructGetTypeAtIndex(type, indices[k]);
    } else {
      type = LLVMGetElementType(type);
      low += indices[k] * type_bytes(t, type) * 8;
    }
  }
  *ret_part = type;
  return (uint32_t)low;
}

static ExprId extract_value(Translator *t, LLVMValueRef i) {
  LLVMValueRef from = LLVMGetOperand(i, 0);
  LLVMTypeRef part;
  uint32_t low = part_position(t, i, LLVMTypeOf(from), &part);
  Shape shape = shape_of(t, part);
  return builder_extract(t->b, value_of(t, from), low, shape.sort, shape.bits);
}

static ExprId insert_value(Translator *t, LLVMValueRef i) {
  LLVMTypeRef part;
  uint32_t low = part_position(t, i, LLVMTypeOf(LLVMGetOperand(i, 0)), &part);
  return builder_insert(t->b, value_of(t, LLVMGetOperand(i, 0)),
                        value_of(t, LLVMGetOperand(i, 1)), low);
}

ExprId pure_expr(Translator *t, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMGetElementPtr: return gep_expr(t, i);
  case LLVMFreeze: return value_of(t, LLVMGetOperand(i, 0));
  case LLVMExtractValue: return extract_value(t, i);
  case LLVMInsertValue: return insert_value(t, i);
  case LLVMExtractElement: return lanes_extract(t, i);
  case LLVMInsertElement: return lanes_insert(t, i);
  case LLVMShuffleVector: return lanes_shuffle(t, i);
  case LLVMBitCast: /* between vectors and integers the bits stay where they are */
    return builder_as(t->b, value_of(t, LLVMGetOperand(i, 0)), shape_of(t, type).sort);
  case LLVMCall:
    return intrinsic_expr(t, i, plain_name(function_behind(LLVMGetCalledValue(i))));
  default: break;
  }
  unsigned n = (unsigned)LLVMGetNumOperands(i);
  if (is_vector(type) &&
      !(LLVMIsASelectInst(i) && !is_vector(LLVMTypeOf(LLVMGetOperand(i, 0)))))
    return lanes_map(t, i, n, scalar_expr);
  ExprId operands[3] = {0};
  for (unsigned o = 0; o < n && o < 3; o++)
    operands[o] = value_of(t, LLVMGetOperand(i, o));
  return scalar_expr(t, i, operands, type);
}

/* ---- memory ---- */

static bool is_used_often(LLVMValueRef i) {
  LLVMUseRef first = LLVMGetFirstUse(i);
  return first && LLVMGetNextUse(first);
}

static void pure_translate(Translator *t, LLVMValueRef i) {
  ExprId e = pure_expr(t, i);
  if (vec_at(&t->p->exprs, e)->weight > WEIGHT_LIMIT && is_used_often(i))
    e = pinned(t, e);
  set_value(t, i, e);
}

static void load_translate(Translator *t, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand(i, 0);
  Shape shape = shape_of(t, LLVMTypeOf(i));
  uint64_t *variable = map_get(&t->body.variables, map_key(pointer));
  if (variable) {
    ExprId e = builder_as(t->b, builder_local(t->b, (LocalId)*variable), shape.sort);
    if (!map_get(&t->body.in_place, map_key(i))) e = pinned(t, e);
    set_value(t, i, e);
    return;
  }
  ExprId address = value_of(t, pointer);
  TypeId type;
  Sym path = path_and_type(t, pointer, i, &type);
  LocalId result = result_local(t, i);
  if (type && type_at(t, type)->size == bits_to_bytes(shape.bits))
    vec_at(&t->p->locals, result)->type = type;
  emit(t, (Edge){.op = OP_LOAD,
                 .a = address,
                 .dst = result,
                 .size = bits_to_bytes(shape.bits),
                 .order = order_of(LLVMGetOrdering(i)),
                 .flags = LLVMGetVolatile(i) ? EDGE_VOLATILE : 0,
                 .path = path});
}

static bool is_never_loaded(LLVMValueRef variable) {
  for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
    if (LLVMIsALoadInst(LLVMGetUser(u))) return false;
  return true;
}

static void store_translate(Translator *t, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
  if (map_get(&t->body.coalesced, map_key(i))) return;
  uint64_t *variable = map_get(&t->body.variables, map_key(pointer));
  if (variable) {
    LocalId local = (LocalId)*variable;
    if (!(vec_at(&t->p->locals, local)->flags & LOCAL_VARIABLE) &&
        is_never_loaded(pointer))
      return; /* the compiler's own: the return value slot of main */
    ExprId e = builder_as(t->b, value_of(t, value), vec_at(&t->p->locals, local)->sort);
    emit(t, (Edge){.op = OP_ASSIGN, .dst = local, .a = e});
    return;
  }
  ExprId e = value_of(t, value), address = value_of(t, pointer);
  emit(t, (Edge){.op = OP_STORE,
                 .a = address,
                 .b = e,
                 .size = bits_to_bytes(builder_bits(t->b, e)),
                 .order = order_of(LLVMGetOrdering(i)),
                 .flags = LLVMGetVolatile(i) ? EDGE_VOLATILE : 0,
                 .path = path_of(t, pointer, i)});
}

/* Variable-length arrays and alloca(); the fixed ones were given objects before. */
static void alloca_translate(Translator *t, LLVMValueRef i) {
  uint64_t *object = map_get(&t->body.memory, map_key(i));
  if (!object || !(vec_at(&t->p->objects, *object)->flags & OBJECT_DYNAMIC)) return;
  ExprId count = builder_resize(t->b, value_of(t, LLVMGetOperand(i, 0)), 64, false);
  ExprId step = builder_const(t->b, SORT_INT, 64, type_bytes(t, LLVMGetAllocatedType(i)));
  ExprId bytes = builder_binary(t->b, EXPR_MUL, count, step);
  emit(t, (Edge){.op = OP_ALLOCA,
                 .a = bytes,
                 .dst = result_local(t, i),
                 .aux = (uint32_t)*object});
}

void instruction_translate(Translator *t, LLVMValueRef i) {
  if (is_pure_instruction(i)) {
    pure_translate(t, i);
    return;
  }
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad: load_translate(t, i); return;
  case LLVMStore: store_translate(t, i); return;
  case LLVMAlloca: alloca_translate(t, i); return;
  case LLVMCall: call_translate(t, i); return;
  case LLVMPHI: return; /* assigned on the way in */
  default:
    if (!atomic_instruction(t, i))
      call_unmodelled(t, i, "an instruction of an unknown kind");
  }
}
