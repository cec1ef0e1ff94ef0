/* The first thing one sees: what holds, what does not, and what stands behind either. */
#include "report/html/page.h"

#include "base/map.h"

/* ---- verdicts ---- */

static const char *class_of(Verdict v) {
  return v == VERDICT_SAFE ? "good" : v == VERDICT_UNSAFE ? "bad" : "open";
}

void page_tally(const Page *p, Property property, uint32_t *ret_errors,
                uint32_t *ret_warnings) {
  *ret_errors = *ret_warnings = 0;
  for (uint32_t i = 0; i < p->result->findings.len; i++) {
    const Finding *f = &p->result->findings.data[i];
    if (f->property != property || f->accepted) continue;
    *ret_errors += f->verdict == VERDICT_UNSAFE;
    *ret_warnings += f->verdict != VERDICT_UNSAFE;
  }
}

/* What stands behind a proof. */
static void put_ground(Page *p, Property property) {
  const CheckResult *r = p->result;
  if (r->verdicts[property] != VERDICT_SAFE) return;
  if (r->conditional[property]) {
    Str text = {0};
    result_add_condition(r, &text);
    page_wrapped(p, "<p>", str_text(&text), "</p>");
    str_free(&text);
  }
  page_put(p, r->unchecked[property]
                  ? "<p>Proved; a part of the proof was checked by nothing but its "
                    "finder.</p>"
                  : "<p>Proved; the proof was checked by other code than its finder's."
                    "</p>");
}

static void put_card(Page *p, Property property) {
  const CheckResult *r = p->result;
  Verdict v = r->verdicts[property];
  uint32_t errors, warnings;
  page_tally(p, property, &errors, &warnings);
  page_putf(p, "<li class=\"card %s\"><h3>", class_of(v));
  page_text(p, property_table[property].brief);
  page_wrapped(p, "</h3><p class=\"verdict\">", verdict_text(v), "</p>");
  if (errors || warnings) page_put(p, "<p>");
  if (errors) page_count(p, errors, "error");
  if (errors && warnings) page_put(p, ", ");
  if (warnings) page_count(p, warnings, "warning");
  if (errors || warnings) page_put(p, "</p>");
  put_ground(p, property);
  if (v != VERDICT_SAFE && r->unknown_because[property])
    page_wrapped(p, v == VERDICT_UNSAFE ? "<p class=\"note\">About the rest: " : "<p>",
                 r->unknown_because[property], "</p>");
  page_put(p, "</li>\n");
}

/* ---- what was proved, and by whom ---- */

typedef struct {
  Reason reason;
  const char *engine;
  bool unchecked;
  uint32_t count;
} Ground;

typedef VEC(Ground) GroundVec;

static void count_grounds(const CheckResult *r, GroundVec *grounds) {
  for (uint32_t i = 0; i < r->locations.len; i++) {
    const Location *l = &r->locations.data[i];
    const char *engine = l->engine ? l->engine : "";
    if (l->verdict != VERDICT_SAFE) continue;
    uint32_t k = 0;
    while (k < grounds->len && (grounds->data[k].reason != l->reason ||
                                grounds->data[k].unchecked != l->unchecked ||
                                !str_eq(grounds->data[k].engine, engine)))
      k++;
    if (k == grounds->len)
      vec_push(grounds, ((Ground){l->reason, engine, l->unchecked, 0}));
    grounds->data[k].count++;
  }
}

static void put_grounds(Page *p) {
  GroundVec grounds = {0};
  count_grounds(p->result, &grounds);
  if (grounds.len)
    page_put(p,
             "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"What was "
             "proved\"><table class=\"grounds\"><caption>Locations that are free of "
             "races, and what shows it</caption><thead><tr><th scope=\"col\">locations"
             "</th><th scope=\"col\">reason</th><th scope=\"col\">engine</th>"
             "<th scope=\"col\">evidence</th></tr></thead><tbody>\n");
  for (uint32_t i = 0; i < grounds.len; i++) {
    const Ground *g = &grounds.data[i];
    page_putf(p, "<tr><td>%u</td><td>%s</td>", g->count, reason_text(g->reason));
    page_wrapped(p, "<td>", g->engine, "</td>");
    page_putf(p, "<td>%s</td></tr>\n", g->unchecked ? "unchecked" : "checked");
  }
  if (grounds.len) page_put(p, "</tbody></table></div>\n");
  vec_free(&grounds);
}

/* ---- the whole ---- */

static void put_sentence(Page *p) {
  const CheckResult *r = p->result;
  Verdict v = result_verdict(r);
  page_putf(p, "<p class=\"banner %s\"><b>%s</b> ", class_of(v), verdict_text(v));
  if (r->contradiction)
    page_put(p,
             "Something was both proved and refuted: this is a defect of heddle, please "
             "report it.");
  else if (v == VERDICT_UNSAFE)
    page_put(p, "Errors were found, each with evidence.");
  else if (v == VERDICT_SAFE)
    page_put(p, page_has_premises(p) ? "Everything asked for holds, within what it <a "
                                       "href=\"#premises\">rests on</a>."
                                     : "Everything asked for holds.");
  else
    page_put(p, r->findings.len ? "No error was found, and something stayed open."
                                : "No error was found, which is no proof.");
  page_put(p, "</p>\n");
}

void page_overview(Page *p) {
  const CheckResult *r = p->result;
  page_put(p, "<section id=\"overview\" aria-labelledby=\"overview-h\"><h2 "
              "id=\"overview-h\" class=\"hidden\">Overview</h2>\n");
  put_sentence(p);
  page_put(p, "<ul class=\"cards\">\n");
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (r->asked[i]) put_card(p, (Property)i);
  page_put(p, "</ul>\n");
  put_grounds(p);
  page_put(p, "</section>\n");
}
