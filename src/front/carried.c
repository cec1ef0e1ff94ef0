/* See carried.h.
 *
 * A binary's own records come first, in link order. Then the shared libraries that it
 * needs are sought as the dynamic linker would: DT_RPATH (without DT_RUNPATH),
 * LD_LIBRARY_PATH, DT_RUNPATH, then the directories that the link itself looked in (a
 * build tree is often run before it is installed), then the system's. Breadth first, each
 * file once. A library without bitcode is simply an external library. */
#include "front/carried.h"

#include "base/proc.h"
#include "base/str.h"
#include "front/archive.h"
#include "front/bitsection.h"
#include "front/elffile.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const system_dirs[] = {
    "/usr/local/lib",
    "/usr/local/lib/x86_64-linux-gnu",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/local/lib/aarch64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
};

typedef VEC(char *) Texts;

static void texts_free(Texts *texts) {
  for (uint32_t i = 0; i < texts->len; i++) mem_free(texts->data[i]);
  vec_free(texts);
}

/* One ELF file that is being read. */
typedef struct {
  Carried *carried;
  Inputs *inputs;
  const char *path; /* of the file, or of the archive around it */
  unsigned rank;
  uint32_t found;     /* records with bitcode, also those already known */
  char *first_reason; /* of the first record without, or NULL */
  Texts needed, rpath, runpath, linked; /* names, and directories */
} File;

static void file_free(File *file) {
  texts_free(&file->needed);
  texts_free(&file->rpath);
  texts_free(&file->runpath);
  texts_free(&file->linked);
  mem_free(file->first_reason);
}

void carried_free(Carried *carried) {
  map_free(&carried->records);
  strmap_free(&carried->files);
}

bool carried_is_binary(const void *data, size_t size) {
  return elf_has_magic(data, size) || archive_has_magic(data, size);
}

/* ---- records --------------------------------------------------------------------- */

/* The source as seen from where heddle runs. */
static char *display_name(const BitRecord *record) {
  if (record->source[0] == '/') return str_dup(record->source);
  char *here = getcwd(NULL, 0);
  bool same = here && str_eq(here, record->directory);
  free(here);
  return same ? str_dup(record->source)
              : str_printf("%s/%s", record->directory, record->source);
}

static bool take_record(void *user, const BitRecord *record, Err *err) {
  File *file = user;
  if (record->kind == BIT_LINK) {
    for (uint32_t i = 0; i < record->arguments.len; i++)
      vec_push(&file->linked, str_dup(record->arguments.data[i]));
    return true;
  }
  if (record->kind == BIT_UNIT) file->found++;
  uint64_t *known = map_at(&file->carried->records, record->hash);
  if (*known) return true;
  *known = 1;
  char *name = display_name(record);
  if (record->kind == BIT_NONE) {
    if (!file->first_reason)
      file->first_reason = str_printf("%s: %s", name, record->reason);
    inputs_add_note(file->inputs, name, "no bitcode for %s: %s", name, record->reason);
    mem_free(name);
    return true;
  }
  void *bytes = bit_bitcode(record, file->path, err);
  if (!bytes) {
    mem_free(name);
    return false;
  }
  bytes = mem_realloc(bytes, record->size + 1);
  ((char *)bytes)[record->size] = 0;
  vec_push(&file->inputs->units, (InputUnit){.name = name,
                                             .origin = str_dup(file->path),
                                             .bytes = bytes,
                                             .size = record->size,
                                             .rank = file->rank});
  return true;
}

static void add_path_list(Texts *out, const char *list) {
  for (;;) {
    size_t length = strcspn(list, ":");
    vec_push(out, length ? str_ndup(list, length) : str_dup("."));
    if (!list[length]) return;
    list += length + 1;
  }
}

static void take_dynamic(void *user, int tag, const char *text) {
  File *file = user;
  if (tag == DT_NEEDED && *text)
    vec_push(&file->needed, str_dup(text));
  else if (tag == DT_RPATH)
    add_path_list(&file->rpath, text);
  else if (tag == DT_RUNPATH)
    add_path_list(&file->runpath, text);
}

static bool read_elf(File *file, const char *label, const void *data, size_t size,
                     Err *err) {
  ElfFile elf;
  if (!elf_open(data, size, &elf))
    return err_input(err, label, "build it again", "the ELF file is damaged");
  for (uint32_t i = 0; i < elf.count; i++) {
    ElfSection section;
    if (elf_section(&elf, i, &section) && section.data &&
        str_eq(section.name, BITSECTION_NAME) &&
        !bit_each(section.data, section.size, label, take_record, file, err))
      return false;
  }
  elf_each_dynamic(&elf, take_dynamic, file);
  return true;
}

