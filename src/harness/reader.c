/* Tokens of a harness file, and messages about what stands there instead of what was
 * expected. */
#include "harness/reader.h"

HarnessPlace reader_place(const Token *token) {
  return (HarnessPlace){token->line, token->column};
}

bool reader_fail(Reader *r, HarnessPlace place, const char *remedy, const char *message) {
  return err_set(r->err, ERR_INPUT, r->harness->file, place.line, place.column, remedy,
                 "%s", message);
}

/* The token's text for messages: printable, quoted and short. */
static char *shown(const Token *token) {
  enum { SHOWN_MAX = 40 };
  if (token->kind == TOKEN_EOF || token->kind == TOKEN_END)
    return str_dup("the end of the declaration");
  if (token->kind == TOKEN_BREAK) return str_dup("the end of the line");
  Str out = {0};
  str_add(&out, "`");
  for (size_t i = 0; i < token->length && i < SHOWN_MAX; i++) {
    unsigned char c = (unsigned char)token->text[i];
    if (c < 0x20 || c >= 0x7f)
      str_addf(&out, "\\x%02x", c);
    else
      str_add_char(&out, (char)c);
  }
  str_add(&out, token->length > SHOWN_MAX ? "...`" : "`");
  return str_take(&out);
}

bool reader_expected(Reader *r, const char *what, const char *remedy) {
  char *found = shown(&r->token);
  bool bad = r->token.kind == TOKEN_BAD;
  char *message = bad ? str_printf("%s %s; expected %s", found, r->token.problem, what)
                      : str_printf("expected %s, found %s", what, found);
  reader_fail(r, reader_place(&r->token), remedy, message);
  mem_free(message);
  mem_free(found);
  return false;
}

void reader_advance(Reader *r) {
  r->token = lex_next(&r->lexer);
}

bool reader_take_word(Reader *r, const char *word) {
  if (!token_is(&r->token, word)) return false;
  reader_advance(r);
  return true;
}

bool reader_take_punct(Reader *r, char c) {
  if (!token_is_punct(&r->token, c)) return false;
  reader_advance(r);
  return true;
}

bool reader_at_end(const Reader *r) {
  return r->token.kind == TOKEN_END || r->token.kind == TOKEN_EOF;
}

const char *reader_keep(Reader *r, const Token *token) {
  return arena_strndup(r->harness->arena, token->text, token->length);
}

bool reader_word(Reader *r, const char *what, const char *remedy, const char **ret) {
  if (r->token.kind != TOKEN_WORD) return reader_expected(r, what, remedy);
  *ret = reader_keep(r, &r->token);
  reader_advance(r);
  return true;
}

bool reader_ended(Reader *r, const char *remedy) {
  if (!reader_at_end(r)) return reader_expected(r, "the end of the line", remedy);
  reader_advance(r);
  return true;
}
