/* What a pointer designates, in the words of the source: conn->queue.head, not %17+24.
 *
 * A path is found by walking from the pointer back to the variable it started from: loads
 * are dereferences, getelementptr steps are fields and subscripts. Opaque pointers carry no
 * types, so the C type comes along from the debug information of the variable and, where a
 * cast changed it, from the name of the structure that the getelementptr mentions.
 *
 * Names are for people: nothing in the analysis depends on them. */
#include "front/llvm/internal.h"

enum { DEPTH_LIMIT = 16, TEXT_LIMIT = 160 };

typedef struct {
  Str text;
  bool deref;  /* the place is *text rather than text itself */
  bool opened; /* text is an operator expression that needs parentheses before . or [] */
  TypeId type; /* of the place, 0 if unknown */
} Place;

static bool place_of(Translator *t, LLVMValueRef pointer, Place *place, int depth);
static void value_text(Translator *t, LLVMValueRef value, Str *out, int depth);

/* ---- types along the way ---- */

static TypeId element_type(Translator *t, TypeId type) {
  TypeId plain = type_strip(t, type);
  if (!plain) return 0;
  const Type *x = type_at(t, plain);
  return x->kind == TYPE_POINTER || x->kind == TYPE_ARRAY ? x->elem : 0;
}

static bool is_aggregate(Translator *t, TypeId type) {
  TypeId plain = type_strip(t, type);
  TypeKind kind = plain ? type_at(t, plain)->kind : TYPE_NONE;
  return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

static bool is_array(Translator *t, TypeId type) {
  TypeId plain = type_strip(t, type);
  return plain && type_at(t, plain)->kind == TYPE_ARRAY;
}

/* ---- building the text ---- */

static void add_member(Translator *t, Place *place, const Field *field) {
  if (!field->name) { /* anonymous: its members are named as if they were ours */
    place->type = field->type;
    return;
  }
  if (place->opened) {
    Str wrapped = {0};
    str_addf(&wrapped, "(%s)", str_text(&place->text));
    str_free(&place->text);
    place->text = wrapped;
    place->opened = false;
  }
  str_addf(&place->text, "%s%s", place->deref ? "->" : ".", sym_text(t->p, field->name));
  place->deref = false;
  place->type = field->type;
}

static void add_subscript(Translator *t, Place *place, LLVMValueRef index, int depth) {
  if (place->opened) {
    Str wrapped = {0};
    str_addf(&wrapped, "(%s)", str_text(&place->text));
    str_free(&place->text);
    place->text = wrapped;
    place->opened = false;
  }
  str_add_char(&place->text, '[');
  value_text(t, index, &place->text, depth + 1);
  str_add_char(&place->text, ']');
}

/* What kind of value an access moves, as far as it tells union members apart. */
static TypeKind access_class(Translator *t, LLVMTypeRef type) {
  Sort sort = shape_of(t, type).sort;
  return sort == SORT_PTR ? TYPE_POINTER : sort == SORT_INT ? TYPE_INT : TYPE_FLOAT;
}

static TypeKind member_class(Translator *t, TypeId type) {
  TypeId plain = type_strip(t, type);
  TypeKind kind = plain ? type_at(t, plain)->kind : TYPE_NONE;
  return kind == TYPE_POINTER || kind == TYPE_FLOAT ? kind : TYPE_INT;
}

/* The member that covers the bits [low, low + bits) of the aggregate, the smallest if there
 * are several, and among those of one size the first, or the first of the class `like`. NULL
 * when there is none. */
static const Field *member_at(Translator *t, TypeId type, uint64_t low, uint64_t bits,
                              bool exact, TypeKind like) {
  TypeId plain = type_strip(t, type);
  if (!plain) return NULL;
  const Type *x = type_at(t, plain);
  if (x->kind != TYPE_STRUCT && x->kind != TYPE_UNION) return NULL;
  const Field *best = NULL;
  for (uint32_t i = 0; i < x->field_count; i++) {
    const Field *f = vec_at(&t->p->fields, x->first_field + i);
    if (f->bit_offset > low || low + bits > f->bit_offset + f->bit_size) continue;
    if (exact && f->bit_size != bits) continue;
    bool better =
        !best || f->bit_size < best->bit_size ||
        (f->bit_size == best->bit_size && like != TYPE_NONE &&
         member_class(t, best->type) != like && member_class(t, f->type) == like);
    if (better) best = f;
  }
  return best;
}

/* Into the member at byte `offset` of an aggregate place; false if none is known. */
static bool enter_offset(Translator *t, Place *place, uint64_t offset) {
  const Field *f = NULL;
  TypeId plain = type_strip(t, place->type);
  const Type *x = plain ? type_at(t, plain) : NULL;
  for (uint32_t i = 0; x && i < x->field_count; i++) {
    const Field *candidate = vec_at(&t->p->fields, x->first_field + i);
    if (candidate->bit_offset == offset * 8 && !candidate->is_bitfield) {
      f = candidate;
      break;
    }
  }
  if (!f) return false;
  Field copy = *f;
  add_member(t, place, &copy);
  return true;
}

/* ---- getelementptr ---- */

static bool is_zero(LLVMValueRef index) {
  return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0;
}

/* A union's members at offset 0 take no step of their own: into the one that is laid out like
 * the structure that is really used. */
static void enter_union(Translator *t, Place *place, LLVMTypeRef type) {
  TypeId plain = type_strip(t, place->type);
  if (!plain || type_at(t, plain)->kind != TYPE_UNION) return;
  const Type *x = type_at(t, plain);
  for (uint32_t i = 0; i < x->field_count; i++) {
    Field f = *vec_at(&t->p->fields, x->first_field + i);
    TypeId inner = type_strip(t, f.type);
    if (!inner || type_at(t, inner)->kind != TYPE_STRUCT ||
        type_at(t, inner)->size != type_bytes(t, type) ||
        type_at(t, inner)->field_count < LLVMCountStructElementTypes(type))
      continue;
    add_member(t, place, &f);
    return;
  }
}

static bool enter_field(Translator *t, Place *place, LLVMTypeRef type, unsigned field) {
  enter_union(t, place, type);
  TypeId named = type_of_struct(t, type);
  TypeId plain = type_strip(t, place->type);
  /* a cast: believe the structure that is really used */
  if (named && plain != named &&
      (!is_aggregate(t, plain) || type_at(t, plain)->size != type_at(t, named)->size)) {
    if (is_aggregate(t, plain) && !place->deref) {
      /* the first member of an enclosing structure, reached without a step of its own */
      const Field *first =
          member_at(t, plain, 0, type_at(t, named)->size * 8, true, TYPE_NONE);
      if (first) {
        Field copy = *first;
        add_member(t, place, &copy);
      }
    }
    place->type = named;
  }
  return enter_offset(t, place, LLVMOffsetOfElement(t->layout, type, field));
}

/* The same for an array: the first member of a global structure takes no step of its own. */
static void enter_array(Translator *t, Place *place, LLVMTypeRef array) {
  uint64_t bits = type_bytes(t, array) * 8;
  for (int depth = 0; depth < DEPTH_LIMIT && is_aggregate(t, place->type); depth++) {
    TypeId plain = type_strip(t, place->type);
    const Field *f = member_at(t, plain, 0, bits, true, TYPE_NONE);
    if (!f) f = member_at(t, plain, 0, bits, false, TYPE_NONE);
    if (!f || f->is_bitfield) return;
    Field copy = *f;
    add_member(t, place, &copy);
  }
}

static bool walk_gep(Translator *t, LLVMValueRef gep, Place *place, int depth) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int n = LLVMGetNumOperands(gep);
  for (int i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i == 1) {
      if (is_zero(index) && n > 2) continue;
      if (is_array(t, place->type) && !place->deref)
        place->type = element_type(t, place->type); /* array to pointer, no step */
      else if (!place->deref)
        return false; /* arithmetic on the address of a plain variable */
      place->deref = false;
      add_subscript(t, place, index, depth);
      continue;
    }
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      bool good = enter_field(t, place, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      if (!good && i + 1 < n) return false;
      if (!good) place->type = 0;
      continue;
    }
    if (!place->deref) enter_array(t, place, type);
    type = LLVMGetElementType(type);
    if (i == n - 1 && is_zero(index) && LLVMIsAGetElementPtrInst(gep) &&
        str_starts(LLVMGetValueName(gep), "arraydecay"))
      continue;         /* the array itself, used as a pointer */
    if (place->deref) { /* pointer to array: (*p)[i] */
      Str wrapped = {0};
      str_addf(&wrapped, "(*%s)", str_text(&place->text));
      str_free(&place->text);
      place->text = wrapped;
      place->deref = false;
    }
    add_subscript(t, place, index, depth);
    place->type = element_type(t, place->type);
  }
  return true;
}

