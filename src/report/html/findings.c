/* The findings, by cause: races on one location stand together, errors before warnings as
 * the result has them.
 *
 * A finding is a <details>. Its summary is always part of the document, and is what filters
 * look at; its body stands in a <noscript>, which a browser without a script shows and one
 * with a script keeps as plain text until the finding is opened. So a page of ten thousand
 * findings has ten thousand lines to lay out and not a million. */
#include "report/html/page.h"
#include "report/words.h"

#include "base/map.h"
#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- one access ---- */

static void put_locks(Page *p, const FoundAccess *a) {
  if (!a->lock_count) page_put(p, "holding no lock");
  for (uint32_t i = 0; i < a->lock_count; i++)
    page_wrapped(p, i ? ", <b>" : "holding <b>", a->locks[i], "</b>");
}

static void put_stack(Page *p, const RecordedAccess *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->stack_count; i++) any = any || place_is_known(&r->stack[i]);
  if (any) page_put(p, "<ol class=\"stack\" aria-label=\"Calls that lead there\">");
  for (uint32_t i = 0; i < r->stack_count && any; i++) {
    if (!place_is_known(&r->stack[i])) continue; /* below main */
    page_wrapped(p, "<li>called in <code>",
                 r->stack[i].function ? r->stack[i].function : "?", "</code> at ");
    page_place(p, &r->stack[i], false);
    page_put(p, "</li>");
  }
  if (any) page_put(p, "</ol>");
  if (!r->creator) return;
  page_wrapped(p, "<p class=\"note\">The thread was created by <b>", r->creator, "</b>");
  if (place_is_known(&r->created)) page_put(p, " at ");
  page_place(p, &r->created, false);
  page_put(p, "</p>");
}

static void put_recorded(Page *p, const RecordedAccess *r) {
  if (r->event) page_wrapped(p, ", the event <b>", r->event, "</b>");
  if (r->size)
    page_putf(p, ", %llu byte%s", (unsigned long long)r->size, r->size == 1 ? "" : "s");
  if (r->has_value)
    page_putf(p, ", the memory holds <b>%llu</b>", (unsigned long long)r->value);
  if (r->owner) page_wrapped(p, ", which <b>", r->owner, "</b> has");
}

/* What the access is to; a recorded run knows it by the finding. */
static const char *thing_of(const Finding *f, const FoundAccess *a) {
  if (f->property == PROPERTY_DEADLOCK && a->object) return a->object;
  return *word_thing(a) || f->property != PROPERTY_RACE ? word_thing(a) : f->name;
}

static void put_access(Page *p, const Finding *f, const FoundAccess *a) {
  const char *what = thing_of(f, a);
  const char *function = a->place.function;
  page_put(p, "<li class=\"access\"");
  page_place_attribute(p, &a->place);
  page_wrapped(p, "><p><b class=\"who\">", a->thread, "</b> ");
  page_text(p, word_verb(a));
  if (*what) page_wrapped(p, " <code>", what, "</code>");
  if (function && *function && !str_eq(function, a->thread))
    page_wrapped(p, " in <code>", function, "</code>");
  page_put(p, ", ");
  put_locks(p, a);
  if (a->recorded) put_recorded(p, a->recorded);
  if (place_is_known(&a->place)) page_put(p, ": ");
  page_place(p, &a->place, true);
  page_put(p, "</p>");
  if (page_has_line(p, &a->place)) {
    page_put(p, "<pre>");
    page_line(p, &a->place, *word_thing(a) ? word_thing(a) : what, true);
    page_put(p, "</pre>");
  }
  if (a->recorded) put_stack(p, a->recorded);
  page_put(p, "</li>\n");
}

/* ---- one finding ---- */

static const char *how_it_showed(const Finding *f) {
  switch (f->evidence) {
  case EVIDENCE_NONE: return "No run has shown it; it was merely not excluded.";
  case EVIDENCE_FEASIBLE: return "The model was run to it, step by step.";
  case EVIDENCE_OBSERVED: return "It happened in a run of the real program.";
  case EVIDENCE_REPLAYED: return "It showed in the real program, which was led there.";
  }
  return "";
}

static void put_row(Page *p, const char *label, const char *text) {
  if (!text || !*text) return;
  page_wrapped(p, "<dt>", label, "</dt>");
  page_wrapped(p, "<dd>", text, "</dd>\n");
}

