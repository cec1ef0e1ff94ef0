/* Debug information to C types, places and variables.
 *
 * The C interface of LLVM has getters for few of these nodes, so operands are read by their
 * position, which is part of the bitcode format of LLVM 19. A type gets its number when it
 * is first met and is filled in later from a queue: type graphs are cyclic and deep.
 *
 * After linking, every file brings its own copy of the structures in shared headers; copies
 * with the same tag, size, file and line share one number. */
#include "front/llvm/internal.h"

/* DWARF's numbers for the tags that C uses. */
enum {
  TAG_ARRAY = 0x01,
  TAG_ENUM = 0x04,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_STRUCT = 0x13,
  TAG_SUBROUTINE = 0x15,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_BASE = 0x24,
  TAG_CONST = 0x26,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
  TAG_ATOMIC = 0x47,
  TAG_REFERENCE = 0x10,
  TAG_CLASS = 0x02,
};

/* Positions of operands. */
enum {
  OPERAND_TYPE_FILE = 0,
  OPERAND_TYPE_SCOPE = 1,
  OPERAND_TYPE_NAME = 2,
  OPERAND_TYPE_BASE = 3,
  OPERAND_TYPE_ELEMENTS = 4,
  OPERAND_VARIABLE_SCOPE = 0,
  OPERAND_VARIABLE_NAME = 1,
  OPERAND_VARIABLE_FILE = 2,
  OPERAND_VARIABLE_TYPE = 3,
};

static unsigned operands_of(Translator *t, LLVMMetadataRef node, LLVMValueRef *out,
                            unsigned limit) {
  LLVMValueRef value = LLVMMetadataAsValue(t->context, node);
  unsigned n = LLVMGetMDNodeNumOperands(value);
  if (n > limit) return 0;
  LLVMGetMDNodeOperands(value, out);
  return n;
}

static LLVMValueRef operand_at(Translator *t, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef few[32], operand = NULL;
  LLVMValueRef value = LLVMMetadataAsValue(t->context, node);
  unsigned n = LLVMGetMDNodeNumOperands(value);
  LLVMValueRef *all = n <= 32 ? few : mem_alloc(n * sizeof *all);
  LLVMGetMDNodeOperands(value, all);
  if (i < n) operand = all[i];
  if (all != few) mem_free(all);
  return operand;
}

LLVMMetadataRef metadata_operand(Translator *t, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef operand = operand_at(t, node, i);
  return operand ? LLVMValueAsMetadata(operand) : NULL;
}

static Sym string_operand(Translator *t, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef operand = operand_at(t, node, i);
  unsigned length;
  if (!operand) return 0;
  const char *text = LLVMGetMDString(operand, &length);
  return text ? builder_sym_n(t->b, text, length) : 0;
}

/* ---- files and places ---- */

/* "dir/name" as seen from heddle's own directory when it lies below it. */
static Sym file_sym(Translator *t, LLVMMetadataRef file) {
  unsigned name_length, directory_length;
  const char *name = LLVMDIFileGetFilename(file, &name_length);
  const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
  Str path = {0};
  if (name_length && name[0] != '/' && directory_length) {
    str_add_bytes(&path, directory, directory_length);
    str_add_char(&path, '/');
  }
  while (name_length > 2 && name[0] == '.' && name[1] == '/') {
    name += 2;
    name_length -= 2;
  }
  str_add_bytes(&path, name, name_length);
  const char *shown = str_text(&path);
  size_t own = strlen(t->directory);
  if (own > 1 && str_starts(shown, t->directory) && shown[own] == '/') shown += own + 1;
  Sym sym = builder_sym(t->b, shown);
  str_free(&path);
  return sym;
}

Sym file_of_scope(Translator *t, LLVMMetadataRef scope) {
  uint64_t *slot = map_at(&t->scopes, map_key(scope));
  if (!*slot) {
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    uint64_t sym = file ? file_sym(t, file) : 0;
    *map_at(&t->scopes, map_key(scope)) = sym + 1;
    return (Sym)sym;
  }
  return (Sym)(*slot - 1);
}

