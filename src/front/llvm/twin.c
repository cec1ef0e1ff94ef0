/* An instrumented program that nobody watches should run as if it were not instrumented.
 *
 * In: a module behind clang's passes, where the instrumentation for threads is the last
 * thing that was done: each access has a call before it, atomic instructions and copies
 * are calls. Out: each such function has its body twice. Its new entry asks a variable of
 * the runtime, once per call of the function, and goes to the one or the other:
 *
 *        entry: allocas, is __heddle_watched 0?
 *          /                    \
 *     the plain body        the instrumented body, as it was
 *
 * In the plain one the calls of the instrumentation are left out, and atomic instructions
 * and copies are what they were. Since all passes are done, it is what the compiler would
 * have made without the instrumentation: loops that were vectorised still are.
 *
 * A program, or a library, may also be linked where there is no runtime at all: statically,
 * or by another compiler. So the variable and the functions of the runtime are weak, which
 * means that they may be missing, and then the plain body is the one.
 *
 * The variable is set before the program begins and changes only in a forked child, which
 * is not watched any more: so it is no matter that a function which runs does not notice.
 *
 * Invariants: the two bodies share nothing but arguments and the allocas of the entry,
 * and no block of one leads into the other. A function that cannot be copied (blocks with
 * an address, calls that must stay single) is left as it is. */
#include "front/llvm/twin.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "front/llvm/unit.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define WATCHED "__heddle_watched"
#define START "tsan.module_ctor"

typedef struct {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef i32;
  LLVMValueRef watched;
  Map kept; /* functions of the runtime that plain code calls too */
  /* The function at hand. */
  VEC(LLVMBasicBlockRef) blocks;
  Map twins;                /* instruction or block → that of the plain body */
  VEC(LLVMValueRef) copies; /* whose operands are still those of the original */
} Twins;

/* ---- what can be copied ----------------------------------------------------------- */

static bool has_prefix(const char *text, const char *const *prefixes) {
  for (size_t i = 0; prefixes[i]; i++)
    if (str_starts(text, prefixes[i])) return true;
  return false;
}

/* The name of the function that is called directly, or "". */
static const char *callee_name(LLVMValueRef instruction) {
  size_t length;
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_single(LLVMValueRef i) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noduplicate", strlen("noduplicate"));
  LLVMAttributeIndex whole = LLVMAttributeFunctionIndex;
  if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind) return true;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMIndirectBr:
  case LLVMCallBr:
  case LLVMCatchSwitch:
  case LLVMCatchPad:
  case LLVMCleanupPad: return true;
  case LLVMCall:
  case LLVMInvoke: {
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMGetCallSiteEnumAttribute(i, whole, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, whole, kind));
  }
  default: return false;
  }
}

/* Some other place knows the block by its address. */
static bool has_address(LLVMBasicBlockRef block) {
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u;
       u = LLVMGetNextUse(u))
    if (LLVMIsABlockAddress(LLVMGetUser(u))) return true;
  return false;
}

static bool is_of_runtime(const char *name) {
  static const char *const prefixes[] = {"__tsan_", "__heddle_", NULL};
  return has_prefix(name, prefixes);
}

static bool can_have_twin(LLVMValueRef function) {
  bool instrumented = false;
  if (LLVMIsDeclaration(function) || LLVMGetGC(function)) return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b)) {
    if (has_address(b)) return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (is_single(i)) return false;
      instrumented |= is_of_runtime(callee_name(i));
    }
  }
  return instrumented;
}

/* ---- copying ---------------------------------------------------------------------- */

/* Notes an instruction whose operands are those of the original. */
static LLVMValueRef added(Twins *t, LLVMValueRef original, LLVMValueRef copy) {
  LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(original));
  vec_push(&t->copies, copy);
  return copy;
}

static LLVMValueRef copy_plainly(Twins *t, LLVMValueRef i) {
  LLVMValueRef copy = LLVMInstructionClone(i);
  LLVMInsertIntoBuilder(t->builder, copy);
  return added(t, i, copy);
}

static LLVMValueRef copy_phi(Twins *t, LLVMValueRef i) {
  LLVMValueRef phi = LLVMBuildPhi(t->builder, LLVMTypeOf(i), "");
  LLVMInstructionSetDebugLoc(phi, LLVMInstructionGetDebugLoc(i));
  if (LLVMCanValueUseFastMathFlags(phi))
    LLVMSetFastMathFlags(phi, LLVMGetFastMathFlags(i));
  return phi;
}

