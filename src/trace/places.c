/* Source places by elfutils. The files of the modules are opened where they were loaded
 * from; what is missing there is missing in the answers, never an error. */
#include "trace/places.h"

#include "base/mem.h"

#include <elfutils/libdwfl.h>
#include <string.h>

struct Places {
  Dwfl *dwfl;
  Dwfl_Callbacks callbacks;
  char *no_path;
};

/* No search for debug files elsewhere: it might go to the network. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word crc, char **found) {
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
  mem_free(p);
}

Place places_find(Places *p, uint64_t return_address) {
  Place place = {0};
  uint64_t address = return_address ? return_address - 1 : 0;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, address) : NULL;
  if (!module) return place;
  place.module = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  place.function = dwfl_module_addrname(module, address);
  Dwfl_Line *line = dwfl_module_getsrc(module, address);
  if (line) place.file = dwfl_lineinfo(line, NULL, &place.line, &place.column, NULL, NULL);
  return place;
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
      module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
  if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) return false;
  if (offset >= symbol.st_size) return false;
  str_add(out, name);
  if (offset) str_addf(out, "+%llu", (unsigned long long)offset);
  return true;
}
