/* The lexer of CSP_M.
 *
 * In: the bytes of a script. Out: tokens with file, line and column. Punctuation is
 * matched longest first, with two exceptions that the notation of sequences forces: `>==`
 * is the end of a sequence and an equality, and `[T=` is one token because T alone is a
 * name. The words of assertions ("deadlock free") are plain names here; the parser knows
 * them.
 *
 * Invariants: the text may hold any bytes; nesting of includes and of comments is bounded
 * by counters, not by the stack. */
#include "csp/lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INCLUDES = 64, MAX_FILES = 1000 };

typedef struct {
  const char *text;
  CspTokenKind kind;
} Word;

static const Word punctuation[] = {
#define X(name, text) {text, TOKEN_##name},
    CSP_PUNCTUATION(X)
#undef X
        {NULL, TOKEN_END}};

static const Word keywords[] = {
#define X(name, text) {text, TOKEN_##name},
    CSP_KEYWORDS(X)
#undef X
        {NULL, TOKEN_END}};

typedef struct {
  Csp *csp;
  CspToken *tokens;
  uint32_t len, cap;
  unsigned depth; /* of includes */
} Tokens;

typedef struct {
  Tokens *all;
  Csp *csp;
  const char *text, *p, *end, *line_start;
  uint16_t file;
  uint32_t line;
  bool first; /* nothing but space stood on this line so far */
} Lexer;

static CspPlace place(const Lexer *lx, const char *at) {
  size_t column = (size_t)(at - lx->line_start) + 1;
  return (CspPlace){lx->file, (uint16_t)(column > 65535 ? 65535 : column), lx->line};
}

static CspToken *add(Lexer *lx, CspTokenKind kind, const char *start) {
  Tokens *t = lx->all;
  if (t->len == t->cap) {
    t->cap = t->cap ? t->cap * 2 : 256;
    CspToken *grown = arena_alloc(lx->csp->arena, t->cap * sizeof *grown);
    if (t->len) memcpy(grown, t->tokens, t->len * sizeof *grown);
    t->tokens = grown;
  }
  CspToken *token = &t->tokens[t->len++];
  *token = (CspToken){.kind = kind, .place = place(lx, start), .first = lx->first};
  lx->first = false;
  return token;
}

static void new_line(Lexer *lx) {
  lx->p++;
  lx->line++;
  lx->line_start = lx->p;
  lx->first = true;
}

/* ---- space and comments ----------------------------------------------------------- */

static void skip_block_comment(Lexer *lx) {
  CspPlace start = place(lx, lx->p);
  unsigned depth = 0;
  while (lx->p < lx->end) {
    if (lx->p + 1 < lx->end && lx->p[0] == '{' && lx->p[1] == '-') {
      depth++;
      lx->p += 2;
    } else if (lx->p + 1 < lx->end && lx->p[0] == '-' && lx->p[1] == '}') {
      lx->p += 2;
      if (--depth == 0) return;
    } else if (*lx->p == '\n') {
      new_line(lx);
    } else {
      lx->p++;
    }
  }
  csp_fail(lx->csp, start, "close it with -}", "this comment has no end");
}

static bool skip_space(Lexer *lx) {
  while (lx->p < lx->end) {
    char c = *lx->p;
    if (c == '\n')
      new_line(lx);
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
      lx->p++;
    else if (c == '-' && lx->p + 1 < lx->end && lx->p[1] == '-')
      while (lx->p < lx->end && *lx->p != '\n') lx->p++;
    else if (c == '{' && lx->p + 1 < lx->end && lx->p[1] == '-')
      skip_block_comment(lx);
    else
      return true;
  }
  return false;
}

/* ---- literals --------------------------------------------------------------------- */

static void lex_number(Lexer *lx) {
  const char *start = lx->p;
  int64_t value = 0;
  for (; lx->p < lx->end && isdigit((unsigned char)*lx->p); lx->p++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *lx->p - '0', &value))
      csp_fail(lx->csp, place(lx, start), "the largest is 9223372036854775807",
               "this number is too large");
  add(lx, TOKEN_INT, start)->number = value;
}

