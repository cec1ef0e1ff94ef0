/* See escape.h. The decoder takes exactly the sequences that Unicode calls well-formed: no
 * overlong ones, no surrogates, nothing above U+10FFFF. */
#include "report/html/escape.h"

#include <stdint.h>

static const char unreadable[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The character at the beginning of the text and its length in bytes; 0: it is none. */
static size_t decode(const unsigned char *s, size_t length, uint32_t *ret_character) {
  uint32_t least = s[0] < 0xe0 ? 0x80 : s[0] < 0xf0 ? 0x800 : 0x10000;
  size_t n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  if (s[0] < 0x80) return *ret_character = s[0], 1;
  if (s[0] < 0xc2 || s[0] > 0xf4 || n > length) return 0;
  uint32_t c = s[0] & (0x7fU >> n);
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3f);
  }
  *ret_character = c;
  return c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

/* It changes how others are shown, or the end of the line, and is not seen itself. */
static bool is_hidden(uint32_t c) {
  return (c >= 0x80 && c < 0xa0) || c == 0xad || c == 0x61c ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

static void add_ascii(unsigned char c, Str *out) {
  switch (c) {
  case '<': str_add(out, "&lt;"); return;
  case '>': str_add(out, "&gt;"); return;
  case '&': str_add(out, "&amp;"); return;
  case '"': str_add(out, "&quot;"); return;
  case '\'': str_add(out, "&#39;"); return;
  case 0x7f: str_add(out, "\xe2\x90\xa1"); return; /* U+2421 */
  default: break;
  }
  if (c >= 0x20) {
    str_add_char(out, (char)c);
    return;
  }
  const char picture[] = {(char)0xe2, (char)0x90, (char)(0x80 + c)}; /* U+2400 + c */
  str_add_bytes(out, picture, sizeof picture);
}

void html_escape(const char *text, size_t length, Str *out) {
  const unsigned char *s = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    uint32_t c = 0;
    size_t n = decode(s + i, length - i, &c);
    if (!n)
      str_add(out, unreadable);
    else if (n == 1)
      add_ascii(s[i], out);
    else if (is_hidden(c))
      str_addf(out, "\\u%04x", (unsigned)c);
    else
      str_add_bytes(out, s + i, n);
    i += n ? n : 1;
  }
}
