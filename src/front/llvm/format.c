/* Format strings: %n is the one directive by which printing writes to an argument.
 *
 * The library table says of each function what all its calls do, and nearly no program uses %n.
 * So printing functions also write what they read behind the format, but only in a program some
 * literal of which contains %n; there, a direct call with a constant format without it goes to a
 * twin of the function that does not write. A format that a program without such a literal puts
 * together is assumed to have none. */
#include "front/llvm/internal.h"

#include <string.h>

enum { VA_LIST_BYTES = 24 };

/* ---- which functions print ---- */

/* The effect that reads what the directives print, and in *ret_format the number of the format:
 * the last named argument that is read, or the one before a va_list. Others of that shape (execl)
 * do no harm among them. */
static const Effect *printed(const Translator *t, const Function *f,
                             uint32_t *ret_format) {
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&t->p->effects, f->first_effect + i);
    bool rest = x->arg == ARG_VARARGS, any = false;
    bool list = (x->flags & EFFECT_CONTENT) && x->extent == EXTENT_BYTES &&
                x->size == VA_LIST_BYTES;
    if (x->kind != EFFECT_READ || (!rest && !list)) continue;
    for (uint32_t k = 0; k < f->effect_count; k++) {
      const Effect *text = vec_at(&t->p->effects, f->first_effect + k);
      if (text->kind != EFFECT_READ || text == x || text->arg >= ARG_KEPT ||
          (!rest && text->arg + 1 != x->arg))
        continue;
      *ret_format = any && *ret_format > text->arg ? *ret_format : text->arg;
      any = true;
    }
    if (any) return x;
  }
  return NULL;
}

/* ---- which texts contain %n ---- */

static bool has_count_directive(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '%') continue;
    for (i++; i < length && text[i] && strchr("0123456789-+ #'*.$hlLqjzt", text[i]);) i++;
    if (i < length && text[i] == 'n') return true;
  }
  return false;
}

/* Wide characters, one by one. */
static void add_wide(LLVMValueRef constant, Str *out) {
  uint64_t n = LLVMGetArrayLength2(LLVMTypeOf(constant));
  for (uint64_t i = 0; i < n; i++) {
    LLVMValueRef c = LLVMGetAggregateElement(constant, (unsigned)i);
    uint64_t code = c && LLVMIsAConstantInt(c) ? LLVMConstIntGetZExtValue(c) : 'x';
    str_add_char(out, code < 128 ? (char)code : 'x');
  }
}

/* Anywhere in an initial value: also in structures, and in arrays that are not constant. */
static bool contains_count(LLVMValueRef value) {
  if (LLVMIsAConstantDataArray(value)) {
    if (LLVMIsConstantString(value)) {
      size_t length;
      const char *narrow = LLVMGetAsString(value, &length);
      return has_count_directive(narrow, length);
    }
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(element) > 32)
      return false;
    Str text = {0};
    add_wide(value, &text);
    bool found = has_count_directive(str_text(&text), text.len);
    str_free(&text);
    return found;
  }
  if (!LLVMIsAConstantArray(value) && !LLVMIsAConstantStruct(value)) return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (contains_count(LLVMGetOperand(value, (unsigned)i))) return true;
  return false;
}

static bool program_counts(Translator *t) {
  if (t->counting) return t->counting == 2;
  t->counting = 1;
  for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g && t->counting == 1;
       g = LLVMGetNextGlobal(g)) {
    LLVMValueRef value = LLVMGetInitializer(g);
    if (value && contains_count(value)) t->counting = 2;
  }
  return t->counting == 2;
}

/* ---- functions and calls ---- */

/* Somebody may call it through a pointer. */
static bool is_address_taken(LLVMValueRef function) {
  for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (!call || LLVMGetCalledValue(user) != function) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function) return true;
  }
  return false;
}

static void assume_no_count(Translator *t, LocId loc) {
  builder_assume(t->b, loc, "a format string that is not constant contains no %%n");
}

void format_declare(Translator *t, LLVMValueRef function, FuncId id) {
  uint32_t at;
  Function *f = vec_at(&t->p->functions, id);
  const Effect *reads = printed(t, f, &at);
  if (!reads) return;
  if (!program_counts(t)) {
    if (is_address_taken(function)) assume_no_count(t, 0);
    return;
  }
  Effect writes =
      *reads; /* the function's effects are the last ones: this one follows them */
  assert(f->first_effect + f->effect_count == t->p->effects.len);
  writes.kind = EFFECT_WRITE;
  vec_push(&t->p->effects, writes);
  f->effect_count++;
}

/* The function as it is without %n: all its effects but the last. */
static FuncId plain_twin(Translator *t, FuncId id) {
  Str key = {0};
  str_addf(&key, "\002%u", id);
  uint64_t *slot = strmap_at(&t->library, str_text(&key), key.len);
  str_free(&key);
  if (!*slot) {
    Function twin = *vec_at(&t->p->functions, id);
    twin.effect_count--;
    *slot = t->p->functions.len;
    vec_push(&t->p->functions, twin);
  }
  return (FuncId)*slot;
}

static bool is_constant(LLVMValueRef format) {
  return LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format) &&
         LLVMGetInitializer(format);
}

FuncId format_callee(Translator *t, LLVMValueRef call, FuncId id) {
  uint32_t at;
  const Function *f = vec_at(&t->p->functions, id);
  if (!(f->flags & FUNCTION_RULE) || !printed(t, f, &at) ||
      at >= LLVMGetNumArgOperands(call))
    return id;
  LLVMValueRef format = LLVMGetOperand(call, at);
  bool constant = is_constant(format);
  if (program_counts(t))
    return constant && !contains_count(LLVMGetInitializer(format)) ? plain_twin(t, id)
                                                                   : id;
  if (!constant) assume_no_count(t, t->body.loc);
  return id;
}