/* ---- places ---- */

static bool place_of_variable(Translator *t, Sym name, TypeId type, Place *place) {
  if (!name) return false;
  str_add(&place->text, sym_text(t->p, name));
  place->type = type;
  return true;
}

static bool place_of_load(Translator *t, LLVMValueRef load, Place *place, int depth) {
  if (!place_of(t, LLVMGetOperand(load, 0), place, depth + 1)) return false;
  if (place->deref) {
    Str star = {0};
    str_addf(&star, "*%s", str_text(&place->text));
    str_free(&place->text);
    place->text = star;
    place->opened = true;
  }
  place->deref = true;
  place->type = element_type(t, place->type);
  return true;
}

static bool place_of(Translator *t, LLVMValueRef p, Place *place, int depth) {
  if (depth > DEPTH_LIMIT) return false;
  uint64_t *local = map_get(&t->body.variables, map_key(p));
  if (local) {
    const Local *l = vec_at(&t->p->locals, *local);
    return place_of_variable(t, l->name, l->type, place);
  }
  uint64_t *object = map_get(&t->body.memory, map_key(p));
  if (!object && LLVMIsAGlobalVariable(p)) object = map_get(&t->objects, map_key(p));
  if (object) {
    const Object *o = vec_at(&t->p->objects, *object);
    return place_of_variable(t, o->name, o->type, place);
  }
  if (LLVMIsALoadInst(p)) return place_of_load(t, p, place, depth);
  if (is_gep(p))
    return place_of(t, LLVMGetOperand(p, 0), place, depth + 1) &&
           walk_gep(t, p, place, depth);
  if (LLVMIsAFunction(p)) {
    str_add(&place->text, plain_name(p));
    return true;
  }
  if (LLVMIsAArgument(p)) {
    uint64_t value = map_find(&t->body.values, map_key(p), 0);
    const Expr *e = vec_at(&t->p->exprs, value);
    if (e->kind == EXPR_OBJECT) {
      const Object *o = vec_at(&t->p->objects, e->data);
      return place_of_variable(t, o->name, o->type, place);
    }
    place->deref = true;
    const Local *l = e->kind == EXPR_LOCAL ? vec_at(&t->p->locals, e->data) : NULL;
    return l && place_of_variable(t, l->name, element_type(t, l->type), place);
  }
  if (LLVMIsACallInst(p)) {
    LLVMValueRef callee = function_behind(LLVMGetCalledValue(p));
    if (!callee) return false;
    if (str_starts(plain_name(callee), "llvm.threadlocal.address"))
      return place_of(t, LLVMGetOperand(p, 0), place, depth + 1);
    if (str_starts(plain_name(callee), "llvm.")) return false;
    str_addf(&place->text, "%s()", plain_name(callee));
    place->deref = true;
    const Function *f = vec_at(&t->p->functions, function_of(t, callee));
    place->type = f->type ? element_type(t, type_at(t, f->type)->elem) : 0;
    return true;
  }
  return false;
}