LocId loc_of_instruction(Translator *t, LLVMValueRef instruction) {
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(instruction);
  if (!loc) return 0;
  return builder_loc(t->b, file_of_scope(t, LLVMDILocationGetScope(loc)),
                     LLVMDILocationGetLine(loc), LLVMDILocationGetColumn(loc));
}

Variable variable_of_metadata(Translator *t, LLVMMetadataRef variable) {
  LLVMMetadataRef type = metadata_operand(t, variable, OPERAND_VARIABLE_TYPE);
  LLVMMetadataRef file = metadata_operand(t, variable, OPERAND_VARIABLE_FILE);
  return (Variable){.name = string_operand(t, variable, OPERAND_VARIABLE_NAME),
                    .type = type ? type_of_metadata(t, type) : 0,
                    .loc = file ? builder_loc(t->b, file_sym(t, file),
                                              LLVMDIVariableGetLine(variable), 0)
                                : 0,
                    .scope = metadata_operand(t, variable, OPERAND_VARIABLE_SCOPE)};
}

/* ---- types ---- */

/* True for types declared inside of a function: another function may have one of the same
 * name on the same line, out of the same macro. */
static bool is_local_type(Translator *t, LLVMMetadataRef type) {
  LLVMMetadataRef scope = metadata_operand(t, type, OPERAND_TYPE_SCOPE);
  LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : LLVMDIFileMetadataKind;
  return kind == LLVMDISubprogramMetadataKind || kind == LLVMDILexicalBlockMetadataKind ||
         kind == LLVMDILexicalBlockFileMetadataKind;
}

/* The key under which copies of one aggregate meet, or false for types that stay apart. */
static bool type_key(Translator *t, LLVMMetadataRef type, unsigned tag, Str *key) {
  if (tag != TAG_STRUCT && tag != TAG_UNION && tag != TAG_ENUM && tag != TAG_TYPEDEF &&
      tag != TAG_BASE && tag != TAG_CLASS)
    return false;
  if (tag != TAG_BASE && is_local_type(t, type)) return false;
  size_t length;
  const char *name = LLVMDITypeGetName(type, &length);
  if (!length) return false;
  LLVMMetadataRef file = metadata_operand(t, type, OPERAND_TYPE_FILE);
  str_addf(key, "%u %.*s %llu %u %u", tag, (int)length, name,
           (unsigned long long)LLVMDITypeGetSizeInBits(type), LLVMDITypeGetLine(type),
           file ? file_sym(t, file) : 0);
  return true;
}

TypeId type_of_metadata(Translator *t, LLVMMetadataRef type) {
  uint64_t *slot = map_get(&t->types, map_key(type));
  if (slot) return (TypeId)*slot;
  LLVMMetadataKind kind = LLVMGetMetadataKind(type);
  if (kind != LLVMDIBasicTypeMetadataKind && kind != LLVMDIDerivedTypeMetadataKind &&
      kind != LLVMDICompositeTypeMetadataKind && kind != LLVMDISubroutineTypeMetadataKind)
    return 0;
  Str key = {0};
  uint64_t *shared = NULL;
  if (type_key(t, type, LLVMGetDINodeTag(type), &key))
    shared = strmap_at(&t->type_keys, str_text(&key), key.len);
  TypeId id = shared && *shared ? (TypeId)*shared : 0;
  if (!id) {
    id = t->p->types.len;
    (void)vec_extend(&t->p->types, 1);
    if (shared) *shared = id;
    vec_push(&t->type_queue, type);
  }
  map_put(&t->types, map_key(type), id);
  str_free(&key);
  return id;
}

static TypeKind base_kind(const char *name) {
  if (strstr(name, "float") || strstr(name, "double") || strstr(name, "Float") ||
      strstr(name, "bf16") || strstr(name, "half"))
    return TYPE_FLOAT;
  if (str_eq(name, "_Bool") || str_eq(name, "bool")) return TYPE_BOOL;
  return str_starts(name, "unsigned") ? TYPE_UINT : TYPE_INT;
}

