/* From a module and the user's orders to a module with calls of `__heddle_event`.
 *
 * The module comes straight from clang's front end, before any pass, so its calls, loads
 * and stores are those of the source. Each instruction is compared with each order, and a
 * call is built before or behind it, with the source place of the instruction. Later
 * passes see a call of an unknown function: they keep it, and its order with everything
 * that memory could tell apart.
 *
 * Invariants: instructions that are added are never looked at again; the module is valid
 * afterwards (LLVM's verifier looks); what a field asks for and a place does not have is
 * an error with the place in the file of events. */
#include "front/llvm/weave.h"

#include "front/llvm/member.h"
#include "front/llvm/unit.h"
#include "front/llvm/waitloop.h"

#include <fnmatch.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

#define EVENT_FUNCTION  "__heddle_event"
#define FOLLOW_FUNCTION "__heddle_follow"
#define EVENT_SECTION   "heddle_events" /* TRACE_EVENT_SECTION of src/trace/format.h */

enum { TEXT_BYTES = 120 /* TRACE_EVENT_TEXT */, DEEPEST_POINTER = 64 };

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMTypeRef i32, i64, pointer, event_type, follow_type;
  LLVMValueRef event_function, follow_function;
  LLVMValueRef *kinds; /* per order: its TraceEventKind */
  uint32_t *places;    /* per order: how many were found */
  const Events *events;
  const char *name;
  Err *err;
} Weaver;

/* The place of an event. */
typedef struct {
  LLVMValueRef instruction;    /* in front of which it is built */
  LLVMValueRef call;           /* EVENT_AT_CALL */
  LLVMValueRef function;       /* EVENT_AT_BODY */
  LLVMValueRef result;         /* of either; or NULL */
  LLVMValueRef address, value; /* of an access; the value may be NULL */
  LLVMTypeRef type;            /* of the access; NULL: `size` tells */
  LLVMValueRef size;
  LLVMValueRef holds; /* a condition that only the run decides, or NULL */
} Site;

/* ---- names ------------------------------------------------------------------------ */

/* Whether a name is the wanted one, or fits the wanted pattern. What only the compiler calls so
 * fits none. */
static bool fits(const char *text, size_t length, const char *wanted) {
  if (!strpbrk(wanted, "*?"))
    return strlen(wanted) == length && memcmp(text, wanted, length) == 0;
  char *name = str_ndup(text, length);
  bool same = !str_starts(name, "llvm.") && !str_starts(name, "__heddle_") &&
              fnmatch(wanted, name, 0) == 0;
  mem_free(name);
  return same;
}

/* The name in the source, which for C++ is not that of the linker. */
static bool has_source_name(const Weaver *w, LLVMValueRef function, const char *name) {
  enum { NAME_OPERAND = 2, MOST_OPERANDS = 32 };
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  if (!subprogram) return false;
  LLVMValueRef node = LLVMMetadataAsValue(w->context, subprogram);
  LLVMValueRef operands[MOST_OPERANDS];
  unsigned count = LLVMGetMDNodeNumOperands(node), length = 0;
  if (count <= NAME_OPERAND || count > MOST_OPERANDS) return false;
  LLVMGetMDNodeOperands(node, operands);
  if (!operands[NAME_OPERAND]) return false;
  const char *text = LLVMGetMDString(operands[NAME_OPERAND], &length);
  return text && fits(text, length, name);
}

static bool has_name(const Weaver *w, LLVMValueRef value, const char *name) {
  size_t length;
  const char *text = LLVMGetValueName2(value, &length);
  if (length && *text == 1) text++, length--;
  if (fits(text, length, name)) return true;
  return LLVMIsAFunction(value) && has_source_name(w, value, name);
}

static bool is_intrinsic(LLVMValueRef call, const char *prefix) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  return callee && LLVMIsAFunction(callee) &&
         str_starts(LLVMGetValueName2(callee, &length), prefix);
}

