/* Clauses that say what a call *does*: to the memory behind its arguments, to the
 * library's own state, and with its result; and the words that qualify a rule as a whole.
 *
 * Each clause appends effects to the table of the set, in the order of the text. */
#include "rules/parse_internal.h"

#include <string.h>

static Effect *add_effect(RuleParser *p, EffectKind kind) {
  vec_push(&p->set->effects, (Effect){.kind = (uint8_t)kind,
                                      .arg = ARG_NONE,
                                      .other = ARG_NONE,
                                      .pass = {ARG_NONE, ARG_NONE, ARG_NONE, ARG_NONE}});
  return vec_last(&p->set->effects);
}

/* --- hidden state ------------------------------------------------------------------- */

static Sym intern(RuleSet *set, const char *name, size_t length) {
  uint64_t *at = strmap_at(&set->hidden, name, length);
  if (!*at) {
    *at = set->text.len;
    char *copy = vec_extend(&set->text, length + 1);
    memcpy(copy, name, length);
  }
  return (Sym)*at;
}

/* The name of hidden state. Names are not parameters, so any word will do. */
static bool hidden_name(RuleParser *p, Sym *ret_name) {
  if (p->token.kind != TOKEN_WORD)
    return parse_expected(p, "a name for the hidden state",
                          "any word will do; the same word is the same state");
  *ret_name = intern(p->set, p->token.text, p->token.length);
  parse_advance(p);
  return true;
}

/* `per thread` and `locked [by glibc]`, in any order. */
static bool qualifiers(RuleParser *p, Effect *effect, bool may_be_thread) {
  for (;;) {
    if (may_be_thread && parse_take_word(p, "per")) {
      if (!parse_need_word(p, "thread", "the form is: hidden NAME per thread"))
        return false;
      effect->flags |= EFFECT_TLS;
    } else if (parse_take_word(p, "locked")) {
      effect->flags |= EFFECT_SYNCED;
      if (!parse_take_word(p, "by")) continue;
      if (!parse_need_word(p, "glibc",
                           "write `locked`, or `locked by glibc` where POSIX "
                           "does not promise it"))
        return false;
      effect->flags |= EFFECT_GLIBC;
    } else {
      return true;
    }
  }
}

/* `later`, `later in a thread`. */
static bool later_clause(RuleParser *p, Effect *effect, bool *ret_later) {
  const char *form = "the form is: later in a thread";
  *ret_later = parse_take_word(p, "later");
  if (!*ret_later || !parse_take_word(p, "in")) return true;
  effect->flags |= EFFECT_THREAD;
  return parse_need_word(p, "a", form) && parse_need_word(p, "thread", form);
}

/* `… or hidden NAME`: what is used instead if the parameter is NULL. */
static bool instead_of_null(RuleParser *p, const Effect *item) {
  Effect effect = {
      .kind = item->kind == EFFECT_READ ? EFFECT_HIDDEN_READ : EFFECT_HIDDEN_WRITE,
      .flags = (uint8_t)(EFFECT_IF_NULL | (item->flags & (EFFECT_SYNCED | EFFECT_GLIBC))),
      .arg = item->arg,
      .other = ARG_NONE,
      .pass = {ARG_NONE, ARG_NONE, ARG_NONE, ARG_NONE}};
  if (!parse_need_word(p, "hidden", "the form is: X[8] or hidden NAME") ||
      !hidden_name(p, &effect.name) || !parse_size(p, &effect.size) ||
      !qualifiers(p, &effect, true))
    return false;
  vec_push(&p->set->effects, effect);
  return true;
}

/* --- reads, writes ------------------------------------------------------------------ */