static void add_field(Translator *t, Type *into, LLVMMetadataRef member) {
  if (LLVMGetMetadataKind(member) != LLVMDIDerivedTypeMetadataKind ||
      LLVMGetDINodeTag(member) != TAG_MEMBER)
    return;
  LLVMMetadataRef base = metadata_operand(t, member, OPERAND_TYPE_BASE);
  Field field = {.name = string_operand(t, member, OPERAND_TYPE_NAME),
                 .type = base ? type_of_metadata(t, base) : 0,
                 .bit_offset = LLVMDITypeGetOffsetInBits(member),
                 .bit_size = (uint32_t)LLVMDITypeGetSizeInBits(member),
                 .is_bitfield = (LLVMDITypeGetFlags(member) & LLVMDIFlagBitField) != 0};
  /* debug information that is damaged costs a name, not the run */
  uint64_t bits = into->size * 8;
  if (field.bit_size > bits || field.bit_offset > bits - field.bit_size) return;
  vec_push(&t->p->fields, field);
  into->field_count++;
}

static void fill_fields(Translator *t, Type *type, LLVMMetadataRef node) {
  LLVMMetadataRef elements = metadata_operand(t, node, OPERAND_TYPE_ELEMENTS);
  type->first_field = t->p->fields.len;
  if (LLVMDITypeGetFlags(node) & LLVMDIFlagFwdDecl) type->flags |= TYPE_INCOMPLETE;
  if (!elements) return;
  LLVMValueRef value = LLVMMetadataAsValue(t->context, elements);
  unsigned n = LLVMGetMDNodeNumOperands(value);
  LLVMValueRef *members = mem_alloc((n + 1) * sizeof *members);
  LLVMGetMDNodeOperands(value, members);
  for (unsigned i = 0; i < n; i++)
    if (members[i]) add_field(t, type, LLVMValueAsMetadata(members[i]));
  mem_free(members);
}

/* A subrange's constant count; 0 when it is variable or unknown. */
static uint64_t subrange_count(Translator *t, LLVMMetadataRef subrange) {
  LLVMValueRef operands[8];
  unsigned n = operands_of(t, subrange, operands, 8);
  if (!n || !operands[0] || !LLVMIsAConstantInt(operands[0])) return 0;
  long long count = LLVMConstIntGetSExtValue(operands[0]);
  return count > 0 ? (uint64_t)count : 0;
}

/* int a[3][4] has one node with two subranges: the inner arrays get types of their own. */
static void fill_array(Translator *t, TypeId id, LLVMMetadataRef node) {
  LLVMMetadataRef base = metadata_operand(t, node, OPERAND_TYPE_BASE);
  LLVMMetadataRef elements = metadata_operand(t, node, OPERAND_TYPE_ELEMENTS);
  TypeId elem = base ? type_of_metadata(t, base) : 0;
  LLVMValueRef ranges[32];
  unsigned n = elements ? operands_of(t, elements, ranges, 32) : 0;
  uint64_t counts[32];
  uint64_t size = LLVMDITypeGetSizeInBits(node) / 8;
  for (unsigned i = 0; i < n; i++)
    counts[i] = ranges[i] ? subrange_count(t, LLVMValueAsMetadata(ranges[i])) : 0;
  uint64_t inner_size = size;
  for (unsigned i = 0; i + 1 < n; i++)
    inner_size = counts[i] ? inner_size / counts[i] : 0;
  for (unsigned i = n; i-- > 1;) {
    Type inner = {
        .kind = TYPE_ARRAY, .elem = elem, .count = counts[i], .size = inner_size};
    elem = t->p->types.len;
    vec_push(&t->p->types, inner);
    inner_size *= counts[i - 1];
  }
  Type *type = vec_at(&t->p->types, id);
  type->kind = TYPE_ARRAY;
  type->elem = elem;
  type->count = n ? counts[0] : 0;
  type->size = size;
}

