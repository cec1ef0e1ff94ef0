/* See netlex.h. One pass, no copies; the only state is the place in the text. */
#include "net/netlex.h"

#include "net/net.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name(const Lex *lex, char c) {
  unsigned char u = (unsigned char)c;
  if (lex->style == LEX_LOLA || lex->style == LEX_FORMULA)
    return u > ' ' && u != 127 && !strchr(",;:(){}", c) &&
           (lex->style == LEX_LOLA || !strchr("<>=!+-|&", c));
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         u >= 0x80 || (lex->style == LEX_MIST && (c == '.' || c == '@' || c == '$'));
}

/* ---- errors ----------------------------------------------------------------------- */

static void fail(Lex *lex, int line, int column, const char *remedy, const char *format,
                 va_list args) {
  Str text = {0};
  str_vaddf(&text, format, args);
  err_set(lex->err, ERR_INPUT, lex->file, line, column, remedy, "%s", str_text(&text));
  str_free(&text);
  lex->failed = true;
  lex->next = lex->end;
  lex->now.kind = LEX_END;
}

bool netlex_fail_at(Lex *lex, const LexWord *word, const char *remedy, const char *format,
                    ...) {
  va_list args;
  va_start(args, format);
  if (!lex->failed) fail(lex, word->line, word->column, remedy, format, args);
  va_end(args);
  return false;
}

bool netlex_fail(Lex *lex, const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!lex->failed) fail(lex, lex->now.line, lex->now.column, remedy, format, args);
  va_end(args);
  return false;
}

bool netlex_ok(const Lex *lex) {
  return !lex->failed;
}

/* ---- blanks and comments ---------------------------------------------------------- */

static void new_line(Lex *lex) {
  lex->line++;
  lex->line_start = lex->next;
}

static void place(Lex *lex) {
  lex->now = (LexWord){.kind = LEX_END,
                       .at = lex->next,
                       .line = lex->line,
                       .column = (int)(lex->next - lex->line_start) + 1};
}

static bool starts(const Lex *lex, const char *text) {
  size_t length = strlen(text);
  return (size_t)(lex->end - lex->next) >= length && !memcmp(lex->next, text, length);
}

/* A comment `//Many Producers` or `// Thread A` names a thread in the listings that the
 * language comes from. The span is the last word. */
static bool heading(Lex *lex, const char *start, const char *stop) {
  while (start < stop && is_blank(*start)) start++;
  while (stop > start && is_blank(stop[-1])) stop--;
  const char *word = start;
  while (word < stop && !is_blank(*word)) word++;
  size_t length = (size_t)(word - start);
  bool many = length == 4 && !memcmp(start, "Many", 4);
  bool thread = length == 6 && !memcmp(start, "Thread", 6);
  while (word < stop && is_blank(*word)) word++;
  if ((!many && !thread) || word == stop) return false;
  for (const char *c = word; c < stop; c++)
    if (!is_name(lex, *c)) return false;
  lex->now.kind = LEX_HEADING;
  lex->now.at = word;
  lex->now.len = (size_t)(stop - word);
  return true;
}

/* Skips up to the end of the line; true when the comment is a word of its own. */
static bool line_comment(Lex *lex, size_t opening) {
  place(lex);
  const char *start = lex->next + opening;
  while (lex->next < lex->end && *lex->next != '\n') lex->next++;
  return opening == 2 && lex->headings && heading(lex, start, lex->next);
}

static void block_comment(Lex *lex, const char *closing) {
  LexWord opening;
  place(lex);
  opening = lex->now;
  size_t length = strlen(closing);
  lex->next += length;
  while (lex->next < lex->end && !starts(lex, closing))
    if (*lex->next++ == '\n') new_line(lex);
  if (lex->next == lex->end)
    netlex_fail_at(lex, &opening, "close it", "this comment has no end");
  else
    lex->next += length;
}

/* True when a heading was found on the way. */
static bool skip_blanks(Lex *lex) {
  while (lex->next < lex->end) {
    char c = *lex->next;
    if (is_blank(c)) {
      lex->next++;
    } else if (c == '\n') {
      lex->next++;
      new_line(lex);
    } else if ((lex->style == LEX_MIST || lex->style == LEX_SML) && c == '#') {
      line_comment(lex, 1);
    } else if (lex->style == LEX_SML && starts(lex, "//")) {
      if (line_comment(lex, 2)) return true;
    } else if (lex->style == LEX_SML && starts(lex, "/*")) {
      block_comment(lex, "*/");
    } else if ((lex->style == LEX_LOLA || lex->style == LEX_FORMULA) && c == '{') {
      block_comment(lex, "}");
    } else {
      break;
    }
  }
  return false;
}

/* ---- words ------------------------------------------------------------------------ */

