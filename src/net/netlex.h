/* Words of the text formats for nets and programs, one after another, with their places.
 *
 * The text is not owned and needs no NUL at its end. One word of lookahead lies in `now`.
 * Errors are put into `err`, once; from then on `now` is the end of the text, so parsers
 * stop without asking after every word, and check netlex_ok at the end. */
#ifndef HEDDLE_NET_NETLEX_H
#define HEDDLE_NET_NETLEX_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  LEX_END,
  LEX_NAME,
  LEX_NUMBER,  /* at most NET_MOST */
  LEX_SYMBOL,  /* one character, or -> >= <= == != && || */
  LEX_STRING,  /* between double quotes on one line; the span is what is inside */
  LEX_HEADING, /* a comment like `//Many Producers`: the span is the name (LEX_SML only) */
} LexKind;

typedef enum {
  LEX_MIST, /* # comments */
  LEX_SML,  /* #, // and C comments; headings */
  LEX_LOLA, /* comments in braces; names are anything without , ; : ( ) { } and blanks */
  LEX_FORMULA, /* the same without < > = ! + - | & either */
} LexStyle;

typedef struct {
  LexKind kind;
  const char *at;
  size_t len;
  uint32_t value; /* of a number */
  int line, column;
} LexWord;

typedef struct {
  const char *file;
  const char *text, *end, *next, *line_start;
  int line;
  LexStyle style;
  Err *err;
  bool failed;
  bool headings; /* comments may be headings here; set by the parser, at first true */
  LexWord now;
} Lex;

/* Reads the first word into `now`. */
void netlex_start(Lex *lex, LexStyle style, const char *file, const char *text,
                  size_t length, Err *err);
void netlex_next(Lex *lex);
/* Changes the style; `now` is read again in it. */
void netlex_restyle(Lex *lex, LexStyle style);

bool netlex_ok(const Lex *lex);
/* An error at the word `now`, or at any word. Always false. */
bool netlex_fail(Lex *lex, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool netlex_fail_at(Lex *lex, const LexWord *word, const char *remedy, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Is `now` this symbol or this name? */
bool netlex_is(const Lex *lex, const char *text);
bool netlex_word_is(const LexWord *word, const char *text);
/* Skips it if it is there. */
bool netlex_skip(Lex *lex, const char *text);
/* Skips it, or fails saying what was expected. */
bool netlex_expect(Lex *lex, const char *text);
bool netlex_expect_name(Lex *lex, const char *what, LexWord *ret_word);
bool netlex_expect_number(Lex *lex, const char *what, uint32_t *ret_value);

#endif
