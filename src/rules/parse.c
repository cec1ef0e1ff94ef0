/* The parser of the library table: rules of the form
 *
 *   NAME, NAME…(PARAMETERS)  CLAUSE; CLAUSE; …
 *
 * In: a text. Out: entries of a RuleSet, or one error with its place. Recursive descent
 * over the tokens of lex.c, one token of lookahead, no backtracking, so the time is
 * linear in the text (parameters and keywords are searched linearly, but both are few by
 * limit).
 *
 * and lines of the form
 *
 *   accept NAME, FUNCTION(), NAME*…
 *
 * which differ from a rule for the function `accept` by the word that follows.
 *
 * A clause is chosen by its first word. The language has no global words except the few
 * in `reserved`, which stand where a parameter may stand and so cannot name one. */
#include "rules/parse.h"

#include "base/opt.h"
#include "rules/parse_internal.h"

#include <stdio.h>
#include <string.h>

static const char *const reserved[] = {
    "any",  "deep", "hidden", "inside", "kept",  "later",    "locked", "new",
    "null", "or",   "per",    "string", "twice", "variable", "with",   NULL};

/* --- tokens ------------------------------------------------------------------------- */

char *parse_show(const Token *token) {
  enum { SHOWN_MAX = 40 };
  if (token->kind == TOKEN_EOF || token->kind == TOKEN_END)
    return str_dup("the end of the rule");
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
  str_add(&out, token->length > SHOWN_MAX ? "…`" : "`");
  return str_take(&out);
}

bool parse_fail(RuleParser *p, const Token *token, const char *remedy, const char *format,
                ...) {
  Str message = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&message, format, args);
  va_end(args);
  err_set(p->err, ERR_INPUT, p->file, token->line, token->column, remedy, "%s",
          str_text(&message));
  str_free(&message);
  return false;
}

bool parse_expected(RuleParser *p, const char *what, const char *remedy) {
  char *found = parse_show(&p->token);
  if (p->token.kind == TOKEN_BAD)
    parse_fail(p, &p->token, remedy, "%s %s; expected %s", found, p->token.problem, what);
  else
    parse_fail(p, &p->token, remedy, "expected %s, found %s", what, found);
  mem_free(found);
  return false;
}

void parse_advance(RuleParser *p) {
  p->token = lex_next(&p->lexer);
}

bool parse_take_word(RuleParser *p, const char *word) {
  if (!token_is(&p->token, word)) return false;
  parse_advance(p);
  return true;
}

bool parse_take_punct(RuleParser *p, char c) {
  if (!token_is_punct(&p->token, c)) return false;
  parse_advance(p);
  return true;
}

bool parse_need_punct(RuleParser *p, char c, const char *remedy) {
  char what[] = {'`', c, '`', 0};
  return parse_take_punct(p, c) || parse_expected(p, what, remedy);
}

bool parse_need_word(RuleParser *p, const char *word, const char *remedy) {
  if (parse_take_word(p, word)) return true;
  char *what = str_printf("`%s`", word);
  parse_expected(p, what, remedy);
  mem_free(what);
  return false;
}

bool parse_at_clause_end(const RuleParser *p) {
  return p->token.kind == TOKEN_END || p->token.kind == TOKEN_BREAK ||
         token_is_punct(&p->token, ';');
}

/* --- parameters and constants ------------------------------------------------------- */

int parse_find_param(const RuleParser *p, const Token *token) {
  if (token->kind != TOKEN_WORD) return -1;
  for (uint32_t i = 0; i < p->param_count; i++)
    if (p->params[i].length == token->length &&
        memcmp(p->params[i].text, token->text, token->length) == 0 &&
        !token_is(token, "_"))
      return (int)i;
  return -1;
}

/* "the parameters are a, b and c". */
static char *list_params(const RuleParser *p) {
  Str list = {0};
  for (uint32_t i = 0; i < p->param_count && list.len < 200; i++)
    str_addf(&list, "%s%.*s", i ? ", " : "the parameters are ",
             (int)(p->params[i].length < 40 ? p->params[i].length : 40),
             p->params[i].text);
  if (!p->param_count) str_add(&list, "name it in the parentheses after the function");
  return str_take(&list);
}

bool parse_param(RuleParser *p, uint8_t *ret_arg) {
  int found = parse_find_param(p, &p->token);
  if (found < 0) {
    char *remedy = list_params(p);
    parse_expected(p, "a parameter", remedy);
    mem_free(remedy);
    return false;
  }
  *ret_arg = (uint8_t)found;
  parse_advance(p);
  return true;
}

