/* Source places by elfutils. The files of the modules are opened where they were loaded
 * from; what is missing there is missing in the answers, never an error. */
#include "trace/places.h"

#include "base/map.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <string.h>

struct Places {
  Dwfl *dwfl;
  Dwfl_Callbacks callbacks;
  char *no_path;
  Map known; /* return address → index + 1 into found */
  VEC(Place) found;
  VEC(char *) paths; /* owned: names of files that were relative */
};

/* No search for debug files elsewhere: it might go to the network. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name,
                         Dwarf_Addr base, const char *file, const char *link,
                         GElf_Word crc, char **found) {
  (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
  (void)found;
  return -1;
}

Places *places_new(const Trace *trace) {
  Places *p = mem_alloc_zero(sizeof *p);
  p->callbacks.find_elf = dwfl_build_id_find_elf;
  p->callbacks.find_debuginfo = no_debug_file;
  p->callbacks.section_address = dwfl_offline_section_address;
  p->callbacks.debuginfo_path = &p->no_path;
  p->dwfl = dwfl_begin(&p->callbacks);
  if (!p->dwfl) return p;
  dwfl_report_begin(p->dwfl);
  for (uint32_t i = 0; i < trace->modules.len; i++)
    dwfl_report_elf(p->dwfl, trace->modules.data[i].path, trace->modules.data[i].path, -1,
                    trace->modules.data[i].base, true);
  dwfl_report_end(p->dwfl, NULL, NULL);
  return p;
}

void places_free(Places *p) {
  if (!p) return;
  if (p->dwfl) dwfl_end(p->dwfl);
  map_free(&p->known);
  vec_free(&p->found);
  for (uint32_t i = 0; i < p->paths.len; i++) mem_free(p->paths.data[i]);
  vec_free(&p->paths);
  mem_free(p);
}

/* The compile unit of an address. Not every compiler writes the table that elfutils would
 * look into (.debug_aranges), so the units are asked themselves. */
static Dwarf_Die *unit_of(Dwfl_Module *module, uint64_t address, Dwarf_Addr *ret_bias) {
  Dwarf_Die *unit = NULL;
  while ((unit = dwfl_module_nextcu(module, unit, ret_bias)))
    if (dwarf_haspc(unit, address - *ret_bias) == 1) return unit;
  return NULL;
}

/* A name that is relative to the folder in which the compiler ran. */
static const char *full_path(Places *p, Dwarf_Die *unit, const char *file) {
  Dwarf_Attribute attribute;
  if (!file || file[0] == '/') return file;
  const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (!folder) return file;
  vec_push(&p->paths, str_printf("%s/%s", folder, file));
  return *vec_last(&p->paths);
}

static Place find(Places *p, uint64_t address) {
  Place place = {0};
  Dwarf_Addr bias = 0;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, address) : NULL;
  if (!module) return place;
  place.module = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  place.function = dwfl_module_addrname(module, address);
  Dwarf_Die *unit = unit_of(module, address, &bias);
  Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
  if (!line) return place;
  place.file = full_path(p, unit, dwarf_linesrc(line, NULL, NULL));
  dwarf_lineno(line, &place.line);
  dwarf_linecol(line, &place.column);
  return place;
}

Place places_find(Places *p, uint64_t return_address) {
  uint64_t *known = map_at(&p->known, return_address);
  if (*known) return p->found.data[*known - 1];
  vec_push(&p->found, find(p, return_address ? return_address - 1 : 0));
  *known = p->found.len;
  return *vec_last(&p->found);
}

void places_add(Places *p, uint64_t return_address, Str *out) {
  Place place = places_find(p, return_address);
  if (place.file) {
    str_addf(out, "%s:%d", place.file, place.line);
  } else if (place.function) {
    str_addf(out, "%s", place.function);
  } else {
    const char *slash = place.module ? strrchr(place.module, '/') : NULL;
    str_addf(out, "%s0x%llx", slash ? slash + 1 : "", (unsigned long long)return_address);
  }
}

bool places_add_variable(Places *p, uint64_t address, Str *out) {
  GElf_Off offset;
  GElf_Sym symbol;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, address) : NULL;
  const char *name =
      module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL)
             : NULL;
  if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) return false;
  if (offset >= symbol.st_size) return false;
  str_add(out, name);
  if (offset) str_addf(out, "+%llu", (unsigned long long)offset);
  return true;
}