static void fill_type(Translator *t, LLVMMetadataRef node) {
  TypeId id = (TypeId)map_find(&t->types, map_key(node), 0);
  unsigned tag = LLVMGetDINodeTag(node);
  if (tag == TAG_ARRAY) {
    fill_array(t, id, node);
    return;
  }
  Type type = {.name = string_operand(t, node, OPERAND_TYPE_NAME),
               .size = LLVMDITypeGetSizeInBits(node) / 8};
  LLVMMetadataRef base = NULL;
  if (LLVMGetMetadataKind(node) == LLVMDIDerivedTypeMetadataKind || tag == TAG_ENUM)
    base = metadata_operand(t, node, OPERAND_TYPE_BASE);
  type.elem = base ? type_of_metadata(t, base) : 0;
  switch (tag) {
  case TAG_BASE: type.kind = base_kind(sym_text(t->p, type.name)); break;
  case TAG_POINTER:
  case TAG_REFERENCE:
    type.kind = TYPE_POINTER;
    type.size = 8;
    break;
  case TAG_STRUCT:
  case TAG_CLASS:
    type.kind = TYPE_STRUCT;
    fill_fields(t, &type, node);
    break;
  case TAG_UNION:
    type.kind = TYPE_UNION;
    fill_fields(t, &type, node);
    break;
  case TAG_ENUM: type.kind = TYPE_ENUM; break;
  case TAG_SUBROUTINE: { /* the first of its types is that of the result, null for void */
    LLVMMetadataRef types = metadata_operand(t, node, OPERAND_TYPE_BASE);
    LLVMMetadataRef result = types ? metadata_operand(t, types, 0) : NULL;
    type.kind = TYPE_FUNCTION;
    type.elem = result ? type_of_metadata(t, result) : 0;
    break;
  }
  case TAG_CONST:
  case TAG_VOLATILE:
  case TAG_ATOMIC:
  case TAG_RESTRICT:
    type.flags = tag == TAG_CONST      ? TYPE_CONST
                 : tag == TAG_VOLATILE ? TYPE_VOLATILE
                 : tag == TAG_ATOMIC   ? TYPE_ATOMIC
                                       : 0;
    type.kind = TYPE_ALIAS;
    break;
  case TAG_TYPEDEF: type.kind = TYPE_ALIAS; break;
  default: type.kind = TYPE_NONE; break;
  }
  t->p->types.data[id] = type;
}

/* "struct conn" is known to LLVM as the type named "struct.conn". */
static void note_tag(Translator *t, TypeId id) {
  const Type *type = vec_at(&t->p->types, id);
  if ((type->kind != TYPE_STRUCT && type->kind != TYPE_UNION) ||
      (type->flags & TYPE_INCOMPLETE) || !type->name)
    return;
  Str tag = {0};
  str_addf(&tag, "%s.%s", type->kind == TYPE_STRUCT ? "struct" : "union",
           sym_text(t->p, type->name));
  uint64_t *slot = strmap_at(&t->tags, str_text(&tag), tag.len);
  if (!*slot) *slot = id;
  str_free(&tag);
}

void types_settle(Translator *t) {
  for (uint32_t i = 0; i < t->type_queue.len; i++) { /* the queue grows meanwhile */
    LLVMMetadataRef node = t->type_queue.data[i];
    fill_type(t, node);
    note_tag(t, (TypeId)map_find(&t->types, map_key(node), 0));
  }
  vec_clear(&t->type_queue);
}

const Type *type_at(Translator *t, TypeId id) {
  if (t->type_queue.len) types_settle(t);
  return vec_at(&t->p->types, id);
}

TypeId type_strip(Translator *t, TypeId id) {
  for (int depth = 0; id && depth < 64; depth++) {
    const Type *type = type_at(t, id);
    if (type->kind != TYPE_ALIAS) return id;
    id = type->elem;
  }
  return 0;
}

TypeId type_of_struct(Translator *t, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return 0;
  const char *name = LLVMGetStructName(type);
  if (!name) return 0;
  /* the linker renames clashing types to struct.conn.17 */
  size_t length = strlen(name);
  uint64_t *slot = strmap_get(&t->tags, name, length);
  while (!slot && length && name[length - 1] >= '0' && name[length - 1] <= '9') {
    while (length && name[length - 1] >= '0' && name[length - 1] <= '9') length--;
    if (length && name[length - 1] == '.') slot = strmap_get(&t->tags, name, --length);
  }
  return slot ? (TypeId)*slot : 0;
}