/* Copies that the compiler makes; they return where they wrote to. */
static LLVMValueRef copy_memory(Twins *t, LLVMValueRef i, const char *word) {
  LLVMValueRef to = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1),
               size = LLVMGetOperand(i, 2), made;
  if (str_eq(word, "memcpy"))
    made = LLVMBuildMemCpy(t->builder, to, 1, second, 1, size);
  else if (str_eq(word, "memmove"))
    made = LLVMBuildMemMove(t->builder, to, 1, second, 1, size);
  else {
    LLVMValueRef byte =
        LLVMBuildTrunc(t->builder, second, LLVMInt8TypeInContext(t->context), "");
    if (LLVMIsAInstruction(byte)) added(t, i, byte);
    made = LLVMBuildMemSet(t->builder, to, byte, size, 1);
  }
  added(t, i, made);
  return to;
}

/* What the plain body has in place of a call of the runtime. */
static LLVMValueRef copy_call(Twins *t, LLVMValueRef i, const char *name) {
  static const char *const dropped[] = {
      "__tsan_func_", "__tsan_read",    "__tsan_write",       "__tsan_unaligned_",
      "__tsan_vptr_", "__tsan_volatile_", "__heddle_event", "__heddle_wait_exit",
      "__heddle_follow", "llvm.dbg.",     NULL};
  static const char *const memory[] = {"__tsan_memcpy", "__tsan_memmove",
                                       "__tsan_memset", NULL};
  static const char atomic[] = "__tsan_atomic";
  if (has_prefix(name, dropped))
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind
               ? NULL
               : LLVMConstNull(LLVMTypeOf(i));
  if (has_prefix(name, memory)) return copy_memory(t, i, name + strlen("__tsan_"));
  LLVMValueRef instruction = NULL;
  LLVMValueRef value =
      str_starts(name, atomic)
          ? twin_build_atomic(t->builder, i, name + strlen(atomic), &instruction)
          : NULL;
  if (!value && is_of_runtime(name)) map_put(&t->kept, map_key(LLVMGetCalledValue(i)), 1);
  if (!value) return copy_plainly(t, i);
  added(t, i, instruction);
  return value;
}

static void copy_block(Twins *t, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef twin =
      LLVMValueAsBasicBlock((LLVMValueRef)(uintptr_t)map_find(&t->twins, map_key(LLVMBasicBlockAsValue(block)), 0));
  LLVMPositionBuilderAtEnd(t->builder, twin);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef copy = LLVMIsAPHINode(i)    ? copy_phi(t, i)
                        : LLVMIsACallInst(i) ? copy_call(t, i, callee_name(i))
                                             : copy_plainly(t, i);
    if (copy) map_put(&t->twins, map_key(i), map_key(copy));
  }
}

/* The value of the plain body that stands for one of the instrumented body. */
static LLVMValueRef twin_of(const Twins *t, LLVMValueRef value) {
  /* What a copy returns may be a value of the original itself. */
  for (uint64_t *next; (next = map_get(&t->twins, map_key(value)));)
    value = (LLVMValueRef)(uintptr_t)*next;
  return value;
}

static void connect_phi(const Twins *t, LLVMValueRef phi) {
  LLVMValueRef copy = twin_of(t, phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = twin_of(t, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef from = LLVMValueAsBasicBlock(
        twin_of(t, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(phi, i))));
    LLVMAddIncoming(copy, &value, &from, 1);
  }
}

static void connect(Twins *t) {
  for (uint32_t k = 0; k < t->copies.len; k++) {
    LLVMValueRef copy = t->copies.data[k];
    for (int i = 0; i < LLVMGetNumOperands(copy); i++) {
      LLVMValueRef operand = LLVMGetOperand(copy, (unsigned)i);
      LLVMValueRef twin = operand ? twin_of(t, operand) : NULL;
      if (twin != operand) LLVMSetOperand(copy, (unsigned)i, twin);
    }
  }
  for (uint32_t k = 0; k < t->blocks.len; k++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(t->blocks.data[k]);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
      connect_phi(t, i);
}

/* ---- a function ------------------------------------------------------------------- */

/* Only in the entry do they have a fixed place on the stack. */
static void move_allocas(Twins *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef next;
  LLVMPositionBuilderAtEnd(t->builder, to);
  for (LLVMValueRef i = LLVMGetFirstInstruction(from); i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0))) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(t->builder, i);
  }
}

