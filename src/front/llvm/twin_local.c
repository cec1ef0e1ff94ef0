/* Accesses to parts of local variables that the instrumentation for threads leaves out.
 *
 * It leaves out what no other thread can know, and asks for each access whether its address
 * is given away: that of local[1] is not where only local was handed to a thread. Here the
 * question is whether any address in the variable is given away. If so, accesses to its
 * parts get the calls that are missing. Those at its beginning have them. */
#include "front/llvm/twin_local.h"

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

typedef struct {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  Map known;                   /* the addresses below */
  VEC(LLVMValueRef) addresses; /* in the variable at hand, itself first */
  bool given_away;
} Locals;

static void note(Locals *l, LLVMValueRef address) {
  if (map_get(&l->known, map_key(address))) return;
  map_put(&l->known, map_key(address), 1);
  vec_push(&l->addresses, address);
}

static bool is_instrumentation(LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) &&
         str_starts(LLVMGetValueName2(callee, &length), "__tsan_");
}

/* May the function that is called keep this argument, or hand it on? */
static bool keeps(LLVMValueRef call, LLVMValueRef address) {
  static const char word[] = "nocapture";
  unsigned kind = LLVMGetEnumAttributeKindForName(word, strlen(word));
  LLVMValueRef callee = LLVMGetCalledValue(call);
  bool is_known = LLVMIsAFunction(callee);
  if (is_instrumentation(call)) return false;
  if (is_known && LLVMGetIntrinsicID(callee) &&
      LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    return false; /* lifetimes, copies, what tells the debugger */
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == address &&
        !LLVMGetCallSiteEnumAttribute(call, i + 1, kind) &&
        !(is_known && i < LLVMCountParams(callee) &&
          LLVMGetEnumAttributeAtIndex(callee, i + 1, kind)))
      return true;
  return false;
}

static void look_at_use(Locals *l, LLVMValueRef user, LLVMValueRef address) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp: return;
  case LLVMStore: l->given_away |= LLVMGetOperand(user, 0) == address; return;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMPHI:
  case LLVMSelect: note(l, user); return;
  case LLVMCall:
  case LLVMInvoke: l->given_away |= keeps(user, address); return;
  default: l->given_away = true;
  }
}

/* All addresses of one variable are instrumented, or none: it depends on the address. */
static bool is_left_out(LLVMValueRef address) {
  if (!LLVMIsAGetElementPtrInst(address)) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsACallInst(user) && is_instrumentation(user)) return false;
  }
  return true;
}

static void tell(Locals *l, LLVMValueRef access, LLVMValueRef address) {
  LLVMContextRef context = LLVMGetModuleContext(l->module);
  bool writes = LLVMIsAStoreInst(access);
  LLVMTypeRef what = LLVMTypeOf(writes ? LLVMGetOperand(access, 0) : access);
  unsigned long long size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(l->module), what);
  LLVMTypeRef types[2] = {LLVMTypeOf(address), LLVMInt64TypeInContext(context)};
  LLVMValueRef arguments[2] = {address, LLVMConstInt(types[1], size, false)};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false);
  const char *name = writes ? "__tsan_write_range" : "__tsan_read_range";
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (!function) function = LLVMAddFunction(l->module, name, type);
  LLVMPositionBuilderBefore(l->builder, access);
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(access));
  LLVMBuildCall2(l->builder, type, function, arguments, 2, "");
}

static void tell_all(Locals *l, LLVMValueRef address) {
  VEC(LLVMValueRef) accesses = {0};
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address))
      vec_push(&accesses, user);
  }
  for (uint32_t i = 0; i < accesses.len; i++) tell(l, accesses.data[i], address);
  vec_free(&accesses);
}

static void mark_variable(Locals *l, LLVMValueRef variable) {
  l->addresses.len = 0;
  l->given_away = false;
  map_clear(&l->known);
  note(l, variable);
  for (uint32_t k = 0; k < l->addresses.len; k++)
    for (LLVMUseRef u = LLVMGetFirstUse(l->addresses.data[k]); u; u = LLVMGetNextUse(u))
      look_at_use(l, LLVMGetUser(u), l->addresses.data[k]);
  for (uint32_t k = 0; l->given_away && k < l->addresses.len; k++)
    if (is_left_out(l->addresses.data[k])) tell_all(l, l->addresses.data[k]);
}

void twin_mark_locals(LLVMModuleRef module, LLVMBuilderRef builder,
                      LLVMValueRef function) {
  Locals l = {.module = module, .builder = builder};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i)) mark_variable(&l, i);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  map_free(&l.known);
  vec_free(&l.addresses);
}
