/* See source.h. A file is one block of memory and a table of where its lines begin. */
#include "report/source.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/vec.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAB = 8 };
static const size_t LARGEST = (size_t)64 << 20; /* larger files are no sources */

typedef struct {
  Str text;
  VEC(size_t) starts; /* of the lines */
} SourceFile;

struct Sources {
  StrMap index; /* file name to its place in `files`, plus 1 */
  VEC(SourceFile) files;
};

Sources *sources_new(void) {
  return mem_alloc_zero(sizeof(Sources));
}

void sources_free(Sources *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->files.len; i++) {
    str_free(&s->files.data[i].text);
    vec_free(&s->files.data[i].starts);
  }
  vec_free(&s->files);
  strmap_free(&s->index);
  mem_free(s);
}

static void read_source(const char *name, SourceFile *file) {
  struct stat info;
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return;
  bool whole = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
               proc_read_all(fd, LARGEST, &file->text);
  close(fd);
  if (!whole) {
    str_free(&file->text);
    return;
  }
  for (size_t at = 0; at < file->text.len;) {
    vec_push(&file->starts, at);
    const char *end = memchr(file->text.data + at, '\n', file->text.len - at);
    at = end ? (size_t)(end - file->text.data) + 1 : file->text.len;
  }
}

static const SourceFile *find_source(Sources *s, const char *name) {
  uint64_t *slot = strmap_at(&s->index, name, strlen(name));
  if (!*slot) {
    SourceFile file = {0};
    read_source(name, &file);
    vec_push(&s->files, file);
    *slot = s->files.len;
  }
  return &s->files.data[*slot - 1];
}

const char *sources_line(Sources *s, const char *name, uint32_t line,
                         size_t *ret_length) {
  const SourceFile *file = find_source(s, name);
  if (!line || line > file->starts.len) return NULL;
  size_t from = file->starts.data[line - 1];
  size_t to = line < file->starts.len ? file->starts.data[line] : file->text.len;
  while (to > from &&
         (file->text.data[to - 1] == '\n' || file->text.data[to - 1] == '\r'))
    to--;
  *ret_length = to - from;
  return file->text.data + from;
}

size_t utf8_length(const char *text, size_t length) {
  if (!length) return 0;
  const unsigned char *s = (const unsigned char *)text;
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;
  if (n > length) return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  return n;
}

size_t source_show(const char *text, size_t length, Str *out) {
  size_t columns = 0;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_length(text + i, length - i);
    unsigned char c = (unsigned char)text[i];
    if (c == '\t') {
      do {
        str_add_char(out, ' ');
        columns++;
      } while (columns % TAB);
    } else {
      bool fit = n && c >= 0x20 && c != 0x7f;
      str_add_bytes(out, fit ? text + i : "?", fit ? n : 1);
      columns++;
    }
    i += n ? n : 1;
  }
  return columns;
}

size_t text_columns(const char *text, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += ((unsigned char)text[i] & 0xc0) != 0x80;
  return columns;
}

size_t text_fit(const char *text, size_t columns) {
  size_t at = 0;
  for (; text[at]; at++)
    if (((unsigned char)text[at] & 0xc0) != 0x80 && columns-- == 0) break;
  return at;
}
