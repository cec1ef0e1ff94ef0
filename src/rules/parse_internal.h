/* What the parts of the table's parser share. Only the C files of this folder include it.
 *
 * parse.c reads names, parameters and dispatches clauses; parse_op.c reads the clauses
 * that say what a call *is* (operations), parse_effect.c those that say what it *does*.
 * All functions return false after filling the error. */
#ifndef HEDDLE_RULES_PARSE_INTERNAL_H
#define HEDDLE_RULES_PARSE_INTERNAL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "rules/lex.h"
#include "rules/rules.h"

enum { RULE_PARAMS_MAX = 64 };

/* The rules in order, their effects, and the two ways to find one. Only whole texts enter
 * the maps: a text with an error leaves no trace but a little unused arena. */
struct RuleSet {
  Arena *arena; /* names, files, assumptions */
  VEC(Rule) rules;
  VEC(Effect) effects;
  VEC(RuleAccept) accepts;
  VEC(char) text;               /* names of hidden state; offset 0 is "" */
  StrMap hidden;                /* name of hidden state → offset in `text` */
  StrMap exact;                 /* function → index in `rules` */
  StrMap prefix;                /* prefix without its star → index in `rules` */
  VEC(uint32_t) prefix_lengths; /* each once, descending */
};

typedef struct {
  RuleSet *set;
  Lexer lexer;
  Token token;      /* the one to read next */
  const char *file; /* owned by the set */
  bool user;
  Err *err;
  /* the rule being read */
  VEC(Token) names;
  Token params[RULE_PARAMS_MAX];
  uint32_t param_count;
  Rule rule;
  Token op_token;     /* the word of its operation, for messages; kind 0: none yet */
  Token result_token; /* the word `returns` */
  Token bare_token;   /* `nothing`, `pure` or `ignored` */
  bool has_values;    /* `returns` listed values */
  bool has_busy, has_timeout;
} RuleParser;

/* --- parse.c ------------------------------------------------------------------------ */

/* An error at `token`; always false. */
bool parse_fail(RuleParser *p, const Token *token, const char *remedy, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* "expected WHAT, found TOKEN" at the current token. */
bool parse_expected(RuleParser *p, const char *what, const char *remedy);
void parse_advance(RuleParser *p);
bool parse_take_word(RuleParser *p,
                     const char *word); /* true and advance if it is next */
bool parse_take_punct(RuleParser *p, char c);
bool parse_need_punct(RuleParser *p, char c, const char *remedy);
bool parse_need_word(RuleParser *p, const char *word, const char *remedy);
/* The number of the parameter that `token` names, or -1. */
int parse_find_param(const RuleParser *p, const Token *token);
/* A parameter by name. */
bool parse_param(RuleParser *p, uint8_t *ret_arg);
/* A number, possibly negative, or the name of a constant. */
bool parse_constant(RuleParser *p, int64_t *ret_value);
bool parse_is_constant(const RuleParser *p); /* does one come next? */
/* True at `;` or the end of the rule: the clause has no more words. */
bool parse_at_clause_end(const RuleParser *p);
/* Text of a token for messages, quoted and shortened; released with mem_free. */
char *parse_show(const Token *token);

/* --- parse_op.c, parse_effect.c ----------------------------------------------------- */

/* Each reads one clause after its first word, which `word` is. False only on an error. */
typedef bool ClauseFn(RuleParser *p, const Token *word);
typedef struct {
  const char *word;
  ClauseFn *parse;
} Clause;

extern const Clause parse_op_clauses[]; /* both end with a NULL word */
extern const Clause parse_effect_clauses[];

/* What only shows when all clauses are read: a try without its result, say. */
bool parse_check_op(RuleParser *p);

/* --- parse_extent.c ----------------------------------------------------------------- */

/* `[4]`, `[n]`, `[n*size*16]` into the extent of `effect`; optional: none leaves it
 * alone. With `string` set only `[n]` is allowed, the limit of a string. */
bool parse_extent(RuleParser *p, Effect *effect, bool string);
/* The same where only a number of bytes is allowed: a library object, a result. */
bool parse_size(RuleParser *p, uint32_t *ret_size);

/* --- constants.c -------------------------------------------------------------------- */

/* The value of a named constant (errno names, results of C11 threads). */
bool rules_constant(const char *name, size_t length, int64_t *ret_value);

#endif