bool parse_is_constant(const RuleParser *p) {
  int64_t value;
  if (p->token.kind == TOKEN_NUMBER || token_is_punct(&p->token, '-')) return true;
  return p->token.kind == TOKEN_WORD && parse_find_param(p, &p->token) < 0 &&
         rules_constant(p->token.text, p->token.length, &value);
}

bool parse_constant(RuleParser *p, int64_t *ret_value) {
  const char *remedy = "write a number such as 0, -1 or 0x10, or a name such as EBUSY";
  bool negative = parse_take_punct(p, '-');
  if (p->token.kind == TOKEN_NUMBER) {
    *ret_value = negative ? -p->token.number : p->token.number;
  } else if (negative || p->token.kind != TOKEN_WORD) {
    return parse_expected(p, "a number", remedy);
  } else if (!rules_constant(p->token.text, p->token.length, ret_value)) {
    return parse_expected(p, "a constant", remedy);
  }
  parse_advance(p);
  return true;
}

/* --- the head of a rule ------------------------------------------------------------- */

static bool parse_names(RuleParser *p) {
  const char *remedy =
      "a rule is NAME(PARAMETERS) and what the function does, for example "
      "my_lock(l) lock mutex l";
  vec_clear(&p->names);
  do {
    if (p->token.kind == TOKEN_WORD && p->token.column > 1 && !p->names.len)
      return parse_fail(p, &p->token, "begin the rule in the first column",
                        "an indented line continues a rule, and there is none before it");
    if (p->token.kind != TOKEN_WORD)
      return parse_expected(p, "the name of a function", remedy);
    vec_push(&p->names, p->token);
    parse_advance(p);
    /* The star belongs to the name: it is the byte after it. */
    Token *name = vec_last(&p->names);
    if (token_is_punct(&p->token, '*') && p->token.text == name->text + name->length) {
      name->number = 1;
      parse_advance(p);
    }
  } while (parse_take_punct(p, ','));
  return parse_need_punct(p, '(', remedy);
}

static bool check_param(RuleParser *p) {
  const char *problem = NULL;
  if (p->param_count == RULE_PARAMS_MAX)
    problem = "one parameter too many";
  else if (parse_find_param(p, &p->token) >= 0)
    problem = "two parameters are called";
  for (const char *const *word = reserved; *word && !problem; word++)
    if (token_is(&p->token, *word))
      problem = "a word of this language cannot name a parameter:";
  if (!problem) return true;
  char *shown = parse_show(&p->token);
  parse_fail(p, &p->token,
             p->param_count == RULE_PARAMS_MAX ? "at most 64 can be named; end with ..."
                                               : "choose another name",
             "%s %s", problem, shown);
  mem_free(shown);
  return false;
}

static bool parse_params(RuleParser *p) {
  p->param_count = 0;
  if (parse_take_punct(p, ')')) return true;
  do {
    if (p->token.kind == TOKEN_DOTS) {
      parse_advance(p);
      p->rule.flags |= RULE_VARARGS;
      break;
    }
    if (p->token.kind != TOKEN_WORD)
      return parse_expected(p, "the name of a parameter", "use _ for one without a name");
    if (!check_param(p)) return false;
    p->params[p->param_count++] = p->token;
    parse_advance(p);
  } while (parse_take_punct(p, ','));
  return parse_need_punct(p, ')', "parameters are separated by commas; ... comes last");
}

/* --- clauses ------------------------------------------------------------------------ */

static const Clause *find_clause(const Clause *clauses, const Token *word) {
  for (; clauses->word; clauses++)
    if (token_is(word, clauses->word)) return clauses;
  return NULL;
}

static bool unknown_clause(RuleParser *p) {
  const char *words[96];
  size_t n = 0;
  for (const Clause *c = parse_op_clauses; c->word; c++) words[n++] = c->word;
  for (const Clause *c = parse_effect_clauses; c->word; c++) words[n++] = c->word;
  words[n] = NULL;
  char *word = str_ndup(p->token.text, p->token.length < 64 ? p->token.length : 64);
  const char *meant = opt_nearest(word, words);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("docs/rules.md lists the words of this language");
  char *shown = parse_show(&p->token);
  parse_fail(p, &p->token, remedy, "no clause begins with %s", shown);
  mem_free(shown);
  mem_free(remedy);
  mem_free(word);
  return false;
}