static void put_tests(Page *p, const RecordedFinding *r) {
  if (r->process) put_row(p, "Process", r->process);
  if (!r->test_count) return;
  page_put(p, "<dt>Shown by</dt><dd><ul>");
  for (uint32_t i = 0; i < r->test_count; i++)
    page_wrapped(p, "<li><code>", r->tests[i], "</code></li>");
  page_put(p, "</ul></dd>\n");
}

static void put_facts(Page *p, const Finding *f) {
  page_put(p, "<dl class=\"facts\">\n");
  put_row(p, "Why", f->why);
  page_put(p, "<dt>How</dt><dd>");
  page_text(p, how_it_showed(f));
  if (f->engine && *f->engine) page_wrapped(p, " Found by <b>", f->engine, "</b>.");
  page_put(p, "</dd>\n");
  put_row(p, "Fix", f->fix);
  if (f->recorded) put_tests(p, f->recorded);
  page_put(p, "</dl>\n");
}

static void put_body(Page *p, const Finding *f) {
  page_put(p, "<noscript><div class=\"body\">\n<ul class=\"accesses\">\n");
  for (uint32_t i = 0; i < f->access_count; i++) put_access(p, f, &f->accesses[i]);
  page_put(p, "</ul>\n");
  if (f->property == PROPERTY_DEADLOCK) page_waits(p, f);
  put_facts(p, f);
  page_steps(p, f);
  page_put(p, "</div></noscript>");
}

/* One text without elements: there may be ten thousand of them. */
static void put_brief_access(Page *p, const Finding *f, const FoundAccess *a,
                             bool first) {
  page_wrapped(p, first ? "" : ", ", a->thread, " ");
  page_text(p, word_verb(a));
  if (f->property == PROPERTY_DEADLOCK && a->object) page_wrapped(p, " ", a->object, "");
  if (!place_is_known(&a->place)) return;
  page_wrapped(p, " at ", a->place.file, "");
  page_putf(p, ":%u", a->place.line);
}

/* An id of our own making can be linked to; one that was read from a file is only text. */
static bool is_clean(const char *id) {
  if (!id || !isupper((unsigned char)*id)) return false;
  for (const char *c = id; *c; c++)
    if (!isalnum((unsigned char)*c)) return false;
  return true;
}

static void put_finding(Page *p, const Finding *f, uint32_t number, bool open) {
  bool error = f->verdict == VERDICT_UNSAFE;
  page_put(p, "<details class=\"finding\" id=\"");
  if (is_clean(f->id))
    page_text(p, f->id);
  else
    page_putf(p, "finding-%u", number);
  page_wrapped(p, "\" data-property=\"", property_text(f->property), "\"");
  page_putf(p, " data-verdict=\"%s\" data-evidence=\"%s\"", error ? "error" : "warning",
            evidence_text(f->evidence));
  page_wrapped(p, " data-engine=\"", f->engine, open ? "\" open>" : "\">");
  page_putf(p, "<summary><span class=\"badge %s\">%s</span>", error ? "bad" : "open",
            error ? "error" : "warning");
  page_wrapped(p, "<span class=\"id\"> ", f->id, " </span><span class=\"brief\">");
  for (uint32_t i = 0; i < f->access_count; i++)
    put_brief_access(p, f, &f->accesses[i], i == 0);
  if (!f->access_count) page_text(p, f->name);
  page_put(p, "</span>");
  if (f->evidence != EVIDENCE_NONE)
    page_wrapped(p, "<span class=\"evidence\"> ", evidence_text(f->evidence), "</span>");
  page_put(p, "</summary>");
  put_body(p, f);
  page_put(p, "</details>\n");
}

/* ---- causes ---- */

typedef struct {
  uint32_t first, count;
} Cause;

typedef struct {
  VEC(Cause) list;
  uint32_t *cause_of; /* by finding: index + 1; 0: accepted, not told */
} Causes;

