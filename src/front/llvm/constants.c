/* Constants to expressions, and initialisers to bytes with relocations.
 *
 * Wide integers and float formats that the C interface cannot hand out exactly are read from
 * LLVM's own printed form, which is exact: decimal for integers, hexadecimal with a letter
 * for floats (0xK… for the 80-bit format, 0xL… for 128 bits, 0xH… half, 0xR… bfloat). */
#include "front/llvm/internal.h"

#include <stdlib.h>

uint64_t type_bytes(Translator *t, LLVMTypeRef type) {
  return LLVMABISizeOfType(t->layout, type);
}

Shape shape_of(Translator *t, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return (Shape){SORT_INT, LLVMGetIntTypeWidth(type)};
  case LLVMPointerTypeKind: return (Shape){SORT_PTR, 64};
  case LLVMHalfTypeKind: return (Shape){SORT_FLOAT, 16};
  case LLVMBFloatTypeKind: return (Shape){SORT_BFLOAT, 16};
  case LLVMFloatTypeKind: return (Shape){SORT_FLOAT, 32};
  case LLVMDoubleTypeKind: return (Shape){SORT_FLOAT, 64};
  case LLVMX86_FP80TypeKind: return (Shape){SORT_FLOAT, 80};
  case LLVMFP128TypeKind: return (Shape){SORT_FLOAT, 128};
  case LLVMVectorTypeKind:
    return (Shape){SORT_INT,
                   LLVMGetVectorSize(type) * shape_of(t, LLVMGetElementType(type)).bits};
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind: return (Shape){SORT_INT, (uint32_t)(type_bytes(t, type) * 8)};
  default: return (Shape){SORT_NONE, 0};
  }
}

