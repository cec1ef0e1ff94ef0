/* Bitcode or textual IR files to one linked LLVM module.
 *
 * Files are read one after the other and linked into the first. Debug records are turned
 * back into llvm.dbg.declare calls, which is the form that the C interface can read. */
#include "front/llvm/internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
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
      if (*--p == ':') colons++;
    if (colons == 2) sscanf(p, ":%d:%d", &line, &column);
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
  if (!*target || str_starts(target, "x86_64")) return true;
  return err_input(err, input->name, "compile it for x86_64-linux",
                   "is for the target %s, which heddle does not model", target);
}

/* ---- what has been linked so far ----
 *
 * LLVM's linker looks at all of the module that it links into, each time. So units are linked in groups, and the
 * groups in the end: with n units that is n to the power of 1.5 instead of n². */

typedef struct {
  VEC(LLVMModuleRef) groups; /* the last one grows */
  uint32_t in_last;          /* units */
  uint32_t most;             /* units in a group */
} Linked;

static bool is_local(LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* The definition of that name in one group, or NULL. */
static LLVMValueRef definition_in(LLVMModuleRef group, LLVMValueRef like) {
  const char *name = LLVMGetValueName(like);
  LLVMValueRef known = LLVMIsAFunction(like) ? LLVMGetNamedFunction(group, name)
                                             : LLVMGetNamedGlobal(group, name);
  return known && !LLVMIsDeclaration(known) && !is_local(known) ? known : NULL;
}

/* … and in any, rather one that counts than one that is only available. */
static LLVMValueRef definition_of(const Linked *linked, LLVMValueRef like) {
  LLVMValueRef found = NULL;
  for (uint32_t i = 0; i < linked->groups.len; i++) {
    LLVMValueRef known = definition_in(linked->groups.data[i], like);
    if (!known) continue;
    if (LLVMGetLinkage(known) != LLVMAvailableExternallyLinkage) return known;
    if (!found) found = known;
  }
  return found;
}

/* What a program defines hides what its shared libraries define under the same name. */
static void hide(const Linked *linked, LLVMValueRef value) {
  if (LLVMIsDeclaration(value) || is_local(value) || !definition_of(linked, value))
    return;
  LLVMSetComdat(value, NULL);
  LLVMSetLinkage(value, LLVMAvailableExternallyLinkage);
}

static void hide_defined(const Linked *linked, LLVMModuleRef library) {
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
    hide(linked, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
    hide(linked, g);
}

/* ---- inline functions ----
 *
 * An inline function whose definition may be elsewhere is available_externally: LLVM's
 * linker takes the definition elsewhere if there is one, and otherwise the first of these.
 * C leaves open which one a call uses; as headers give the same one to all units, that is
 * the same. Units that define different ones under one name keep each its own. */

/* Where the function is defined: its file, and the line as a number. */
static bool same_place(LLVMValueRef a, LLVMValueRef b) {
  LLVMMetadataRef x = LLVMGetSubprogram(a), y = LLVMGetSubprogram(b);
  if (!x || !y) return x == y;
  LLVMMetadataRef f = LLVMDIScopeGetFile(x), g = LLVMDIScopeGetFile(y);
  unsigned n = 0, m = 0;
  const char *file = f ? LLVMDIFileGetFilename(f, &n) : "";
  const char *other = g ? LLVMDIFileGetFilename(g, &m) : "";
  return LLVMDISubprogramGetLine(x) == LLVMDISubprogramGetLine(y) && n == m &&
         memcmp(file, other, n) == 0;
}

static bool is_available(LLVMValueRef f) {
  return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage;
}

/* The instances of C++ templates that a library promises to have stay the library's. */
static bool is_instance(LLVMValueRef value) {
  return LLVMGetLinkage(value) == LLVMAvailableExternallyLinkage &&
         str_starts(LLVMGetValueName(value), "_Z");
}

static void drop_body(LLVMValueRef f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
    }
  while (LLVMGetFirstBasicBlock(f)) LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(f));
  LLVMSetLinkage(f, LLVMExternalLinkage);
  LLVMSetSubprogram(f, NULL);
}

static void settle_inline(const Linked *linked, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_available(f)) continue;
    if (is_instance(f)) {
      drop_body(f);
      continue;
    }
    LLVMValueRef known = definition_of(linked, f);
    if (known && is_available(known) && !same_place(known, f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetInitializer(g) && is_instance(g)) {
      LLVMSetInitializer(g, NULL);
      LLVMSetLinkage(g, LLVMExternalLinkage);
    }
}

/* ---- files that can be compiled in several ways ---- */

static bool has_main(LLVMContextRef context, const BitcodeInput *input, Diagnostics *d) {
  Err ignored = {0};
  LLVMModuleRef module = read_module(context, input, d, &ignored);
  err_free(&ignored);
  if (!module) return false;
  LLVMValueRef f = LLVMGetNamedFunction(module, "main");
  bool has = f && !LLVMIsDeclaration(f);
  LLVMDisposeModule(module);
  return has;
}

/* The unit that stands for another one: the first of the alternatives with main, if no
 * other unit has it. unit_count if there is none. */
