/* See page.h. */
#include "report/html/page.h"

#include "report/html/escape.h"
#include "report/source.h"

#include <string.h>

enum { BUFFER = 1 << 16, CONTEXT = 5 };

void page_init(Page *page, const CheckResult *result, const ReportOrigin *origin,
               JsonSink *sink, void *user) {
  *page = (Page){.result = result,
                 .origin = origin,
                 .sink = sink,
                 .user = user,
                 .sources = lines_new()};
}

static void flush(Page *p) {
  p->sink(p->user, str_text(&p->out), p->out.len);
  str_clear(&p->out);
}

void page_finish(Page *p) {
  flush(p);
  for (uint32_t i = 0; i < p->files.len; i++) map_free(&p->files.data[i].lines);
  vec_free(&p->files);
  strmap_free(&p->file_numbers);
  lines_free(p->sources);
  str_free(&p->out);
}

/* ---- text ---- */

void page_put(Page *p, const char *markup) {
  str_add(&p->out, markup);
  if (p->out.len > BUFFER) flush(p);
}

void page_putf(Page *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  str_vaddf(&p->out, format, args);
  va_end(args);
}

void page_text_bytes(Page *p, const char *text, size_t length) {
  html_escape(text, length, &p->out);
}

void page_text(Page *p, const char *text) {
  if (text) page_text_bytes(p, text, strlen(text));
}

void page_wrapped(Page *p, const char *before, const char *text, const char *after) {
  page_put(p, before);
  page_text(p, text);
  page_put(p, after);
}

void page_count(Page *p, uint64_t count, const char *noun) {
  page_putf(p, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

/* ---- places ---- */

static uint32_t file_number(Page *p, const char *path) {
  uint64_t *slot = strmap_at(&p->file_numbers, path, strlen(path));
  if (!*slot) {
    PageFile file = {.path = path};
    vec_push(&p->files, file);
    *slot = p->files.len;
  }
  return (uint32_t)*slot - 1;
}

static uint32_t name_line(Page *p, const SourcePlace *place) {
  uint32_t number = file_number(p, place->file);
  map_put(&p->files.data[number].lines, place->line, 1);
  return number;
}

void page_place(Page *p, const SourcePlace *place, bool column) {
  if (!place_is_known(place)) return;
  page_putf(p, "<a href=\"#s%u-%u\">", name_line(p, place), place->line);
  page_text(p, place->file);
  page_putf(p, ":%u", place->line);
  if (column && place->column) page_putf(p, ":%u", place->column);
  page_put(p, "</a>");
}

void page_place_attribute(Page *p, const SourcePlace *place) {
  if (place_is_known(place))
    page_putf(p, " data-line=\"%u-%u\"", name_line(p, place), place->line);
}

/* ---- lines ---- */

static void put_shown(Page *p, const Str *line, size_t from, size_t to) {
  const char *text = str_text(line);
  size_t a = text_fit(text, from), b = text_fit(text, to);
  page_text_bytes(p, text + a, b - a);
}

bool page_has_line(Page *p, const SourcePlace *place) {
  size_t length;
  return place_is_known(place) &&
         lines_get(p->sources, place->file, place->line, &length);
}

bool page_line(Page *p, const SourcePlace *place, const char *shown, bool marked) {
  if (!place_is_known(place)) return false;
  size_t length;
  const char *text = lines_get(p->sources, place->file, place->line, &length);
  if (!text) return false;
  size_t from = 0, to = 0, start = 0, end = 0, blank = 0;
  if (marked) source_mark(text, length, place->column, shown, &from, &to);
  if (to > length) from = to = 0; /* the file is not the one that was compiled */
  Str line = {0};
  if (to > from) {
    start = source_show(text, from, &line);
    str_clear(&line);
    end = source_show(text, to, &line);
    str_clear(&line);
  }
  size_t columns = source_show(text, length, &line);
  while (str_text(&line)[blank] == ' ') blank++;
  if (end <= start || start < blank) start = end = blank;
  page_put(p, "<code>");
  put_shown(p, &line, blank, start);
  if (end > start) {
    page_put(p, "<mark>");
    put_shown(p, &line, start, end);
    page_put(p, "</mark>");
  }
  put_shown(p, &line, end, columns);
  page_put(p, "</code>");
  str_free(&line);
  return true;
}

static bool is_shown(const PageFile *file, uint32_t line) {
  for (uint32_t k = line > CONTEXT ? line - CONTEXT : 1; k <= line + CONTEXT; k++)
    if (map_get(&file->lines, k)) return true;
  return false;
}

static void put_source_line(Page *p, uint32_t file, uint32_t line) {
  size_t length;
  const char *text = lines_get(p->sources, p->files.data[file].path, line, &length);
  Str shown = {0};
  if (text) source_show(text, length, &shown);
  page_putf(p, "<span class=\"l\" id=\"s%u-%u\"><b>%u</b>", file, line, line);
  page_text(p, str_text(&shown));
  page_put(p, "\n</span>");
  str_free(&shown);
}

static void put_file(Page *p, uint32_t number) {
  const PageFile *file = &p->files.data[number];
  uint32_t count = lines_count(p->sources, file->path), last = 0;
  page_putf(p, "<details class=\"file\" id=\"s%u\"><summary>", number);
  page_wrapped(p, "<code>", file->path, "</code></summary>");
  if (!count) page_put(p, "<p>The file could not be read when the report was made.</p>");
  page_put(p, "<noscript><pre tabindex=\"0\" role=\"region\" aria-label=\"Lines of ");
  page_wrapped(p, "", file->path, "\">");
  for (uint32_t line = 1; line <= count; line++) {
    if (!is_shown(file, line)) continue;
    if (last && line > last + 1) page_put(p, "<span class=\"gap\">\xe2\x8b\xae\n</span>");
    put_source_line(p, number, line);
    last = line;
  }
  page_put(p, "</pre></noscript></details>\n");
}

void page_sources(Page *p) {
  if (!p->files.len) return;
  page_put(p,
           "<section id=\"sources\" aria-labelledby=\"sources-h\"><h2 "
           "id=\"sources-h\">Sources</h2>\n<p class=\"note\">The lines that the report "
           "names, and those around them.</p>\n");
  for (uint32_t i = 0; i < p->files.len; i++) put_file(p, i);
  page_put(p, "</section>\n");
}