/* ---- numbers ---- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Decimal text, perhaps negative, to little-endian two's complement. */
static void decimal_bytes(const char *text, uint8_t *bytes, size_t n) {
  bool negative = *text == '-';
  memset(bytes, 0, n);
  for (text += negative; *text >= '0' && *text <= '9'; text++) {
    unsigned carry = (unsigned)(*text - '0');
    for (size_t i = 0; i < n; i++) {
      carry += bytes[i] * 10u;
      bytes[i] = (uint8_t)carry;
      carry >>= 8;
    }
  }
  unsigned carry = 1;
  for (size_t i = 0; negative && i < n; i++) {
    carry += (uint8_t)~bytes[i];
    bytes[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

static void int_bytes(LLVMValueRef constant, uint32_t bits, uint8_t *bytes) {
  size_t n = bits_to_bytes(bits);
  if (bits <= 64) {
    uint64_t value = LLVMConstIntGetZExtValue(constant);
    memcpy(bytes, &value, n);
    return;
  }
  char *text = LLVMPrintValueToString(constant); /* "i128 -5" */
  const char *space = strrchr(text, ' ');
  decimal_bytes(space ? space + 1 : "0", bytes, n);
  if (bits % 8) bytes[n - 1] &= (uint8_t)((1u << bits % 8) - 1);
  LLVMDisposeMessage(text);
}

/* Digits of "0xK…" and its kin, most significant first, into bytes; the 128-bit format prints
 * its low 64 bits first. */
static void hex_bytes(const char *digits, uint32_t bits, bool low_half_first,
                      uint8_t *bytes) {
  size_t n = bits_to_bytes(bits), count = 0;
  while (hex_digit(digits[count]) >= 0) count++;
  memset(bytes, 0, n);
  for (size_t i = 0; i < count && i / 2 < n; i++)
    bytes[i / 2] |= (uint8_t)(hex_digit(digits[count - 1 - i]) << (i % 2 ? 4 : 0));
  if (low_half_first && n == 16)
    for (size_t i = 0; i < 8; i++) {
      uint8_t swap = bytes[i];
      bytes[i] = bytes[i + 8];
      bytes[i + 8] = swap;
    }
}

static void float_bytes(LLVMValueRef constant, Shape shape, uint8_t *bytes) {
  char *text =
      LLVMPrintValueToString(constant); /* "double 1.5e+00", "x86_fp80 0xK4000…" */
  const char *number = strrchr(text, ' ');
  number = number ? number + 1 : text;
  bool hex = number[0] == '0' && number[1] == 'x';
  bool letter = hex && number[2] >= 'G' && number[2] <= 'Z';
  double value = strtod(number, NULL);
  if (hex && !letter) { /* float and double both print the bits of a double */
    uint8_t raw[8];
    hex_bytes(number + 2, 64, false, raw);
    memcpy(&value, raw, 8);
  }
  if (letter) {
    hex_bytes(number + 3, shape.bits, number[2] == 'L', bytes);
  } else if (shape.bits == 32) {
    float narrow = (float)value;
    memcpy(bytes, &narrow, 4);
  } else {
    memcpy(bytes, &value, 8);
  }
  LLVMDisposeMessage(text);
}

/* ---- addresses ---- */

LLVMValueRef function_behind(LLVMValueRef value) {
  for (int depth = 0; value && depth < 32; depth++) {
    if (LLVMIsAFunction(value)) return value;
    if (LLVMIsAGlobalAlias(value))
      value = LLVMAliasGetAliasee(value);
    else if (LLVMIsAConstantExpr(value) &&
             (LLVMGetConstOpcode(value) == LLVMBitCast ||
              LLVMGetConstOpcode(value) == LLVMAddrSpaceCast))
      value = LLVMGetOperand(value, 0);
    else
      return NULL;
  }
  return NULL;
}

FuncId function_of(Translator *t, LLVMValueRef function) {
  FuncId id = (FuncId)map_find(&t->functions, map_key(function), 0);
  if (!id) {
    declare_function(t, function);
    id = (FuncId)map_find(&t->functions, map_key(function), 0);
  }
  return id;
}

uint32_t label_of_block(Translator *t, LLVMBasicBlockRef block) {
  uint64_t *slot = map_at(&t->labels, map_key(block));
  if (!*slot) *slot = builder_new_label(t->b);
  return (uint32_t)*slot;
}

static ExprId constant_operation(Translator *t, LLVMValueRef constant) {
  Shape shape = shape_of(t, LLVMTypeOf(constant));
  ExprId a = constant_expr(t, LLVMGetOperand(constant, 0));
  switch (LLVMGetConstOpcode(constant)) {
  case LLVMGetElementPtr: return gep_expr(t, constant);
  case LLVMPtrToInt:
    return builder_resize(t->b, builder_as(t->b, a, SORT_INT), shape.bits, false);
  case LLVMIntToPtr:
    return builder_as(t->b, builder_resize(t->b, a, 64, false), SORT_PTR);
  case LLVMBitCast:
  case LLVMAddrSpaceCast: return builder_as(t->b, a, shape.sort);
  case LLVMTrunc: return builder_resize(t->b, a, shape.bits, false);
  case LLVMAdd:
    return builder_binary(t->b, EXPR_ADD, a,
                          constant_expr(t, LLVMGetOperand(constant, 1)));
  case LLVMSub:
    return builder_binary(t->b, EXPR_SUB, a,
                          constant_expr(t, LLVMGetOperand(constant, 1)));
  case LLVMMul:
    return builder_binary(t->b, EXPR_MUL, a,
                          constant_expr(t, LLVMGetOperand(constant, 1)));
  case LLVMXor:
    return builder_binary(t->b, EXPR_XOR, a,
                          constant_expr(t, LLVMGetOperand(constant, 1)));
  default:
    builder_assume(t->b, t->body.loc,
                   "a constant expression of an unknown kind is any value");
    return builder_undef(t->b, shape.sort, shape.bits);
  }
}

/* A weak symbol that nobody defines has no address; the C library's are always there. */
static bool is_absent(Translator *t, LLVMValueRef value) {
  if (LLVMGetLinkage(value) != LLVMExternalWeakLinkage || !LLVMIsDeclaration(value) ||
      rules_find(t->rules, plain_name(value)))
    return false;
  builder_assume(t->b, t->body.loc, "weak symbol %s is defined nowhere",
                 plain_name(value));
  return true;
}

static ExprId global_address(Translator *t, LLVMValueRef value) {
  if (is_absent(t, value)) return builder_const(t->b, SORT_PTR, 64, 0);
  if (LLVMIsAFunction(value)) {
    FuncId id = function_of(t, value);
    vec_at(&t->p->functions, id)->flags |= FUNCTION_ADDRESS_TAKEN;
    return builder_func(t->b, id);
  }
  if (LLVMIsAGlobalAlias(value)) return constant_expr(t, LLVMAliasGetAliasee(value));
  if (LLVMIsAGlobalIFunc(value) && chooser_of(t, value)) {
    vec_at(&t->p->functions, chooser_of(t, value))->flags |= FUNCTION_ADDRESS_TAKEN;
    return builder_func(t->b, chooser_of(t, value));
  }
  uint64_t object = map_find(&t->objects, map_key(value), 0);
  if (object) return builder_object(t->b, (ObjectId)object);
  builder_assume(t->b, t->body.loc, "the address of %s is any value", plain_name(value));
  return builder_undef(t->b, SORT_PTR, 64);
}

/* An aggregate or vector constant: its parts inserted one by one, unless it is all bytes. */
static ExprId aggregate_expr(Translator *t, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  Shape shape = shape_of(t, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned n = kind == LLVMStructTypeKind   ? LLVMCountStructElementTypes(type)
               : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                            : (unsigned)LLVMGetArrayLength2(type);
  ExprId whole = builder_const(t->b, SORT_INT, shape.bits, 0);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef part = LLVMGetAggregateElement(constant, i);
    if (!part || LLVMIsUndef(part) || LLVMIsNull(part)) continue;
    ExprId e = constant_expr(t, part);
    uint64_t low;
    if (kind == LLVMStructTypeKind)
      low = LLVMOffsetOfElement(t->layout, type, i) * 8;
    else if (kind == LLVMVectorTypeKind)
      low = (uint64_t)i * builder_bits(t->b, e);
    else
      low = (uint64_t)i * type_bytes(t, LLVMGetElementType(type)) * 8;
    whole = builder_insert(t->b, whole, e, (uint32_t)low);
  }
  return whole;
}

ExprId constant_expr(Translator *t, LLVMValueRef constant) {
  Shape shape = shape_of(t, LLVMTypeOf(constant));
  if (LLVMIsAGlobalValue(constant)) return global_address(t, constant);
  if (LLVMIsUndef(constant) || LLVMIsPoison(constant))
    return builder_undef(t->b, shape.sort, shape.bits);
  if (LLVMIsAConstantInt(constant) && shape.sort == SORT_INT &&
      LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMIntegerTypeKind) {
    uint8_t *bytes = mem_alloc_zero(bits_to_bytes(shape.bits) + 8);
    int_bytes(constant, shape.bits, bytes);
    ExprId e = builder_wide(t->b, SORT_INT, shape.bits, bytes);
    mem_free(bytes);
    return e;
  }
  if (LLVMIsAConstantFP(constant) && shape.sort != SORT_INT) {
    uint8_t bytes[16] = {0};
    float_bytes(constant, shape, bytes);
    return builder_wide(t->b, shape.sort, shape.bits, bytes);
  }
  if (LLVMIsNull(constant)) return builder_const(t->b, shape.sort, shape.bits, 0);
  if (LLVMIsABlockAddress(constant))
    return builder_label(t->b,
                         label_of_block(t, LLVMGetBlockAddressBasicBlock(constant)));
  if (LLVMIsAConstantExpr(constant)) return constant_operation(t, constant);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(constant));
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
      kind == LLVMVectorTypeKind)
    return aggregate_expr(t, constant);
  builder_assume(t->b, t->body.loc, "a constant of an unknown kind is any value");
  return builder_undef(t->b, shape.sort, shape.bits);
}

/* ---- initialisers ---- */

typedef struct {
  uint8_t *bytes;
  uint64_t size;
  ObjectId object;
} Image;

static void image_put(Translator *t, Image *image, LLVMValueRef c, uint64_t offset);

static void image_parts(Translator *t, Image *image, LLVMValueRef c, uint64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind) {
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++)
      image_put(t, image, LLVMGetAggregateElement(c, i),
                offset + LLVMOffsetOfElement(t->layout, type, i));
    return;
  }
  uint64_t n =
      kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : LLVMGetArrayLength2(type);
  uint64_t step = type_bytes(t, LLVMGetElementType(type));
  if (kind == LLVMArrayTypeKind && LLVMIsConstantString(c)) {
    size_t length;
    const char *text = LLVMGetAsString(c, &length);
    memcpy(image->bytes + offset, text, length);
    return;
  }
  for (uint64_t i = 0; i < n; i++)
    image_put(t, image, LLVMGetAggregateElement(c, (unsigned)i), offset + i * step);
}

