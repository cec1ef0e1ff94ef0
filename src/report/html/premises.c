/* What the verdicts rest on: assumptions, code that nobody described; and of a recorded run
 * how it ended, its numbers, and what was predicted and then refuted. */
#include "report/html/page.h"
#include "report/words.h"

#include "model/program.h"

/* ---- assumptions ---- */

static void put_assumption(Page *p, const char *what, SourcePlace place, uint32_t count) {
  page_wrapped(p, "<li>", what, " ");
  page_place(p, &place, false);
  if (place_is_known(&place) && count > 1) {
    page_put(p, " and ");
    page_count(p, count - 1, "more place");
  }
  page_put(p, "</li>\n");
}

static uint32_t count_assumptions(const CheckResult *r) {
  uint32_t count = r->assumed.len;
  for (uint32_t i = 0; r->program && i < r->program->assumptions.len; i++)
    count += r->program->assumptions.data[i].what != 0;
  return count;
}

static void put_assumptions(Page *p) {
  const CheckResult *r = p->result;
  if (!count_assumptions(r)) return;
  page_put(p, "<h3>Assumptions</h3>\n<ul class=\"plain\">\n");
  for (uint32_t i = 0; r->program && i < r->program->assumptions.len; i++) {
    const Assumption *a = &r->program->assumptions.data[i];
    if (a->what)
      put_assumption(p, sym_text(r->program, a->what), place_of_loc(r->program, a->loc),
                     a->count);
  }
  for (uint32_t i = 0; i < r->assumed.len; i++) {
    const Assumed *a = &r->assumed.data[i];
    put_assumption(p, a->what, a->place, a->count);
  }
  page_put(p, "</ul>\n");
}

static void put_undescribed(Page *p) {
  const CheckResult *r = p->result;
  if (!result_conditional(r)) return;
  page_put(p,
           "<h3>Not described</h3>\n<p class=\"note\">A rules file with such lines says "
           "what this code really does.</p>\n<ul class=\"plain\">\n");
  for (uint32_t i = 0; i < r->undescribed.len; i++) {
    const Undescribed *u = &r->undescribed.data[i];
    page_wrapped(p, "<li><code>", u->rule ? u->rule : u->name, "</code> ");
    page_place(p, &u->place, false);
    page_put(p, "</li>\n");
  }
  page_put(p, "</ul>\n");
}

bool page_has_premises(const Page *p) {
  return count_assumptions(p->result) || result_conditional(p->result);
}

void page_premises(Page *p) {
  if (!page_has_premises(p)) return;
  page_put(p, "<section id=\"premises\" aria-labelledby=\"premises-h\"><h2 "
              "id=\"premises-h\">What the verdicts rest on</h2>\n");
  put_assumptions(p);
  put_undescribed(p);
  page_put(p, "</section>\n");
}

/* ---- a recorded run ---- */

static void put_dropped(Page *p, const RecordedRun *run) {
  if (!run->dropped_count) return;
  page_put(p, "<details class=\"reason\"><summary>");
  page_count(p, run->dropped_count, "prediction");
  page_put(p, " refuted</summary><ul class=\"plain\">\n");
  for (uint32_t i = 0; i < run->dropped_count; i++) {
    const Finding *f = &run->dropped[i];
    page_wrapped(p, "<li>", property_table[f->property].wrong, " ");
    page_wrapped(p, "<code>", f->name, "</code>: ");
    for (uint32_t k = 0; k < f->access_count; k++) {
      page_wrapped(p, k ? ", <b>" : "<b>", f->accesses[k].thread, "</b> ");
      page_wrapped(p, "", word_verb(&f->accesses[k]), " ");
      page_place(p, &f->accesses[k].place, false);
    }
    page_wrapped(p, ". ", f->why, "</li>\n");
  }
  page_put(p, "</ul></details>\n");
}

/* The name of a number is one of ours: "not_tried". */
static void put_number(Page *p, const RecordedNumber *n) {
  page_put(p, "<div><dt>");
  for (const char *c = n->name; *c; c++) page_text_bytes(p, *c == '_' ? " " : c, 1);
  page_putf(p, "</dt><dd>%lld</dd></div>", (long long)n->value);
}

void page_run(Page *p) {
  const RecordedRun *run = p->result->recorded;
  if (!run) return;
  page_put(p,
           "<section id=\"run\" aria-labelledby=\"run-h\"><h2 id=\"run-h\">The recorded "
           "runs</h2>\n");
  if (run->ended) page_wrapped(p, "<p>How the program ended: ", run->ended, ".</p>\n");
  if (run->deadlocked) page_put(p, "<p>It deadlocked while it was recorded.</p>\n");
  if (!run->accesses)
    page_put(p, "<p>Only its synchronisation was recorded, not its accesses.</p>\n");
  put_dropped(p, run);
  page_put(p, "<dl class=\"numbers\">\n");
  for (uint32_t i = 0; i < run->number_count; i++)
    if (run->numbers[i].value) put_number(p, &run->numbers[i]);
  page_put(p, "</dl>\n</section>\n");
}
