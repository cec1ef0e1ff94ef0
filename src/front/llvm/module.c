/* Bitcode or textual IR files to one linked LLVM module.
 *
 * Files are read one after the other and linked into the first. Debug records are turned
 * back into llvm.dbg.declare calls, which is the form that the C interface can read. */
#include "front/llvm/internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>

/* The first line of LLVM's diagnostics, kept for the error message. */
typedef struct {
  Str text;
} Diagnostics;

static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  Diagnostics *d = data;
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && !d->text.len) {
    char *text = LLVMGetDiagInfoDescription(info);
    str_add(&d->text, text);
    LLVMDisposeMessage(text);
  }
}

static bool is_bitcode(LLVMMemoryBufferRef buffer) {
  size_t n = LLVMGetBufferSize(buffer);
  const unsigned char *d = (const unsigned char *)LLVMGetBufferStart(buffer);
  return n >= 4 && ((d[0] == 'B' && d[1] == 'C' && d[2] == 0xC0 && d[3] == 0xDE) ||
                    (d[0] == 0xDE && d[1] == 0xC0 && d[2] == 0x17 && d[3] == 0x0B));
}

static bool bad_bitcode(Err *err, const char *name, const char *why) {
  return err_input(err, name,
                   "it may be cut off or written by another LLVM version; make it again "
                   "with clang-19 -emit-llvm",
                   "is not LLVM 19 bitcode: %s", *why ? why : "invalid");
}

/* Line and column of LLVM's "name:line:column: error: text" message. */
static bool bad_text(Err *err, const char *name, const char *message) {
  const char *rest = strstr(message, ": error: ");
  int line = 0, column = 0;
  const char *text = rest ? rest + 9 : message;
  if (rest) {
    const char *p = rest;
    int colons = 0;
    while (p > message && colons < 2)
      if (*--p == ':')
        colons++;
    if (colons == 2)
      sscanf(p, ":%d:%d", &line, &column);
  }
  size_t length = strcspn(text, "\n");
  return err_set(err, ERR_INPUT, name, line, column,
                 "make it again with clang-19 -S -emit-llvm", "is not LLVM 19 IR: %.*s",
                 (int)length, text);
}

static LLVMModuleRef read_module(LLVMContextRef context, const BitcodeInput *input,
                                 Diagnostics *d, Err *err) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(input->bytes, input->size, input->name, 1);
  LLVMModuleRef module = NULL;
  if (is_bitcode(buffer)) {
    bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed) {
      bad_bitcode(err, input->name, str_text(&d->text));
      return NULL;
    }
  } else {
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
      bad_text(err, input->name, message ? message : "invalid");
      LLVMDisposeMessage(message);
      return NULL;
    }
  }
  LLVMSetIsNewDbgInfoFormat(module, 0);
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    bad_bitcode(err, input->name, message);
    LLVMDisposeMessage(message);
    LLVMDisposeModule(module);
    return NULL;
  }
  LLVMDisposeMessage(message);
  return module;
}

static bool right_target(LLVMModuleRef module, const BitcodeInput *input, Err *err) {
  const char *target = LLVMGetTarget(module);
  if (!*target || str_starts(target, "x86_64"))
    return true;
  return err_input(err, input->name, "compile it for x86_64-linux",
                   "is for the target %s, which heddle does not model", target);
}

/* What a program defines hides what its shared libraries define under the same name. */
static void hide(LLVMModuleRef whole, LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  if (LLVMIsDeclaration(value) || linkage == LLVMInternalLinkage ||
      linkage == LLVMPrivateLinkage)
    return;
  const char *name = LLVMGetValueName(value);
  LLVMValueRef known = LLVMIsAFunction(value) ? LLVMGetNamedFunction(whole, name)
                                              : LLVMGetNamedGlobal(whole, name);
  if (known && !LLVMIsDeclaration(known)) {
    LLVMSetComdat(value, NULL);
    LLVMSetLinkage(value, LLVMAvailableExternallyLinkage);
  }
}

static void hide_defined(LLVMModuleRef whole, LLVMModuleRef library) {
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
    hide(whole, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
    hide(whole, g);
}

LLVMModuleRef module_load(LLVMContextRef context, const BitcodeInput *inputs,
                          uint32_t count, Err *err) {
  Diagnostics d = {0};
  LLVMContextSetDiagnosticHandler(context, keep_diagnostic, &d);
  LLVMModuleRef whole = NULL;
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    LLVMModuleRef module = read_module(context, &inputs[i], &d, err);
    good = module && right_target(module, &inputs[i], err);
    if (!good)
      break;
    if (whole && inputs[i].rank)
      hide_defined(whole, module);
    if (!whole) {
      whole = module;
    } else if (LLVMLinkModules2(whole, module)) {
      good = err_input(err, inputs[i].name,
                       "give only files that link into one program", "does not link: %s",
                       d.text.len ? str_text(&d.text) : "unknown reason");
    }
  }
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  str_free(&d.text);
  return good ? whole : NULL;
}
