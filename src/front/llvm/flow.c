/* Which allocas are variables, and which reads of them may stand where their value is used.
 *
 * `i = i + 1` is a load, an addition and a store; the model wants one assignment. A load of a
 * variable needs no edge of its own if nothing stores to the variable between the load and
 * the last place where its value is used, directly or through pure instructions. This is
 * decided block by block in one backward pass; values that leave their block are copied. */
#include "front/llvm/internal.h"

enum { BEYOND = UINT32_MAX }; /* used in another block */

bool is_pure_instruction(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFNeg:
  case LLVMAdd:
  case LLVMFAdd:
  case LLVMSub:
  case LLVMFSub:
  case LLVMMul:
  case LLVMFMul:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMFDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMFRem:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMGetElementPtr:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMFreeze: return true;
  case LLVMCall: {
    LLVMValueRef callee = function_behind(LLVMGetCalledValue(i));
    return callee && intrinsic_is_pure(plain_name(callee));
  }
  default: return false;
  }
}

/* A variable of the model is an alloca that is only loaded and stored as a whole. */
bool is_promotable(Translator *t, LLVMValueRef a) {
  LLVMTypeRef type = LLVMGetAllocatedType(a);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  LLVMValueRef count = LLVMGetOperand(a, 0);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
      !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1)
    return false;
  uint32_t bits = shape_of(t, type).bits;
  if (!bits) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    LLVMTypeRef accessed;
    if (LLVMIsALoadInst(user)) {
      accessed = LLVMTypeOf(user);
    } else if (LLVMIsAStoreInst(user)) {
      if (LLVMGetOperand(user, 0) == a) return false; /* its address is stored */
      accessed = LLVMTypeOf(LLVMGetOperand(user, 0));
    } else if (LLVMIsACallInst(user)) {
      LLVMValueRef callee = function_behind(LLVMGetCalledValue(user));
      if (!callee || !str_starts(plain_name(callee), "llvm.lifetime.")) return false;
      continue;
    } else {
      return false;
    }
    if (LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic ||
        shape_of(t, accessed).bits != bits)
      return false;
  }
  return true;
}

/* The position at which `use` reads the value of an instruction of `block`. */
static uint32_t use_position(LLVMValueRef value, LLVMValueRef user,
                             LLVMBasicBlockRef block, const Map *positions,
                             const uint32_t *last, uint32_t end) {
  if (LLVMIsAPHINode(user)) {
    unsigned n = LLVMCountIncoming(user);
    for (unsigned i = 0; i < n; i++)
      if (LLVMGetIncomingValue(user, i) == value &&
          LLVMGetIncomingBlock(user, i) != block)
        return BEYOND;
    return end; /* read on the way out of this block */
  }
  if (LLVMGetInstructionParent(user) != block) return BEYOND;
  uint32_t at = (uint32_t)map_find(positions, map_key(user), 0);
  return is_pure_instruction(user) ? last[at] : at;
}

void flow_find_in_place(Translator *t, LLVMBasicBlockRef block) {
  Map positions = {0};
  ValueVec list = {0};
  Map next_store = {0};  /* variable to the position of the nearest store behind */
  vec_push(&list, NULL); /* positions count from 1 */
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    map_put(&positions, map_key(i), list.len);
    vec_push(&list, i);
  }
  uint32_t end = list.len - 1;
  uint32_t *last = mem_alloc_zero((list.len + 1) * sizeof *last);
  for (uint32_t at = end; at >= 1; at--) {
    LLVMValueRef i = list.data[at];
    for (LLVMUseRef u = LLVMGetFirstUse(i); u && last[at] != BEYOND;
         u = LLVMGetNextUse(u)) {
      uint32_t p = use_position(i, LLVMGetUser(u), block, &positions, last, end);
      last[at] = p > last[at] ? p : last[at];
    }
    if (LLVMIsALoadInst(i)) {
      LLVMValueRef variable = LLVMGetOperand(i, 0);
      uint64_t store = map_find(&next_store, map_key(variable), BEYOND);
      if (map_get(&t->body.variables, map_key(variable)) && last[at] != BEYOND &&
          store >= last[at])
        map_put(&t->body.in_place, map_key(i), 1);
    } else if (LLVMIsAStoreInst(i)) {
      map_put(&next_store, map_key(LLVMGetOperand(i, 1)), at);
    }
  }
  mem_free(last);
  vec_free(&list);
  map_free(&positions);
  map_free(&next_store);
}
