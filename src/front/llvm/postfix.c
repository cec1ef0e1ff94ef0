/* See postfix.h. The shape, of which all parts stand at one place of the source:
 *
 *     old = load atomic p
 *     loop: seen = phi old, found;  next = seen + constant
 *           found = compare_exchange p: seen -> next;  leave if it succeeded
 *     … old …
 *
 * A loop that the program writes itself has its load and its exchange at different places. */
#include "front/llvm/postfix.h"

#include <stdbool.h>
#include <stddef.h>

static bool same_place(LLVMValueRef a, LLVMValueRef b) {
  return LLVMGetDebugLocLine(a) && LLVMGetDebugLocLine(a) == LLVMGetDebugLocLine(b) &&
         LLVMGetDebugLocColumn(a) == LLVMGetDebugLocColumn(b);
}

static bool is_atomic_load(LLVMValueRef i) {
  return LLVMGetInstructionOpcode(i) == LLVMLoad &&
         LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
         LLVMGetOrdering(i) == LLVMAtomicOrderingSequentiallyConsistent;
}

/* The compare-and-exchange whose first result this is, or NULL. */
static LLVMValueRef exchange_of(LLVMValueRef found) {
  LLVMValueRef exchange = LLVMIsAExtractValueInst(found) && LLVMGetIndices(found)[0] == 0
                              ? LLVMGetOperand(found, 0)
                              : NULL;
  return exchange && LLVMIsAAtomicCmpXchgInst(exchange) ? exchange : NULL;
}

/* `phi` is what such a loop has seen last, if the load comes before it. */
static bool is_loop_of(LLVMValueRef load, LLVMValueRef phi) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return false;
  unsigned first = LLVMGetIncomingValue(phi, 0) == load ? 0 : 1;
  LLVMValueRef exchange = exchange_of(LLVMGetIncomingValue(phi, 1 - first));
  if (!exchange || LLVMGetIncomingValue(phi, first) != load ||
      LLVMGetOperand(exchange, 0) != LLVMGetOperand(load, 0) ||
      LLVMGetOperand(exchange, 1) != phi || !same_place(load, exchange))
    return false;
  LLVMValueRef next = LLVMGetOperand(exchange, 2);
  return LLVMIsAGetElementPtrInst(next) && LLVMGetOperand(next, 0) == phi &&
         LLVMGetNumOperands(next) == 2 && LLVMIsConstant(LLVMGetOperand(next, 1));
}

static void mend(LLVMValueRef load) {
  LLVMValueRef phi = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u && !phi; u = LLVMGetNextUse(u))
    if (is_loop_of(load, LLVMGetUser(u))) phi = LLVMGetUser(u);
  if (!phi) return;
  int before = LLVMGetIncomingValue(phi, 0) == load ? 0 : 1;
  LLVMReplaceAllUsesWith(load, phi);
  LLVMSetOperand(phi, (unsigned)before, load);
}

void postfix_mend(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (is_atomic_load(i)) mend(i);
}
