/* Every shared location with the reason why it is safe, or that it is not: for a proof, the
 * guard of each. One table for each reason, whose rows wait in a <noscript> like the bodies
 * of findings do. */
#include "report/html/page.h"

static void put_location(Page *p, const Location *l, bool detailed) {
  page_wrapped(p, "<tr><th scope=\"row\"><code>", l->name, "</code></th><td>");
  for (uint32_t i = 0; i < l->guard_count; i++)
    page_wrapped(p, i ? ", <b>" : "<b>", l->guards[i], "</b>");
  page_wrapped(p, "</td><td>", l->engine, "</td>");
  page_putf(p, "<td>%s</td><td>",
            l->verdict != VERDICT_SAFE ? ""
            : l->unchecked             ? "unchecked"
                                       : "checked");
  page_place(p, &l->declared, false);
  if (detailed) page_wrapped(p, "</td><td>", l->detail, "");
  page_put(p, "</td></tr>\n");
}

/* What the words of reasons mean. */
static const char *meaning_of(Reason reason) {
  static const char *const meanings[REASON_COUNT] = {
      [REASON_UNDECIDED] = "neither proved nor refuted",
      [REASON_RACE] = "two threads may access it at the same time",
      [REASON_GUARDED] = "every access holds the guard",
      [REASON_ORDERED] = "accesses of different threads never overlap",
      [REASON_SINGLE_THREADED] = "only one thread uses it",
      [REASON_READ_ONLY] = "nobody writes it while threads run",
      [REASON_ATOMIC] = "every access is atomic",
      [REASON_THREAD_LOCAL] = "each thread has its own",
      [REASON_PROVED] = "an engine has explored every execution",
      [REASON_ACCEPTED] = "the user says that it is meant so"};
  return meanings[reason];
}

static void put_reason(Page *p, Reason reason) {
  const CheckResult *r = p->result;
  uint32_t count = 0;
  bool detailed = false;
  for (uint32_t i = 0; i < r->locations.len; i++) {
    if (r->locations.data[i].reason != reason) continue;
    count++;
    detailed = detailed || r->locations.data[i].detail;
  }
  if (!count) return;
  const char *class = reason == REASON_RACE        ? "bad"
                      : reason == REASON_UNDECIDED ? "open"
                                                   : "good";
  page_putf(
      p,
      "<details class=\"reason\" open><summary><span class=\"badge %s\">%s</span> "
      "<b>%u</b> <span class=\"note\">%s</span></summary><noscript><div "
      "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Locations: %s\">"
      "<table><thead><tr><th scope=\"col\">location</th><th scope=\"col\">guard</th>"
      "<th scope=\"col\">engine</th><th scope=\"col\">evidence</th><th "
      "scope=\"col\">declared</th>%s</tr></thead><tbody>\n",
      class, reason_text(reason), count, meaning_of(reason), reason_text(reason),
      detailed ? "<th scope=\"col\">detail</th>" : "");
  for (uint32_t i = 0; i < r->locations.len; i++)
    if (r->locations.data[i].reason == reason)
      put_location(p, &r->locations.data[i], detailed);
  page_put(p, "</tbody></table></div></noscript></details>\n");
}

void page_locations(Page *p) {
  static const Reason order[] = {
      REASON_RACE,   REASON_UNDECIDED, REASON_GUARDED,      REASON_ORDERED,
      REASON_ATOMIC, REASON_READ_ONLY, REASON_THREAD_LOCAL, REASON_SINGLE_THREADED,
      REASON_PROVED, REASON_ACCEPTED};
  if (!p->result->locations.len) return;
  page_put(p, "<section id=\"locations\" aria-labelledby=\"locations-h\"><h2 "
              "id=\"locations-h\">Shared locations</h2>\n");
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) put_reason(p, order[i]);
  page_put(p, "</section>\n");
}