static bool is_call(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

/* The global variable that a pointer leads into without any other pointer between. */
static LLVMValueRef global_of(LLVMValueRef pointer) {
  for (int i = 0; pointer && i < DEEPEST_POINTER; i++) {
    if (LLVMIsAGlobalVariable(pointer)) return pointer;
    bool inside =
        LLVMIsAGetElementPtrInst(pointer) ||
        (LLVMIsAConstantExpr(pointer) &&
         LLVMGetConstOpcode(pointer) == LLVMGetElementPtr) ||
        (LLVMIsACallInst(pointer) && is_intrinsic(pointer, "llvm.threadlocal.address"));
    if (!inside) return NULL;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return NULL;
}

/* ---- values ----------------------------------------------------------------------- */

static bool wrong(const Weaver *w, const EventOrder *order, int column,
                  const char *remedy, const char *what) {
  return err_set(w->err, ERR_INPUT, w->events->path, order->place, column, remedy,
                 "%s (in %s)", what, w->name);
}

/* As a number of 64 bits, with a sign unless the caller knows that it has none; NULL when
 * it has no such form. */
static LLVMValueRef as_number(const Weaver *w, LLVMValueRef value, bool plain) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(w->builder, value, w->i64, "");
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
  unsigned bits = LLVMGetIntTypeWidth(type);
  if (bits == 64) return value;
  if (bits > 64) return LLVMBuildTrunc(w->builder, value, w->i64, "");
  return bits == 1 || plain ? LLVMBuildZExt(w->builder, value, w->i64, "")
                            : LLVMBuildSExt(w->builder, value, w->i64, "");
}

/* What an element of a struct or array has as its type. */
static LLVMTypeRef element_type(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int count = LLVMGetNumOperands(gep);
  for (int i = 2; i < count && type; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
      type = LLVMGetElementType(type);
    else if (kind == LLVMStructTypeKind && LLVMIsAConstantInt(index))
      type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
    else
      type = NULL;
  }
  return type;
}

/* How many bytes a pointer leads to, when the program says it at this very place. */
static uint64_t pointed_bytes(const Weaver *w, LLVMValueRef pointer) {
  LLVMTypeRef type = NULL;
  if (LLVMIsAAllocaInst(pointer))
    type = LLVMGetAllocatedType(pointer);
  else if (LLVMIsAGlobalVariable(pointer))
    type = LLVMGlobalGetValueType(pointer);
  else if (LLVMIsAGetElementPtrInst(pointer))
    type = element_type(pointer);
  if (!type) return 0;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind) return 0;
  uint64_t bytes = LLVMABISizeOfType(w->layout, type);
  return bytes <= 8 ? bytes : 0;
}

/* The runtime looks: it does not fall over a null pointer. */
static LLVMValueRef follow(const Weaver *w, LLVMValueRef number, uint64_t bytes) {
  LLVMValueRef arguments[] = {number, LLVMConstInt(w->i64, bytes, false)};
  return LLVMBuildCall2(w->builder, w->follow_type, w->follow_function, arguments, 2, "");
}

static bool follow_stars(const Weaver *w, const EventOrder *order, const EventField *f,
                         LLVMValueRef original, LLVMValueRef *number) {
  if (!f->stars) return true;
  if (LLVMGetTypeKind(LLVMTypeOf(original)) != LLVMPointerTypeKind)
    return wrong(w, order, f->column, "leave the star out", "this is no pointer");
  uint64_t bytes = f->bytes ? f->bytes : f->stars == 1 ? pointed_bytes(w, original) : 0;
  if (!bytes)
    return wrong(w, order, f->column, "say how many bytes to take, as *#1:4 or *#1:8",
                 "what the pointer leads to is not known here");
  for (uint32_t i = 0; i < f->stars; i++)
    *number = follow(w, *number, i + 1 < f->stars ? 8 : bytes);
  return true;
}

static bool argument_of(const Weaver *w, const EventOrder *order, const EventField *f,
                        const Site *site, LLVMValueRef *ret) {
  unsigned count =
      site->call ? LLVMGetNumArgOperands(site->call) : LLVMCountParams(site->function);
  if (f->index >= count)
    return wrong(w, order, f->column, "arguments are counted from 0",
                 "the function has no such argument");
  *ret = site->call ? LLVMGetOperand(site->call, f->index)
                    : LLVMGetParam(site->function, f->index);
  return true;
}

