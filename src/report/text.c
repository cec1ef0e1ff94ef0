/* The report for a person: findings first, then what is well, then the verdicts.
 *
 * Findings come in the order of the result. The first one of a location is told in full,
 * the others of the same location, property and verdict follow it with one line each: a
 * location that twenty places touch without a lock is one story and not two hundred. */
#include "report/paper.h"
#include "report/words.h"

#include "base/map.h"
#include "base/mem.h"
#include "model/program.h"

#include <assert.h>
#include <string.h>

enum {
  LISTED = 30,   /* locations listed for one reason */
  SIBLINGS = 30, /* warnings of one location */
};

/* ---- findings ---- */

static void put_siblings(Paper *p, uint32_t first, bool *told) {
  const CheckResult *r = p->result;
  uint32_t count = 0;
  for (uint32_t i = first + 1; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    if (told[i] || f->accepted || !word_same_cause(&r->findings.data[first], f)) continue;
    if (!count) {
      paper_spaces(p, 2);
      paper_put(p, INK_BOLD, "also");
      paper_line(p);
    }
    told[i] = true;
    if (++count <= SIBLINGS || f->verdict == VERDICT_UNSAFE) paper_sibling(p, f);
  }
  if (count <= SIBLINGS || r->findings.data[first].verdict == VERDICT_UNSAFE) return;
  paper_spaces(p, 2);
  paper_putf(p, INK_PLAIN, "and %u more pairs of accesses (--json FILE lists all)",
             count - SIBLINGS);
  paper_line(p);
}

static void put_findings(Paper *p) {
  const CheckResult *r = p->result;
  bool *told = mem_alloc_zero(r->findings.len + 1);
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    if (told[i] || f->accepted) continue;
    paper_finding(p, f);
    put_siblings(p, i, told);
    paper_line(p);
  }
  mem_free(told);
}

/* ---- locations ---- */

/* One location as part of a list: "counter (m)". */
static void add_location(const Location *l, Str *out) {
  str_add(out, l->name);
  for (uint32_t i = 0; i < l->guard_count; i++)
    str_addf(out, "%s%s", i ? ", " : " (", l->guards[i]);
  str_add(out, l->guard_count ? ")" : "");
}

/* They read the same: what one line allocates in several ways, above all. */
static bool are_alike(const Location *a, const Location *b) {
  bool same = str_eq(a->name, b->name) && a->guard_count == b->guard_count;
  for (uint32_t i = 0; i < a->guard_count && same; i++)
    same = str_eq(a->guards[i], b->guards[i]);
  return same;
}

static void end_location(uint32_t times, Str *list) {
  if (times > 1) str_addf(list, " (%u times)", times);
}

static void put_reason(Paper *p, Reason reason) {
  const CheckResult *r = p->result;
  uint32_t count = 0, listed = 0, times = 0, told = 0;
  const Location *last = NULL;
  Str list = {0};
  for (uint32_t i = 0; i < r->locations.len; i++) {
    const Location *l = &r->locations.data[i];
    if (l->reason != reason) continue;
    count++;
    bool again = last && are_alike(last, l);
    if (!again && listed == LISTED) {
      last = NULL; /* what reads like the last one comes right behind it, or not at all */
      continue;
    }
    told++;
    if (again) {
      times++;
      continue;
    }
    end_location(times, &list);
    str_add(&list, listed++ ? ", " : "");
    add_location(l, &list);
    last = l;
    times = 1;
  }
  end_location(times, &list);
  assert(told <= count && listed <= LISTED);
  if (count > told)
    str_addf(&list, ", and %u more (--explain '*' shows all)", count - told);
  if (count) {
    static const size_t at = 24;
    bool bad = reason == REASON_RACE, open = reason == REASON_UNDECIDED;
    paper_spaces(p, 2);
    paper_putf(p,
               bad    ? INK_ERROR
               : open ? INK_WARNING
                      : INK_GOOD,
               "%-16s", reason_text(reason));
    paper_putf(p, INK_PLAIN, "%4u  ", count);
    paper_wrap(p, at, at, str_text(&list));
  }
  str_free(&list);
}

