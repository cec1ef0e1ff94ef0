/* See rows.h. By elfutils, unit by unit. */
#include "trace/rows.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int by_address(const void *a, const void *b) {
  const Row *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  return (x->file != NULL) - (y->file != NULL); /* where one unit ends, another begins */
}

static void add_unit(Dwarf_Die *unit, Arena *arena, Rows *rows) {
  Dwarf_Lines *lines;
  size_t count;
  const char *last = NULL, *kept = NULL;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line *line = dwarf_onesrcline(lines, i);
    Dwarf_Addr address;
    int number = 0, column = 0;
    bool end = false;
    if (dwarf_lineaddr(line, &address) != 0) continue;
    const char *file = dwarf_linesrc(line, NULL, NULL);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    dwarf_lineendsequence(line, &end);
    if (file && file != last) kept = arena_strdup(arena, file);
    last = file;
    bool known = file && !end && number > 0;
    vec_push(rows,
             ((Row){address, known ? kept : NULL, (uint32_t)number, (uint32_t)column}));
  }
}

bool rows_read(const char *path, Arena *arena, Rows *ret) {
  *ret = (Rows){0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
  Dwarf_Off offset = 0, next;
  size_t header;
  while (dwarf && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit)) add_unit(&unit, arena, ret);
    offset = next;
  }
  if (dwarf) dwarf_end(dwarf);
  if (fd >= 0) close(fd);
  if (ret->len) qsort(ret->data, ret->len, sizeof *ret->data, by_address);
  return ret->len > 0;
}