/* Whether the calling convention says that a small number has no sign. */
static bool is_plain(const EventField *f, const Site *site) {
  unsigned kind = LLVMGetEnumAttributeKindForName("zeroext", strlen("zeroext"));
  LLVMAttributeIndex index = f->kind == FIELD_RETURN ? LLVMAttributeReturnIndex
                                                     : (LLVMAttributeIndex)f->index + 1;
  if (f->kind != FIELD_RETURN && f->kind != FIELD_ARGUMENT) return false;
  return site->call ? LLVMGetCallSiteEnumAttribute(site->call, index, kind) != NULL
                    : LLVMGetEnumAttributeAtIndex(site->function, index, kind) != NULL;
}

static bool field_value(const Weaver *w, const EventOrder *order, const EventField *f,
                        const Site *site, LLVMValueRef *ret) {
  LLVMValueRef value = NULL;
  switch (f->kind) {
  case FIELD_ARGUMENT:
    if (!argument_of(w, order, f, site, &value)) return false;
    break;
  case FIELD_RETURN: value = site->result; break;
  case FIELD_ADDRESS: value = site->address; break;
  case FIELD_VALUE: value = site->value; break;
  default: value = site->size; break;
  }
  *ret = value ? as_number(w, value, is_plain(f, site)) : NULL;
  if (!*ret)
    return wrong(w, order, f->column, "take a field that is a number or a pointer",
                 f->kind == FIELD_RETURN ? "the function returns no number and no pointer"
                                         : "this is no number and no pointer");
  return follow_stars(w, order, f, value, ret);
}

/* ---- conditions ------------------------------------------------------------------- */

static LLVMValueRef both(const Weaver *w, LLVMValueRef one, LLVMValueRef other) {
  if (!one || !other) return one ? one : other;
  return LLVMBuildAnd(w->builder, one, other, "");
}

/* All conditions of the order at this place, or NULL: there are none. */
static bool conditions_of(const Weaver *w, const EventOrder *order, const Site *site,
                          LLVMValueRef *ret) {
  static const LLVMIntPredicate predicates[] = {
      [COMPARE_EQUAL] = LLVMIntEQ, [COMPARE_DIFFERENT] = LLVMIntNE,
      [COMPARE_LESS] = LLVMIntSLT, [COMPARE_AT_MOST] = LLVMIntSLE,
      [COMPARE_MORE] = LLVMIntSGT, [COMPARE_AT_LEAST] = LLVMIntSGE,
  };
  *ret = site->holds;
  for (uint32_t i = 0; i < order->conditions.len; i++) {
    const EventCondition *c = &order->conditions.data[i];
    LLVMValueRef value;
    if (!field_value(w, order, &c->field, site, &value)) return false;
    LLVMValueRef limit = LLVMConstInt(w->i64, (uint64_t)c->value, true);
    *ret = both(w, *ret,
                LLVMBuildICmp(w->builder, predicates[c->compare], value, limit, ""));
  }
  return true;
}

static LLVMValueRef number(const Weaver *w, uint64_t value) {
  return LLVMConstInt(w->i64, value, false);
}

/* Whether an access touches the member, where only the run knows. */
static LLVMValueRef build_touches(const Weaver *w, const Member *m, LLVMValueRef global,
                                  const Site *site) {
  LLVMBuilderRef b = w->builder;
  LLVMValueRef size =
      site->size ? site->size : number(w, LLVMStoreSizeOfType(w->layout, site->type));
  if (LLVMGetIntTypeWidth(LLVMTypeOf(size)) < 64)
    size = LLVMBuildZExt(b, size, w->i64, "");
  LLVMValueRef at = LLVMBuildSub(b, LLVMBuildPtrToInt(b, site->address, w->i64, ""),
                                 LLVMBuildPtrToInt(b, global, w->i64, ""), "");
  LLVMValueRef inside = NULL, whole = NULL;
  uint64_t first = m->offset;
  if (m->stride) {
    first -= m->begin;
    at = LLVMBuildSub(b, at, number(w, m->begin), "");
    inside = LLVMBuildICmp(b, LLVMIntULT, at, number(w, m->end - m->begin), "");
    whole = LLVMBuildICmp(b, LLVMIntUGE, size, number(w, m->stride), "");
    at = LLVMBuildURem(b, at, number(w, m->stride), "");
  }
  LLVMValueRef before = LLVMBuildICmp(b, LLVMIntULT, at, number(w, first + m->size), "");
  LLVMValueRef behind =
      LLVMBuildICmp(b, LLVMIntUGT, LLVMBuildAdd(b, at, size, ""), number(w, first), "");
  LLVMValueRef touches = both(w, before, behind);
  if (whole) touches = LLVMBuildOr(b, touches, whole, "");
  return both(w, touches, inside);
}