static void find_causes(const CheckResult *r, Causes *c) {
  StrMap keys = {0};
  c->cause_of = mem_alloc_zero((r->findings.len + 1) * sizeof *c->cause_of);
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    if (f->accepted) continue;
    Str key = {0};
    if (word_same_cause(f, f)) /* only races share a cause */
      str_addf(&key, "%d %u:%u %s %s", f->verdict, f->declared.line, f->declared.column,
               f->declared.file ? f->declared.file : "", f->name);
    else
      str_addf(&key, "%u", i);
    uint64_t *slot = strmap_at(&keys, str_text(&key), key.len);
    if (!*slot) {
      Cause cause = {i, 0};
      vec_push(&c->list, cause);
      *slot = c->list.len;
    }
    c->list.data[*slot - 1].count++;
    c->cause_of[i] = (uint32_t)*slot;
    str_free(&key);
  }
  strmap_free(&keys);
}

/* The findings of each cause behind each other, and in their order within it. */
static uint32_t *sort_by_cause(const CheckResult *r, const Causes *c) {
  uint32_t *start = mem_alloc_zero((c->list.len + 1) * sizeof *start);
  uint32_t *sorted = mem_alloc_zero((r->findings.len + 1) * sizeof *sorted);
  for (uint32_t i = 1; i < c->list.len; i++)
    start[i] = start[i - 1] + c->list.data[i - 1].count;
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (c->cause_of[i]) sorted[start[c->cause_of[i] - 1]++] = i;
  mem_free(start);
  return sorted;
}

static void put_cause(Page *p, const Cause *cause, const uint32_t *findings, bool open) {
  const CheckResult *r = p->result;
  const Finding *first = &r->findings.data[cause->first];
  page_put(p, "<article class=\"cause\"><h3>");
  page_text(p, property_table[first->property].wrong);
  page_wrapped(p, " <code>", first->name, "</code>");
  if (place_is_known(&first->declared)) {
    page_put(p, " <span class=\"declared\">");
    page_place(p, &first->declared, false);
    page_put(p, "</span>");
  }
  if (cause->count > 1) {
    page_put(p, " <span class=\"times\">");
    page_count(p, cause->count, "pair");
    page_put(p, " of accesses</span>");
  }
  page_put(p, "</h3>\n");
  for (uint32_t i = 0; i < cause->count; i++)
    put_finding(p, &r->findings.data[findings[i]], findings[i], open && i == 0);
  page_put(p, "</article>\n");
}

/* The form does nothing without the script, which unhides it. */
static void put_filter(Page *p, uint32_t count) {
  page_put(p, "<form id=\"filter\" role=\"search\" hidden>\n"
              "<label for=\"query\">Search</label> <input id=\"query\" type=\"search\" "
              "autocomplete=\"off\" placeholder=\"variable, file, function, thread\">\n"
              "<fieldset><legend>Show</legend><span id=\"choices\"></span></fieldset>\n");
  page_putf(p,
            "<output id=\"shown\" for=\"query\" aria-live=\"polite\">%u of %u</output>"
            "\n</form>\n",
            count, count);
}

void page_findings(Page *p) {
  const CheckResult *r = p->result;
  Causes c = {0};
  find_causes(r, &c);
  uint32_t *sorted = sort_by_cause(r, &c), at = 0, count = 0;
  for (uint32_t i = 0; i < c.list.len; i++) count += c.list.data[i].count;
  page_put(p, "<section id=\"findings\" aria-labelledby=\"findings-h\"><h2 "
              "id=\"findings-h\">Findings</h2>\n");
  if (!count) page_put(p, "<p class=\"note\">There are none.</p>\n");
  if (count) put_filter(p, count);
  page_put(p, "<div id=\"causes\">\n");
  for (uint32_t i = 0; i < c.list.len; i++) {
    put_cause(p, &c.list.data[i], sorted + at, i == 0);
    at += c.list.data[i].count;
  }
  assert(at == count);
  page_put(p, "</div>\n<p id=\"nothing\" hidden>No finding fits the search.</p>\n");
  if (r->accepted_count) {
    page_put(p, "<p class=\"note\">");
    page_count(p, r->accepted_count, "finding");
    page_put(p, " accepted by comments or rules.</p>\n");
  }
  for (uint32_t i = 0; i < r->left_out_count; i++) {
    page_put(p, "<p class=\"note\">");
    page_count(p, (uint32_t)r->left_out[i].value, "finding");
    page_putf(p, " not reported: %s.</p>\n", r->left_out[i].name);
  }
  page_put(p, "</section>\n");
  mem_free(sorted);
  mem_free(c.cause_of);
  vec_free(&c.list);
}
