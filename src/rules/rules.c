/* The set of rules: building it from texts, files and the embedded tables, and finding
 * the rule of a function.
 *
 * Exact names and prefixes live in two hash maps. The longest prefix is found by trying
 * the lengths that occur, longest first; a text of n bytes has at most about sqrt(2n)
 * different lengths, so a lookup never comes near the number of rules.
 *
 * A text is parsed completely before any of its rules can be found: an error leaves the
 * set as it was. */
#include "rules/rules.h"

#include "rules/embedded.h"
#include "rules/parse.h"
#include "rules/parse_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Offsets and line numbers are 32 bits wide. */
enum { TEXT_MAX = 1 << 28 };

static RuleSet *set_new(void) {
  RuleSet *set = mem_alloc_zero(sizeof *set);
  set->arena = arena_new();
  vec_push(&set->text, 0);
  return set;
}

void rules_free(RuleSet *rules) {
  if (!rules) return;
  arena_free(rules->arena);
  vec_free(&rules->rules);
  vec_free(&rules->effects);
  vec_free(&rules->accepts);
  vec_free(&rules->text);
  strmap_free(&rules->hidden);
  strmap_free(&rules->exact);
  strmap_free(&rules->prefix);
  vec_free(&rules->prefix_lengths);
  mem_free(rules);
}

RuleSet *rules_new_builtin(Err *err) {
  RuleSet *set = set_new();
  for (size_t i = 0; i < rules_embedded_count; i++) {
    const EmbeddedFile *file = &rules_embedded[i];
    Err inner = {0};
    if (rules_add_text(set, file->name, file->text, file->size, false, &inner)) continue;
    err_set(err, ERR_INTERNAL, inner.file, inner.line, inner.column,
            "this is a defect of heddle's own tables", "%s", inner.message);
    err_free(&inner);
    rules_free(set);
    return NULL;
  }
  return set;
}

/* --- adding ------------------------------------------------------------------------- */

/* Keeps the lengths descending and each once. */
static void note_prefix_length(RuleSet *set, uint32_t length) {
  uint32_t low = 0, high = set->prefix_lengths.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (set->prefix_lengths.data[middle] > length)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < set->prefix_lengths.len && set->prefix_lengths.data[low] == length) return;
  vec_push(&set->prefix_lengths, 0);
  uint32_t *at = set->prefix_lengths.data + low;
  memmove(at + 1, at, (set->prefix_lengths.len - 1 - low) * sizeof *at);
  *at = length;
}

static void enter(RuleSet *set, uint32_t index) {
  const Rule *rule = &set->rules.data[index];
  size_t length = strlen(rule->name);
  if (rule->flags & RULE_PREFIX) {
    *strmap_at(&set->prefix, rule->name, length) = index;
    note_prefix_length(set, (uint32_t)length);
  } else {
    *strmap_at(&set->exact, rule->name, length) = index;
  }
}

bool rules_add_text(RuleSet *rules, const char *file, const char *text, size_t length,
                    bool user, Err *err) {
  if (length > TEXT_MAX)
    return err_input(err, file, "split it into smaller files",
                     "a table of %zu bytes; at most %d are read", length, (int)TEXT_MAX);
  uint32_t first = rules->rules.len, first_effect = rules->effects.len;
  const char *kept = arena_strdup(rules->arena, file);
  if (!rules_parse(rules, kept, text, length, user, err)) {
    rules->rules.len = first;
    rules->effects.len = first_effect;
    return false;
  }
  for (uint32_t i = first; i < rules->rules.len; i++) enter(rules, i);
  return true;
}

/* Reads a whole file; errors name it. Pipes work too, so the size is not asked for. */
static bool read_file(const char *path, Str *out, Err *err) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file)
    return err_input(err, path, "check the name and its permissions",
                     "cannot open the rules: %s", strerror(errno));
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
    fclose(file);
    return err_input(err, path, "name a file of rules", "this is a directory");
  }
  char buffer[65536];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0 && out->len <= TEXT_MAX)
    str_add_bytes(out, buffer, n);
  int problem = ferror(file) ? errno : 0;
  fclose(file);
  return !problem || err_input(err, path, "check the file and its disk",
                               "cannot read the rules: %s", strerror(problem));
}

bool rules_add_file(RuleSet *rules, const char *path, Err *err) {
  Str text = {0};
  bool ok = read_file(path, &text, err) &&
            rules_add_text(rules, path, str_text(&text), text.len, true, err);
  str_free(&text);
  return ok;
}

/* --- finding ------------------------------------------------------------------------ */

const Rule *rules_find(const RuleSet *rules, const char *name) {
  size_t length = strlen(name);
  const uint64_t *found = strmap_get(&rules->exact, name, length);
  for (uint32_t i = 0; i < rules->prefix_lengths.len && !found; i++)
    if (rules->prefix_lengths.data[i] <= length)
      found = strmap_get(&rules->prefix, name, rules->prefix_lengths.data[i]);
  return found ? &rules->rules.data[*found] : NULL;
}

const RuleAccept *rules_accepts(const RuleSet *rules, uint32_t *ret_count) {
  *ret_count = rules->accepts.len;
  return rules->accepts.data;
}

const Effect *rules_effects(const RuleSet *rules, const Rule *rule) {
  return rule->effect_count ? &rules->effects.data[rule->first_effect] : NULL;
}

const char *rules_text(const RuleSet *rules, Sym name) {
  assert(name < rules->text.len);
  return &rules->text.data[name];
}

bool rule_op_comes_last(OpKind op) {
  switch (op) {
  case OP_UNLOCK:
  case OP_ACQUIRE:
  case OP_EXIT:
  case OP_EXIT_THREAD:
  case OP_ASSERT: return true;
  default: return false;
  }
}

uint32_t rules_count(const RuleSet *rules) {
  return rules->rules.len;
}

const Rule *rules_at(const RuleSet *rules, uint32_t i) {
  assert(i < rules->rules.len);
  return &rules->rules.data[i];
}
