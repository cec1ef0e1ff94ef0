/* From a call of `__tsan_atomic32_fetch_add` and the like back to the instruction.
 *
 * The instrumentation turns each atomic instruction into a call that gets the orders of
 * memory as numbers, those of C. Sizes up to 64 bits are instructions on all machines
 * that heddle runs on; 128 bits are not everywhere, and stay calls. */
#include "front/llvm/twin_atomic.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 64, MOST_ARGUMENTS = 5 };

/* The orders of C, as the calls number them. */
static bool order_of(LLVMValueRef value, LLVMAtomicOrdering *ret) {
  static const LLVMAtomicOrdering orders[] = {
      LLVMAtomicOrderingMonotonic,      LLVMAtomicOrderingAcquire,
      LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
      LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent};
  if (!LLVMIsAConstantInt(value)) return false;
  uint64_t number = LLVMConstIntGetZExtValue(value);
  if (number >= sizeof orders / sizeof *orders) return false;
  *ret = orders[number];
  return true;
}

static bool rmw_of(const char *word, LLVMAtomicRMWBinOp *ret) {
  static const struct {
    const char *word;
    LLVMAtomicRMWBinOp op;
  } ops[] = {{"exchange", LLVMAtomicRMWBinOpXchg},  {"fetch_add", LLVMAtomicRMWBinOpAdd},
             {"fetch_sub", LLVMAtomicRMWBinOpSub},  {"fetch_and", LLVMAtomicRMWBinOpAnd},
             {"fetch_or", LLVMAtomicRMWBinOpOr},    {"fetch_xor", LLVMAtomicRMWBinOpXor},
             {"fetch_nand", LLVMAtomicRMWBinOpNand}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (str_eq(word, ops[i].word)) {
      *ret = ops[i].op;
      return true;
    }
  return false;
}

static LLVMValueRef build_fence(LLVMBuilderRef builder, LLVMValueRef call, bool signal,
                                LLVMValueRef *ret) {
  LLVMAtomicOrdering order;
  if (LLVMGetNumArgOperands(call) != 1 || !order_of(LLVMGetOperand(call, 0), &order) ||
      order == LLVMAtomicOrderingMonotonic)
    return NULL;
  return *ret = LLVMBuildFence(builder, order, signal, "");
}

static LLVMValueRef build_exchange(LLVMBuilderRef builder, LLVMValueRef *a,
                                   LLVMValueRef *ret) {
  LLVMAtomicOrdering success, failure;
  if (!order_of(a[3], &success) || !order_of(a[4], &failure)) return NULL;
  *ret = LLVMBuildAtomicCmpXchg(builder, a[0], a[1], a[2], success, failure, false);
  return LLVMBuildExtractValue(builder, *ret, 0, "");
}

LLVMValueRef twin_build_atomic(LLVMBuilderRef builder, LLVMValueRef call,
                               const char *operation, LLVMValueRef *ret_instruction) {
  if (str_eq(operation, "_thread_fence") || str_eq(operation, "_signal_fence"))
    return build_fence(builder, call, operation[1] == 's', ret_instruction);
  char *word;
  unsigned long bits = strtoul(operation, &word, 10);
  unsigned count = LLVMGetNumArgOperands(call);
  if (!bits || bits > MOST_BITS || *word++ != '_' || count > MOST_ARGUMENTS) return NULL;
  LLVMValueRef a[MOST_ARGUMENTS] = {0};
  for (unsigned i = 0; i < count; i++) a[i] = LLVMGetOperand(call, i);
  LLVMAtomicOrdering order;
  LLVMAtomicRMWBinOp op;
  if (count == 2 && str_eq(word, "load") && order_of(a[1], &order)) {
    *ret_instruction = LLVMBuildLoad2(builder, LLVMTypeOf(call), a[0], "");
  } else if (count == 3 && str_eq(word, "store") && order_of(a[2], &order)) {
    *ret_instruction = LLVMBuildStore(builder, a[1], a[0]);
  } else if (count == 3 && rmw_of(word, &op) && order_of(a[2], &order)) {
    return *ret_instruction = LLVMBuildAtomicRMW(builder, op, a[0], a[1], order, false);
  } else if (count == 5 && str_starts(word, "compare_exchange_val")) {
    return build_exchange(builder, a, ret_instruction);
  } else {
    return NULL;
  }
  LLVMSetOrdering(*ret_instruction, order);
  LLVMSetAlignment(*ret_instruction, (unsigned)bits / 8);
  return *ret_instruction;
}