static uint32_t chosen_alternative(LLVMContextRef context,
                                   const TranslateRequest *request, Diagnostics *d) {
  uint32_t n = request->unit_count, chosen = n;
  bool any = false;
  for (uint32_t i = 0; i < n; i++) any = any || request->units[i].instead;
  for (uint32_t i = 0; any && i < n; i++) {
    bool alternative = request->units[i].instead;
    if ((alternative && chosen < n) || !has_main(context, &request->units[i], d))
      continue;
    if (!alternative) return n;
    chosen = i;
  }
  str_clear(&d->text);
  return chosen;
}

static bool is_taken(const BitcodeInput *units, uint32_t i, uint32_t count,
                     uint32_t chosen) {
  if (chosen < count && i + 1 == units[chosen].instead) return false;
  return !units[i].instead || i == chosen;
}

/* Static functions and variables that the last unit uses by name. */
static void export_names(LLVMModuleRef module, const TranslateRequest *request) {
  for (uint32_t i = 0; i < request->exported_count; i++) {
    LLVMValueRef value = LLVMGetNamedFunction(module, request->exported[i]);
    if (!value) value = LLVMGetNamedGlobal(module, request->exported[i]);
    if (value && !LLVMIsDeclaration(value) &&
        LLVMGetLinkage(value) == LLVMInternalLinkage)
      LLVMSetLinkage(value, LLVMExternalLinkage);
  }
}

/* The first name that both this unit and a finished group define for all to see, or NULL. */
static const char *defined_twice(const Linked *linked, LLVMModuleRef module) {
  for (uint32_t i = 0; i + 1 < linked->groups.len; i++) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
      if (LLVMGetLinkage(f) == LLVMExternalLinkage && !LLVMIsDeclaration(f)) {
        LLVMValueRef known = definition_in(linked->groups.data[i], f);
        if (known && LLVMGetLinkage(known) == LLVMExternalLinkage)
          return LLVMGetValueName(f);
      }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
      if (LLVMGetLinkage(g) == LLVMExternalLinkage && !LLVMIsDeclaration(g)) {
        LLVMValueRef known = definition_in(linked->groups.data[i], g);
        if (known && LLVMGetLinkage(known) == LLVMExternalLinkage)
          return LLVMGetValueName(g);
      }
  }
  return NULL;
}

static bool does_not_link(const char *input, const char *why, Err *err) {
  return err_input(err, input, "give only files that link into one program",
                   "does not link: %s", *why ? why : "unknown reason");
}

static bool link_unit(Linked *linked, LLVMModuleRef module, const BitcodeInput *input,
                      const Diagnostics *d, Err *err) {
  if (linked->groups.len && linked->in_last >= linked->most) linked->in_last = 0;
  if (!linked->in_last) {
    vec_push(&linked->groups, module);
  }
  const char *twice = defined_twice(linked, module);
  if (twice) {
    char *why = str_printf("Linking globals named '%s': symbol multiply defined!", twice);
    does_not_link(input->name, why, err);
    mem_free(why);
    return false;
  }
  if (linked->in_last++ && LLVMLinkModules2(*vec_last(&linked->groups), module))
    return does_not_link(input->name, str_text(&d->text), err);
  return true;
}

static LLVMModuleRef link_groups(Linked *linked, const Diagnostics *d, Err *err) {
  for (uint32_t i = 1; i < linked->groups.len; i++)
    if (LLVMLinkModules2(linked->groups.data[0], linked->groups.data[i])) {
      does_not_link(NULL, str_text(&d->text), err);
      return NULL;
    }
  return linked->groups.len ? linked->groups.data[0] : NULL;
}

/* Few units gain nothing by it. */
static uint32_t group_size(uint32_t units) {
  uint32_t size = 8;
  while (size * size < units) size++;
  return size;
}

LLVMModuleRef module_load(LLVMContextRef context, const TranslateRequest *request,
                          Err *err) {
  const BitcodeInput *inputs = request->units;
  Diagnostics d = {0};
  LLVMContextSetDiagnosticHandler(context, keep_diagnostic, &d);
  Linked linked = {.most = group_size(request->unit_count)};
  bool good = true;
  uint32_t chosen = chosen_alternative(context, request, &d);
  for (uint32_t i = 0; i < request->unit_count && good; i++) {
    if (!is_taken(inputs, i, request->unit_count, chosen)) continue;
    if (request->mark) *request->mark = (TranslateMark){.reading = true, .unit = i};
    LLVMModuleRef module = read_module(context, &inputs[i], &d, err);
    good = module && right_target(module, &inputs[i], err);
    if (!good) break;
    settle_inline(&linked, module);
    export_names(module, request);
    if (linked.groups.len && inputs[i].rank) hide_defined(&linked, module);
    good = link_unit(&linked, module, &inputs[i], &d, err);
  }
  LLVMModuleRef whole = good ? link_groups(&linked, &d, err) : NULL;
  if (request->mark) request->mark->reading = false;
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  vec_free(&linked.groups);
  str_free(&d.text);
  return whole;
}