/* ---- building --------------------------------------------------------------------- */

static bool build_event(Weaver *w, uint32_t index, Site *site) {
  const EventOrder *order = &w->events->orders.data[index];
  LLVMValueRef arguments[1 + EVENTS_MOST_VALUES] = {w->kinds[index]};
  unsigned next = 1;
  LLVMPositionBuilderBefore(w->builder, site->instruction);
  if (site->type)
    site->size = LLVMConstInt(w->i64, LLVMStoreSizeOfType(w->layout, site->type), false);
  for (uint32_t i = 0; i < order->fields.len; i++) {
    const EventField *f = &order->fields.data[i];
    if (f->kind == FIELD_NAME) continue;
    if (!field_value(w, order, f, site, &arguments[next++])) return false;
  }
  LLVMValueRef holds;
  if (!conditions_of(w, order, site, &holds)) return false;
  /* The runtime takes no kind for no event: nothing changes in how the program flows. */
  if (holds)
    arguments[0] = LLVMBuildSelect(w->builder, holds, w->kinds[index],
                                   LLVMConstNull(w->pointer), "");
  w->places[index]++;
  while (next <= EVENTS_MOST_VALUES) arguments[next++] = LLVMConstInt(w->i64, 0, false);
  LLVMBuildCall2(w->builder, w->event_type, w->event_function, arguments, next, "");
  return true;
}

/* Replaces in the phis of a block one predecessor by another. */
static void rename_predecessor(Weaver *w, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                               LLVMBasicBlockRef to) {
  LLVMValueRef next;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi);
       phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(w->builder, phi);
    LLVMValueRef fresh = LLVMBuildPhi(w->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      LLVMBasicBlockRef before = LLVMGetIncomingBlock(phi, i);
      if (before == from) before = to;
      LLVMAddIncoming(fresh, &value, &before, 1);
    }
    LLVMReplaceAllUsesWith(phi, fresh);
    LLVMInstructionEraseFromParent(phi);
  }
}

/* Where the code behind an instruction begins. A call of C++ that may throw ends its
 * block: then a block of its own comes between it and where it returns to. */
static LLVMValueRef behind(Weaver *w, LLVMValueRef instruction) {
  if (!LLVMIsAInvokeInst(instruction)) return LLVMGetNextInstruction(instruction);
  LLVMBasicBlockRef target = LLVMGetNormalDest(instruction),
                    own = LLVMGetInstructionParent(instruction),
                    between = LLVMInsertBasicBlockInContext(w->context, target, "");
  rename_predecessor(w, target, own, between);
  LLVMPositionBuilderAtEnd(w->builder, between);
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(instruction));
  LLVMValueRef jump = LLVMBuildBr(w->builder, target);
  LLVMSetNormalDest(instruction, between);
  return jump;
}

/* ---- the places ------------------------------------------------------------------- */

static bool weave_at(Weaver *w, uint32_t order, LLVMValueRef instruction, Site *site) {
  bool after = w->events->orders.data[order].after;
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(instruction));
  site->instruction = after ? behind(w, instruction) : instruction;
  return build_event(w, order, site);
}

static bool weave_call(Weaver *w, uint32_t order, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (callee && LLVMIsAGlobalAlias(callee)) {
    if (!has_name(w, callee, w->events->orders.data[order].target))
      callee = LLVMAliasGetAliasee(callee);
  }
  if (!callee || !has_name(w, callee, w->events->orders.data[order].target)) return true;
  Site site = {.call = call};
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) site.result = call;
  return weave_at(w, order, call, &site);
}

