/* Assertions: refinements, the properties in :[ ], and their options.
 *
 * In: tokens after the word assert. Out: one CspAssert. The properties are words of plain
 * text between brackets ("deadlock free [F]"), so they are read as names here. */
#include "csp/parse.h"

#include <string.h>

static CspModel model_of(CspParser *p, const CspName *name, CspPlace place) {
  if (strcmp(name->text, "T") == 0) return MODEL_T;
  if (strcmp(name->text, "F") == 0) return MODEL_F;
  if (strcmp(name->text, "FD") == 0) return MODEL_FD;
  csp_fail(p->csp, place, "use T, F or FD", "the semantic model %s is not supported",
           name->text);
}

static bool accept_word(CspParser *p, const char *word) {
  if (!csp_at(p, TOKEN_NAME) || strcmp(csp_peek(p)->name->text, word) != 0) return false;
  p->at++;
  return true;
}

static void expect_word(CspParser *p, const char *word) {
  if (!accept_word(p, word))
    csp_unexpected(p, arena_printf(p->csp->arena, "the word '%s'", word));
}

/* The end of :[ … ] after an optional [M]; the lexer joins ]] when both stand together.
 * */
static void parse_end(CspParser *p, CspAssert *a) {
  if (csp_accept(p, TOKEN_OPEN_BRACKET)) {
    CspToken *token = csp_expect(p, TOKEN_NAME, "of a semantic model");
    a->model = model_of(p, token->name, token->place);
    if (csp_accept(p, TOKEN_CLOSE_RENAME)) return;
    csp_expect(p, TOKEN_CLOSE_BRACKET, "after the semantic model");
  }
  csp_expect(p, TOKEN_CLOSE_BRACKET, "at the end of the property");
}

static void parse_property(CspParser *p, CspAssert *a) {
  a->model = MODEL_FD;
  if (accept_word(p, "deadlock")) {
    expect_word(p, "free");
    a->kind = ASSERT_DEADLOCK_FREE;
  } else if (accept_word(p, "divergence") || accept_word(p, "livelock")) {
    expect_word(p, "free");
    a->kind = ASSERT_DIVERGENCE_FREE;
  } else if (accept_word(p, "deterministic")) {
    a->kind = ASSERT_DETERMINISTIC;
  } else if (accept_word(p, "has")) {
    expect_word(p, "trace");
    a->kind = ASSERT_HAS_TRACE;
    a->model = MODEL_T;
  } else {
    csp_unexpected(p,
                   "'deadlock free', 'divergence free', 'deterministic' or 'has trace'");
  }
  parse_end(p, a);
  if (a->kind == ASSERT_HAS_TRACE) {
    csp_expect(p, TOKEN_COLON, "before the trace");
    a->right = csp_parse_tight(p);
  }
}

/* :[partial order reduce [precise]], :[tau priority]: S */
static void parse_option(CspParser *p, CspAssert *a) {
  if (accept_word(p, "partial")) {
    expect_word(p, "order");
    expect_word(p, "reduce");
    a->reduce = true;
    if (csp_accept(p, TOKEN_OPEN_BRACKET)) {
      csp_expect(p, TOKEN_NAME, "of a way to reduce");
      if (csp_accept(p, TOKEN_CLOSE_RENAME)) return;
      csp_expect(p, TOKEN_CLOSE_BRACKET, "after it");
    }
    csp_expect(p, TOKEN_CLOSE_BRACKET, "at the end of the option");
  } else if (accept_word(p, "tau")) {
    expect_word(p, "priority");
    accept_word(p, "over");
    csp_expect(p, TOKEN_CLOSE_BRACKET, "at the end of the option");
    csp_expect(p, TOKEN_COLON, "before the set of events");
    a->tau_priority = csp_parse_tight(p);
  } else {
    csp_unexpected(p, "'partial order reduce' or 'tau priority'");
  }
}

static bool at_option(const CspParser *p) {
  return csp_at(p, TOKEN_COLON) && p->tokens[p->at + 1].kind == TOKEN_OPEN_BRACKET;
}

/* The source text from one token to before another, with single spaces. */
static const char *text_between(CspParser *p, uint32_t from, uint32_t to) {
  Csp *csp = p->csp;
  Str text = {0};
  for (uint32_t i = from; i < to; i++) {
    CspToken *token = &p->tokens[i], *before = &p->tokens[i - 1];
    const char *word = csp_token_text(csp, token);
    size_t length = strlen(word);
    const char *quote = strchr(word, '\'');
    bool gap = i > from && (token->place.line != before->place.line || token->first ||
                            token->place.column > before->place.column + 1);
    /* Columns only tell where the token before begins; its length decides the gap. */
    size_t before_length = 1;
    if (i > from) {
      const char *b = csp_token_text(csp, before), *q = strchr(b, '\'');
      before_length = before->kind == TOKEN_NAME  ? before->name->length
                      : before->kind == TOKEN_INT ? strlen(b) - strlen("the number ")
                      : q                         ? strlen(q) - 2
                                                  : 1;
      gap = token->place.line != before->place.line ||
            token->place.column > before->place.column + before_length;
    }
    if (gap) str_add_char(&text, ' ');
    if (token->kind == TOKEN_NAME)
      str_add(&text, token->name->text);
    else if (token->kind == TOKEN_INT)
      str_addf(&text, "%lld", (long long)token->number);
    else if (token->kind == TOKEN_STRING)
      str_addf(&text, "\"%s\"", token->name->text);
    else if (token->kind == TOKEN_CHAR)
      str_addf(&text, "'%c'", (int)token->number);
    else if (quote)
      str_add_bytes(&text, quote + 1, length - (size_t)(quote - word) - 2);
  }
  char *copy = arena_strdup(csp->arena, str_text(&text));
  str_free(&text);
  return copy;
}

CspAssert *csp_parse_assert(CspParser *p, CspPlace start) {
  CspAssert *a = arena_alloc_zero(p->csp->arena, sizeof *a);
  uint32_t first = p->at;
  a->place = start;
  while (csp_accept(p, TOKEN_NOT)) a->negated = !a->negated;
  a->left = csp_parse_expr(p);
  if (csp_at(p, TOKEN_REFINES)) {
    CspToken *token = csp_peek(p);
    a->kind = ASSERT_REFINES;
    a->model = model_of(p, token->name, token->place);
    p->at++;
    a->right = csp_parse_expr(p);
  } else if (at_option(p)) {
    p->at += 2;
    parse_property(p, a);
  } else {
    if (!csp_peek(p)->first)
      csp_unexpected(p, "[T=, [F=, [FD= or a property such as :[deadlock free]");
    a->kind = ASSERT_TRUE;
  }
  while (at_option(p)) {
    p->at += 2;
    parse_option(p, a);
  }
  a->text = text_between(p, first, p->at);
  return a;
}
