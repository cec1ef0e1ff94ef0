/* See member.h. The path is followed through the types of the debug information: typedefs and
 * qualifiers lead to what they stand for, a name to the member of a structure, a number in brackets
 * to the element of an array. */
#include "front/llvm/member.h"

#include "base/mem.h"
#include "base/str.h"

#include <ctype.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* Operands of nodes, see llvm/IR/DebugInfoMetadata.h. */
enum { VARIABLE_TYPE = 3, BASE_TYPE = 3, ELEMENTS = 4, MOST_OPERANDS = 64, DEEPEST = 64 };

static LLVMMetadataRef operand(LLVMContextRef context, LLVMMetadataRef node,
                               unsigned index) {
  LLVMValueRef value = LLVMMetadataAsValue(context, node), operands[MOST_OPERANDS];
  unsigned count = LLVMGetMDNodeNumOperands(value);
  if (index >= count || count > MOST_OPERANDS) return NULL;
  LLVMGetMDNodeOperands(value, operands);
  return operands[index] ? LLVMValueAsMetadata(operands[index]) : NULL;
}

static LLVMMetadataRef type_of_global(LLVMContextRef context, LLVMValueRef global) {
  size_t count;
  LLVMMetadataRef found = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count && !found; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
      found = operand(context, LLVMDIGlobalVariableExpressionGetVariable(node),
                      VARIABLE_TYPE);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

/* Without typedefs, const, volatile and _Atomic. */
static LLVMMetadataRef plain(LLVMContextRef context, LLVMMetadataRef type) {
  enum { TYPEDEF = 0x16, CONST = 0x26, VOLATILE = 0x35, RESTRICT = 0x37, ATOMIC = 0x47 };
  for (int i = 0; type && i < DEEPEST; i++) {
    if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind) return type;
    unsigned tag = LLVMGetDINodeTag(type);
    if (tag != TYPEDEF && tag != CONST && tag != VOLATILE && tag != RESTRICT &&
        tag != ATOMIC)
      return type;
    type = operand(context, type, BASE_TYPE);
  }
  return type;
}

/* The elements of a structure or an array: a node of nodes. */
static unsigned elements_of(LLVMContextRef context, LLVMMetadataRef type,
                            LLVMValueRef **ret) {
  LLVMMetadataRef all =
      type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind
          ? operand(context, type, ELEMENTS)
          : NULL;
  if (!all) return 0;
  LLVMValueRef value = LLVMMetadataAsValue(context, all);
  unsigned count = LLVMGetMDNodeNumOperands(value);
  *ret = mem_alloc((count + 1) * sizeof **ret);
  LLVMGetMDNodeOperands(value, *ret);
  return count;
}

/* Steps into the member of this name; also those of structures without a name. */
static bool enter_member(LLVMContextRef context, LLVMMetadataRef *type, const char *name,
                         size_t length, Member *m, int depth) {
  LLVMValueRef *elements = NULL;
  unsigned count = depth < DEEPEST ? elements_of(context, *type, &elements) : 0;
  bool found = false;
  for (unsigned i = 0; i < count && !found; i++) {
    LLVMMetadataRef element = elements[i] ? LLVMValueAsMetadata(elements[i]) : NULL;
    if (!element || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind)
      continue;
    size_t own;
    const char *text = LLVMDITypeGetName(element, &own);
    LLVMMetadataRef inner = plain(context, operand(context, element, BASE_TYPE));
    Member at = *m;
    at.offset += LLVMDITypeGetOffsetInBits(element) / 8;
    at.size = (LLVMDITypeGetSizeInBits(element) + 7) / 8;
    found = own == length && memcmp(text, name, length) == 0;
    if (!found && !own && inner)
      found = enter_member(context, &inner, name, length, &at, depth + 1);
    if (!found) continue;
    *m = at;
    *type = inner;
  }
  mem_free(elements);
  return found;
}

/* Steps into an element; `index` is NULL for all of them. */
static bool enter_element(LLVMContextRef context, LLVMMetadataRef *type,
                          const uint64_t *index, Member *m) {
  enum { ARRAY = 0x01 };
  if (!*type || LLVMGetMetadataKind(*type) != LLVMDICompositeTypeMetadataKind ||
      LLVMGetDINodeTag(*type) != ARRAY || (!index && m->stride))
    return false;
  LLVMMetadataRef element = plain(context, operand(context, *type, BASE_TYPE));
  uint64_t bytes = element ? LLVMDITypeGetSizeInBits(element) / 8 : 0;
  if (!bytes || (index && *index >= LLVMDITypeGetSizeInBits(*type) / 8 / bytes))
    return false;
  if (index) {
    m->offset += *index * bytes;
  } else {
    m->stride = bytes;
    m->begin = m->offset;
    m->end = m->begin + LLVMDITypeGetSizeInBits(*type) / 8;
  }
  m->size = bytes;
  *type = element;
  return true;
}

bool member_find(LLVMContextRef context, LLVMValueRef global, const char *path,
                 Member *ret) {
  LLVMMetadataRef type = plain(context, type_of_global(context, global));
  *ret = (Member){0};
  while (type && *path) {
    if (*path == '.') {
      size_t length = strcspn(++path, ".[");
      if (!enter_member(context, &type, path, length, ret, 0)) return false;
      path += length;
      continue;
    }
    if (*path++ != '[') return false;
    uint64_t index = 0;
    bool all = *path == ']';
    for (; isdigit((unsigned char)*path) && index < UINT32_MAX; path++)
      index = index * 10 + (uint64_t)(*path - '0');
    if (*path++ != ']' || !enter_element(context, &type, all ? NULL : &index, ret))
      return false;
  }
  return !*path && ret->size;
}

/* ---- accesses --------------------------------------------------------------------- */

/* Of one step of address arithmetic, a part of an instruction or a constant. */
static bool step_offset(LLVMTargetDataRef layout, LLVMValueRef gep, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  for (int i = 1; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (!LLVMIsAConstantInt(index)) return false;
    int64_t value = LLVMConstIntGetSExtValue(index);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(layout, type, (unsigned)value);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)value);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    *offset += (uint64_t)(value * (int64_t)LLVMABISizeOfType(layout, type));
  }
  return true;
}

bool member_offset(LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t *ret) {
  *ret = 0;
  for (int i = 0; i < DEEPEST; i++) {
    if (LLVMIsAGlobalVariable(pointer)) return true;
    bool gep = LLVMIsAGetElementPtrInst(pointer) ||
               (LLVMIsAConstantExpr(pointer) &&
                LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
    if (gep && !step_offset(layout, pointer, ret)) return false;
    if (!gep && !LLVMIsACallInst(pointer)) return false; /* of a thread-local address */
    pointer = LLVMGetOperand(pointer, 0);
  }
  return false;
}

bool member_touches(const Member *m, uint64_t offset, uint64_t size) {
  uint64_t first = m->offset;
  if (m->stride) {
    if (offset >= m->end || offset + size <= m->begin) return false;
    if (size >= m->stride || offset < m->begin) return true;
    offset = (offset - m->begin) % m->stride;
    first -= m->begin;
  }
  return offset < first + m->size && offset + size > first;
}