/* One character of a literal, with its escapes. */
static int lex_escaped(Lexer *lx, const char *start, const char *what) {
  if (lx->p >= lx->end || *lx->p == '\n')
    csp_fail(lx->csp, place(lx, start), "close it on the same line", "this %s has no end",
             what);
  if (*lx->p != '\\') return (unsigned char)*lx->p++;
  lx->p++;
  if (lx->p >= lx->end)
    csp_fail(lx->csp, place(lx, start), "close it", "this %s has no end", what);
  char c = *lx->p++;
  return c == 'n'   ? '\n'
         : c == 't' ? '\t'
         : c == 'r' ? '\r'
         : c == '0' ? 0
                    : (unsigned char)c;
}

static void lex_string(Lexer *lx) {
  const char *start = lx->p++;
  char *buffer = arena_alloc(lx->csp->arena, (size_t)(lx->end - lx->p) + 1);
  size_t n = 0;
  while (lx->p >= lx->end || *lx->p != '"')
    buffer[n++] = (char)lex_escaped(lx, start, "string");
  lx->p++;
  add(lx, TOKEN_STRING, start)->name = csp_name(lx->csp, buffer, n);
}

static void lex_char(Lexer *lx) {
  const char *start = lx->p++;
  int c = lex_escaped(lx, start, "character");
  if (lx->p >= lx->end || *lx->p != '\'')
    csp_fail(lx->csp, place(lx, start), "write it as 'x'", "this character has no end");
  lx->p++;
  add(lx, TOKEN_CHAR, start)->number = c;
}

/* ---- names ------------------------------------------------------------------------ */

static bool is_name_start(char c) {
  return isalpha((unsigned char)c);
}

static bool is_name_part(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static void lex_name(Lexer *lx) {
  const char *start = lx->p;
  while (lx->p < lx->end && is_name_part(*lx->p)) lx->p++;
  size_t length = (size_t)(lx->p - start);
  for (const Word *w = keywords; w->text; w++)
    if (strlen(w->text) == length && memcmp(w->text, start, length) == 0) {
      add(lx, w->kind, start);
      return;
    }
  add(lx, TOKEN_NAME, start)->name = csp_name(lx->csp, start, length);
}

/* [T=, [F=, [FD= and other models: one token. */
static bool lex_refines(Lexer *lx) {
  const char *start = lx->p, *q = start + 1;
  while (q < lx->end && isupper((unsigned char)*q) && q - start < 5) q++;
  if (q == start + 1 || q >= lx->end || *q != '=' || (q + 1 < lx->end && q[1] == '='))
    return false;
  add(lx, TOKEN_REFINES, start)->name =
      csp_name(lx->csp, start + 1, (size_t)(q - start - 1));
  lx->p = q + 1;
  return true;
}

static void lex_punctuation(Lexer *lx) {
  const char *start = lx->p;
  size_t left = (size_t)(lx->end - start);
  if (*start == '_') {
    lx->p++;
    if (lx->p < lx->end && is_name_part(*lx->p))
      csp_fail(lx->csp, place(lx, start), "begin the name with a letter",
               "names cannot begin with _");
    add(lx, TOKEN_WILD, start);
    return;
  }
  if (*start == '[' && lex_refines(lx)) return;
  for (const Word *w = punctuation; w->text; w++) {
    size_t length = strlen(w->text);
    if (length > left || memcmp(w->text, start, length) != 0) continue;
    /* (||| x:S @ P) and (|~| x:S @ P) begin with a parenthesis, not with a map. */
    if (w->kind == TOKEN_OPEN_MAP && left > 2 && (start[2] == '|' || start[2] == '~'))
      continue;
    if (w->kind == TOKEN_LEAVE_EQ) {
      lx->p += 1;
      add(lx, TOKEN_GREATER, start);
      return;
    }
    lx->p += length;
    add(lx, w->kind, start);
    return;
  }
  unsigned char c = (unsigned char)*start;
  csp_fail(lx->csp, place(lx, start), "remove it",
           c >= 0x20 && c < 0x7f ? "the character '%c' means nothing here"
                                 : "the byte 0x%02x means nothing here",
           c);
}

/* ---- files ------------------------------------------------------------------------ */

static void lex_text(Tokens *all, const char *file, const char *text, size_t length);

static char *read_file(Csp *csp, CspPlace at, const char *path, size_t *ret_length) {
  FILE *f = fopen(path, "rb");
  if (!f)
    csp_fail(csp, at, "check the name in the include", "%s: %s", path, strerror(errno));
  Str bytes = {0};
  char buffer[4096];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) str_add_bytes(&bytes, buffer, n);
  int failed = ferror(f);
  fclose(f);
  char *copy = arena_dup(csp->arena, str_text(&bytes), bytes.len + 1);
  *ret_length = bytes.len;
  str_free(&bytes);
  if (failed) csp_fail(csp, at, "check that it is a file", "%s cannot be read", path);
  return copy;
}

