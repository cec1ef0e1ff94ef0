/* Copying and filling memory: LLVM's intrinsics, and the functions of the C library.
 *
 * clang is told not to take memcpy and its like for its own (front/ccargs.c): a program that
 * defines one of them means it. Where none does, a call is the same operation of the model
 * as the intrinsic, which clang still writes for structures and for __builtin_memcpy. */
#include "front/llvm/internal.h"

typedef enum { RESULT_NONE, RESULT_START, RESULT_END } MemoryResult;

static const struct {
  const char *name;
  uint8_t op;
  uint8_t to, what, count; /* operands; with `what` behind `count`: fills with zeros */
  uint16_t flags;
  MemoryResult result;
} functions[] = {
    {"memcpy", OP_COPY, 0, 1, 2, 0, RESULT_START},
    {"memmove", OP_COPY, 0, 1, 2, EDGE_OVERLAP, RESULT_START},
    {"mempcpy", OP_COPY, 0, 1, 2, 0, RESULT_END},
    {"memset", OP_FILL, 0, 1, 2, 0, RESULT_START},
    {"bzero", OP_FILL, 0, 2, 1, 0, RESULT_NONE},
    {"bcopy", OP_COPY, 1, 0, 2, EDGE_OVERLAP, RESULT_NONE},
};

static void move_bytes(Translator *t, LLVMValueRef call, OpKind op, unsigned to,
                       unsigned what, ExprId value, ExprId bytes, uint16_t flags) {
  LLVMValueRef target = LLVMGetOperand(call, to);
  emit(t, (Edge){.op = op,
                 .a = value_of(t, target),
                 .b = value,
                 .c = bytes,
                 .flags = flags,
                 .aux = op == OP_COPY ? path_of(t, LLVMGetOperand(call, what), NULL) : 0,
                 .path = path_of(t, target, NULL)});
}

bool memory_intrinsic(Translator *t, LLVMValueRef call, const char *name) {
  bool copies = str_starts(name, "llvm.memcpy.") || str_starts(name, "llvm.memmove.");
  if (!copies && !str_starts(name, "llvm.memset.")) return false;
  uint16_t flags = 0;
  LLVMValueRef is_volatile = LLVMGetOperand(call, 3);
  if (LLVMIsAConstantInt(is_volatile) && LLVMConstIntGetZExtValue(is_volatile))
    flags |= EDGE_VOLATILE;
  if (str_starts(name, "llvm.memmove.")) flags |= EDGE_OVERLAP;
  ExprId bytes = builder_resize(t->b, value_of(t, LLVMGetOperand(call, 2)), 64, false);
  move_bytes(t, call, copies ? OP_COPY : OP_FILL, 0, 1,
             value_of(t, LLVMGetOperand(call, 1)), bytes, flags);
  return true;
}

static bool is_kind(LLVMValueRef call, unsigned operand, LLVMTypeKind kind) {
  return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, operand))) == kind;
}

/* Called as the C library declares it. */
static bool is_as_declared(LLVMValueRef call, size_t i) {
  unsigned what = functions[i].what, count = functions[i].count;
  bool zeros = what > count;
  LLVMTypeKind result =
      functions[i].result == RESULT_NONE ? LLVMVoidTypeKind : LLVMPointerTypeKind;
  return LLVMGetNumArgOperands(call) == (zeros ? 2 : 3) &&
         is_kind(call, functions[i].to, LLVMPointerTypeKind) &&
         (zeros || is_kind(call, what,
                           functions[i].op == OP_COPY ? LLVMPointerTypeKind
                                                      : LLVMIntegerTypeKind)) &&
         is_kind(call, count, LLVMIntegerTypeKind) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(call, count))) == 64 &&
         LLVMGetTypeKind(LLVMTypeOf(call)) == result;
}

bool memory_library_call(Translator *t, LLVMValueRef call, const char *name) {
  size_t i = 0, n = sizeof functions / sizeof *functions;
  while (i < n && !str_eq(functions[i].name, name)) i++;
  if (i == n || !is_as_declared(call, i)) return false;
  unsigned to = functions[i].to, what = functions[i].what;
  OpKind op = (OpKind)functions[i].op;
  ExprId bytes = value_of(t, LLVMGetOperand(call, functions[i].count)), value;
  if (what > functions[i].count)
    value = builder_const(t->b, SORT_INT, 8, 0);
  else
    value = value_of(t, LLVMGetOperand(call, what));
  if (op == OP_FILL) value = builder_resize(t->b, value, 8, false);
  ExprId start = value_of(t, LLVMGetOperand(call, to));
  if (LLVMGetFirstUse(call) && functions[i].result != RESULT_NONE)
    set_value(t, call,
              pinned(t, functions[i].result == RESULT_END
                            ? builder_offset(t->b, start, bytes)
                            : start));
  move_bytes(t, call, op, to, what, value, bytes, functions[i].flags);
  return true;
}