static void put_locations(Paper *p) {
  static const Reason order[] = {
      REASON_RACE,   REASON_UNDECIDED, REASON_GUARDED,      REASON_ORDERED,
      REASON_ATOMIC, REASON_READ_ONLY, REASON_THREAD_LOCAL, REASON_SINGLE_THREADED,
      REASON_PROVED, REASON_ACCEPTED};
  if (!p->result->locations.len) return;
  paper_put(p, INK_BOLD, "locations");
  paper_line(p);
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) put_reason(p, order[i]);
  paper_line(p);
}

/* ---- assumptions ---- */

static void put_assumption(Paper *p, const char *what, SourcePlace place,
                           uint32_t count) {
  Str text = {0};
  bool known = place_is_known(&place);
  str_add(&text, what);
  if (known) str_addf(&text, " (%s:%u", place.file, place.line);
  if (known && count > 1)
    str_addf(&text, " and %u more place%s", count - 1, count == 2 ? "" : "s");
  str_add(&text, known ? ")" : "");
  paper_spaces(p, 2);
  paper_wrap(p, 2, 4, str_text(&text));
  str_free(&text);
}

static void put_assumptions(Paper *p) {
  const Program *program = p->result->program;
  bool any = p->result->assumed.len;
  for (uint32_t i = 0; program && i < program->assumptions.len; i++)
    any = any || program->assumptions.data[i].what;
  if (!any) return;
  paper_put(p, INK_BOLD, "assumptions");
  paper_line(p);
  for (uint32_t i = 0; program && i < program->assumptions.len; i++) {
    const Assumption *a = &program->assumptions.data[i];
    if (a->what)
      put_assumption(p, sym_text(program, a->what), place_of_loc(program, a->loc),
                     a->count);
  }
  for (uint32_t i = 0; i < p->result->assumed.len; i++)
    put_assumption(p, p->result->assumed.data[i].what, p->result->assumed.data[i].place,
                   p->result->assumed.data[i].count);
  paper_line(p);
}

/* ---- code that nobody described ---- */

static void put_undescribed(Paper *p) {
  enum { SHOWN = 40 };
  const CheckResult *r = p->result;
  if (!result_conditional(r)) return;
  paper_put(p, INK_BOLD, "not described");
  paper_put(p, INK_PLAIN, " (a rules file with such lines says what they really do)");
  paper_line(p);
  for (uint32_t i = 0; i < r->undescribed.len && i < SHOWN; i++) {
    const Undescribed *u = &r->undescribed.data[i];
    Str text = {0};
    str_add(&text, u->rule ? u->rule : u->name);
    if (place_is_known(&u->place))
      str_addf(&text, "  # %s:%u", u->place.file, u->place.line);
    paper_spaces(p, 2);
    paper_wrap(p, 2, 4, str_text(&text));
    str_free(&text);
  }
  if (r->undescribed.len > SHOWN) {
    paper_putf(p, INK_PLAIN, "  and %u more (--json FILE lists all)",
               r->undescribed.len - SHOWN);
    paper_line(p);
  }
  paper_line(p);
}

/* ---- verdicts ---- */

/* How many different locations the warnings about races name. */
static uint32_t count_stories(const CheckResult *r) {
  StrMap names = {0};
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    Str key = {0};
    if (f->property != PROPERTY_RACE || f->accepted || f->verdict == VERDICT_UNSAFE)
      continue;
    str_addf(&key, "%s:%u:%u %s", f->declared.file ? f->declared.file : "",
             f->declared.line, f->declared.column, f->name);
    *strmap_at(&names, str_text(&key), key.len) = 1;
    str_free(&key);
  }
  uint32_t count = names.len;
  strmap_free(&names);
  return count;
}