static bool access_item(RuleParser *p, EffectKind kind) {
  Effect effect = {.kind = (uint8_t)kind,
                   .arg = ARG_NONE,
                   .other = ARG_NONE,
                   .pass = {ARG_NONE, ARG_NONE, ARG_NONE, ARG_NONE}};
  if (parse_take_word(p, "hidden")) {
    effect.kind = kind == EFFECT_READ ? EFFECT_HIDDEN_READ : EFFECT_HIDDEN_WRITE;
    if (!hidden_name(p, &effect.name) || !parse_size(p, &effect.size) ||
        !qualifiers(p, &effect, true))
      return false;
  } else if (parse_take_word(p, "variable")) {
    effect.kind = kind == EFFECT_READ ? EFFECT_HIDDEN_READ : EFFECT_HIDDEN_WRITE;
    effect.flags = EFFECT_VARIABLE;
    if (!hidden_name(p, &effect.name) || !qualifiers(p, &effect, false)) return false;
  } else if (parse_take_word(p, "kept")) {
    effect.arg = ARG_KEPT;
    if (!hidden_name(p, &effect.name) || !qualifiers(p, &effect, false)) return false;
  } else if (p->token.kind == TOKEN_DOTS) {
    if (!(p->rule.flags & RULE_VARARGS))
      return parse_fail(p, &p->token, "end the parameters with ...",
                        "the function has no variable arguments");
    effect.arg = ARG_VARARGS;
    effect.extent = EXTENT_VARARGS;
    parse_advance(p);
  } else {
    if (parse_take_word(p, "deep")) effect.flags |= EFFECT_CONTENT;
    bool string = parse_take_word(p, "string");
    if (string) effect.extent = EXTENT_STRING;
    if (!parse_param(p, &effect.arg) || !parse_extent(p, &effect, string) ||
        !qualifiers(p, &effect, false))
      return false;
    if (parse_take_word(p, kind == EFFECT_READ ? "sent" : "received"))
      effect.flags |= EFFECT_OUTSIDE;
    bool later;
    if (!later_clause(p, &effect, &later)) return false;
    if (later) effect.flags |= EFFECT_LATER;
  }
  vec_push(&p->set->effects, effect);
  bool of_parameter = effect.kind == kind && effect.arg < ARG_KEPT;
  return !of_parameter || !parse_take_word(p, "or") || instead_of_null(p, &effect);
}

static bool access_items(RuleParser *p, EffectKind kind) {
  do {
    if (!access_item(p, kind)) return false;
  } while (parse_take_punct(p, ','));
  return true;
}

static bool clause_reads(RuleParser *p, const Token *word) {
  (void)word;
  return access_items(p, EFFECT_READ);
}

static bool clause_writes(RuleParser *p, const Token *word) {
  (void)word;
  return access_items(p, EFFECT_WRITE);
}

static bool clause_frees(RuleParser *p, const Token *word) {
  (void)word;
  do {
    uint8_t arg;
    if (!parse_param(p, &arg)) return false;
    add_effect(p, EFFECT_FREE)->arg = arg;
  } while (parse_take_punct(p, ','));
  return true;
}

/* --- pointers that travel ----------------------------------------------------------- */

/* `X`, `*X` or `kept NAME`, where a pointer into its object may be meant. */
static bool source_pointer(RuleParser *p, Effect *effect, uint8_t *arg, bool *ret_kept) {
  *ret_kept = false;
  if (parse_take_word(p, "inside")) effect->flags |= EFFECT_INSIDE;
  if (parse_take_word(p, "kept")) {
    *ret_kept = true;
    return hidden_name(p, &effect->name);
  }
  if (parse_take_punct(p, '*')) effect->flags |= EFFECT_CONTENT;
  return parse_param(p, arg);
}

/* What follows `new`: `[n*size]` or `string s[n]`, then `zeroed`, `from p`. */
static bool new_object(RuleParser *p, Effect *effect) {
  if (parse_take_word(p, "string")) {
    effect->extent = EXTENT_STRING;
    if (!parse_param(p, &effect->other) || !parse_extent(p, effect, true)) return false;
  } else if (!parse_extent(p, effect, false)) {
    return false;
  }
  for (;;) {
    if (parse_take_word(p, "zeroed"))
      effect->flags |= EFFECT_ZEROED;
    else if (parse_take_word(p, "from")) {
      if (!parse_param(p, &effect->other)) return false;
    } else
      return true;
  }
}

static bool clause_stores(RuleParser *p, const Token *word) {
  (void)word;
  Effect effect = *add_effect(p, EFFECT_STORE);
  const char *form = "the form is: stores X in P, which means *P = X";
  if (parse_take_word(p, "new")) {
    effect.kind = EFFECT_ALLOC;
    if (!new_object(p, &effect)) return false;
  } else {
    bool kept;
    if (!source_pointer(p, &effect, &effect.other, &kept)) return false;
    if (kept) effect.other = ARG_KEPT;
  }
  if (!parse_need_word(p, "in", form) || !parse_param(p, &effect.arg)) return false;
  *vec_last(&p->set->effects) = effect;
  return true;
}

