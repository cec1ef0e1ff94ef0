/* Vectors as lanes of one wide integer: lane 0 in the lowest bits, as in memory. */
#include "front/llvm/internal.h"

bool is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

ExprId lane_get(Translator *t, ExprId vector, LLVMTypeRef type, unsigned lane) {
  Shape shape = shape_of(t, LLVMGetElementType(type));
  return builder_extract(t->b, vector, lane * shape.bits, shape.sort, shape.bits);
}

ExprId lane_set(Translator *t, ExprId vector, LLVMTypeRef type, unsigned lane, ExprId e) {
  Shape shape = shape_of(t, LLVMGetElementType(type));
  return builder_insert(t->b, vector, e, lane * shape.bits);
}

ExprId lanes_map(Translator *t, LLVMValueRef i, unsigned operand_count,
                 LaneFunction *function) {
  LLVMTypeRef type = LLVMTypeOf(i);
  unsigned lanes = LLVMGetVectorSize(type);
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  ExprId operands[3] = {0};
  for (unsigned o = 0; o < operand_count; o++)
    operands[o] = value_of(t, LLVMGetOperand(i, o));
  for (unsigned lane = 0; lane < lanes; lane++) {
    ExprId parts[3] = {0};
    for (unsigned o = 0; o < operand_count; o++) {
      LLVMTypeRef operand_type = LLVMTypeOf(LLVMGetOperand(i, o));
      parts[o] = is_vector(operand_type) ? lane_get(t, operands[o], operand_type, lane)
                                         : operands[o];
    }
    ExprId e = function(t, i, parts, LLVMGetElementType(type));
    whole = lane_set(t, whole, type, lane, e);
  }
  return whole;
}

ExprId lanes_shuffle(Translator *t, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
  unsigned n = LLVMGetVectorSize(from), lanes = LLVMGetNumMaskElements(i);
  ExprId sources[2] = {value_of(t, LLVMGetOperand(i, 0)),
                       value_of(t, LLVMGetOperand(i, 1))};
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  for (unsigned lane = 0; lane < lanes; lane++) {
    int m = LLVMGetMaskValue(i, lane);
    if (m < 0) continue;
    ExprId e = lane_get(t, sources[(unsigned)m / n], from, (unsigned)m % n);
    whole = lane_set(t, whole, type, lane, e);
  }
  return whole;
}

/* The bit position of a lane whose number is known only at run time. */
static ExprId lane_shift(Translator *t, LLVMValueRef index, uint32_t lane_bits,
                         uint32_t vector_bits) {
  ExprId number = builder_resize(t->b, value_of(t, index), vector_bits, false);
  return builder_binary(t->b, EXPR_MUL, number,
                        builder_const(t->b, SORT_INT, vector_bits, lane_bits));
}

ExprId lanes_extract(Translator *t, LLVMValueRef i) {
  LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(vector);
  if (LLVMIsAConstantInt(index))
    return lane_get(t, value_of(t, vector), type,
                    (unsigned)LLVMConstIntGetZExtValue(index));
  Shape lane = shape_of(t, LLVMGetElementType(type));
  ExprId whole = value_of(t, vector);
  uint32_t bits = builder_bits(t->b, whole);
  ExprId moved =
      builder_binary(t->b, EXPR_LSHR, whole, lane_shift(t, index, lane.bits, bits));
  return builder_extract(t->b, moved, 0, lane.sort, lane.bits);
}

ExprId lanes_insert(Translator *t, LLVMValueRef i) {
  LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 2);
  LLVMTypeRef type = LLVMTypeOf(vector);
  ExprId whole = value_of(t, vector), part = value_of(t, LLVMGetOperand(i, 1));
  if (LLVMIsAConstantInt(index))
    return lane_set(t, whole, type, (unsigned)LLVMConstIntGetZExtValue(index), part);
  uint32_t bits = builder_bits(t->b, whole), lane = builder_bits(t->b, part);
  ExprId shift = lane_shift(t, index, lane, bits);
  ExprId ones = builder_resize(t->b, builder_const(t->b, SORT_INT, lane, 0), lane, false);
  ones = builder_not(t->b, ones);
  ExprId hole =
      builder_binary(t->b, EXPR_SHL, builder_resize(t->b, ones, bits, false), shift);
  ExprId placed = builder_binary(
      t->b, EXPR_SHL, builder_resize(t->b, builder_as(t->b, part, SORT_INT), bits, false),
      shift);
  ExprId kept = builder_binary(t->b, EXPR_AND, whole, builder_not(t->b, hole));
  return builder_binary(t->b, EXPR_OR, kept, placed);
}
