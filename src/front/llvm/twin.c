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
#include "front/llvm/twin_asm.h"
#include "front/llvm/twin_atomic.h"
#include "front/llvm/twin_local.h"
#include "front/llvm/unit.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#define WATCHED "__heddle_watched"
#define START   "tsan.module_ctor"
#define ASK     "__tsan_atomic8_load"
#define GUARD   "__heddle_guard_load"

typedef struct {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef i32;
  LLVMValueRef watched;
  Map kept;                    /* functions of the runtime that plain code calls too */
  VEC(LLVMValueRef) functions; /* that get a twin */
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
      "__tsan_func_", "__tsan_read",      "__tsan_write",   "__tsan_unaligned_",
      "__tsan_vptr_", "__tsan_volatile_", "__heddle_event", "__heddle_wait_exit",
      TWIN_ASM,       "__heddle_follow",  "llvm.dbg.",      NULL};
  static const char *const memory[] = {"__tsan_memcpy", "__tsan_memmove", "__tsan_memset",
                                       NULL};
  static const char atomic[] = "__tsan_atomic";
  if (str_eq(name, GUARD)) name = ASK;
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
  LLVMBasicBlockRef twin = LLVMValueAsBasicBlock((LLVMValueRef)(uintptr_t)map_find(
      &t->twins, map_key(LLVMBasicBlockAsValue(block)), 0));
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

/* Only in the entry do allocas have a fixed place on the stack. */
static bool belongs_to_entry(LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && LLVMIsConstant(LLVMGetOperand(i, 0));
}

static void move_allocas(Twins *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef next;
  LLVMPositionBuilderBefore(t->builder, LLVMGetBasicBlockTerminator(to));
  for (LLVMValueRef i = LLVMGetFirstInstruction(from); i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!belongs_to_entry(i)) continue;
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

/* A function that does nothing, in four blocks:
 *
 *     is the variable there? --no--------------> the end
 *       ask it: 0? --yes-----------------------> the end
 *         watched ----------------------------> the end        */
static LLVMValueRef build_question(Twins *t, LLVMModuleRef module, LLVMTypeRef type) {
  static const char word[] = "alwaysinline";
  unsigned kind = LLVMGetEnumAttributeKindForName(word, strlen(word));
  LLVMValueRef question = LLVMAddFunction(module, "heddle.question", type);
  LLVMSetLinkage(question, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(question, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(t->context, kind, 0));
  LLVMBasicBlockRef blocks[4];
  for (int i = 0; i < 4; i++)
    blocks[i] = LLVMAppendBasicBlockInContext(t->context, question, "");
  branch_if_there(t, blocks[0], t->watched, blocks[1], blocks[3]);
  LLVMPositionBuilderAtEnd(t->builder, blocks[1]);
  LLVMValueRef flag = LLVMBuildLoad2(t->builder, t->i32, t->watched, "");
  LLVMValueRef off = LLVMBuildIsNull(t->builder, flag, "");
  LLVMBuildCondBr(t->builder, off, blocks[3], blocks[2]);
  LLVMPositionBuilderAtEnd(t->builder, blocks[2]);
  LLVMBuildBr(t->builder, blocks[3]);
  LLVMPositionBuilderAtEnd(t->builder, blocks[3]);
  LLVMBuildRetVoid(t->builder);
  return question;
}

/* Puts the question into each function that gets a twin, behind the allocas of its entry.
 * What tells the debugger where the arguments are has to stay in the entry, or they are
 * soon lost to it, and only LLVM's own passes can cut a block there: so it is a call that
 * is inlined. */
static bool ask_in_entries(Twins *t, LLVMModuleRef module, Err *err) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(t->context), NULL, 0, false);
  LLVMValueRef question = build_question(t, module, type);
  for (uint32_t i = 0; i < t->functions.len; i++) {
    LLVMValueRef place =
        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(t->functions.data[i]));
    while (belongs_to_entry(place)) place = LLVMGetNextInstruction(place);
    LLVMPositionBuilderBefore(t->builder, place);
    LLVMSetCurrentDebugLocation2(t->builder, NULL);
    LLVMBuildCall2(t->builder, type, question, NULL, 0, "");
  }
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(module, "always-inline", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure) return true;
  char *text = LLVMGetErrorMessage(failure);
  err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL, "LLVM's inliner: %s", text);
  LLVMDisposeErrorMessage(text);
  return false;
}

