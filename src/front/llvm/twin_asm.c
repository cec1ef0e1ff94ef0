/* What the program's own assembly does to memory is not seen. It may be a lock, or wait for
 * another thread: so the runtime is told that something of the kind was done, before it and
 * behind it, and a race is not certain where that lies between its accesses (observe.h).
 *
 * Assembly that touches no memory, or does nothing but keep the compiler or the processor
 * busy, orders nothing. */
#include "front/llvm/twin_asm.h"

#include "base/str.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool is_idle(const char *text, size_t length) {
  static const char *const words[] = {"", "nop", "pause", "rep; nop", "rep;nop", "yield"};
  while (length && strchr(" \t\n;", text[length - 1])) length--;
  while (length && strchr(" \t\n;", *text)) text++, length--;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return true;
  return false;
}

/* "~{memory}" says that any memory may be changed, "*m" that an operand is. */
static bool touches_memory(const char *constraints, size_t length) {
  for (size_t i = 0; i + 1 < length; i++)
    if ((constraints[i] == '*') ||
        (i + 8 < length && !memcmp(constraints + i, "~{memory}", 9)))
      return true;
  return false;
}

static bool may_order(LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  size_t length, constraint_length;
  if (!callee || !LLVMIsAInlineAsm(callee)) return false;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_length);
  return !is_idle(text, length) && touches_memory(constraints, constraint_length);
}

void twin_mark_assembly(LLVMModuleRef module, LLVMBuilderRef builder,
                        LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (!may_order(i)) continue;
      LLVMValueRef mark = LLVMGetNamedFunction(module, TWIN_ASM);
      if (!mark) mark = LLVMAddFunction(module, TWIN_ASM, type);
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
      LLVMBuildCall2(builder, type, mark, NULL, 0, "");
      LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(i));
      LLVMBuildCall2(builder, type, mark, NULL, 0, "");
      i = LLVMGetNextInstruction(i);
    }
  LLVMSetCurrentDebugLocation2(builder, NULL);
}
