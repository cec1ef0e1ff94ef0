/* See source.h. */
#include "report/source.h"

#include <stdbool.h>

enum { TAB = 8 };

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
