/* See elffile.h.
 *
 * Appending: a section that is not loaded may lie anywhere in the file, so the new bytes
 * go to the end, followed by a grown copy of the names and a grown copy of the section
 * headers. Then the file header is pointed at the new table. What was there before stays
 * where it was; the old table and names become unused bytes (some hundred per file). This
 * is a hundred times cheaper than a run of objcopy, which a configure script would
 * feel. */
#include "front/elffile.h"

#include "base/proc.h"
#include "base/vec.h"

#include <elf.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the fields of the two layouts are, in bytes. */
typedef struct {
  unsigned header_size, shoff, shentsize, shnum, shstrndx;
  unsigned entry_size, sh_name, sh_type, sh_flags, sh_offset, sh_size, sh_link, sh_align;
  unsigned word; /* size of an address, an offset and a length */
} Layout;

#define LAYOUT(E, S, W)                                                                  \
  {sizeof(E),                                                                            \
   offsetof(E, e_shoff),                                                                 \
   offsetof(E, e_shentsize),                                                             \
   offsetof(E, e_shnum),                                                                 \
   offsetof(E, e_shstrndx),                                                              \
   sizeof(S),                                                                            \
   offsetof(S, sh_name),                                                                 \
   offsetof(S, sh_type),                                                                 \
   offsetof(S, sh_flags),                                                                \
   offsetof(S, sh_offset),                                                               \
   offsetof(S, sh_size),                                                                 \
   offsetof(S, sh_link),                                                                 \
   offsetof(S, sh_addralign),                                                            \
   W}

static const Layout layouts[2] = {LAYOUT(Elf32_Ehdr, Elf32_Shdr, 4),
                                  LAYOUT(Elf64_Ehdr, Elf64_Shdr, 8)};

static const Layout *layout_of(const ElfFile *file) {
  return &layouts[file->wide];
}

static uint64_t get(const ElfFile *file, const unsigned char *p, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)p[file->big ? bytes - 1 - i : i] << (8 * i);
  return value;
}

