/* See lines.h. A file is one block of memory and a table of where its lines begin. */
#include "base/lines.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/vec.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t LARGEST = (size_t)64 << 20; /* larger files are no texts for people */

typedef struct {
  Str text;
  VEC(size_t) starts; /* of the lines */
} LineFile;

struct Lines {
  StrMap index; /* file name to its place in `files`, plus 1 */
  VEC(LineFile) files;
};

Lines *lines_new(void) {
  return mem_alloc_zero(sizeof(Lines));
}

void lines_free(Lines *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->files.len; i++) {
    str_free(&s->files.data[i].text);
    vec_free(&s->files.data[i].starts);
  }
  vec_free(&s->files);
  strmap_free(&s->index);
  mem_free(s);
}

static void read_file(const char *name, LineFile *file) {
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

static const LineFile *find_file(Lines *s, const char *name) {
  uint64_t *slot = strmap_at(&s->index, name, strlen(name));
  if (!*slot) {
    LineFile file = {0};
    read_file(name, &file);
    vec_push(&s->files, file);
    *slot = s->files.len;
  }
  return &s->files.data[*slot - 1];
}

const char *lines_get(Lines *s, const char *name, uint32_t line, size_t *ret_length) {
  const LineFile *file = find_file(s, name);
  if (!line || line > file->starts.len) return NULL;
  size_t from = file->starts.data[line - 1];
  size_t to = line < file->starts.len ? file->starts.data[line] : file->text.len;
  while (to > from &&
         (file->text.data[to - 1] == '\n' || file->text.data[to - 1] == '\r'))
    to--;
  *ret_length = to - from;
  return file->text.data + from;
}

uint32_t lines_count(Lines *s, const char *name) {
  return find_file(s, name)->starts.len;
}