/* A branch at the end of `block`: to `then` when the weak symbol is there. */
static void branch_if_there(Twins *t, LLVMBasicBlockRef block, LLVMValueRef symbol,
                            LLVMBasicBlockRef then, LLVMBasicBlockRef otherwise) {
  LLVMPositionBuilderAtEnd(t->builder, block);
  LLVMValueRef there = LLVMBuildIsNotNull(t->builder, symbol, "");
  LLVMBuildCondBr(t->builder, there, then, otherwise);
}

static void make_twin(Twins *t, LLVMValueRef function) {
  LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function);
  t->blocks.len = t->copies.len = 0;
  map_clear(&t->twins);
  for (LLVMBasicBlockRef b = old; b; b = LLVMGetNextBasicBlock(b))
    vec_push(&t->blocks, b);
  LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(t->context, old, "");
  for (uint32_t i = 0; i < t->blocks.len; i++) {
    LLVMBasicBlockRef twin = LLVMInsertBasicBlockInContext(t->context, old, "");
    map_put(&t->twins, map_key(LLVMBasicBlockAsValue(t->blocks.data[i])),
            map_key(LLVMBasicBlockAsValue(twin)));
  }
  move_allocas(t, old, entry);
  for (uint32_t i = 0; i < t->blocks.len; i++) copy_block(t, t->blocks.data[i]);
  connect(t);
  LLVMBasicBlockRef plain =
      LLVMValueAsBasicBlock(twin_of(t, LLVMBasicBlockAsValue(old)));
  LLVMBasicBlockRef ask = LLVMInsertBasicBlockInContext(t->context, plain, "");
  branch_if_there(t, entry, t->watched, ask, plain);
  LLVMPositionBuilderAtEnd(t->builder, ask);
  LLVMValueRef flag = LLVMBuildLoad2(t->builder, t->i32, t->watched, "");
  LLVMValueRef off =
      LLVMBuildICmp(t->builder, LLVMIntEQ, flag, LLVMConstNull(t->i32), "");
  LLVMBuildCondBr(t->builder, off, plain, old);
}

/* ---- where there is no runtime ---------------------------------------------------- */

/* What the instrumentation puts before the first constructors, so that the runtime is
 * ready for them. */
static void guard_start(Twins *t, LLVMModuleRef module) {
  LLVMValueRef start = LLVMGetNamedFunction(module, START),
               init = LLVMGetNamedFunction(module, "__tsan_init");
  if (!start || !init || LLVMIsDeclaration(start)) return;
  LLVMSetLinkage(init, LLVMExternalWeakLinkage);
  LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(start);
  LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(t->context, old, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(t->context, start, "");
  LLVMPositionBuilderAtEnd(t->builder, end);
  LLVMBuildRetVoid(t->builder);
  branch_if_there(t, entry, init, old, end);
}

static void keep_callees(Twins *t, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (is_of_runtime(callee_name(i)))
        map_put(&t->kept, map_key(LLVMGetCalledValue(i)), 1);
}

/* Nobody calls them unless the variable is there, and with it the whole runtime. */
static void make_weak(const Twins *t, LLVMModuleRef module) {
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) && is_of_runtime(LLVMGetValueName2(f, &length)) &&
        !map_get(&t->kept, map_key(f)))
      LLVMSetLinkage(f, LLVMExternalWeakLinkage);
}

bool twin_bitcode(const char *name, const void *bytes, size_t size, int fd, Err *err) {
  size_t length;
  Twins t = {.context = LLVMContextCreate()};
  LLVMModuleRef module = unit_read(t.context, name, bytes, size, err);
  if (!module) return false;
  t.builder = LLVMCreateBuilderInContext(t.context);
  t.i32 = LLVMInt32TypeInContext(t.context);
  t.watched = LLVMGetNamedGlobal(module, WATCHED);
  if (!t.watched) t.watched = LLVMAddGlobal(module, t.i32, WATCHED);
  LLVMSetLinkage(t.watched, LLVMExternalWeakLinkage);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (str_eq(LLVMGetValueName2(f, &length), START)) continue;
    if (can_have_twin(f))
      make_twin(&t, f);
    else
      keep_callees(&t, f);
  }
  guard_start(&t, module);
  make_weak(&t, module);
  map_free(&t.kept);
  vec_free(&t.blocks);
  vec_free(&t.copies);
  map_free(&t.twins);
  LLVMDisposeBuilder(t.builder);
  return unit_write(module, name, fd, err); /* the process ends soon */
}
