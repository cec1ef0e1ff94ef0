/* See sift.h. */
#include "cli/sift.h"

#include "base/lines.h"
#include "cli/suppress.h"
#include "engine/accept.h"
#include "report/read.h"
#include "rules/rules.h"
#include "verdict/key.h"

#include <string.h>

struct Sift {
  Lines *lines;
  StrMap files; /* of the sources → their number, from 1 */
  Map marked;   /* number << 32 | line */
  RuleSet *rules;
  Suppressions *suppressions;
  /* What the baseline has and no finding has taken yet: how many of each key, with lines and
   * without. Errors first: they cover errors, warnings cover warnings only. */
  StrMap exact[2], moved[2];
  bool unproved[PROPERTY_COUNT]; /* the baseline has another verdict than safe */
};

const char *sift_word(Sifted reason) {
#define SIFTED_WORD(id, word) word,
  static const char *const words[SIFT_COUNT] = {"reported", SIFTED(SIFTED_WORD)};
  return words[reason];
}

static uint64_t *slot(StrMap *map, const Finding *f, bool lines) {
  Str key = {0};
  finding_add_key(f, lines, &key);
  uint64_t *at = strmap_at(map, str_text(&key), key.len);
  str_free(&key);
  return at;
}

static bool read_baseline(Sift *s, const char *path, Err *err) {
  CheckResult old;
  ReadOrigin origin;
  bool ok = report_read(path, &old, &origin, err);
  for (uint32_t i = 0; ok && i < old.findings.len; i++) {
    const Finding *f = &old.findings.data[i];
    bool warning = f->verdict != VERDICT_UNSAFE;
    ++*slot(&s->exact[warning], f, true);
    ++*slot(&s->moved[warning], f, false);
  }
  for (int p = 0; ok && p < PROPERTY_COUNT; p++)
    s->unproved[p] = old.asked[p] && old.verdicts[p] != VERDICT_SAFE;
  result_free(&old);
  return ok;
}

Sift *sift_new(const SiftOptions *o, Err *err) {
  Sift *s = mem_alloc_zero(sizeof *s);
  s->lines = lines_new();
  s->suppressions = suppress_new();
  bool ok = true;
  if (o->rules.len) ok = (s->rules = rules_new_builtin(err)) != NULL;
  for (uint32_t i = 0; ok && i < o->rules.len; i++)
    ok = rules_add_file(s->rules, o->rules.data[i], err);
  for (uint32_t i = 0; ok && i < o->suppressions.len; i++)
    ok = suppress_read(s->suppressions, o->suppressions.data[i], err);
  if (ok && o->baseline) ok = read_baseline(s, o->baseline, err);
  if (ok) return s;
  sift_free(s);
  return NULL;
}

void sift_free(Sift *s) {
  if (!s) return;
  lines_free(s->lines);
  strmap_free(&s->files);
  map_free(&s->marked);
  if (s->rules) rules_free(s->rules);
  suppress_free(s->suppressions);
  for (int i = 0; i < 2; i++) {
    strmap_free(&s->exact[i]);
    strmap_free(&s->moved[i]);
  }
  mem_free(s);
}

/* ---- accepted --------------------------------------------------------------------- */

static bool line_accepts(Sift *s, const SourcePlace *place) {
  if (!place_is_known(place)) return false;
  uint64_t *number = strmap_at(&s->files, place->file, strlen(place->file));
  if (!*number) {
    *number = s->files.len;
    accept_lines(s->lines, place->file, *number << 32, &s->marked);
  }
  return map_get(&s->marked, *number << 32 | place->line) != NULL;
}

/* As program_accepts has it for a model. */
static bool rule_accepts(const Sift *s, const char *name, bool function) {
  uint32_t count = 0;
  const RuleAccept *all = s->rules ? rules_accepts(s->rules, &count) : NULL;
  for (uint32_t i = 0; name && i < count; i++) {
    size_t length = strlen(all[i].name);
    bool star = length && all[i].name[length - 1] == '*';
    if (all[i].function != function) continue;
    if (star ? !strncmp(all[i].name, name, length - 1) : str_eq(all[i].name, name))
      return true;
  }
  return false;
}

