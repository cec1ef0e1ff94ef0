/* Just enough of ELF for heddle: find sections by name, learn which shared libraries a
 * file needs, and append a section to a file that a compiler or linker has finished.
 *
 * Both word sizes and both byte orders are read. Every offset is checked against the size
 * of the file before it is used, so any bytes at all may be given. An ElfFile is a view
 * into memory that the caller keeps. */
#ifndef HEDDLE_FRONT_ELFFILE_H
#define HEDDLE_FRONT_ELFFILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const unsigned char *data;
  size_t size;
  bool wide, big;        /* 64 bits; most significant byte first */
  uint64_t sections;     /* offset of the section headers, 0 when there are none */
  uint32_t count, names; /* number of sections; which one holds their names */
} ElfFile;

typedef struct {
  const char *name; /* NUL-terminated inside the file, "" when broken */
  uint32_t type, link;
  const unsigned char *data; /* NULL when the section has no bytes in the file */
  size_t size;
} ElfSection;

/* True when the bytes start as an ELF file does. */
bool elf_has_magic(const void *data, size_t size);
/* False when the headers make no sense. */
bool elf_open(const void *data, size_t size, ElfFile *ret_file);
/* False when the section's bytes are not inside the file. */
bool elf_section(const ElfFile *file, uint32_t index, ElfSection *ret_section);

/* Calls back for each DT_NEEDED (tag 1), DT_SONAME (14), DT_RPATH (15) and DT_RUNPATH
 * (29). */
typedef void ElfDynamic(void *user, int tag, const char *text);
void elf_each_dynamic(const ElfFile *file, ElfDynamic *call, void *user);

/* Appends a section that takes no memory at run time to the file behind `fd` (opened for
 * reading and writing). The headers are changed last, so a failure on the way leaves the
 * file's meaning untouched and its length restored. A file that is not ELF gives false
 * with ERR_INPUT, a failing system call false with ERR_INTERNAL. `path` is for
 * messages. */
bool elf_append_section(int fd, const char *path, const char *name, const void *bytes,
                        size_t size, Err *err);

#endif
