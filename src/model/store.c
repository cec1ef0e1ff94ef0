/* Saving a program model and mapping it back.
 *
 * In and out: a Program and a file. The file is, in this order and in the machine's own
 * byte order:
 *
 *   1. a Header: magic, version, number of tables, size of the whole file, the scalars;
 *   2. one Entry for each table of PROGRAM_TABLES: offset, number and size of its
 *      elements;
 *   3. the tables themselves, raw, each at an offset that is a multiple of 8, in order,
 *      with zero bytes between them.
 *
 * Rules that program_map relies on and checks, so that no file can crash it:
 *
 *   S1  magic, version and table count are this build's, and the reserved word is 0;
 *   S2  the size in the header is the size of the file;
 *   S3  every element size is this build's;
 *   S4  the first table starts right behind the entries, and each further one at the next
 *       multiple of 8 behind its predecessor, so tables never overlap and leave no holes;
 *   S5  the last table, rounded up to 8, ends the file.
 *
 * S4 and S5 leave exactly one valid file for given counts: offsets carry no freedom. */
#include "model/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STORE_VERSION = 1, STORE_ALIGN = 8 };

static const char store_magic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'P', 'M'};

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t table_count;
  uint64_t file_size;
  FuncId main;
  ObjectId errno_object;
  uint32_t unit_count; /* Program.file_count */
  uint32_t line_count;
  uint64_t reserved;
} Header;

typedef struct {
  uint64_t offset;
  uint32_t count;
  uint32_t element_size;
} Entry;

enum {
#define TABLE(name) TABLE_##name,
  PROGRAM_TABLES(TABLE)
#undef TABLE
      TABLE_COUNT
};

static const char *const table_names[TABLE_COUNT] = {
#define TABLE(name) #name,
    PROGRAM_TABLES(TABLE)
#undef TABLE
};

static const uint32_t element_sizes[TABLE_COUNT] = {
#define TABLE(name) sizeof *((Program *)0)->name.data,
    PROGRAM_TABLES(TABLE)
#undef TABLE
};

/* Counts are 32 bits and elements small, so none of these sums can overflow 64 bits. */
static uint64_t align_up(uint64_t n) {
  return (n + (STORE_ALIGN - 1)) & ~(uint64_t)(STORE_ALIGN - 1);
}

static uint64_t tables_start(void) {
  return align_up(sizeof(Header) + TABLE_COUNT * sizeof(Entry));
}

/* Fills the offsets (S4) and returns the size of the file (S5). */
static uint64_t lay_out(Entry entries[TABLE_COUNT]) {
  uint64_t at = tables_start();
  for (int i = 0; i < TABLE_COUNT; i++) {
    entries[i].offset = at;
    at = align_up(at + (uint64_t)entries[i].count * entries[i].element_size);
  }
  return at;
}

/* ---- saving ------------------------------------------------------------------------ */

static bool write_all(int fd, const void *bytes, uint64_t n, Err *err) {
  const char *p = bytes;
  while (n > 0) {
    size_t chunk = n > (1u << 30) ? 1u << 30 : (size_t)n;
    ssize_t done = write(fd, p, chunk);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      bool full = done == 0 || errno == ENOSPC || errno == ENOMEM || errno == EDQUOT ||
                  errno == EFBIG;
      return err_set(err, full ? ERR_LIMIT : ERR_INTERNAL, NULL, 0, 0, NULL,
                     "cannot store the program model: %s",
                     strerror(done ? errno : ENOSPC));
    }
    p += done;
    n -= (uint64_t)done;
  }
  return true;
}

static bool write_padded(int fd, const void *bytes, uint64_t n, Err *err) {
  static const char zeros[STORE_ALIGN];
  return write_all(fd, bytes, n, err) && write_all(fd, zeros, align_up(n) - n, err);
}

