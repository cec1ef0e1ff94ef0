/* Tokens of CSP_M with their places. The text of a file becomes one array that ends with
 * TOKEN_END; `include` is resolved here, so that the parser sees one stream. */
#ifndef HEDDLE_CSP_LEX_H
#define HEDDLE_CSP_LEX_H

#include "csp/core.h"

/* Punctuation in the order in which it is tried: longer before shorter. */
#define CSP_PUNCTUATION(X)                                                               \
  X(LINK, "<->")                                                                         \
  X(INTERLEAVE, "|||")                                                                   \
  X(INTCHOICE, "|~|")                                                                    \
  X(LEAVE_EQ, ">==")                                                                     \
  X(ARROW, "->")                                                                         \
  X(GENERATOR, "<-")                                                                     \
  X(EMPTY_SEQ, "<>")                                                                     \
  X(LESS_EQ, "<=")                                                                       \
  X(GREATER_EQ, ">=")                                                                    \
  X(EQUAL, "==")                                                                         \
  X(MAPS_TO, "=>")                                                                       \
  X(NOT_EQUAL, "!=")                                                                     \
  X(OPEN_CHANSET, "{|")                                                                  \
  X(CLOSE_CHANSET, "|}")                                                                 \
  X(OPEN_MAP, "(|")                                                                      \
  X(CLOSE_MAP, "|)")                                                                     \
  X(OPEN_RENAME, "[[")                                                                   \
  X(CLOSE_RENAME, "]]")                                                                  \
  X(OPEN_SHARE, "[|")                                                                    \
  X(CLOSE_SHARE, "|]")                                                                   \
  X(CLOSE_EXCEPTION, "|>")                                                               \
  X(PROJECT, "|\\")                                                                      \
  X(PARALLEL, "||")                                                                      \
  X(SLIDING, "[>")                                                                       \
  X(OPEN_SYNCEXT, "[+")                                                                  \
  X(CLOSE_SYNCEXT, "+]")                                                                 \
  X(OPEN_SYNCINT, "/+")                                                                  \
  X(CLOSE_SYNCINT, "+\\")                                                                \
  X(EXTCHOICE, "[]")                                                                     \
  X(INTERRUPT, "/\\")                                                                    \
  X(DOTS, "..")                                                                          \
  X(QUALIFY, "::")                                                                       \
  X(DOUBLE_AT, "@@")                                                                     \
  X(OPEN, "(")                                                                           \
  X(CLOSE, ")")                                                                          \
  X(OPEN_SET, "{")                                                                       \
  X(CLOSE_SET, "}")                                                                      \
  X(OPEN_BRACKET, "[")                                                                   \
  X(CLOSE_BRACKET, "]")                                                                  \
  X(LESS, "<")                                                                           \
  X(GREATER, ">")                                                                        \
  X(COMMA, ",")                                                                          \
  X(ASSIGN, "=")                                                                         \
  X(AT, "@")                                                                             \
  X(BACKSLASH, "\\")                                                                     \
  X(DOT, ".")                                                                            \
  X(COLON, ":")                                                                          \
  X(SEMI, ";")                                                                           \
  X(QUESTION, "?")                                                                       \
  X(BANG, "!")                                                                           \
  X(DOLLAR, "$")                                                                         \
  X(BAR, "|")                                                                            \
  X(AMP, "&")                                                                            \
  X(PLUS, "+")                                                                           \
  X(MINUS, "-")                                                                          \
  X(TIMES, "*")                                                                          \
  X(DIVIDE, "/")                                                                         \
  X(PERCENT, "%")                                                                        \
  X(HASH, "#")                                                                           \
  X(CARET, "^")

#define CSP_KEYWORDS(X)                                                                  \
  X(IF, "if")                                                                            \
  X(THEN, "then")                                                                        \
  X(ELSE, "else")                                                                        \
  X(LET, "let")                                                                          \
  X(WITHIN, "within")                                                                    \
  X(CHANNEL, "channel")                                                                  \
  X(DATATYPE, "datatype")                                                                \
  X(SUBTYPE, "subtype")                                                                  \
  X(NAMETYPE, "nametype")                                                                \
  X(TRANSPARENT, "transparent")                                                          \
  X(EXTERNAL, "external")                                                                \
  X(ASSERT, "assert")                                                                    \
  X(AND, "and")                                                                          \
  X(OR, "or")                                                                            \
  X(NOT, "not")                                                                          \
  X(TRUE, "true")                                                                        \
  X(FALSE, "false")                                                                      \
  X(MODULE, "module")                                                                    \
  X(EXPORTS, "exports")                                                                  \
  X(ENDMODULE, "endmodule")                                                              \
  X(INSTANCE, "instance")                                                                \
  X(PRINT, "print")                                                                      \
  X(INCLUDE, "include")                                                                  \
  X(TIMED, "Timed")

typedef enum {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_INT,
  TOKEN_CHAR,
  TOKEN_STRING,
  TOKEN_WILD,    /* _ */
  TOKEN_REFINES, /* [T= and its kin; `name` is the model */
#define X(name, text) TOKEN_##name,
  CSP_PUNCTUATION(X) CSP_KEYWORDS(X)
#undef X
} CspTokenKind;

typedef struct CspToken {
  CspTokenKind kind;
  CspPlace place;
  bool first;          /* first of its line */
  const CspName *name; /* NAME, REFINES, and the bytes of STRING */
  int64_t number;      /* INT, CHAR */
} CspToken;

/* Reads `text` (length bytes, named `file`) and every file it includes, relative to the
 * including one. The array lives in the arena. Fails through csp_fail. */
CspToken *csp_lex(Csp *csp, const char *file, const char *text, size_t length);

/* The token as messages show it: "'|||'", "the name P", "the end of the file". */
const char *csp_token_text(Csp *csp, const CspToken *token);

#endif
