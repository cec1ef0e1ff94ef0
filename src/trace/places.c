/* Source places by elfutils. The files of the modules are opened where they were loaded
 * from; what is missing there is missing in the answers, never an error. */
#include "trace/places.h"

#include "base/map.h"
#include "trace/members.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Places {
  Dwfl *dwfl;
  Dwfl_Callbacks callbacks;
  char *no_path;
  Map known; /* return address → index + 1 into found */
  VEC(Place) found;
  VEC(char *) paths; /* owned: names of files that were relative, of C++ functions */
  Members *members;
  char *here; /* the folder that heddle runs in, with a slash, or NULL */
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
  char here[4096];
  if (getcwd(here, sizeof here)) p->here = str_printf("%s/", here);
  p->members = members_new();
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
  members_free(p->members);
  mem_free(p->here);
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

/* "/a/b/../c" is "/a/c": compilers keep names as they were given. */
static void simplify(char *path) {
  char *to = path;
  for (const char *from = path; *from;) {
    size_t length = 1 + strcspn(from + 1, "/"); /* with its slash */
    bool up = length == 3 && memcmp(from, "/..", 3) == 0;
    bool same = length == 2 && from[1] == '.';
    if (up)
      while (to > path && *--to != '/') {
      }
    else if (!same)
      to = (char *)memmove(to, from, length) + length;
    from += length;
  }
  *to = 0;
}

/* C++ names as they were written, by the library of C++ if there is one. */
static const char *demangle(Places *p, const char *name) {
  typedef char *Demangle(const char *, char *, size_t *, int *);
  static void *library;
  if (!name || strncmp(name, "_Z", 2) != 0) return name;
  if (!library) library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  Demangle *function = NULL;
  if (library) *(void **)&function = dlsym(library, "__cxa_demangle");
  int status = 0;
  char *plain = function ? function(name, NULL, NULL, &status) : NULL;
  if (!plain) return name;
  vec_push(&p->paths, str_dup(plain));
  free(plain);
  return *vec_last(&p->paths);
}

/* A name that is relative to the folder in which the compiler ran. */
static const char *full_path(Places *p, Dwarf_Die *unit, const char *file) {
  Dwarf_Attribute attribute;
  if (!file) return file;
  const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (file[0] != '/' && !folder) return file;
  vec_push(&p->paths, file[0] == '/' ? str_dup(file) : str_printf("%s/%s", folder, file));
  if (**vec_last(&p->paths) == '/') simplify(*vec_last(&p->paths));
  return *vec_last(&p->paths);
}

static Place find(Places *p, uint64_t address) {
  Place place = {0};
  Dwarf_Addr bias = 0;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, address) : NULL;
  if (!module) return place;
  place.module = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  place.function = demangle(p, dwfl_module_addrname(module, address));
  Dwarf_Die *unit = unit_of(module, address, &bias);
  Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
  if (!line) return place;
  place.file = full_path(p, unit, dwarf_linesrc(line, NULL, NULL));
  dwarf_lineno(line, &place.line);
  dwarf_linecol(line, &place.column);
  /* What the compiler made itself has no line: that of the code before is the nearest. */
  enum { FARTHEST = 256 };
  for (uint64_t back = 1; !place.line && back < FARTHEST && back < address - bias; back++)
    if ((line = dwarf_getsrc_die(unit, address - bias - back)))
      dwarf_lineno(line, &place.line);
  return place;
}

Place places_find(Places *p, uint64_t return_address) {
  uint64_t *known = map_at(&p->known, return_address);
  if (*known) return p->found.data[*known - 1];
  vec_push(&p->found, find(p, return_address ? return_address - 1 : 0));
  *known = p->found.len;
  return *vec_last(&p->found);
}

const char *places_short(const Places *p, const char *file) {
  size_t length = p->here ? strlen(p->here) : 0;
  return length && strncmp(file, p->here, length) == 0 ? file + length : file;
}

void places_add(Places *p, uint64_t return_address, Str *out) {
  Place place = places_find(p, return_address);
  if (place.file) {
    str_addf(out, "%s:%d", places_short(p, place.file), place.line);
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
  str_add(out, demangle(p, name));
  if (members_add_path(p->members, module, address - offset, offset, out)) return true;
  if (offset) str_addf(out, "+%llu", (unsigned long long)offset);
  return true;
}