/* The parts of an instruction that reads or writes memory; false for any other. */
static bool access_of(LLVMValueRef i, bool write, Site *ret) {
  Site site = {0};
  if (LLVMIsALoadInst(i) && !write) {
    site = (Site){.address = LLVMGetOperand(i, 0), .value = i, .type = LLVMTypeOf(i)};
  } else if (LLVMIsAStoreInst(i) && write) {
    LLVMValueRef value = LLVMGetOperand(i, 0);
    site = (Site){
        .address = LLVMGetOperand(i, 1), .value = value, .type = LLVMTypeOf(value)};
  } else if (LLVMIsAAtomicRMWInst(i)) {
    LLVMValueRef value = LLVMGetOperand(i, 1);
    site = (Site){.address = LLVMGetOperand(i, 0),
                  .value = write ? value : i,
                  .type = LLVMTypeOf(value)};
  } else if (LLVMIsAAtomicCmpXchgInst(i)) {
    LLVMValueRef value = LLVMGetOperand(i, 2);
    site = (Site){.address = LLVMGetOperand(i, 0),
                  .value = write ? value : NULL,
                  .type = LLVMTypeOf(value)};
  } else if (LLVMIsACallInst(i) &&
             (is_intrinsic(i, "llvm.memcpy") || is_intrinsic(i, "llvm.memmove") ||
              (write && is_intrinsic(i, "llvm.memset")))) {
    site =
        (Site){.address = LLVMGetOperand(i, write ? 0 : 1), .size = LLVMGetOperand(i, 2)};
  } else {
    return false;
  }
  *ret = site;
  return true;
}

/* The member of the variable that the order is about: what follows the variable's name in it, or
 * NULL for all of it. False when it is about another variable. */
static bool names_global(const Weaver *w, const EventOrder *o, LLVMValueRef global,
                         const char **ret_path) {
  *ret_path = NULL;
  if (has_name(w, global, o->target)) return true;
  for (size_t i = strlen(o->target); i-- > 1;) {
    if (o->target[i] != '.' && o->target[i] != '[') continue;
    char *name = str_ndup(o->target, i);
    bool same = has_name(w, global, name);
    mem_free(name);
    if (!same) continue;
    *ret_path = o->target + i;
    return true;
  }
  return false;
}

/* Whether the access may touch the member; what only the run knows becomes a condition. */
static bool touches(Weaver *w, const Member *m, LLVMValueRef global, Site *site,
                    LLVMValueRef instruction) {
  uint64_t offset;
  bool known = member_offset(w->layout, site->address, &offset);
  if (known && site->type)
    return member_touches(m, offset, LLVMStoreSizeOfType(w->layout, site->type));
  LLVMPositionBuilderBefore(w->builder, instruction);
  site->holds = build_touches(w, m, global, site);
  return true;
}

static bool weave_access(Weaver *w, uint32_t order, LLVMValueRef instruction) {
  const EventOrder *o = &w->events->orders.data[order];
  Site site;
  const char *path;
  Member member;
  if (!access_of(instruction, o->what == EVENT_AT_WRITE, &site)) return true;
  LLVMValueRef global = global_of(site.address);
  if (!global || !names_global(w, o, global, &path)) return true;
  if (path && !member_find(w->context, global, path, &member))
    return wrong(w, o, o->column, "write it as variable.member, [3] or [] for elements",
                 "the variable has no such member");
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(instruction));
  if (path && !touches(w, &member, global, &site, instruction)) return true;
  return weave_at(w, order, instruction, &site);
}

static bool is_line(LLVMValueRef instruction, const EventOrder *order) {
  unsigned length = 0;
  if (LLVMGetDebugLocLine(instruction) != order->line || LLVMIsAPHINode(instruction) ||
      LLVMIsAAllocaInst(instruction) || LLVMIsALandingPadInst(instruction))
    return false;
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  if (!file) return false;
  unsigned folder_length = 0;
  const char *folder = LLVMGetDebugLocDirectory(instruction, &folder_length);
  char *path =
      folder && (!length || *file != '/')
          ? str_printf("%.*s/%.*s", (int)folder_length, folder, (int)length, file)
          : str_ndup(file, length);
  size_t wanted = strlen(order->target), whole = strlen(path);
  bool same =
      str_ends(path, order->target) &&
      (whole == wanted || *order->target == '/' || path[whole - wanted - 1] == '/');
  mem_free(path);
  return same;
}