/* ---- index and other values ---- */

static const char *operator_text(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd: return " + ";
  case LLVMSub: return " - ";
  case LLVMMul: return " * ";
  case LLVMUDiv:
  case LLVMSDiv: return " / ";
  case LLVMURem:
  case LLVMSRem: return " % ";
  case LLVMAnd: return " & ";
  default: return NULL;
  }
}

/* An operand of the operator `around`, in parentheses where C would need or people want
 * them. */
static void operand_text(Translator *t, LLVMValueRef v, LLVMOpcode around, bool right,
                         Str *out, int depth) {
  while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v))
    v = LLVMGetOperand(v, 0);
  bool operation = LLVMIsAInstruction(v) && operator_text(LLVMGetInstructionOpcode(v));
  bool chain = operation && !right && LLVMGetInstructionOpcode(v) == around;
  bool paren = operation && !chain;
  if (paren) str_add_char(out, '(');
  value_text(t, v, out, depth);
  if (paren) str_add_char(out, ')');
}

static void value_text(Translator *t, LLVMValueRef v, Str *out, int depth) {
  if (LLVMIsAConstantInt(v)) {
    str_addf(out, "%lld", LLVMConstIntGetSExtValue(v));
    return;
  }
  if (depth <= DEPTH_LIMIT && LLVMIsAInstruction(v)) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    if (opcode == LLVMSExt || opcode == LLVMZExt || opcode == LLVMTrunc) {
      value_text(t, LLVMGetOperand(v, 0), out, depth + 1);
      return;
    }
    if (opcode == LLVMLoad) {
      Place place = {0};
      if (place_of(t, LLVMGetOperand(v, 0), &place, depth + 1)) {
        str_addf(out, "%s%s", place.deref ? "*" : "", str_text(&place.text));
        str_free(&place.text);
        return;
      }
      str_free(&place.text);
    }
    const char *text = operator_text(opcode);
    if (text) {
      LLVMValueRef second = LLVMGetOperand(v, 1);
      operand_text(t, LLVMGetOperand(v, 0), opcode, false, out, depth + 1);
      long long number =
          LLVMIsAConstantInt(second) ? LLVMConstIntGetSExtValue(second) : 0;
      if (opcode == LLVMAdd && number < 0 && number > -100000) { /* i - 1, not i + -1 */
        str_addf(out, " - %lld", -number);
        return;
      }
      str_add(out, text);
      operand_text(t, second, opcode, true, out, depth + 1);
      return;
    }
  }
  str_add(out, "...");
}

