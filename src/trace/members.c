/* See members.h. The variables with an address of each module are listed when one of them is
 * asked for first; then types are walked down by the offset. */
#include "trace/members.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

enum { DEEPEST = 32 }; /* types in types, blocks in blocks */

struct Members {
  Map modules;   /* those that were read */
  Map variables; /* address → index + 1 into types */
  VEC(Dwarf_Die) types;
};

Members *members_new(void) {
  return mem_alloc_zero(sizeof(Members));
}

void members_free(Members *m) {
  if (!m) return;
  map_free(&m->modules);
  map_free(&m->variables);
  vec_free(&m->types);
  mem_free(m);
}

/* ---- variables -------------------------------------------------------------------- */

static bool address_of(Dwarf_Die *variable, Dwarf_Addr *ret) {
  Dwarf_Attribute attribute, indirect;
  Dwarf_Op *ops;
  size_t count;
  if (!dwarf_attr(variable, DW_AT_location, &attribute) ||
      dwarf_getlocation(&attribute, &ops, &count) || count != 1)
    return false;
  if (ops[0].atom == DW_OP_addr) {
    *ret = ops[0].number;
    return true;
  }
  return (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) &&
         dwarf_getlocation_attr(&attribute, ops, &indirect) == 0 &&
         dwarf_formaddr(&indirect, ret) == 0;
}

/* The type behind names and qualifiers. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *ret) {
  Dwarf_Attribute attribute;
  if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), ret))
    return false;
  return dwarf_peel_type(ret, ret) == 0;
}

static void list_variables(Members *m, Dwarf_Die *parent, Dwarf_Addr bias,
                           unsigned depth) {
  Dwarf_Die die;
  if (depth > DEEPEST || dwarf_child(parent, &die)) return;
  do {
    Dwarf_Addr address;
    Dwarf_Die type;
    switch (dwarf_tag(&die)) {
    case DW_TAG_variable:
      if (!address_of(&die, &address) || !type_of(&die, &type)) break;
      vec_push(&m->types, type);
      map_put(&m->variables, address + bias, m->types.len);
      break;
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type: list_variables(m, &die, bias, depth + 1); break;
    default: break;
    }
  } while (dwarf_siblingof(&die, &die) == 0);
}

static void read_module(Members *m, Dwfl_Module *module) {
  uint64_t *known = map_at(&m->modules, (uint64_t)(uintptr_t)module);
  Dwarf_Die *unit = NULL;
  Dwarf_Addr bias = 0;
  if (*known) return;
  *known = 1;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)))
    list_variables(m, unit, bias, 0);
}

/* ---- types ------------------------------------------------------------------------ */

/* Elements of the first dimension that a step of one of them is long, in bytes. */
static bool stride_of(Dwarf_Die *array, uint64_t size, Dwarf_Word *ret) {
  Dwarf_Die range;
  Dwarf_Attribute attribute;
  Dwarf_Word count = 0;
  if (dwarf_child(array, &range)) return false;
  do {
    if (dwarf_tag(&range) != DW_TAG_subrange_type) continue;
    if (dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &count) == 0) break;
    if (dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &count) == 0) {
      count++;
      break;
    }
    return false;
  } while (dwarf_siblingof(&range, &range) == 0);
  *ret = count ? size / count : 0;
  return *ret != 0;
}

/* Arrays of arrays are one type with several ranges: only what is one-dimensional inside is
 * told by elements. */
static unsigned dimensions(Dwarf_Die *array) {
  Dwarf_Die range;
  unsigned n = 0;
  if (dwarf_child(array, &range)) return 0;
  do n += dwarf_tag(&range) == DW_TAG_subrange_type;
  while (dwarf_siblingof(&range, &range) == 0);
  return n;
}

static bool member_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *ret,
                      Dwarf_Word *ret_begin) {
  Dwarf_Die member;
  if (dwarf_child(type, &member)) return false;
  do {
    Dwarf_Attribute attribute;
    Dwarf_Word begin = 0, size;
    Dwarf_Die inner;
    int tag = dwarf_tag(&member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        dwarf_hasattr(&member, DW_AT_data_bit_offset) || !type_of(&member, &inner) ||
        dwarf_aggregate_size(&inner, &size))
      continue;
    if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) &&
        dwarf_formudata(&attribute, &begin))
      continue;
    if (offset < begin || offset - begin >= size) continue;
    *ret = member;
    *ret_begin = begin;
    return true;
  } while (dwarf_siblingof(&member, &member) == 0);
  return false;
}

static bool add_path(Dwarf_Die *type, uint64_t offset, Str *out, unsigned depth) {
  Dwarf_Die inner, member;
  Dwarf_Word size, stride, begin;
  if (depth > DEEPEST) return false;
  switch (dwarf_tag(type)) {
  case DW_TAG_array_type:
    if (dimensions(type) != 1 || dwarf_aggregate_size(type, &size) ||
        !stride_of(type, size, &stride) || !type_of(type, &inner))
      return false;
    str_addf(out, "[%llu]", (unsigned long long)(offset / stride));
    return add_path(&inner, offset % stride, out, depth + 1);
  case DW_TAG_structure_type:
  case DW_TAG_class_type: {
    if (!member_at(type, offset, &member, &begin) || !type_of(&member, &inner))
      return false;
    const char *name = dwarf_diename(&member);
    if (name && dwarf_tag(&member) == DW_TAG_member) str_addf(out, ".%s", name);
    return add_path(&inner, offset - begin, out, depth + 1);
  }
  default: return offset == 0;
  }
}

bool members_add_path(Members *m, Dwfl_Module *module, uint64_t variable, uint64_t offset,
                      Str *out) {
  read_module(m, module);
  uint64_t known = map_find(&m->variables, variable, 0);
  Str path = {0};
  bool ok = known && add_path(&m->types.data[known - 1], offset, &path, 0);
  if (ok) str_add(out, str_text(&path));
  str_free(&path);
  return ok;
}
