/* See result.h. */
#include "verdict/result.h"

#include <stdlib.h>
#include <string.h>

const char *verdict_text(Verdict v) {
  return v == VERDICT_SAFE ? "safe" : v == VERDICT_UNSAFE ? "unsafe" : "unknown";
}

const char *property_text(Property p) {
  static const char *const texts[] = {"race", "deadlock", "assert"};
  return p < PROPERTY_COUNT ? texts[p] : "unknown";
}

const char *certificate_text(CertificateState state) {
  static const char *const texts[] = {"none", "checked", "rejected"};
  return texts[state];
}

const char *evidence_text(Evidence e) {
  return e == EVIDENCE_REPLAYED   ? "replayed"
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
  *r = (CheckResult){0};
}

static int compare_locs(const Program *p, LocId a, LocId b) {
  if (a == b) return 0;
  const Loc *x = &p->locs.data[a], *y = &p->locs.data[b];
  int file = strcmp(sym_text(p, x->file), sym_text(p, y->file));
  if (file) return file;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

static LocId place_of(const Program *p, const Finding *f) {
  return f->access_count && f->accesses[0].edge ? p->edges.data[f->accesses[0].edge].loc
                                                : f->loc;
}

static int compare_findings(const void *x, const void *y, void *program) {
  const Finding *a = x, *b = y;
  if (a->property != b->property) return a->property < b->property ? -1 : 1;
  if (a->verdict != b->verdict) return a->verdict == VERDICT_UNSAFE ? -1 : 1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  int place = compare_locs(program, place_of(program, a), place_of(program, b));
  return place ? place : strcmp(a->name, b->name);
}

static int compare_locations(const void *x, const void *y, void *program) {
  const Location *a = x, *b = y;
  int place = compare_locs(program, a->loc, b->loc);
  return place ? place : strcmp(a->name, b->name);
}

void result_complete(CheckResult *r) {
  void *program = (void *)r->program;
  if (r->findings.len)
    qsort_r(r->findings.data, r->findings.len, sizeof *r->findings.data, compare_findings,
            program);
  if (r->locations.len)
    qsort_r(r->locations.data, r->locations.len, sizeof *r->locations.data,
            compare_locations, program);
  uint32_t counts[PROPERTY_COUNT] = {0};
  for (uint32_t i = 0; i < r->findings.len; i++) {
    Finding *f = &r->findings.data[i];
    f->id = arena_printf(r->arena, "%c%u", "RDA"[f->property], ++counts[f->property]);
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
