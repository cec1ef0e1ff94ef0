/* See paper.h. */
#include "report/paper.h"

#include <stdarg.h>
#include <string.h>

enum { NARROWEST = 40 };

void paper_init(Paper *p, const CheckResult *result, const TextStyle *style, Str *out) {
  *p = (Paper){.out = out,
               .result = result,
               .sources = lines_new(),
               .width = (size_t)(style->width < NARROWEST ? NARROWEST : style->width),
               .color = style->color};
}

void paper_free(Paper *p) {
  lines_free(p->sources);
}

void paper_put(Paper *p, Ink ink, const char *text) {
  static const char *const codes[] = {"", "1", "2", "1;31", "1;33", "1;32", "1;36"};
  bool painted = p->color && ink != INK_PLAIN && *text;
  if (painted) str_addf(p->out, "\033[%sm", codes[ink]);
  str_add(p->out, text);
  if (painted) str_add(p->out, "\033[0m");
}

void paper_putf(Paper *p, Ink ink, const char *format, ...) {
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  paper_put(p, ink, str_text(&text));
  str_free(&text);
}

void paper_spaces(Paper *p, size_t count) {
  while (count--) str_add_char(p->out, ' ');
}

void paper_line(Paper *p) {
  str_add_char(p->out, '\n');
}

void paper_wrap(Paper *p, size_t at, size_t indent, const char *text) {
  bool first = true;
  while (*text) {
    size_t length = strcspn(text, " \n"), columns = text_columns(text, length);
    if (!first && at + 1 + columns > p->width) {
      paper_line(p);
      paper_spaces(p, indent);
      at = indent;
    } else if (!first) {
      str_add_char(p->out, ' ');
      at++;
    }
    str_add_bytes(p->out, text, length);
    at += columns;
    text += length;
    text += strspn(text, " \n");
    first = false;
  }
  paper_line(p);
}

size_t paper_digits(uint32_t n) {
  size_t count = 1;
  for (; n >= 10; n /= 10) count++;
  return count;
}

void paper_count(Paper *p, Ink ink, uint64_t count, const char *noun) {
  paper_putf(p, ink, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}