/* Before the first instruction of the line in the function, or behind its last one. */
static bool weave_line(Weaver *w, uint32_t order, LLVMValueRef function) {
  const EventOrder *o = &w->events->orders.data[order];
  LLVMValueRef found = NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (is_line(i, o) && (o->after || !found)) found = i;
  if (!found) return true;
  Site site = {0};
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(found));
  site.instruction = found;
  if (o->after && (!LLVMIsATerminatorInst(found) || LLVMIsAInvokeInst(found)))
    site.instruction = behind(w, found);
  return build_event(w, order, &site);
}

static bool weave_body(Weaver *w, uint32_t order, LLVMValueRef function) {
  const EventOrder *o = &w->events->orders.data[order];
  if (!has_name(w, function, o->target)) return true;
  Site site = {.function = function};
  if (!o->after) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef place =
        subprogram ? LLVMDIBuilderCreateDebugLocation(w->context,
                                                      LLVMDISubprogramGetLine(subprogram),
                                                      0, subprogram, NULL)
                   : NULL;
    LLVMSetCurrentDebugLocation2(w->builder, place);
    site.instruction = first;
    return build_event(w, order, &site);
  }
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    if (!last || !LLVMIsAReturnInst(last)) continue;
    site.result = LLVMGetNumOperands(last) ? LLVMGetOperand(last, 0) : NULL;
    LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(last));
    site.instruction = last;
    if (!build_event(w, order, &site)) return false;
  }
  return true;
}

/* ---- the module ------------------------------------------------------------------- */

static bool is_own(const Weaver *w, LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee == w->event_function || callee == w->follow_function;
}

/* All instructions of a function, before any is added. */
static bool weave_function(Weaver *w, LLVMValueRef function) {
  VEC(LLVMValueRef) all = {0};
  bool ok = true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      vec_push(&all, i);
  for (uint32_t k = 0; ok && k < w->events->orders.len; k++) {
    EventWhat what = w->events->orders.data[k].what;
    if (what == EVENT_AT_BODY) ok = weave_body(w, k, function);
    if (what == EVENT_AT_LINE) ok = weave_line(w, k, function);
    for (uint32_t i = 0; ok && i < all.len; i++) {
      if (is_own(w, all.data[i])) continue;
      if (what == EVENT_AT_CALL && is_call(all.data[i]))
        ok = weave_call(w, k, all.data[i]);
      else if (what == EVENT_AT_READ || what == EVENT_AT_WRITE)
        ok = weave_access(w, k, all.data[i]);
    }
  }
  vec_free(&all);
  return ok;
}

static LLVMValueRef add_kind(Weaver *w, const EventOrder *order) {
  char text[TEXT_BYTES] = {0};
  memcpy(text, order->text, strlen(order->text));
  LLVMValueRef parts[] = {LLVMConstInt(w->i32, order->values, false),
                          LLVMConstInt(w->i32, 0, false),
                          LLVMConstStringInContext2(w->context, text, TEXT_BYTES, true)};
  LLVMValueRef initial = LLVMConstStructInContext(w->context, parts, 3, false);
  LLVMValueRef kind = LLVMAddGlobal(w->module, LLVMTypeOf(initial), "heddle.event");
  LLVMSetInitializer(kind, initial);
  LLVMSetLinkage(kind, LLVMInternalLinkage);
  LLVMSetSection(kind, EVENT_SECTION);
  LLVMSetAlignment(kind, 8);
  return kind;
}

/* Tells, in a section of its own, how many places of this unit each order has: FILE:LINE:COLUMN,
 * the number, and what was looked for. */
