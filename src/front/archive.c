/* See archive.h. An archive is a magic line and members, each with a header of 60 bytes
 * in ASCII and padded to an even offset. Names that do not fit are in a table that is
 * itself a member ("//"), or stand before the member's bytes ("#1/LENGTH"). */
#include "front/archive.h"

#include "base/mem.h"
#include "base/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MAGIC = 8, HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE_LENGTH = 10, END_AT = 58 };

typedef struct {
  const char *data;
  size_t size;
  const char *path;
  bool thin;
  const char *names; /* the table of long names, or NULL */
  size_t names_size;
} Archive;

bool archive_has_magic(const void *data, size_t size) {
  return size >= MAGIC &&
         (memcmp(data, "!<arch>\n", MAGIC) == 0 || memcmp(data, "!<thin>\n", MAGIC) == 0);
}

static bool damaged(const Archive *archive, Err *err) {
  return err_input(err, archive->path, "build it again", "the archive is damaged");
}

/* A decimal number padded with spaces. */
static bool read_number(const char *text, size_t length, size_t *ret_value) {
  size_t i = 0, value = 0;
  for (; i < length && isdigit((unsigned char)text[i]); i++)
    value = value * 10 + (size_t)(text[i] - '0');
  if (i == 0) return false;
  *ret_value = value;
  return true;
}

static char *long_name(const Archive *archive, size_t at) {
  if (!archive->names || at >= archive->names_size) return NULL;
  const char *name = archive->names + at;
  size_t length = 0, left = archive->names_size - at;
  while (length < left && name[length] != '\n' && name[length] != 0) length++;
  if (length > 0 && name[length - 1] == '/') length--;
  return str_ndup(name, length);
}

/* The name of a member; *bytes and *size move past a name that stands before the
 * bytes. */
static char *member_name(const Archive *archive, const char *header, const char **bytes,
                         size_t *size) {
  size_t number;
  if (header[0] == '/' && read_number(header + 1, NAME - 1, &number))
    return long_name(archive, number);
  if (memcmp(header, "#1/", 3) == 0 && read_number(header + 3, NAME - 3, &number)) {
    if (number > *size) return NULL;
    char *name = str_ndup(*bytes, strnlen(*bytes, number));
    *bytes += number;
    *size -= number;
    return name;
  }
  size_t length = NAME;
  while (length > 0 && header[length - 1] == ' ') length--;
  if (length > 1 && header[length - 1] == '/') length--;
  return str_ndup(header, length);
}

/* Symbol tables are members that are not files. */
static bool is_index(const char *header) {
  return memcmp(header, "/ ", 2) == 0 || memcmp(header, "/SYM64/", 7) == 0 ||
         memcmp(header, "__.SYMDEF", 9) == 0;
}

static bool thin_member(const Archive *archive, const char *name, ArchiveCall *call,
                        void *user, Err *err) {
  const char *slash = strrchr(archive->path, '/');
  int dir = slash ? (int)(slash - archive->path + 1) : 0;
  char *path =
      name[0] == '/' ? str_dup(name) : str_printf("%.*s%s", dir, archive->path, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const void *data;
  size_t size;
  bool ok = fd >= 0 && proc_map_fd(fd, &data, &size);
  if (ok) {
    ok = call(user, name, data, size, err);
    proc_unmap(data, size);
  } else {
    err_input(err, archive->path, "build the archive again",
              "its member %s cannot be read: %s", path, strerror(errno));
  }
  if (fd >= 0) close(fd);
  mem_free(path);
  return ok;
}

/* The member whose header is at `at`. *ret_next is where the next one starts. */
static bool visit(Archive *archive, size_t at, ArchiveCall *call, void *user,
                  size_t *ret_next, Err *err) {
  const char *header = archive->data + at;
  size_t size, left = archive->size - at - HEADER;
  if (memcmp(header + END_AT, "`\n", 2) != 0 ||
      !read_number(header + SIZE_AT, SIZE_LENGTH, &size))
    return damaged(archive, err);
  bool table = memcmp(header, "// ", 3) == 0, index = is_index(header);
  bool outside = archive->thin && !table && !index;
  if (!outside && size > left) return damaged(archive, err);
  const char *bytes = header + HEADER;
  size_t stored = outside ? 0 : size;
  *ret_next = at + HEADER + stored + stored % 2;
  if (index) return true;
  if (table) {
    archive->names = bytes;
    archive->names_size = size;
    return true;
  }
  char *name = member_name(archive, header, &bytes, &stored);
  if (!name) return damaged(archive, err);
  bool ok = outside
                ? thin_member(archive, name, call, user, err)
                : str_starts(name, "__.SYMDEF") || call(user, name, bytes, stored, err);
  mem_free(name);
  return ok;
}

bool archive_each(const void *data, size_t size, const char *path, ArchiveCall *call,
                  void *user, Err *err) {
  Archive archive = {.data = data, .size = size, .path = path};
  if (!archive_has_magic(data, size)) return damaged(&archive, err);
  archive.thin = memcmp(data, "!<thin>", 7) == 0;
  for (size_t at = MAGIC; at < size;) {
    if (size - at < HEADER) return damaged(&archive, err);
    if (!visit(&archive, at, call, user, &at, err)) return false;
  }
  return true;
}