static bool is_accepted(Sift *s, const Finding *f) {
  if (f->property != PROPERTY_RACE) return false;
  bool accepted = f->accepted || rule_accepts(s, f->name, false);
  for (uint32_t i = 0; i < f->access_count && !accepted; i++)
    accepted = line_accepts(s, &f->accesses[i].place) ||
               rule_accepts(s, f->accesses[i].place.function, true);
  return accepted;
}

/* ---- known ------------------------------------------------------------------------ */

/* An error of before covers what is only a warning now, but not the other way round. */
static bool take_known(Sift *s, const Finding *f, bool lines) {
  bool warning = f->verdict != VERDICT_UNSAFE;
  for (int i = warning; i >= 0; i--) {
    uint64_t *moved = slot(&s->moved[i], f, false);
    uint64_t *exact = slot(&s->exact[i], f, true);
    if (!*moved || (lines && !*exact)) continue;
    --*moved;
    if (*exact) --*exact;
    return true;
  }
  return false;
}

void sift_findings(Sift *s, const Finding *all, uint32_t count, Sifted *ret) {
  for (uint32_t i = 0; i < count; i++)
    ret[i] = is_accepted(s, &all[i])                     ? SIFT_ACCEPTED
             : suppress_covers(s->suppressions, &all[i]) ? SIFT_SUPPRESSED
             : take_known(s, &all[i], true)              ? SIFT_KNOWN
                                                         : SIFT_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (ret[i] == SIFT_NONE && take_known(s, &all[i], false)) ret[i] = SIFT_KNOWN;
}

/* ---- whole results ---------------------------------------------------------------- */

void sift_result(Sift *s, CheckResult *r, uint32_t counts[SIFT_COUNT]) {
  uint32_t kept = 0;
  Sifted *answers = mem_alloc_zero((r->findings.len + 1) * sizeof *answers);
  sift_findings(s, r->findings.data, r->findings.len, answers);
  for (uint32_t i = 0; i < r->findings.len; i++) {
    counts[answers[i]]++;
    if (answers[i] == SIFT_NONE || (answers[i] == SIFT_ACCEPTED && r->program))
      r->findings.data[kept++] = r->findings.data[i];
  }
  r->findings.len = kept;
  mem_free(answers);
}

static void count_warnings(const CheckResult *r, uint32_t ret[PROPERTY_COUNT]) {
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    if (f->verdict == VERDICT_UNKNOWN && !f->accepted) ret[f->property]++;
  }
}

static int exit_code(const Sift *s, const CheckResult *r,
                     const uint32_t before[PROPERTY_COUNT]) {
  uint32_t warnings[PROPERTY_COUNT] = {0};
  int code = 0;
  count_warnings(r, warnings);
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].verdict == VERDICT_UNSAFE && !r->findings.data[i].accepted)
      return 1;
  for (int p = 0; p < PROPERTY_COUNT; p++) {
    bool open = r->asked[p] && r->verdicts[p] == VERDICT_UNKNOWN;
    bool known = s->unproved[p] || (before[p] && !warnings[p]);
    if (warnings[p] || (open && !known)) code = 2;
  }
  return code;
}

int sift_check(Sift *s, CheckResult *r) {
  uint32_t before[PROPERTY_COUNT] = {0}, counts[SIFT_COUNT] = {0}, n = 0;
  RecordedNumber *numbers = arena_alloc_zero(r->arena, SIFT_COUNT * sizeof *numbers);
  count_warnings(r, before);
  sift_result(s, r, counts);
  for (int i = SIFT_ACCEPTED + 1; i < SIFT_COUNT; i++)
    if (counts[i]) numbers[n++] = (RecordedNumber){sift_word((Sifted)i), counts[i]};
  r->left_out = numbers;
  r->left_out_count = n;
  return exit_code(s, r, before);
}
