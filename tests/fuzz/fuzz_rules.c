/* Fuzz target: the reader of library rules, as `--rules FILE` uses it.
 *
 * The input is the text of a rules file. What must hold: no crash; a refused text gives
 * one error with its place inside the text and adds nothing; an accepted one gives rules
 * that can be found and whose numbers stay inside the parameters that they name. */
#include "base/mem.h"
#include "rules/rules.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
  if (!condition) abort();
}

static RuleSet *builtin(void) {
  Err err = {0};
  RuleSet *rules = rules_new_builtin(&err);
  check(rules != NULL);
  return rules;
}

static bool is_arg(const Rule *rule, uint8_t arg) {
  return arg >= ARG_KEPT || arg < rule->param_count;
}

static void check_effect(const RuleSet *rules, const Rule *rule, const Effect *e) {
  check(e->kind > EFFECT_NONE && e->kind < EFFECT_KIND_COUNT);
  check(is_arg(rule, e->arg) && is_arg(rule, e->other) && e->times <= rule->param_count);
  for (int i = 0; i < EFFECT_PASS_MAX; i++) check(is_arg(rule, e->pass[i]));
  check(e->extent != EXTENT_ARG || e->size < rule->param_count);
  check(e->extent != EXTENT_STRING || e->size <= rule->param_count);
  check(strlen(rules_text(rules, e->name)) > 0 || e->name == 0);
}

static void check_rule(const RuleSet *rules, const Rule *rule) {
  check(rule->name && rules_find(rules, rule->name) != NULL);
  check(rule->op < OP_COUNT && rule->line > 0 && rule->param_count <= 64);
  for (int i = 0; i < RULE_OPERANDS; i++)
    check(rule->operands[i] >= RULE_OPERAND_CONST ||
          rule->operands[i] < rule->param_count);
  const Effect *effects = rules_effects(rules, rule);
  /* All names of one rule share its effects: a few are as good as thousands. */
  for (uint32_t k = 0; k < rule->effect_count && k < 64; k++)
    check_effect(rules, rule, &effects[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The built-in tables are read once; what the inputs add stays small beside them. */
  static RuleSet *rules;
  static unsigned uses;
  if (!rules || ++uses % 4096 == 0) {
    rules_free(rules);
    rules = builtin();
  }
  Err err = {0};
  uint32_t before = rules_count(rules);
  if (rules_add_text(rules, "fuzz.rules", (const char *)data, size, true, &err)) {
    check(err.kind == ERR_NONE);
    for (uint32_t i = before; i < rules_count(rules); i++)
      check_rule(rules, rules_at(rules, i));
  } else {
    check(err.kind == ERR_INPUT && err.file && err.line > 0 && err.column > 0 &&
          err.remedy);
    check((size_t)err.line <= size + 1 && (size_t)err.column <= size + 1);
    check(rules_count(rules) == before);
    Str line = {0};
    err_format(&err, &line);
    check(!memchr(line.data, '\n', line.len));
    str_free(&line);
  }
  err_free(&err);
  return 0;
}