static void read_number(Lex *lex) {
  uint64_t value = 0;
  for (size_t i = 0; i < lex->now.len; i++) {
    value = value * 10 + (uint64_t)(lex->now.at[i] - '0');
    if (value > NET_MOST) {
      netlex_fail(lex, "numbers go up to 2147483647", "this number is too large");
      return;
    }
  }
  lex->now.kind = LEX_NUMBER;
  lex->now.value = (uint32_t)value;
}

static void read_word(Lex *lex) {
  bool digits = true;
  while (lex->next < lex->end && is_name(lex, *lex->next))
    digits = is_digit(*lex->next++) && digits;
  lex->now.len = (size_t)(lex->next - lex->now.at);
  if (digits)
    read_number(lex);
  else if (is_digit(*lex->now.at) && lex->style != LEX_LOLA && lex->style != LEX_FORMULA)
    netlex_fail(lex, "let it begin with a letter",
                "'%.*s' is neither a name nor a number", (int)lex->now.len, lex->now.at);
  else
    lex->now.kind = LEX_NAME;
}

static void read_string(Lex *lex) {
  lex->now.kind = LEX_STRING;
  lex->now.at = ++lex->next;
  while (lex->next < lex->end && *lex->next != '"' && *lex->next != '\n') lex->next++;
  lex->now.len = (size_t)(lex->next - lex->now.at);
  if (lex->next == lex->end || *lex->next == '\n')
    netlex_fail(lex, "close it with \"", "this text in quotes has no end on its line");
  else
    lex->next++;
}

static void read_symbol(Lex *lex) {
  static const char *const pairs[] = {"->", ">=", "<=", "==", "!=", "&&", "||"};
  lex->now.kind = LEX_SYMBOL;
  lex->now.len = 1;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (starts(lex, pairs[i])) lex->now.len = 2;
  unsigned char c = (unsigned char)*lex->next;
  if (c < ' ' || c == 127) {
    netlex_fail(lex, "is this the right file?", "unexpected byte 0x%02x", c);
    return;
  }
  lex->next += lex->now.len;
}

void netlex_next(Lex *lex) {
  if (lex->failed || skip_blanks(lex) || lex->failed) return;
  place(lex);
  if (lex->next == lex->end) return;
  if (is_name(lex, *lex->next))
    read_word(lex);
  else if (*lex->next == '"' && lex->style == LEX_SML)
    read_string(lex);
  else
    read_symbol(lex);
}

void netlex_start(Lex *lex, LexStyle style, const char *file, const char *text,
                  size_t length, Err *err) {
  *lex = (Lex){.file = file,
               .text = text,
               .end = text + length,
               .next = text,
               .line_start = text,
               .line = 1,
               .style = style,
               .headings = true,
               .err = err};
  netlex_next(lex);
}

void netlex_restyle(Lex *lex, LexStyle style) {
  lex->style = style;
  if (lex->failed || lex->now.kind == LEX_END) return;
  lex->next = lex->now.at;
  lex->line = lex->now.line;
  lex->line_start = lex->now.at - (lex->now.column - 1);
  netlex_next(lex);
}

/* ---- for parsers ------------------------------------------------------------------ */

bool netlex_word_is(const LexWord *word, const char *text) {
  return (word->kind == LEX_NAME || word->kind == LEX_SYMBOL) &&
         word->len == strlen(text) && !memcmp(word->at, text, word->len);
}

bool netlex_is(const Lex *lex, const char *text) {
  return netlex_word_is(&lex->now, text);
}

bool netlex_skip(Lex *lex, const char *text) {
  if (!netlex_is(lex, text)) return false;
  netlex_next(lex);
  return true;
}

static bool expected(Lex *lex, const char *what) {
  if (lex->now.kind == LEX_END)
    return netlex_fail(lex, "the file ends too early", "%s expected", what);
  return netlex_fail(lex, "see docs/petri.md for the grammar", "%s expected, not '%.*s'",
                     what, (int)(lex->now.len > 60 ? 60 : lex->now.len), lex->now.at);
}

bool netlex_expect(Lex *lex, const char *text) {
  char what[40];
  if (netlex_skip(lex, text)) return true;
  snprintf(what, sizeof what, "'%s'", text);
  return expected(lex, what);
}

bool netlex_expect_name(Lex *lex, const char *what, LexWord *ret_word) {
  if (lex->now.kind != LEX_NAME) return expected(lex, what);
  *ret_word = lex->now;
  netlex_next(lex);
  return true;
}

bool netlex_expect_number(Lex *lex, const char *what, uint32_t *ret_value) {
  if (netlex_is(lex, "-"))
    return netlex_fail(lex, "write a number from 0", "%s cannot be negative", what);
  if (lex->now.kind != LEX_NUMBER) return expected(lex, what);
  *ret_value = lex->now.value;
  netlex_next(lex);
  return true;
}