/* Members that are no ELF files (a text, say) are not for heddle. */
static bool take_member(void *user, const char *member, const void *data, size_t size,
                        Err *err) {
  File *file = user;
  if (!elf_has_magic(data, size)) return true;
  char *label = str_printf("%s(%s)", file->path, member);
  bool ok = read_elf(file, label, data, size, err);
  mem_free(label);
  return ok;
}

/* ---- libraries ------------------------------------------------------------------- */

/* $ORIGIN is the directory of the file that says it. */
static char *expand_origin(const char *dir, const char *path) {
  static const char *const forms[] = {"$ORIGIN", "${ORIGIN}"};
  char *real = realpath(path, NULL);
  const char *slash = real ? strrchr(real, '/') : NULL;
  Str out = {0};
  while (*dir) {
    size_t form = 0;
    while (form < 2 && !str_starts(dir, forms[form])) form++;
    if (form < 2 && slash) {
      str_add_bytes(&out, real, (size_t)(slash - real));
      dir += strlen(forms[form]);
    } else {
      str_add_char(&out, *dir++);
    }
  }
  free(real);
  return str_take(&out);
}

static char *try_dir(const char *dir, const char *name, const char *path) {
  char *expanded = expand_origin(dir, path);
  char *file = str_printf("%s/%s", expanded, name);
  mem_free(expanded);
  if (access(file, R_OK) == 0) return file;
  mem_free(file);
  return NULL;
}

static char *try_dirs(const Texts *dirs, const char *name, const char *path) {
  char *found = NULL;
  for (uint32_t i = 0; i < dirs->len && !found; i++)
    found = try_dir(dirs->data[i], name, path);
  return found;
}

static char *find_library(const File *file, const char *name) {
  if (strchr(name, '/')) return access(name, R_OK) == 0 ? str_dup(name) : NULL;
  char *found = NULL;
  if (file->runpath.len == 0) found = try_dirs(&file->rpath, name, file->path);
  const char *variable = getenv("LD_LIBRARY_PATH");
  if (!found && variable && *variable) {
    Texts dirs = {0};
    add_path_list(&dirs, variable);
    found = try_dirs(&dirs, name, file->path);
    texts_free(&dirs);
  }
  if (!found) found = try_dirs(&file->runpath, name, file->path);
  if (!found) found = try_dirs(&file->linked, name, file->path);
  for (size_t i = 0; i < sizeof system_dirs / sizeof *system_dirs && !found; i++)
    found = try_dir(system_dirs[i], name, file->path);
  return found;
}

/* True the first time it is asked about a file. */
static bool first_visit(Carried *carried, const char *path) {
  char *real = realpath(path, NULL);
  const char *key = real ? real : path;
  uint64_t *seen = strmap_at(&carried->files, key, strlen(key));
  bool first = *seen == 0;
  *seen = 1;
  free(real);
  return first;
}

static void queue_needed(const File *file, Texts *queue) {
  for (uint32_t i = 0; i < file->needed.len; i++) {
    char *path = find_library(file, file->needed.data[i]);
    if (path && first_visit(file->carried, path))
      vec_push(queue, path);
    else
      mem_free(path);
  }
}

/* A shared library: what it carries, if anything. */
static bool read_library(Carried *carried, const char *path, Inputs *inputs, Texts *queue,
                         Err *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const void *data;
  size_t size;
  bool mapped = fd >= 0 && proc_map_fd(fd, &data, &size);
  bool ok = true;
  if (mapped && elf_has_magic(data, size)) {
    File file = {
        .carried = carried, .inputs = inputs, .path = path, .rank = carried->rank + 1};
    ok = read_elf(&file, path, data, size, err);
    if (file.found > 0) {
      carried->rank++;
      queue_needed(&file, queue);
    }
    file_free(&file);
  }
  if (mapped) proc_unmap(data, size);
  if (fd >= 0) close(fd);
  return ok;
}

static bool no_bitcode(const File *file, Err *err) {
  if (file->first_reason)
    return err_input(err, file->path, "name the sources instead",
                     "carries no bitcode (%s)", file->first_reason);
  return err_input(err, file->path,
                   "build it with CC=\"heddle cc\" and do not strip its sections",
                   "carries no bitcode");
}

bool carried_collect(Carried *carried, const char *path, const void *data, size_t size,
                     Inputs *inputs, Err *err) {
  if (!first_visit(carried, path)) return true;
  Texts queue = {0};
  File file = {.carried = carried, .inputs = inputs, .path = path};
  bool ok = archive_has_magic(data, size)
                ? archive_each(data, size, path, take_member, &file, err)
                : read_elf(&file, path, data, size, err);
  if (ok && file.found == 0) ok = no_bitcode(&file, err);
  if (ok) queue_needed(&file, &queue);
  for (uint32_t i = 0; i < queue.len; i++) {
    if (ok) ok = read_library(carried, queue.data[i], inputs, &queue, err);
    mem_free(queue.data[i]);
  }
  vec_free(&queue);
  file_free(&file);
  return ok;
}
