/* See unit.h. The verifier looks at everything that was changed: what would come out of a
 * broken module is a program that does something else. */
#include "front/llvm/unit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

LLVMModuleRef unit_read(LLVMContextRef context, const char *name, const void *bytes,
                        size_t size, Err *err) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(bytes, size, name, 1);
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  if (!failed) return module;
  err_set(err, ERR_INTERNAL, name, 0, 0, NULL, "clang's bitcode is not readable");
  return NULL;
}

bool unit_write(LLVMModuleRef module, const char *name, int fd, Err *err) {
  char *message = NULL;
  bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (bad)
    err_set(err, ERR_INTERNAL, name, 0, 0, "report this as a defect",
            "what was added made an invalid module: %.*s", (int)strcspn(message, "\n"),
            message);
  LLVMDisposeMessage(message);
  if (!bad && LLVMWriteBitcodeToFD(module, fd, 0, 0) != 0)
    bad = !err_set(err, ERR_INTERNAL, name, 0, 0, NULL, "the bitcode cannot be written");
  return !bad;
}