static bool parse_clause(RuleParser *p) {
  Token word = p->token;
  if (word.kind != TOKEN_WORD)
    return parse_expected(p, "a clause",
                          "say what the function does: lock, wait, reads, writes, …");
  const Clause *clause = find_clause(parse_effect_clauses, &word);
  if (!clause) clause = find_clause(parse_op_clauses, &word);
  if (!clause) return unknown_clause(p);
  parse_advance(p);
  return clause->parse(p, &word);
}

static bool parse_clauses(RuleParser *p) {
  bool any = false;
  while (p->token.kind != TOKEN_END) {
    if (parse_at_clause_end(p)) {
      parse_advance(p);
      continue;
    }
    if (!parse_clause(p)) return false;
    if (!parse_at_clause_end(p))
      return parse_expected(p, "`;` or the end of the line",
                            "a semicolon or a line break "
                            "separates clauses");
    any = true;
  }
  return any || parse_expected(p, "what the function does",
                               "write `nothing` if it touches no memory of the program");
}

static bool check_rule(RuleParser *p) {
  bool touches = p->set->effects.len > p->rule.first_effect;
  if (p->bare_token.kind && (touches || p->op_token.kind)) {
    char *shown = parse_show(&p->bare_token);
    parse_fail(p, &p->bare_token, "leave one of the two out",
               "%s stands beside clauses that say otherwise", shown);
    mem_free(shown);
    return false;
  }
  return parse_check_op(p);
}

/* One entry for each name; they share the effects. */
static void add_rules(RuleParser *p) {
  p->rule.effect_count = p->set->effects.len - p->rule.first_effect;
  p->rule.param_count = (uint8_t)p->param_count;
  for (uint32_t i = 0; i < p->names.len; i++) {
    const Token *name = &p->names.data[i];
    Rule rule = p->rule;
    rule.name = arena_strndup(p->set->arena, name->text, name->length);
    rule.line = name->line;
    if (name->number) rule.flags |= RULE_PREFIX;
    vec_push(&p->set->rules, rule);
  }
}

/* The token after the next one. */
static Token peek(const RuleParser *p) {
  Lexer ahead = p->lexer;
  return lex_next(&ahead);
}

static bool parse_accept(RuleParser *p) {
  const char *remedy = "write accept and names of variables, or of functions with ()";
  do {
    parse_advance(p); /* `accept`, or the comma before another one */
    if (p->token.kind != TOKEN_WORD)
      return parse_expected(p, "the name of a variable or function", remedy);
    Token name = p->token;
    parse_advance(p);
    bool star =
        token_is_punct(&p->token, '*') && p->token.text == name.text + name.length;
    if (star) parse_advance(p);
    RuleAccept accept = {arena_printf(p->set->arena, "%.*s%s", (int)name.length,
                                      name.text, star ? "*" : ""),
                         parse_take_punct(p, '(')};
    if (accept.function && !parse_need_punct(p, ')', remedy)) return false;
    vec_push(&p->set->accepts, accept);
  } while (token_is_punct(&p->token, ','));
  if (p->token.kind != TOKEN_END && p->token.kind != TOKEN_EOF)
    return parse_expected(p, "a comma or the end of the line", remedy);
  if (p->token.kind == TOKEN_END) parse_advance(p);
  return true;
}

static bool parse_rule(RuleParser *p) {
  Token next = peek(p);
  if (token_is(&p->token, "accept") && p->token.column == 1 &&
      !token_is_punct(&next, '(') && !token_is_punct(&next, ','))
    return parse_accept(p);
  p->rule = (Rule){.op = OP_CALL,
                   .flags = p->user ? RULE_USER | RULE_ALWAYS : 0,
                   .operands = {RULE_OPERAND_NONE, RULE_OPERAND_NONE, RULE_OPERAND_NONE},
                   .result = {.no_result = 1},
                   .first_effect = p->set->effects.len,
                   .file = p->file};
  p->op_token = p->result_token = p->bare_token = (Token){0};
  p->has_values = p->has_busy = p->has_timeout = false;
  if (!parse_names(p) || !parse_params(p)) return false;
  if (!parse_clauses(p) || !check_rule(p)) return false;
  add_rules(p);
  parse_advance(p);
  return true;
}

bool rules_parse(RuleSet *set, const char *file, const char *text, size_t length,
                 bool user, Err *err) {
  RuleParser p = {.set = set, .file = file, .user = user, .err = err};
  lex_init(&p.lexer, text, length);
  parse_advance(&p);
  uint32_t accepted = set->accepts.len;
  bool ok = true;
  while (ok && p.token.kind != TOKEN_EOF) ok = parse_rule(&p);
  if (!ok) set->accepts.len = accepted;
  vec_free(&p.names);
  return ok;
}
