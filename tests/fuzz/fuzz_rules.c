/* Fuzz target: the reader of library rules, as `--rules FILE` uses it.
 *
 * The input is the text of a rules file. What must hold: no crash, one error with a place
 * exactly when the text is refused, and then nothing added. */
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
    for (uint32_t i = before; i < rules_count(rules); i++) {
      const Rule *rule = rules_at(rules, i);
      check(rule->name && rules_find(rules, rule->name) != NULL);
      const Effect *effects = rules_effects(rules, rule);
      for (uint32_t k = 0; k < rule->effect_count; k++)
        check(rules_text(rules, effects[k].name) != NULL);
    }
  } else {
    check(err.kind == ERR_INPUT && err.file && rules_count(rules) == before);
    Str line = {0};
    err_format(&err, &line);
    check(!memchr(line.data, '\n', line.len));
    str_free(&line);
  }
  err_free(&err);
  return 0;
}