static bool clause_keeps(RuleParser *p, const Token *word) {
  (void)word;
  Effect effect = *add_effect(p, EFFECT_KEEP);
  if (parse_take_punct(p, '*')) effect.flags |= EFFECT_CONTENT;
  if (!parse_param(p, &effect.arg)) return false;
  if (!(effect.flags & EFFECT_CONTENT) && parse_take_word(p, "with") &&
      !parse_param(p, &effect.other))
    return false;
  if (!parse_need_word(p, "in", "say where it is kept: keeps x in NAME") ||
      !hidden_name(p, &effect.name) || !qualifiers(p, &effect, true))
    return false;
  *vec_last(&p->set->effects) = effect;
  return true;
}

/* --- callbacks ---------------------------------------------------------------------- */

static bool pass_argument(RuleParser *p, Effect *effect, uint32_t i) {
  if (i >= EFFECT_PASS_MAX)
    return parse_fail(p, &p->token, "leave the last ones out: they are any value",
                      "a callback with more than %d arguments", EFFECT_PASS_MAX);
  if (parse_take_word(p, "_")) return true;
  if (effect->arg == ARG_KEPT && parse_take_word(p, "with")) {
    effect->pass[i] = ARG_WITH;
    return true;
  }
  if (parse_take_word(p, "kept")) {
    Token at = p->token;
    Sym name = effect->name;
    effect->pass[i] = ARG_KEPT;
    if (!hidden_name(p, &effect->name)) return false;
    if (name && name != effect->name)
      return parse_fail(p, &at, "keep the function and what it gets under one name",
                        "a callback with things kept under two names");
    return true;
  }
  return parse_param(p, &effect->pass[i]);
}

static bool clause_calls(RuleParser *p, const Token *word) {
  (void)word;
  const char *form = "the form is: calls f(a, _, b), with _ for any value";
  Effect effect = *add_effect(p, EFFECT_CALL);
  if (parse_take_punct(p, '*')) effect.flags |= EFFECT_CONTENT;
  if (!(effect.flags & EFFECT_CONTENT) && parse_take_word(p, "kept")) {
    effect.arg = ARG_KEPT;
    if (!hidden_name(p, &effect.name)) return false;
  } else if (!parse_param(p, &effect.arg)) {
    return false;
  }
  if (!parse_need_punct(p, '(', form)) return false;
  if (!parse_take_punct(p, ')')) {
    uint32_t i = 0;
    do {
      if (!pass_argument(p, &effect, i++)) return false;
    } while (parse_take_punct(p, ','));
    if (!parse_need_punct(p, ')', form)) return false;
  }
  bool later;
  if (!later_clause(p, &effect, &later)) return false;
  if (later) effect.kind = EFFECT_CALL_LATER;
  *vec_last(&p->set->effects) = effect;
  return true;
}

/* --- the result --------------------------------------------------------------------- */

/* `returns 0 | busy EBUSY | timeout ETIMEDOUT | error EINVAL | special -1`. */
static bool result_values(RuleParser *p) {
  SyncResult *result = &p->rule.result;
  const struct {
    const char *word;
    int32_t *value;
    bool *seen;
  } labels[] = {{"busy", &result->busy, &p->has_busy},
                {"timeout", &result->timeout, &p->has_timeout},
                {"error", &result->error, NULL},
                {"special", &result->special, NULL}};
  const char *remedy =
      "the form is: returns 0 | busy V | timeout V | error V | special V";
  result->no_result = 0;
  p->has_values = true;
  int32_t *value = &result->ok;
  for (;;) {
    Token at = p->token;
    int64_t number;
    if (!parse_constant(p, &number)) return false;
    if (number < INT32_MIN || number > INT32_MAX)
      return parse_fail(p, &at, "results of operations have 32 bits",
                        "the result does not fit");
    *value = (int32_t)number;
    if (!parse_take_punct(p, '|')) return true;
    value = NULL;
    for (size_t i = 0; i < sizeof labels / sizeof *labels && !value; i++)
      if (parse_take_word(p, labels[i].word)) {
        value = labels[i].value;
        if (labels[i].seen) *labels[i].seen = true;
      }
    if (!value) return parse_expected(p, "busy, timeout, error or special", remedy);
  }
}

/* One of the pointers that a call may return. */
static bool result_pointer(RuleParser *p) {
  Effect effect = *add_effect(p, EFFECT_RETURN_ARG);
  if (parse_take_word(p, "new")) {
    effect.kind = EFFECT_ALLOC;
    if (!new_object(p, &effect)) return false;
  } else if (parse_take_word(p, "hidden")) {
    effect.kind = EFFECT_RETURN_HIDDEN;
    if (!hidden_name(p, &effect.name) || !parse_size(p, &effect.size) ||
        !qualifiers(p, &effect, true))
      return false;
  } else {
    bool kept;
    if (!source_pointer(p, &effect, &effect.arg, &kept)) return false;
    if (kept) {
      effect.kind = EFFECT_RETURN_KEPT;
      if (!qualifiers(p, &effect, true)) return false;
    }
  }
  *vec_last(&p->set->effects) = effect;
  return true;
}

