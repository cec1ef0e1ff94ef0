/* Which parameter of C each operand of a call belongs to.
 *
 * Rules count the parameters that the declaration in C has. The calling convention does not keep
 * them: a structure of nine to sixteen bytes travels as two operands, the address of a larger
 * result as one more in front. In: a call. Out: for each operand, the number of its parameter.
 *
 * The two halves of a structure are known by where they come from: the compiler loads them from
 * the two members of one temporary, `{ T0, T1 }`, just before the call. Optimised code may have
 * replaced the loads; then it shows only that the operands lack the attribute `noundef`, which
 * parameters of a simple type have, and whether these are halves or small structures of their
 * own cannot be told: nothing may be concluded from their numbers. */
#include "front/llvm/internal.h"

#include <string.h>

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_attribute(LLVMValueRef call, unsigned i, const char *name) {
  unsigned kind = attribute_kind(name);
  LLVMValueRef callee = function_behind(LLVMGetCalledValue(call));
  return LLVMGetCallSiteEnumAttribute(call, i + 1, kind) ||
         (callee && i < LLVMCountParams(callee) &&
          LLVMGetEnumAttributeAtIndex(callee, i + 1, kind));
}

static bool is_index(LLVMValueRef value, uint64_t index) {
  return value && LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == index;
}

/* The temporary whose member `index` of two the operand was loaded from; NULL if it was not. */
static LLVMValueRef half_of(LLVMValueRef operand, uint64_t index) {
  LLVMValueRef at = LLVMIsALoadInst(operand) ? LLVMGetOperand(operand, 0) : NULL;
  if (!at || !LLVMIsAGetElementPtrInst(at) || LLVMGetNumOperands(at) != 3) return NULL;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
  bool pair = LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsLiteralStruct(type) &&
              LLVMCountStructElementTypes(type) == 2;
  return pair && is_index(LLVMGetOperand(at, 1), 0) &&
                 is_index(LLVMGetOperand(at, 2), index)
             ? LLVMGetOperand(at, 0)
             : NULL;
}

/* Real and imaginary part of a number may well be two arguments; they are marked as such. */
static bool may_be_half(LLVMValueRef call, unsigned i, bool typed) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i)));
  return typed ? !has_attribute(call, i, "noundef")
               : kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

static bool is_pair(LLVMValueRef call, unsigned i, unsigned n, bool typed) {
  LLVMValueRef first = half_of(LLVMGetOperand(call, i), 0);
  return i + 1 < n && first && first == half_of(LLVMGetOperand(call, i + 1), 1) &&
         may_be_half(call, i, typed) && may_be_half(call, i + 1, typed);
}

/* May be half of a structure, for all that can be seen. */
static bool is_doubtful(LLVMValueRef call, unsigned i) {
  return !has_attribute(call, i, "noundef") && !has_attribute(call, i, "byval") &&
         !LLVMIsALoadInst(LLVMGetOperand(call, i));
}

static bool knows_types(LLVMValueRef call, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (has_attribute(call, i, "noundef")) return true;
  return false;
}

bool params_of_call(LLVMValueRef call, uint8_t *ret_param, unsigned *ret_count) {
  unsigned n = LLVMGetNumArgOperands(call), count = 0;
  bool typed = knows_types(call, n), sure = true, plain = true;
  for (unsigned i = 0; i < n; i++) {
    if (has_attribute(call, i, "sret")) {
      ret_param[i] = PARAM_RESULT;
      plain = false;
      continue;
    }
    ret_param[i] = (uint8_t)count++;
    if (is_pair(call, i, n, typed)) {
      ret_param[++i] = (uint8_t)(count - 1);
      plain = false;
    } else if (typed && i + 1 < n && is_doubtful(call, i) && is_doubtful(call, i + 1)) {
      sure = false;
    }
  }
  *ret_count = count;
  /* arguments behind the named ones are found by their number in the declaration */
  return sure && (plain || !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)));
}

bool params_are_doubtful(LLVMValueRef function) {
  unsigned n = LLVMCountParams(function), run = 0, longest = 0;
  bool typed = false, result = false;
  for (unsigned i = 0; i < n; i++) {
    bool simple =
        LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("noundef")) ||
        LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("byval"));
    result =
        result || LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("sret"));
    typed = typed || simple;
    run = simple ? 0 : run + 1;
    longest = run > longest ? run : longest;
  }
  return typed && (result || longest > 1);
}
