/* Variables to which more happens than the C text says.
 *
 * A name that the linker defines (the bounds of a section, the end of the data) lies on variables that have
 * names of their own, or between them. Functions that stand in certain sections are called before main or after
 * it, as constructors and destructors are. And assembly may give a variable a second name, use it, or call a
 * function, in ways that are not read here: what it says of its operands is all that is known of it, and a name in its
 * text is no operand. If what happens is not known the variable or function is marked, and nothing is proved
 * of a program that has one. */
#include "front/llvm/internal.h"

#include <ctype.h>
#include <stdlib.h>

/* As the linkers of binutils and LLVM define them, with or without underscores in front. */
static bool is_named_by_linker(const char *name) {
  static const char *const names[] = {"end",
                                      "etext",
                                      "edata",
                                      "bss_start",
                                      "data_start",
                                      "init_array_start",
                                      "init_array_end",
                                      "fini_array_start",
                                      "fini_array_end",
                                      "preinit_array_start",
                                      "preinit_array_end",
                                      "ehdr_start",
                                      "executable_start",
                                      "GLOBAL_OFFSET_TABLE_",
                                      "DYNAMIC"};
  if (str_starts(name, "__start_") || str_starts(name, "__stop_")) return true;
  while (*name == '_') name++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* ---- functions that the loader calls ---- */

static bool has_prefix(const char *section, const char *const *prefixes) {
  for (; section && *prefixes; prefixes++)
    if (str_starts(section, *prefixes)) return true;
  return false;
}

static const char *const before_main[] = {".preinit_array", ".init_array", ".ctors",
                                          NULL};
static const char *const after_main[] = {".fini_array", ".dtors", NULL};
static const char *const code[] = {".init", ".fini", NULL}; /* pieces of a function */

static LLVMValueRef entry_of(LLVMValueRef initializer, unsigned i) {
  bool array = LLVMGetTypeKind(LLVMTypeOf(initializer)) == LLVMArrayTypeKind;
  LLVMValueRef entry = array ? LLVMGetAggregateElement(initializer, i) : initializer;
  return entry ? function_behind(entry) : NULL;
}

static uint64_t entry_count(LLVMValueRef initializer) {
  LLVMTypeRef type = LLVMTypeOf(initializer);
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : 1;
}

/* The number behind the name, and the last place without one. */
static uint32_t priority_of(const char *section) {
  const char *dot = strrchr(section, '.');
  return dot > section ? (uint32_t)strtoul(dot + 1, NULL, 10) : 65535;
}

void startups_in_sections(Translator *t, bool constructors, StartupVec *found) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g; g = LLVMGetNextGlobal(g)) {
    const char *section = LLVMGetSection(g);
    LLVMValueRef initializer = LLVMGetInitializer(g);
    if (!initializer || !has_prefix(section, constructors ? before_main : after_main))
      continue;
    for (uint64_t i = 0; i < entry_count(initializer); i++) {
      LLVMValueRef function = entry_of(initializer, (unsigned)i);
      if (function)
        vec_push(found, ((Startup){function_of(t, function), priority_of(section)}));
    }
  }
}

/* Something runs that is not known: an entry that is no function, or bare code. */
static bool is_run_by_loader(LLVMValueRef variable) {
  const char *section = LLVMGetSection(variable);
  LLVMValueRef initializer = LLVMGetInitializer(variable);
  if (!has_prefix(section, before_main) && !has_prefix(section, after_main))
    return has_prefix(section, code);
  for (uint64_t i = 0; initializer && i < entry_count(initializer); i++)
    if (!entry_of(initializer, (unsigned)i)) return true;
  return !initializer;
}

/* ---- assembly ---- */

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool stands_in(const char *name, const char *text, size_t length) {
  size_t n = strlen(name);
  for (size_t i = 0; n && i + n <= length; i++)
    if (memcmp(text + i, name, n) == 0 && (i == 0 || !is_word(text[i - 1])) &&
        (i + n == length || !is_word(text[i + n])))
      return true;
  return false;
}

/* What stands before an instruction. */
static bool is_prefix(const char *word, size_t n) {
  static const char *const prefixes[] = {"lock",     "rep",     "repe",   "repz",
                                         "repne",    "repnz",   "data16", "notrack",
                                         "xacquire", "xrelease"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strlen(prefixes[i]) == n && memcmp(prefixes[i], word, n) == 0) return true;
  return false;
}

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Notes the words of the text that are neither instructions nor registers. A version of a symbol (.symver) is
 * one more name for those outside. */
static void note_words(Translator *t, const char *text, size_t length) {
  bool first = true, skip = false; /* the next word is an instruction; nothing is meant */
  for (size_t i = 0; i < length; i++) {
    if (text[i] == ';' || text[i] == '\n') first = true, skip = false;
    size_t n = 0;
    while (i + n < length && is_letter(text[i + n])) n++;
    if (!n) continue;
    bool label = i + n < length && text[i + n] == ':' && first;
    if (!first && !skip && (i == 0 || text[i - 1] != '%'))
      *strmap_at(&t->named, text + i, n) = 1;
    if (first && !label) {
      skip = n == strlen(".symver") && memcmp(text + i, ".symver", n) == 0;
      first = is_prefix(text + i, n);
    }
    i += n - 1;
  }
}

/* Functions that the assembly is handed as numbers: call %P0. */
static void note_handed(Translator *t, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef function = function_behind(LLVMGetOperand(call, i));
    const char *name = function ? plain_name(function) : "";
    *strmap_at(&t->named, name, strlen(name)) = 1;
  }
}

void note_assembly(Translator *t) {
  size_t length;
  const char *text = LLVMGetModuleInlineAsm(t->module, &length);
  note_words(t, text, length);
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
           i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op != LLVMCall && op != LLVMInvoke && op != LLVMCallBr) continue;
        LLVMValueRef called = LLVMGetCalledValue(i);
        if (!LLVMIsAInlineAsm(called)) continue;
        text = LLVMGetInlineAsmAsmString(called, &length);
        note_words(t, text, length);
        note_handed(t, i);
      }
}

bool is_named_by_assembly(Translator *t, LLVMValueRef global) {
  return strmap_find(&t->named, plain_name(global), 0);
}

bool variable_is_placed(Translator *t, LLVMValueRef variable) {
  size_t length;
  const char *assembly = LLVMGetModuleInlineAsm(t->module, &length);
  const char *name = plain_name(variable);
  return (LLVMIsDeclaration(variable) && is_named_by_linker(name)) ||
         is_run_by_loader(variable) || stands_in(name, assembly, length) ||
         is_named_by_assembly(t, variable);
}
