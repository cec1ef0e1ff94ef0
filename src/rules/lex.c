/* The lexer of the library table: bytes in, tokens out.
 *
 * One pass, no lookahead beyond the token itself, and nothing is copied. Blanks, comments
 * and empty lines are skipped before each token; if that crossed a line break, the column
 * of what comes next decides: a new rule in the first column, a new line of the same rule
 * elsewhere. Carriage returns count as blanks, so files with CRLF line ends read the
 * same. A byte order mark at the beginning is skipped. */
#include "rules/lex.h"

#include <string.h>

void lex_init(Lexer *lexer, const char *text, size_t length) {
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    text += 3;
    length -= 3;
  }
  *lexer = (Lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_word_char(char c) {
  return is_letter(c) || is_digit(c) || c == '.';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

static void skip_blanks(Lexer *l) {
  while (l->at < l->end) {
    if (*l->at == '\n') {
      l->line++;
      l->line_start = ++l->at;
    } else if (is_blank(*l->at)) {
      l->at++;
    } else if (*l->at == '#') {
      const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
      l->at = newline ? newline : l->end;
    } else {
      return;
    }
  }
}

static Token token_here(const Lexer *l, TokenKind kind) {
  return (Token){.kind = kind,
                 .text = l->at,
                 .line = l->line,
                 .column = (int)(l->at - l->line_start) + 1};
}

static Token bad(Token token, const char *problem) {
  token.kind = TOKEN_BAD;
  token.problem = problem;
  return token;
}

static int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

static Token lex_number(Lexer *l) {
  Token token = token_here(l, TOKEN_NUMBER);
  const char *p = l->at;
  int base = 10;
  if (l->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    base = 16;
    p += 2;
  }
  const char *digits = p;
  bool too_big = false;
  for (; p < l->end && digit_value(*p) < base; p++) {
    if (token.number > (INT64_MAX - digit_value(*p)) / base)
      too_big = true;
    else
      token.number = token.number * base + digit_value(*p);
  }
  bool empty = p == digits;
  bool ragged = p < l->end && is_word_char(*p);
  while (p < l->end && is_word_char(*p)) p++;
  token.length = (size_t)(p - l->at);
  l->at = p;
  if (ragged || empty) return bad(token, "is not a number");
  return too_big ? bad(token, "is too large a number") : token;
}

static Token lex_string(Lexer *l) {
  Token token = token_here(l, TOKEN_STRING);
  const char *p = ++l->at;
  while (p < l->end && *p != '"' && *p != '\n') p++;
  token.text = l->at;
  token.length = (size_t)(p - l->at);
  bool closed = p < l->end && *p == '"';
  l->at = closed ? p + 1 : p;
  if (!closed) return bad(token, "has no closing quote on its line");
  for (size_t i = 0; i < token.length; i++)
    if ((unsigned char)token.text[i] < 0x20 || token.text[i] == 0x7f)
      return bad(token, "holds a control character");
  return token;
}

static Token lex_token(Lexer *l) {
  Token token = token_here(l, TOKEN_EOF);
  if (is_digit(*l->at)) return lex_number(l);
  if (*l->at == '"') return lex_string(l);
  if (is_letter(*l->at)) {
    token.kind = TOKEN_WORD;
    while (l->at < l->end && is_word_char(*l->at)) l->at++;
  } else if (l->end - l->at >= 3 && memcmp(l->at, "...", 3) == 0) {
    token.kind = TOKEN_DOTS;
    l->at += 3;
  } else {
    bool known = *l->at && strchr("()[],;*|&-", *l->at);
    token.kind = known ? TOKEN_PUNCT : TOKEN_BAD;
    token.problem = known ? NULL : "is no part of this language";
    l->at++;
  }
  token.length = (size_t)(l->at - token.text);
  return token;
}

/* The token that the layout before `l->at` stands for; TOKEN_EOF when it means
 * nothing. */
static Token lex_layout(Lexer *l, Token before, bool crossed) {
  if (!l->in_rule) return (Token){0};
  if (l->at == l->end || l->at == l->line_start)
    before.kind = TOKEN_END;
  else if (crossed && !l->open)
    before.kind = TOKEN_BREAK;
  l->in_rule = before.kind != TOKEN_END;
  return before;
}

Token lex_next(Lexer *l) {
  Token before = token_here(l, TOKEN_EOF); /* errors about a missing word point here */
  skip_blanks(l);
  Token layout = lex_layout(l, before, before.line != l->line);
  if (layout.kind != TOKEN_EOF) return layout;
  if (l->at == l->end) return token_here(l, TOKEN_EOF);
  l->in_rule = true;
  Token token = lex_token(l);
  l->open = token_is_punct(&token, ',') || token_is_punct(&token, '|') ||
            token_is_punct(&token, '(') || token_is_punct(&token, ';');
  return token;
}

bool token_is(const Token *token, const char *word) {
  return token->kind == TOKEN_WORD && *token->text == *word &&
         strlen(word) == token->length && memcmp(token->text, word, token->length) == 0;
}

bool token_is_punct(const Token *token, char c) {
  return token->kind == TOKEN_PUNCT && *token->text == c;
}