static void put(const ElfFile *file, unsigned char *p, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++)
    p[file->big ? bytes - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

bool elf_has_magic(const void *data, size_t size) {
  return size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
}

bool elf_open(const void *data, size_t size, ElfFile *ret_file) {
  const unsigned char *p = data;
  if (!elf_has_magic(data, size) || size < sizeof(Elf32_Ehdr)) return false;
  ElfFile file = {.data = p,
                  .size = size,
                  .wide = p[EI_CLASS] == ELFCLASS64,
                  .big = p[EI_DATA] == ELFDATA2MSB};
  const Layout *layout = layout_of(&file);
  if ((p[EI_CLASS] != ELFCLASS32 && !file.wide) || size < layout->header_size)
    return false;
  file.sections = get(&file, p + layout->shoff, layout->word);
  file.count = (uint32_t)get(&file, p + layout->shnum, 2);
  file.names = (uint32_t)get(&file, p + layout->shstrndx, 2);
  if (file.sections == 0) {
    file.count = 0;
    *ret_file = file;
    return true;
  }
  if (get(&file, p + layout->shentsize, 2) != layout->entry_size ||
      file.sections > size || size - file.sections < layout->entry_size)
    return false;
  /* Numbers too large for their fields are kept in the first, otherwise empty, entry. */
  const unsigned char *first = p + file.sections;
  if (file.count == 0) {
    uint64_t count = get(&file, first + layout->sh_size, layout->word);
    if (count > UINT32_MAX) return false;
    file.count = (uint32_t)count;
  }
  if (file.names == SHN_XINDEX)
    file.names = (uint32_t)get(&file, first + layout->sh_link, 4);
  if ((size - file.sections) / layout->entry_size < file.count) return false;
  *ret_file = file;
  return true;
}

static const unsigned char *entry_at(const ElfFile *file, uint32_t index) {
  return file->data + file->sections + (size_t)index * layout_of(file)->entry_size;
}

static bool bytes_of(const ElfFile *file, uint32_t index, ElfSection *section) {
  const Layout *layout = layout_of(file);
  if (index >= file->count) return false;
  const unsigned char *entry = entry_at(file, index);
  section->type = (uint32_t)get(file, entry + layout->sh_type, 4);
  section->link = (uint32_t)get(file, entry + layout->sh_link, 4);
  section->data = NULL;
  section->size = 0;
  if (section->type == SHT_NOBITS || section->type == SHT_NULL) return true;
  uint64_t offset = get(file, entry + layout->sh_offset, layout->word);
  uint64_t size = get(file, entry + layout->sh_size, layout->word);
  if (offset > file->size || size > file->size - offset) return false;
  section->data = file->data + offset;
  section->size = (size_t)size;
  return true;
}

/* The NUL-terminated text at `offset` of a string table. */
static const char *text_at(const ElfSection *table, uint64_t offset) {
  if (!table->data || offset >= table->size ||
      !memchr(table->data + offset, 0, table->size - (size_t)offset))
    return "";
  return (const char *)table->data + offset;
}

bool elf_section(const ElfFile *file, uint32_t index, ElfSection *ret_section) {
  ElfSection section = {.name = ""}, names = {0};
  if (!bytes_of(file, index, &section)) return false;
  if (bytes_of(file, file->names, &names)) {
    const Layout *layout = layout_of(file);
    section.name = text_at(&names, get(file, entry_at(file, index) + layout->sh_name, 4));
  }
  *ret_section = section;
  return true;
}

void elf_each_dynamic(const ElfFile *file, ElfDynamic *call, void *user) {
  unsigned word = layout_of(file)->word;
  for (uint32_t i = 0; i < file->count; i++) {
    ElfSection dynamic, texts;
    if (!bytes_of(file, i, &dynamic) || dynamic.type != SHT_DYNAMIC || !dynamic.data ||
        !bytes_of(file, dynamic.link, &texts))
      continue;
    for (size_t at = 0; at + 2 * word <= dynamic.size; at += 2 * word) {
      uint64_t tag = get(file, dynamic.data + at, word);
      if (tag == DT_NULL) break;
      if (tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH)
        call(user, (int)tag, text_at(&texts, get(file, dynamic.data + at + word, word)));
    }
  }
}

/* ---- appending ------------------------------------------------------------------- */

static void pad_to(Str *out, size_t start, size_t alignment) {
  while ((start + out->len) % alignment != 0) str_add_char(out, 0);
}

/* The bytes to append, and in *ret_table where the new section headers are in the
 * file. */
static void build_tail(const ElfFile *file, const ElfSection *names, const char *name,
                       const void *bytes, size_t size, Str *tail, uint64_t *ret_table) {
  const Layout *layout = layout_of(file);
  pad_to(tail, file->size, 8);
  uint64_t data_at = file->size + tail->len;
  str_add_bytes(tail, bytes, size);
  uint64_t names_at = file->size + tail->len;
  str_add_bytes(tail, names->data, names->size);
  str_add_bytes(tail, name, strlen(name) + 1);
  uint64_t names_size = file->size + tail->len - names_at;
  pad_to(tail, file->size, 8);
  *ret_table = file->size + tail->len;

  size_t table = tail->len, entry = layout->entry_size;
  str_add_bytes(tail, entry_at(file, 0), entry * file->count);
  unsigned char fresh[sizeof(Elf64_Shdr)] = {0};
  put(file, fresh + layout->sh_name, 4, names->size);
  put(file, fresh + layout->sh_type, 4, SHT_PROGBITS);
  put(file, fresh + layout->sh_offset, layout->word, data_at);
  put(file, fresh + layout->sh_size, layout->word, size);
  put(file, fresh + layout->sh_align, layout->word, 8);
  str_add_bytes(tail, fresh, entry);

  unsigned char *first = (unsigned char *)tail->data + table;
  unsigned char *moved = first + entry * file->names;
  put(file, moved + layout->sh_offset, layout->word, names_at);
  put(file, moved + layout->sh_size, layout->word, names_size);
  if (file->count + 1 >= SHN_LORESERVE)
    put(file, first + layout->sh_size, layout->word, file->count + 1);
}

static bool write_at(int fd, const void *bytes, size_t size, off_t at) {
  const char *p = bytes;
  while (size > 0) {
    ssize_t n = pwrite(fd, p, size, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

static bool append(int fd, const ElfFile *file, const ElfSection *names, const char *name,
                   const void *bytes, size_t size) {
  const Layout *layout = layout_of(file);
  Str tail = {0};
  uint64_t table;
  build_tail(file, names, name, bytes, size, &tail, &table);
  unsigned char header[sizeof(Elf64_Ehdr)];
  memcpy(header, file->data, layout->header_size);
  uint32_t count = file->count + 1;
  put(file, header + layout->shoff, layout->word, table);
  put(file, header + layout->shnum, 2, count >= SHN_LORESERVE ? 0 : count);
  bool ok = write_at(fd, tail.data, tail.len, (off_t)file->size);
  if (!ok) {
    int saved = errno;
    if (ftruncate(fd, (off_t)file->size) != 0) {
      /* Bytes after the end of what the headers describe do no harm. */
    }
    errno = saved;
  }
  ok = ok && write_at(fd, header, layout->header_size, 0);
  str_free(&tail);
  return ok;
}

bool elf_append_section(int fd, const char *path, const char *name, const void *bytes,
                        size_t size, Err *err) {
  const void *data;
  size_t length;
  if (!proc_map_fd(fd, &data, &length))
    return err_set(err, ERR_INTERNAL, path, 0, 0, NULL, "cannot be read: %s",
                   strerror(errno));
  ElfFile file;
  ElfSection names;
  bool known = elf_open(data, length, &file) && file.count > 0 &&
               bytes_of(&file, file.names, &names) && names.data &&
               names.type == SHT_STRTAB && names.size < UINT32_MAX - 64;
  /* A 32-bit file cannot grow beyond what its offsets can say. */
  bool fits = known && (file.wide || length + size + names.size < INT32_MAX);
  bool ok = fits && append(fd, &file, &names, name, bytes, size);
  int saved = errno;
  proc_unmap(data, length);
  if (!fits)
    return err_input(err, path, NULL, "is not an ELF file that can take a section");
  if (!ok)
    return err_set(err, ERR_INTERNAL, path, 0, 0, "free some disk space",
                   "cannot be extended: %s", strerror(saved));
  return true;
}