static void make_twin(Twins *t, LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMValueRef there = LLVMGetBasicBlockTerminator(entry);
  LLVMBasicBlockRef ask = LLVMGetSuccessor(there, 0), old = LLVMGetSuccessor(there, 1);
  LLVMValueRef off = LLVMGetBasicBlockTerminator(ask);
  LLVMBasicBlockRef watched = LLVMGetSuccessor(off, 1);
  t->blocks.len = t->copies.len = 0;
  map_clear(&t->twins);
  for (LLVMBasicBlockRef b = LLVMGetNextBasicBlock(entry); b;
       b = LLVMGetNextBasicBlock(b))
    if (b != ask && b != watched) vec_push(&t->blocks, b);
  for (uint32_t i = 0; i < t->blocks.len; i++) {
    LLVMBasicBlockRef twin = LLVMInsertBasicBlockInContext(t->context, old, "");
    map_put(&t->twins, map_key(LLVMBasicBlockAsValue(t->blocks.data[i])),
            map_key(LLVMBasicBlockAsValue(twin)));
  }
  move_allocas(t, old, entry);
  for (uint32_t i = 0; i < t->blocks.len; i++) copy_block(t, t->blocks.data[i]);
  connect(t);
  LLVMBasicBlockRef plain = LLVMValueAsBasicBlock(twin_of(t, LLVMBasicBlockAsValue(old)));
  LLVMSetSuccessor(there, 1, plain);
  LLVMSetSuccessor(off, 0, plain);
}

/* ---- static variables of C++ -------------------------------------------------------- */

/* The byte that tells whether such a variable was made: its name is "_ZGV…". */
static bool is_guard(LLVMValueRef address) {
  size_t length;
  while (LLVMIsAConstantExpr(address) && LLVMGetNumOperands(address) > 0)
    address = LLVMGetOperand(address, 0);
  return LLVMIsAGlobalVariable(address) &&
         str_starts(LLVMGetValueName2(address, &length), "_ZGV");
}

/* Loading it is a question of its own for the runtime (src/runtime/rt_guard.c). */
static void rename_guards(LLVMModuleRef module) {
  LLVMValueRef load = LLVMGetNamedFunction(module, ASK), guard = NULL;
  LLVMUseRef next;
  for (LLVMUseRef u = load ? LLVMGetFirstUse(load) : NULL; u; u = next) {
    LLVMValueRef call = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != load ||
        !is_guard(LLVMGetOperand(call, 0)))
      continue;
    if (!guard) guard = LLVMAddFunction(module, GUARD, LLVMGlobalGetValueType(load));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, guard);
  }
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
  rename_guards(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (str_eq(LLVMGetValueName2(f, &length), START)) continue;
    if (can_have_twin(f))
      vec_push(&t.functions, f);
    else
      keep_callees(&t, f);
  }
  for (uint32_t i = 0; i < t.functions.len; i++) {
    twin_mark_assembly(module, t.builder, t.functions.data[i]);
    twin_mark_locals(module, t.builder, t.functions.data[i]);
  }
  bool ok = ask_in_entries(&t, module, err);
  for (uint32_t i = 0; ok && i < t.functions.len; i++) make_twin(&t, t.functions.data[i]);
  vec_free(&t.functions);
  guard_start(&t, module);
  make_weak(&t, module);
  map_free(&t.kept);
  vec_free(&t.blocks);
  vec_free(&t.copies);
  map_free(&t.twins);
  LLVMDisposeBuilder(t.builder);
  return ok && unit_write(module, name, fd, err); /* the process ends soon */
}
