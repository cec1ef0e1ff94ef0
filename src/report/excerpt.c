/* Source lines with the access marked.
 *
 *    12 |   pthread_mutex_lock(&m);
 *    13 |   device.pendingIo++;
 *       |   ^~~~~~~~~~~~~~~~
 *
 * What is marked is told by source_mark. A line longer than the paper is
 * wide shows the part around the mark. */
#include "report/paper.h"

#include <string.h>

enum { INDENT = 5, LEAST_ROOM = 20, CONTEXT = 1 };

static void put_gutter(Paper *p, size_t width, uint32_t line) {
  paper_spaces(p, INDENT);
  if (line)
    paper_putf(p, INK_DIM, "%*u |", (int)width, line);
  else
    paper_putf(p, INK_DIM, "%*s |", (int)width, "");
}

/* The part of a shown line from column `from` on that fits `room`. */
static void put_window(Paper *p, const Str *line, size_t columns, size_t from,
                       size_t room) {
  const char *text = str_text(line) + text_fit(str_text(line), from);
  str_add(p->out, from ? " ..." : *text ? " " : "");
  room -= from ? 3 : 0;
  bool cut = columns - from > room;
  size_t fit = text_fit(text, cut ? room - 3 : room);
  while (fit && text[fit - 1] == ' ') fit--;
  str_add_bytes(p->out, text, fit);
  str_add(p->out, cut ? "..." : "");
  paper_line(p);
}

static void put_context(Paper *p, const char *file, uint32_t line, size_t gutter,
                        size_t room, size_t from) {
  size_t length;
  const char *text = lines_get(p->sources, file, line, &length);
  if (!text) return;
  Str shown = {0};
  size_t columns = source_show(text, length, &shown);
  bool blank = strspn(str_text(&shown), " ") == shown.len;
  if (!blank && (!from || columns > from)) {
    put_gutter(p, gutter, line);
    put_window(p, &shown, columns, from, room);
  }
  str_free(&shown);
}

static void put_mark(Paper *p, size_t gutter, size_t at, size_t length) {
  put_gutter(p, gutter, 0);
  paper_spaces(p, 1 + at);
  Str mark = {0};
  str_add_char(&mark, '^');
  for (size_t i = 1; i < length; i++) str_add_char(&mark, '~');
  paper_put(p, INK_MARK, str_text(&mark));
  str_free(&mark);
  paper_line(p);
}

void paper_excerpt(Paper *p, const SourcePlace *place, const char *shown) {
  const char *file = place->file;
  size_t length;
  const char *text = lines_get(p->sources, file, place->line, &length);
  if (!text) return;
  size_t from, to, gutter = paper_digits(place->line + CONTEXT);
  source_mark(text, length, place->column, shown, &from, &to);
  Str line = {0};
  size_t start = source_show(text, from, &line), end;
  end = start + source_show(text + from, (to < length ? to : length) - from, &line);
  end = end > start ? end : start + 1;
  str_clear(&line);
  size_t columns = source_show(text, length, &line);
  size_t room = p->width - INDENT - gutter - 3;
  room = room < LEAST_ROOM ? LEAST_ROOM : room;
  /* a mark that would be cut off moves the window */
  size_t window = 0;
  if (columns > room && end + 3 > room) window = start > room / 3 ? start - room / 3 : 0;
  for (uint32_t i = CONTEXT; i > 0; i--)
    if (place->line > i) put_context(p, file, place->line - i, gutter, room, window);
  put_gutter(p, gutter, place->line);
  put_window(p, &line, columns, window, room);
  if (to > from && from < length) { /* else the file is not the one that was compiled */
    size_t at = start - window + (window ? 3 : 0);
    put_mark(p, gutter, at, at + (end - start) > room ? room - at : end - start);
  }
  for (uint32_t i = 1; i <= CONTEXT; i++)
    put_context(p, file, place->line + i, gutter, room, window);
  str_free(&line);
}
