/* Tokens of the library table.
 *
 * A rule begins in the first column; indented lines continue it; `#` begins a comment.
 * The lexer turns that layout into tokens: TOKEN_END at the end of each rule, TOKEN_BREAK
 * at the line breaks inside it (but not after a comma, a bar or an opening parenthesis,
 * where the line is clearly unfinished). Tokens point into the text, which must outlive
 * them. Any bytes are accepted: what is no token becomes TOKEN_BAD. */
#ifndef HEDDLE_RULES_LEX_H
#define HEDDLE_RULES_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  TOKEN_EOF,
  TOKEN_END,    /* the end of a rule */
  TOKEN_BREAK,  /* the end of a line inside a rule */
  TOKEN_WORD,   /* letters, digits, _ . $, not beginning with a digit or a dot */
  TOKEN_NUMBER, /* decimal or 0x…; `number` */
  TOKEN_STRING, /* "…" on one line; the text is without its quotes */
  TOKEN_DOTS,   /* ... */
  TOKEN_PUNCT,  /* one of ( ) [ ] , ; * | & - */
  TOKEN_BAD,    /* a byte that means nothing here, or a malformed token: `problem` */
} TokenKind;

typedef struct {
  TokenKind kind;
  const char *text;
  size_t length;
  int line, column;    /* from 1; columns count bytes */
  int64_t number;      /* never negative */
  const char *problem; /* TOKEN_BAD: what is wrong */
} Token;

typedef struct {
  const char *at, *end, *line_start;
  int line;
  bool in_rule; /* some token of the current rule was handed out */
  bool open;    /* the last token leaves its line unfinished */
} Lexer;

void lex_init(Lexer *lexer, const char *text, size_t length);
Token lex_next(Lexer *lexer);

bool token_is(const Token *token, const char *word); /* the WORD `word` */
bool token_is_punct(const Token *token, char c);

#endif