/* `X or Y or null`: each becomes an effect, and the last one carries MAY_NULL. */
static bool result_pointers(RuleParser *p) {
  for (;;) {
    if (!result_pointer(p)) return false;
    if (!parse_take_word(p, "or")) return true;
    if (parse_take_word(p, "null")) {
      vec_last(&p->set->effects)->flags |= EFFECT_MAY_NULL;
      return true;
    }
  }
}

static bool clause_returns(RuleParser *p, const Token *word) {
  if (parse_take_word(p, "twice")) {
    p->rule.flags |= RULE_RETURNS_TWICE;
    return true;
  }
  if (p->result_token.kind)
    return parse_fail(p, word, "join the two: a call has one result",
                      "a second `returns` in one rule");
  p->result_token = *word;
  if (parse_is_constant(p)) return result_values(p);
  if (parse_take_word(p, "any")) {
    p->rule.flags |= RULE_HAVOC;
    return true;
  }
  return result_pointers(p);
}

static bool clause_sets(RuleParser *p, const Token *word) {
  (void)word;
  Effect *effect = add_effect(p, EFFECT_HIDDEN_WRITE);
  effect->name = intern(p->set, "errno", 5);
  effect->size = 4;
  effect->flags = EFFECT_TLS;
  return parse_need_word(p, "errno", "the form is: sets errno");
}

static bool clause_never(RuleParser *p, const Token *word) {
  (void)word;
  p->rule.flags |= RULE_NORETURN;
  return parse_need_word(p, "returns", "the form is: never returns");
}

static bool clause_errors(RuleParser *p, const Token *word) {
  (void)word;
  p->rule.result.in_errno = 1;
  return parse_need_word(p, "in", "the form is: errors in errno") &&
         parse_need_word(p, "errno", "the form is: errors in errno");
}

/* --- the rule as a whole ------------------------------------------------------------ */

static bool clause_nothing(RuleParser *p, const Token *word) {
  p->bare_token = *word;
  return true;
}

static bool clause_pure(RuleParser *p, const Token *word) {
  p->bare_token = *word;
  p->rule.flags |= RULE_PURE;
  return true;
}

static bool clause_ignored(RuleParser *p, const Token *word) {
  p->bare_token = *word;
  p->rule.flags |= RULE_NOP;
  return true;
}

static bool clause_always(RuleParser *p, const Token *word) {
  (void)word;
  p->rule.flags |= RULE_ALWAYS;
  return true;
}

static bool clause_forks(RuleParser *p, const Token *word) {
  (void)word;
  p->rule.flags |= RULE_FORKS;
  return true;
}

static bool clause_body(RuleParser *p, const Token *word) {
  (void)word;
  if (parse_take_word(p, "atomic"))
    p->rule.flags |= RULE_ATOMIC_BODY | RULE_BODY;
  else if (parse_take_word(p, "runs"))
    p->rule.flags |= RULE_BODY;
  else
    return parse_expected(
        p, "`runs` or `atomic`",
        "body runs keeps the function's own code, body atomic also makes "
        "it one step");
  return true;
}

static bool clause_assumes(RuleParser *p, const Token *word) {
  if (p->rule.assumption)
    return parse_fail(p, word, "put both into one text",
                      "a second `assumes` in one rule");
  if (p->token.kind != TOKEN_STRING || !p->token.length)
    return parse_expected(p, "a text in quotes",
                          "write assumes \"what is taken for granted\"");
  p->rule.assumption = arena_strndup(p->set->arena, p->token.text, p->token.length);
  parse_advance(p);
  return true;
}

const Clause parse_effect_clauses[] = {
    {"reads", clause_reads},     {"writes", clause_writes},   {"returns", clause_returns},
    {"frees", clause_frees},     {"stores", clause_stores},   {"keeps", clause_keeps},
    {"calls", clause_calls},     {"never", clause_never},     {"errors", clause_errors},
    {"nothing", clause_nothing}, {"pure", clause_pure},       {"ignored", clause_ignored},
    {"sets", clause_sets},       {"always", clause_always},   {"forks", clause_forks},
    {"body", clause_body},       {"assumes", clause_assumes}, {NULL, NULL}};