static void lex_include(Lexer *lx) {
  CspToken *token = &lx->all->tokens[lx->all->len - 1];
  const char *name = token->name->text, *own = lx->csp->files.data[lx->file];
  CspPlace at = token->place;
  const char *slash = strrchr(own, '/');
  const char *path =
      name[0] == '/' || !slash
          ? name
          : arena_printf(lx->csp->arena, "%.*s/%s", (int)(slash - own), own, name);
  if (lx->all->depth >= MAX_INCLUDES || lx->csp->files.len >= MAX_FILES)
    csp_fail(lx->csp, at, "look for a file that includes itself",
             "includes are nested too deeply");
  size_t length;
  char *text = read_file(lx->csp, at, path, &length);
  lx->all->len -= 2; /* the word include and the name */
  lx->all->depth++;
  lex_text(lx->all, path, text, length);
  lx->all->depth--;
}

static void lex_text(Tokens *all, const char *file, const char *text, size_t length) {
  Csp *csp = all->csp;
  Lexer lx = {.all = all,
              .csp = csp,
              .text = text,
              .p = text,
              .end = text + length,
              .line_start = text,
              .file = (uint16_t)csp->files.len,
              .line = 1,
              .first = true};
  vec_push(&csp->files, arena_strdup(csp->arena, file));
  /* Some editors put a mark of UTF-8 before everything else. */
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    lx.p = lx.line_start = text + 3;
  while (skip_space(&lx)) {
    unsigned char c = (unsigned char)*lx.p;
    if (isdigit(c))
      lex_number(&lx);
    else if (is_name_start((char)c))
      lex_name(&lx);
    else if (c == '"')
      lex_string(&lx);
    else if (c == '\'')
      lex_char(&lx);
    else
      lex_punctuation(&lx);
    if (all->len >= 2 && all->tokens[all->len - 1].kind == TOKEN_STRING &&
        all->tokens[all->len - 2].kind == TOKEN_INCLUDE)
      lex_include(&lx);
  }
  if (all->depth == 0) add(&lx, TOKEN_END, lx.p)->first = true;
}

CspToken *csp_lex(Csp *csp, const char *file, const char *text, size_t length) {
  Tokens all = {.csp = csp};
  lex_text(&all, file, text, length);
  return all.tokens;
}

const char *csp_token_text(Csp *csp, const CspToken *token) {
  switch (token->kind) {
  case TOKEN_END: return "the end of the file";
  case TOKEN_NAME: return arena_printf(csp->arena, "the name %s", token->name->text);
  case TOKEN_INT:
    return arena_printf(csp->arena, "the number %lld", (long long)token->number);
  case TOKEN_CHAR: return "a character";
  case TOKEN_STRING: return "a string";
  case TOKEN_WILD: return "'_'";
  case TOKEN_REFINES: return arena_printf(csp->arena, "'[%s='", token->name->text);
  default: break;
  }
  for (const Word *w = punctuation; w->text; w++)
    if (w->kind == token->kind) return arena_printf(csp->arena, "'%s'", w->text);
  for (const Word *w = keywords; w->text; w++)
    if (w->kind == token->kind) return arena_printf(csp->arena, "the word '%s'", w->text);
  return "this";
}