static void put_verdict(Paper *p, Property property) {
  const CheckResult *r = p->result;
  uint32_t errors = 0, warnings = 0;
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    if (f->property != property || f->accepted) continue;
    errors += f->verdict == VERDICT_UNSAFE;
    warnings += f->verdict != VERDICT_UNSAFE;
  }
  Verdict v = r->verdicts[property];
  Str text = {0};
  if (errors) str_addf(&text, "%u error%s", errors, errors == 1 ? "" : "s");
  if (warnings)
    str_addf(&text, "%s%u warning%s", text.len ? ", " : "", warnings,
             warnings == 1 ? "" : "s");
  if (warnings > SIBLINGS && property == PROPERTY_RACE)
    str_addf(&text, " about %u location%s", count_stories(r),
             count_stories(r) == 1 ? "" : "s");
  if (r->conditional[property]) result_add_condition(r, &text);
  if (r->unchecked[property]) str_addf(&text, "%sunchecked", text.len ? "; " : "");
  if (v == VERDICT_UNKNOWN && r->unknown_because[property])
    str_addf(&text, "%s%s", text.len ? "; " : "", r->unknown_because[property]);
  paper_putf(p, INK_BOLD, "%-9s", property_text(property));
  paper_putf(p,
             v == VERDICT_SAFE     ? INK_GOOD
             : v == VERDICT_UNSAFE ? INK_ERROR
                                   : INK_WARNING,
             r->conditional[property] ? " %s, "
             : text.len               ? " %-8s "
                                      : " %s",
             verdict_text(v));
  paper_wrap(p, 19, 19, str_text(&text));
  str_free(&text);
}

static void put_confirm_runs(Paper *p, const ConfirmRuns *c) {
  if (!c->runs) return;
  assert(c->met + c->unreached <= c->pairs);
  Str text = {0};
  str_addf(&text, "%u of the program: ", c->runs);
  if (c->pairs)
    str_addf(&text,
             "of %u open pair%s of accesses %u met, %u came one after the other, %u "
             "%s not reached",
             c->pairs, c->pairs == 1 ? "" : "s", c->met, c->pairs - c->met - c->unreached,
             c->unreached, c->unreached == 1 ? "was" : "were");
  else
    str_add(&text, "no pair of accesses was open");
  paper_putf(p, INK_BOLD, "%-10s", "runs");
  paper_wrap(p, 10, 10, str_text(&text));
  paper_line(p);
  str_free(&text);
}

static void put_left_out(Paper *p) {
  const CheckResult *r = p->result;
  for (uint32_t i = 0; i < r->left_out_count; i++)
    paper_putf(p, INK_PLAIN, "%s%lld %s",
               i ? ", " : "not reported: ", (long long)r->left_out[i].value,
               r->left_out[i].name);
  if (!r->left_out_count) return;
  paper_line(p);
  paper_line(p);
}

static void put_verdicts(Paper *p) {
  if (p->result->accepted_count) {
    paper_count(p, INK_PLAIN, p->result->accepted_count, "finding");
    paper_put(p, INK_PLAIN, " accepted by comments or rules");
    paper_line(p);
    paper_line(p);
  }
  put_left_out(p);
  put_confirm_runs(p, &p->result->confirm);
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (p->result->asked[i]) put_verdict(p, (Property)i);
}

void report_text(const CheckResult *result, const TextStyle *style, Str *out) {
  Paper p;
  paper_init(&p, result, style, out);
  if (style->brief) {
    for (uint32_t i = 0; i < result->findings.len; i++)
      if (!result->findings.data[i].accepted) paper_brief(&p, &result->findings.data[i]);
  } else {
    put_findings(&p);
    put_locations(&p);
    put_assumptions(&p);
    put_undescribed(&p);
  }
  put_verdicts(&p);
  paper_free(&p);
}