static LLVMValueRef add_places(Weaver *w) {
  Str text = {0};
  for (uint32_t i = 0; i < w->events->orders.len; i++) {
    const EventOrder *o = &w->events->orders.data[i];
    if (o->optional) continue;
    str_addf(&text, "%s:%d:%d\t%u\t%s\n", w->events->path, o->place, o->column,
             w->places[i], o->target);
  }
  LLVMValueRef initial =
      LLVMConstStringInContext2(w->context, str_text(&text), text.len, true);
  LLVMValueRef places = LLVMAddGlobal(w->module, LLVMTypeOf(initial), "heddle.places");
  LLVMSetInitializer(places, initial);
  LLVMSetLinkage(places, LLVMInternalLinkage);
  LLVMSetGlobalConstant(places, true);
  LLVMSetSection(places, EVENTS_PLACES);
  LLVMSetAlignment(places, 1);
  str_free(&text);
  return places;
}

/* Appends to llvm.used: nobody may drop an event because it has no place in this unit. */
static void keep_kinds(Weaver *w) {
  VEC(LLVMValueRef) used = {0};
  if (!w->events->orders.len) return;
  LLVMValueRef old = LLVMGetNamedGlobal(w->module, "llvm.used");
  LLVMValueRef before = old ? LLVMGetInitializer(old) : NULL;
  for (int i = 0; before && i < LLVMGetNumOperands(before); i++)
    vec_push(&used, LLVMGetOperand(before, (unsigned)i));
  if (old) LLVMDeleteGlobal(old);
  for (uint32_t i = 0; i < w->events->orders.len; i++) vec_push(&used, w->kinds[i]);
  vec_push(&used, add_places(w));
  LLVMValueRef array = LLVMConstArray2(w->pointer, used.data, used.len);
  LLVMValueRef fresh = LLVMAddGlobal(w->module, LLVMTypeOf(array), "llvm.used");
  LLVMSetInitializer(fresh, array);
  LLVMSetLinkage(fresh, LLVMAppendingLinkage);
  LLVMSetSection(fresh, "llvm.metadata");
  vec_free(&used);
}

static LLVMValueRef declare(Weaver *w, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(w->module, name);
  if (!f) f = LLVMAddFunction(w->module, name, type);
  unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(w->context, kind, 0));
  return f;
}

static void weaver_start(Weaver *w) {
  w->layout = LLVMGetModuleDataLayout(w->module);
  w->builder = LLVMCreateBuilderInContext(w->context);
  w->i32 = LLVMInt32TypeInContext(w->context);
  w->i64 = LLVMInt64TypeInContext(w->context);
  w->pointer = LLVMPointerTypeInContext(w->context, 0);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(w->context);
  LLVMTypeRef parameters[1 + EVENTS_MOST_VALUES] = {w->pointer};
  for (int i = 0; i < EVENTS_MOST_VALUES; i++) parameters[1 + i] = w->i64;
  w->event_type = LLVMFunctionType(nothing, parameters, 1 + EVENTS_MOST_VALUES, false);
  w->follow_type = LLVMFunctionType(w->i64, parameters + 1, 2, false);
  w->event_function = declare(w, EVENT_FUNCTION, w->event_type);
  w->follow_function = declare(w, FOLLOW_FUNCTION, w->follow_type);
  w->kinds = mem_alloc_zero((w->events->orders.len + 1) * sizeof *w->kinds);
  w->places = mem_alloc_zero((w->events->orders.len + 1) * sizeof *w->places);
  for (uint32_t i = 0; i < w->events->orders.len; i++)
    w->kinds[i] = add_kind(w, &w->events->orders.data[i]);
}

bool weave_bitcode(const char *name, const void *bytes, size_t size, const Events *events,
                   int fd, Str *warnings, Err *err) {
  Weaver w = {.context = LLVMContextCreate(), .events = events, .name = name, .err = err};
  w.module = unit_read(w.context, name, bytes, size, err);
  if (!w.module) return false;
  waitloop_mark(w.context, w.module, warnings);
  weaver_start(&w);
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(w.module); ok && f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) ok = weave_function(&w, f);
  keep_kinds(&w);
  ok = ok && unit_write(w.module, name, fd, err);
  mem_free(w.kinds);
  mem_free(w.places);
  LLVMDisposeBuilder(w.builder);
  return ok; /* the process ends soon: the module is not taken apart */
}