/* ---- bit-fields ---- */

/* The second operand of an operation with two, if it is a constant. */
static bool constant_operand(LLVMValueRef i, uint64_t *ret) {
  if (!LLVMIsABinaryOperator(i)) return false;
  LLVMValueRef c = LLVMGetOperand(i, 1);
  if (!LLVMIsAConstantInt(c) || LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64) return false;
  *ret = LLVMConstIntGetZExtValue(c);
  return true;
}

static bool is_operation(LLVMValueRef v, LLVMOpcode opcode) {
  return v && LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == opcode;
}

static uint64_t width_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The bits of the loaded unit that matter, by how clang takes bit-fields out of it and puts
 * them in: load, and ~mask, or, store; load, shl, ashr; load, lshr, and. 0 when in doubt. */
static uint64_t bits_of_load(LLVMValueRef load, unsigned width) {
  uint64_t bits = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    uint64_t c;
    if (!LLVMIsABinaryOperator(user) || LLVMGetOperand(user, 0) != load ||
        !constant_operand(user, &c))
      return 0;
    LLVMUseRef next_use = LLVMGetFirstUse(user);
    LLVMValueRef next = next_use ? LLVMGetUser(next_use) : NULL;
    uint64_t c2;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMAnd: /* either a clear before a store or a low field */
      bits |= is_operation(next, LLVMOr) ? ~c & width_mask(width) : c;
      break;
    case LLVMShl: /* up to the top, then down again */
      if (!is_operation(next, LLVMAShr) && !is_operation(next, LLVMLShr)) return 0;
      if (!constant_operand(next, &c2) || c2 < c || c2 >= width) return 0;
      bits |= (width_mask(width) << (c2 - c)) & (width_mask(width) >> c);
      break;
    case LLVMLShr:
    case LLVMAShr:
      if (c >= width) return 0;
      if (is_operation(next, LLVMAnd) && constant_operand(next, &c2))
        bits |= c2 << c;
      else
        bits |= width_mask(width) & ~width_mask((unsigned)c);
      break;
    default: return 0;
    }
  }
  return bits;
}

static uint64_t bits_of_store(LLVMValueRef store, unsigned width) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMOr) return 0;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef kept = LLVMGetOperand(value, i);
    uint64_t mask;
    if (LLVMIsAInstruction(kept) && LLVMGetInstructionOpcode(kept) == LLVMAnd &&
        LLVMIsALoadInst(LLVMGetOperand(kept, 0)) && constant_operand(kept, &mask))
      return ~mask & width_mask(width);
  }
  return 0;
}

/* The bit-field of `place` (an aggregate, or the first bit-field of its unit) that an access
 * really means. */
static void enter_bitfield(Translator *t, Place *place, LLVMValueRef access,
                           uint64_t unit_offset) {
  LLVMTypeRef type = LLVMIsALoadInst(access) ? LLVMTypeOf(access)
                                             : LLVMTypeOf(LLVMGetOperand(access, 0));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
    return;
  unsigned width = LLVMGetIntTypeWidth(type);
  uint64_t bits = LLVMIsALoadInst(access) ? bits_of_load(access, width)
                                          : bits_of_store(access, width);
  if (!bits) return;
  unsigned low = (unsigned)__builtin_ctzll(bits);
  unsigned count = (unsigned)(64 - __builtin_clzll(bits)) - low;
  const Field *f =
      member_at(t, place->type, unit_offset * 8 + low, count, false, TYPE_NONE);
  if (f && f->is_bitfield) {
    Field copy = *f;
    add_member(t, place, &copy);
  }
}