bool program_save(const Program *program, int fd, Err *err) {
  const void *data[TABLE_COUNT] = {
#define TABLE(name) program->name.data,
      PROGRAM_TABLES(TABLE)
#undef TABLE
  };
  struct {
    Header header;
    Entry entries[TABLE_COUNT];
  } head = {.header = {.version = STORE_VERSION,
                       .table_count = TABLE_COUNT,
                       .main = program->main,
                       .errno_object = program->errno_object,
                       .unit_count = program->file_count,
                       .line_count = program->line_count},
            .entries = {
#define TABLE(name)                                                                      \
  {.count = program->name.len, .element_size = sizeof *program->name.data},
                PROGRAM_TABLES(TABLE)
#undef TABLE
            }};
  memcpy(head.header.magic, store_magic, sizeof store_magic);
  head.header.file_size = lay_out(head.entries);
  if (!write_padded(fd, &head, sizeof head, err)) return false;
  for (int i = 0; i < TABLE_COUNT; i++) {
    uint64_t n = (uint64_t)head.entries[i].count * head.entries[i].element_size;
    if (!write_padded(fd, data[i], n, err)) return false;
  }
  return true;
}

/* ---- mapping ----------------------------------------------------------------------- */

static bool broken(Err *err, const char *what) {
  return err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL,
                 "the stored program model is broken: %s", what);
}

/* Checks S1 to S5; `entries` is an aligned copy for the caller. */
static bool check_layout(const void *bytes, uint64_t size, Header *ret_header,
                         Entry ret_entries[TABLE_COUNT], Err *err) {
  if (size < tables_start()) return broken(err, "it ends inside its header");
  memcpy(ret_header, bytes, sizeof *ret_header);
  memcpy(ret_entries, (const char *)bytes + sizeof *ret_header,
         TABLE_COUNT * sizeof(Entry));
  if (memcmp(ret_header->magic, store_magic, sizeof store_magic) != 0)
    return broken(err, "it does not start as one");
  if (ret_header->version != STORE_VERSION || ret_header->table_count != TABLE_COUNT ||
      ret_header->reserved != 0)
    return broken(err, "another version of heddle wrote it");
  if (ret_header->file_size != size)
    return broken(err, "its size is not the one in its header");
  Entry expected[TABLE_COUNT];
  for (int i = 0; i < TABLE_COUNT; i++) {
    if (ret_entries[i].element_size != element_sizes[i])
      return broken(err, "another build of heddle wrote it");
    expected[i] = ret_entries[i];
  }
  uint64_t end = lay_out(expected);
  for (int i = 0; i < TABLE_COUNT; i++)
    if (ret_entries[i].offset != expected[i].offset)
      return err_set(
          err, ERR_INTERNAL, NULL, 0, 0, NULL,
          "the stored program model is broken: table %s is not where it belongs",
          table_names[i]);
  if (end != size) return broken(err, "its tables do not fill it");
  return true;
}

bool program_map(int fd, Program *ret_program, Err *err) {
  /* Best effort: only a memory file that allows sealing can be sealed. */
  fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
  fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE);
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_size < 0)
    return err_set(err, ERR_INTERNAL, NULL, 0, 0, NULL,
                   "cannot read the stored program model: %s", strerror(errno));
  uint64_t size = (uint64_t)st.st_size;
  if (size < tables_start()) return broken(err, "it ends inside its header");
  void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED)
    return err_set(err, errno == ENOMEM ? ERR_LIMIT : ERR_INTERNAL, NULL, 0, 0, NULL,
                   "cannot map the stored program model: %s", strerror(errno));
  Header header;
  Entry entries[TABLE_COUNT];
  if (!check_layout(bytes, size, &header, entries, err)) {
    munmap(bytes, size);
    return false;
  }
  Program program = {.main = header.main,
                     .errno_object = header.errno_object,
                     .file_count = header.unit_count,
                     .line_count = header.line_count,
                     .mapping = bytes,
                     .mapping_size = size};
#define TABLE(name)                                                                      \
  program.name.data = (void *)((char *)bytes + entries[TABLE_##name].offset);            \
  program.name.len = entries[TABLE_##name].count;
  PROGRAM_TABLES(TABLE)
#undef TABLE
  *ret_program = program;
  return true;
}
