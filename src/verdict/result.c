/* See result.h. */
#include "verdict/result.h"

#include "model/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *verdict_text(Verdict v) {
  return v == VERDICT_SAFE ? "safe" : v == VERDICT_UNSAFE ? "unsafe" : "unknown";
}

const char *certificate_text(CertificateState state) {
  assert(state <= CERTIFICATE_REJECTED);
  static const char *const texts[] = {"none", "checked", "rejected"};
  return texts[state];
}

const char *evidence_text(Evidence e) {
  return e == EVIDENCE_REPLAYED   ? "replayed"
         : e == EVIDENCE_OBSERVED ? "observed"
         : e == EVIDENCE_FEASIBLE ? "feasible"
                                  : "none";
}

const char *reason_text(Reason r) {
  static const char *const texts[] = {
      "undecided", "race",   "guarded",      "ordered", "single-threaded",
      "read-only", "atomic", "thread-local", "proved",  "accepted"};
  return r < REASON_COUNT ? texts[r] : "undecided";
}

void result_init(CheckResult *r, const Program *program) {
  *r = (CheckResult){.arena = arena_new(), .program = program};
}

void result_free(CheckResult *r) {
  arena_free(r->arena);
  map_free(&r->accepted);
  vec_free(&r->findings);
  vec_free(&r->locations);
  vec_free(&r->undescribed);
  vec_free(&r->assumed);
  *r = (CheckResult){0};
}

void result_assume(CheckResult *r, const char *what, SourcePlace place) {
  assert(what && *what);
  for (uint32_t i = 0; i < r->assumed.len; i++)
    if (str_eq(r->assumed.data[i].what, what)) {
      r->assumed.data[i].count++;
      return;
    }
  vec_push(&r->assumed, ((Assumed){what, place, 1}));
}

static const SourcePlace *place_of(const Finding *f) {
  return f->access_count && place_is_known(&f->accesses[0].place) ? &f->accesses[0].place
                                                                  : &f->declared;
}

static int compare_findings(const void *x, const void *y) {
  const Finding *a = x, *b = y;
  if (a->property != b->property) return a->property < b->property ? -1 : 1;
  if (a->verdict != b->verdict) return a->verdict == VERDICT_UNSAFE ? -1 : 1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  int place = place_compare(place_of(a), place_of(b));
  return place ? place : strcmp(a->name, b->name);
}

static int compare_locations(const void *x, const void *y) {
  const Location *a = x, *b = y;
  int place = place_compare(&a->declared, &b->declared);
  return place ? place : strcmp(a->name, b->name);
}

void result_complete(CheckResult *r) {
  if (r->findings.len)
    qsort(r->findings.data, r->findings.len, sizeof *r->findings.data, compare_findings);
  if (r->locations.len)
    qsort(r->locations.data, r->locations.len, sizeof *r->locations.data,
          compare_locations);
  uint32_t counts[PROPERTY_COUNT] = {0};
  for (uint32_t i = 0; i < r->findings.len; i++) {
    Finding *f = &r->findings.data[i];
    assert(f->verdict != VERDICT_SAFE);
    assert(f->verdict != VERDICT_UNSAFE || f->evidence != EVIDENCE_NONE);
    f->id = arena_printf(r->arena, "%c%u", property_table[f->property].letter,
                         ++counts[f->property]);
  }
}

Verdict result_verdict(const CheckResult *r) {
  bool all_safe = true;
  for (int p = 0; p < PROPERTY_COUNT; p++) {
    if (r->asked[p] && r->verdicts[p] == VERDICT_UNSAFE) return VERDICT_UNSAFE;
    all_safe = all_safe && (!r->asked[p] || r->verdicts[p] == VERDICT_SAFE);
  }
  return all_safe ? VERDICT_SAFE : VERDICT_UNKNOWN;
}

int result_exit_code(const CheckResult *r) {
  Verdict v = result_verdict(r);
  return v == VERDICT_SAFE ? 0 : v == VERDICT_UNSAFE ? 1 : 2;
}

bool result_is_global(const CheckResult *r, const Location *x) {
  assert(!r->program || x->object < r->program->objects.len);
  return r->program && x->object &&
         r->program->objects.data[x->object].kind == OBJECT_GLOBAL;
}

bool result_conditional(const CheckResult *r) {
  for (int p = 0; p < PROPERTY_COUNT; p++)
    if (r->asked[p] && r->conditional[p]) return true;
  return false;
}

void result_add_condition(const CheckResult *r, Str *out) {
  uint32_t assembly = 0, functions;
  for (uint32_t i = 0; i < r->undescribed.len; i++)
    assembly += r->undescribed.data[i].assembly;
  functions = r->undescribed.len - assembly;
  str_add(out, "if ");
  if (functions) str_addf(out, "%u function%s", functions, functions == 1 ? "" : "s");
  if (assembly)
    str_addf(out, "%s%u piece%s of assembly", functions ? " and " : "", assembly,
             assembly == 1 ? "" : "s");
  bool one = r->undescribed.len == 1;
  str_addf(out, " %s what is assumed of %s", one ? "does" : "do", one ? "it" : "them");
}
