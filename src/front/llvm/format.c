/* Format strings: %n is the one directive by which printing writes to an argument.
 *
 * The library table says of each function what all its calls do, and nearly no call uses %n. So
 * a call whose constant format contains it goes to a twin of the function that also writes what
 * the table says is read behind the format. So does a call whose format is not constant, if any
 * literal of the program contains %n; if none does, the format is assumed to be without. */
#include "front/llvm/internal.h"

#include <string.h>

/* The effect that reads what the directives print, and in *ret_format the argument before it. */
static const Effect *printed(const Translator *t, const Function *f, uint32_t *ret_format) {
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&t->p->effects, f->first_effect + i);
    bool list = (x->flags & EFFECT_CONTENT) != 0;
    if (x->kind != EFFECT_READ || (x->arg != ARG_VARARGS && !list)) continue;
    uint32_t behind = x->arg == ARG_VARARGS ? f->param_count : x->arg;
    for (uint32_t k = 0; behind && k < f->effect_count; k++) {
      const Effect *format = vec_at(&t->p->effects, f->first_effect + k);
      *ret_format = behind - 1;
      if (format->kind == EFFECT_READ && format->extent == EXTENT_STRING &&
          format->arg == behind - 1)
        return x;
    }
  }
  return NULL;
}

static bool has_count_directive(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '%') continue;
    for (i++; i < length && text[i] && strchr("0123456789-+ #'*.$hlLqjzt", text[i]);) i++;
    if (i < length && text[i] == 'n') return true;
  }
  return false;
}

/* The text of a constant string; NULL for anything else. */
static const char *constant_text(LLVMValueRef value, size_t *ret_length) {
  if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value)) return NULL;
  LLVMValueRef text = LLVMGetInitializer(value);
  if (text && LLVMIsAConstantAggregateZero(text)) {
    *ret_length = 0;
    return "";
  }
  return text && LLVMIsConstantString(text) ? LLVMGetAsString(text, ret_length) : NULL;
}

/* Where no literal of the program contains %n, no format can, unless it is put together. */
static bool has_counting_literal(Translator *t) {
  LLVMValueRef global = t->counting ? NULL : LLVMGetFirstGlobal(t->module);
  if (!t->counting) t->counting = 1;
  for (; global && t->counting == 1; global = LLVMGetNextGlobal(global)) {
    size_t length;
    const char *text = constant_text(global, &length);
    if (text && has_count_directive(text, length)) t->counting = 2;
  }
  return t->counting == 2;
}

static FuncId counting_twin(Translator *t, FuncId id, const Effect *reads) {
  Str key = {0};
  str_addf(&key, "\002%s", sym_text(t->p, vec_at(&t->p->functions, id)->name));
  uint64_t *slot = strmap_at(&t->library, str_text(&key), key.len);
  str_free(&key);
  if (!*slot) {
    Function twin = *vec_at(&t->p->functions, id);
    Effect writes = *reads;
    uint32_t first = t->p->effects.len;
    for (uint32_t i = 0; i < twin.effect_count; i++) {
      Effect same = *vec_at(&t->p->effects, twin.first_effect + i);
      vec_push(&t->p->effects, same);
    }
    writes.kind = EFFECT_WRITE;
    vec_push(&t->p->effects, writes);
    twin.first_effect = first;
    twin.effect_count++;
    *slot = t->p->functions.len;
    vec_push(&t->p->functions, twin);
  }
  return (FuncId)*slot;
}

FuncId format_callee(Translator *t, LLVMValueRef call, FuncId id) {
  uint32_t at;
  const Function *f = vec_at(&t->p->functions, id);
  const Effect *reads = f->flags & FUNCTION_RULE ? printed(t, f, &at) : NULL;
  if (!reads || at >= LLVMGetNumArgOperands(call)) return id;
  size_t length;
  const char *text = constant_text(LLVMGetOperand(call, at), &length);
  if (text) return has_count_directive(text, length) ? counting_twin(t, id, reads) : id;
  if (has_counting_literal(t)) return counting_twin(t, id, reads);
  builder_assume(t->b, t->body.loc, "a format string that is not constant contains no %%n");
  return id;
}