/* A scalar access to an aggregate place means one of its members: of a union the one of that
 * size, of a structure the first. */
static void enter_scalar(Translator *t, Place *place, LLVMValueRef access) {
  LLVMTypeRef type = LLVMIsALoadInst(access) ? LLVMTypeOf(access)
                                             : LLVMTypeOf(LLVMGetOperand(access, 0));
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
      kind == LLVMVectorTypeKind)
    return;
  uint64_t bits = shape_of(t, type).bits;
  for (int depth = 0; depth < DEPTH_LIMIT && is_aggregate(t, place->type); depth++) {
    TypeKind like = access_class(t, type);
    const Field *f = member_at(t, place->type, 0, bits, true, like);
    if (!f) f = member_at(t, place->type, 0, bits, false, like);
    if (!f || f->is_bitfield) return;
    Field copy = *f;
    add_member(t, place, &copy);
  }
}

/* A getelementptr that leads to a bit-field's unit stops at the structure around it. */
static bool place_of_unit(Translator *t, LLVMValueRef pointer, LLVMValueRef access,
                          Place *place) {
  if (!is_gep(pointer) || LLVMGetNumOperands(pointer) != 3) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  LLVMValueRef index = LLVMGetOperand(pointer, 2);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsAConstantInt(index))
    return false;
  uint64_t offset =
      LLVMOffsetOfElement(t->layout, type, (unsigned)LLVMConstIntGetZExtValue(index));
  if (!place_of(t, LLVMGetOperand(pointer, 0), place, 0)) return false;
  TypeId named = type_of_struct(t, type);
  if (!is_aggregate(t, place->type) && named) place->type = named;
  TypeId before = place->type;
  enter_bitfield(t, place, access, offset);
  return place->type != before;
}

static bool place_of_access(Translator *t, LLVMValueRef pointer, LLVMValueRef access,
                            Place *place) {
  if (access) {
    if (place_of_unit(t, pointer, access, place)) return true;
    str_free(&place->text);
    *place = (Place){0};
  }
  if (!place_of(t, pointer, place, 0)) return false;
  if (access && is_aggregate(t, place->type)) {
    TypeId before = place->type;
    enter_bitfield(t, place, access, 0);
    if (place->type == before) enter_scalar(t, place, access);
  }
  return true;
}

Sym path_of(Translator *t, LLVMValueRef pointer, LLVMValueRef access) {
  TypeId type;
  return path_and_type(t, pointer, access, &type);
}

Sym path_and_type(Translator *t, LLVMValueRef pointer, LLVMValueRef access,
                  TypeId *ret_type) {
  Place place = {0};
  Sym sym = 0;
  *ret_type = 0;
  if (place_of_access(t, pointer, access, &place)) {
    *ret_type = place.type;
    Str text = {0};
    if (place.deref) str_add_char(&text, '*');
    str_add(&text, str_text(&place.text));
    if (text.len > TEXT_LIMIT) {
      text.len = TEXT_LIMIT;
      text.data[text.len] = 0;
      str_add(&text, "...");
    }
    sym = builder_sym(t->b, str_text(&text));
    str_free(&text);
  }
  str_free(&place.text);
  return sym;
}

TypeId pointee_type(Translator *t, LLVMValueRef pointer) {
  Place place = {0};
  TypeId type = place_of(t, pointer, &place, 0) ? place.type : 0;
  str_free(&place.text);
  return type;
}

/* A string literal's object is called by its text. */
Sym literal_name(Translator *t, LLVMValueRef initializer) {
  if (LLVMGetTypeKind(LLVMTypeOf(initializer)) != LLVMArrayTypeKind ||
      LLVMIsNull(initializer) || !LLVMIsConstantString(initializer))
    return 0;
  size_t length;
  const char *bytes = LLVMGetAsString(initializer, &length);
  Str text = {0};
  str_add_char(&text, '"');
  size_t shown = length && !bytes[length - 1] ? length - 1 : length;
  for (size_t i = 0; i < shown && i < 40; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\n')
      str_add(&text, "\\n");
    else if (c == '"' || c == '\\')
      str_addf(&text, "\\%c", c);
    else if (c < 32 || c == 127)
      str_addf(&text, "\\%03o", c);
    else
      str_add_char(&text, (char)c);
  }
  str_add(&text, shown > 40 ? "...\"" : "\"");
  Sym sym = builder_sym(t->b, str_text(&text));
  str_free(&text);
  return sym;
}