static void image_put(Translator *t, Image *image, LLVMValueRef c, uint64_t offset) {
  if (!c || LLVMIsUndef(c) || LLVMIsNull(c)) return;
  LLVMTypeRef type = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (!LLVMIsAConstantExpr(c) &&
      (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
       kind == LLVMVectorTypeKind)) {
    image_parts(t, image, c, offset);
    return;
  }
  ExprId e = constant_expr(t, c);
  uint32_t size = bits_to_bytes(builder_bits(t->b, e));
  const Expr *x = vec_at(&t->p->exprs, e);
  assert(offset + size <= image->size);
  if (x->kind == EXPR_CONST)
    memcpy(image->bytes + offset, &x->value, size);
  else if (x->kind == EXPR_WIDE)
    memcpy(image->bytes + offset, &t->p->bytes.data[x->data], size);
  else if (x->kind != EXPR_UNDEF)
    vec_push(&t->p->relocs, (Reloc){.offset = offset, .target = e, .size = size});
}

void object_initialise(Translator *t, ObjectId id, LLVMValueRef initializer) {
  if (LLVMIsNull(initializer) || LLVMIsUndef(initializer)) return;
  Object *object = vec_at(&t->p->objects, id);
  Image image = {
      .bytes = mem_alloc_zero(object->size), .size = object->size, .object = id};
  uint32_t first = t->p->relocs.len;
  image_put(t, &image, initializer, 0);
  uint64_t used = image.size;
  while (used && !image.bytes[used - 1]) used--;
  object->first_reloc = first;
  object->reloc_count = t->p->relocs.len - first;
  object->init = used ? t->p->bytes.len : 0;
  object->init_size = used;
  if (used) memcpy(vec_extend(&t->p->bytes, used), image.bytes, used);
  mem_free(image.bytes);
}
