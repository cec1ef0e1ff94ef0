/* See accept.h. Every file that carries code is read once and searched for the words;
 * most have none, and then no edge is looked at. */
#include "engine/accept.h"

#include <ctype.h>
#include <string.h>

static const char words[] = "heddle: accept";

/* ---- comments ----
 *
 * A lexer for what can hold the words and is none: strings, characters, raw strings. It is
 * fed line by line. A backslash at the end of a line continues a string, a character and a
 * comment of one line; where it is missing, a string that was not closed ends with its line,
 * as in `#error don't`. */

typedef enum { IN_CODE, IN_LINE, IN_BLOCK, IN_QUOTES, IN_RAW } LexState;

enum { MOST_DELIMITER = 16 }; /* as C++ has it */

typedef struct {
  LexState state;
  char quote;                           /* IN_QUOTES: the closing one */
  char closing[MOST_DELIMITER + 2 + 1]; /* IN_RAW: `)delimiter"` */
} Lexer;

static bool is_word(char c) {
  return c == '_' || isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Behind `at` a raw string begins, if its delimiter is one; returns where its text does. */
static size_t open_raw(Lexer *x, const char *text, size_t length, size_t at) {
  size_t n = 0;
  while (at + n < length && n <= MOST_DELIMITER && text[at + n] != '(') n++;
  if (at + n >= length || n > MOST_DELIMITER) return 0;
  x->closing[0] = ')';
  memcpy(x->closing + 1, text + at, n);
  x->closing[n + 1] = '"';
  x->closing[n + 2] = 0;
  x->state = IN_RAW;
  return at + n + 1;
}

/* An identifier or a number, in which 1'000 is no character; and the prefix of a string. */
static size_t skip_word(Lexer *x, const char *text, size_t length, size_t at) {
  size_t first = at;
  bool number = isdigit((unsigned char)text[at]);
  while (at < length && (is_word(text[at]) || (number && text[at] == '\'' &&
                                               at + 1 < length && is_word(text[at + 1]))))
    at++;
  bool raw =
      !number && text[at - 1] == 'R' && at - first <= 3 && at < length && text[at] == '"';
  size_t inside = raw ? open_raw(x, text, length, at + 1) : 0;
  return inside ? inside : at;
}

static size_t lex_code(Lexer *x, const char *text, size_t length, size_t at) {
  char c = text[at], next = at + 1 < length ? text[at + 1] : 0;
  if (is_word(c)) return skip_word(x, text, length, at);
  if (c == '/' && (next == '/' || next == '*')) {
    x->state = next == '/' ? IN_LINE : IN_BLOCK;
    return at + 2;
  }
  if (c == '"' || c == '\'') {
    x->state = IN_QUOTES;
    x->quote = c;
  }
  return at + 1;
}

static size_t lex_quotes(Lexer *x, const char *text, size_t at) {
  if (text[at] == '\\') return at + 2;
  if (text[at] == x->quote) x->state = IN_CODE;
  return at + 1;
}

/* A comment or a raw string, up to where it ends in this line. */
static size_t lex_until(Lexer *x, const char *text, size_t length, size_t at,
                        const char *closing) {
  const char *end =
      closing ? memmem(text + at, length - at, closing, strlen(closing)) : NULL;
  if (!end) return length;
  x->state = IN_CODE;
  return (size_t)(end - text) + strlen(closing);
}

/* The words stand in a comment of this line. */
static bool line_accepts(Lexer *x, const char *text, size_t length) {
  bool found = false;
  size_t at = 0;
  while (at < length) {
    LexState state = x->state;
    size_t begin = at;
    switch (state) {
    case IN_CODE: at = lex_code(x, text, length, at); break;
    case IN_QUOTES: at = lex_quotes(x, text, at); break;
    case IN_LINE: at = lex_until(x, text, length, at, NULL); break;
    case IN_BLOCK: at = lex_until(x, text, length, at, "*/"); break;
    case IN_RAW: at = lex_until(x, text, length, at, x->closing); break;
    }
    if ((state == IN_LINE || state == IN_BLOCK) &&
        memmem(text + begin, at - begin, words, sizeof words - 1))
      found = true;
  }
  bool goes_on = length && text[length - 1] == '\\';
  if ((x->state == IN_LINE || x->state == IN_QUOTES) && !goes_on) x->state = IN_CODE;
  return found;
}

void accept_lines(Lines *lines, const char *file, uint64_t key, Map *marked) {
  uint32_t count = lines_count(lines, file);
  Lexer lexer = {0};
  for (uint32_t line = 1; line <= count; line++) {
    size_t length;
    const char *text = lines_get(lines, file, line, &length);
    if (line_accepts(&lexer, text, length)) map_put(marked, key | line, 1);
  }
}

void accept_by_comments(const Program *p, Map *accepted) {
  Map files = {0}, marked = {0};
  Lines *lines = lines_new();
  for (EdgeId id = 1; id < p->edges.len; id++) {
    Sym file = p->locs.data[p->edges.data[id].loc].file;
    uint64_t *seen = map_at(&files, file);
    if (!*seen && *sym_text(p, file))
      accept_lines(lines, sym_text(p, file), (uint64_t)file << 32, &marked);
    *seen = 1;
  }
  for (EdgeId id = 1; id < p->edges.len && marked.len; id++) {
    const Loc *loc = &p->locs.data[p->edges.data[id].loc];
    if (map_get(&marked, (uint64_t)loc->file << 32 | loc->line)) map_put(accepted, id, 1);
  }
  lines_free(lines);
  map_free(&files);
  map_free(&marked);
}

void accept_by_rules(const Program *p, Map *accepted) {
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!program_accepts(p, sym_text(p, function->name), true)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      map_put(accepted, function->first_edge + i, 1);
  }
}
