/* The schedule of a finding as a table, which is also all that the script draws the timeline
 * from: each row has its thread, what it is, what it waited for and what it holds as text for
 * people and as data attributes for the script. */
#include "report/html/lanes.h"
#include "report/html/page.h"

enum { COLOURS = 6 };

static void put_held(Page *p, const Lanes *lanes, const LaneStep *step) {
  page_put(p, "<td>");
  for (uint32_t i = 0; i < step->held_count; i++) {
    uint32_t lock = lanes->held.data[step->first_held + i];
    page_putf(p, "<span class=\"lock c%u\" data-lock=\"%u\">", lock % COLOURS, lock);
    page_wrapped(p, "", lanes->locks.data[lock].name, "</span> ");
  }
  page_put(p, "</td>");
}

static void put_arrows(Page *p, const LaneStep *step) {
  page_put(p, "<td>");
  for (uint32_t i = 0; i < step->arrow_count; i++) {
    page_putf(p, "%s%u (", i ? ", " : "", step->arrows[i].from + 1);
    page_wrapped(p, "", step->arrows[i].why, ")");
  }
  page_put(p, "</td>");
}

static void put_attributes(Page *p, const LaneStep *step) {
  page_putf(p, "<tr class=\"k-%s%s\" data-thread=\"%u\"", step_kind_word(step->kind),
            step->mark ? " marked" : "", step->thread);
  if (step->mark) page_putf(p, " data-mark=\"%u\"", step->mark);
  for (uint32_t i = 0; i < step->arrow_count; i++)
    page_putf(p, "%s%u", i ? " " : " data-after=\"", step->arrows[i].from);
  if (step->arrow_count) page_put(p, "\"");
  page_put(p, ">");
}

static void put_step(Page *p, const Finding *f, const Lanes *lanes, uint32_t i) {
  const FoundStep *s = &f->steps[i];
  const LaneStep *step = &lanes->steps[i];
  put_attributes(p, step);
  page_putf(p, "<td>%u</td>", i + 1);
  page_wrapped(p, "<td>", s->thread, "</td>");
  page_wrapped(p, "<td><b>", s->op, "</b>");
  if (s->object) page_wrapped(p, " <span>", s->object, "</span>");
  page_put(p, "</td>");
  put_held(p, lanes, step);
  put_arrows(p, step);
  page_put(p, "<td>");
  page_place(p, &s->place, false);
  page_put(p, "</td><td>");
  page_line(p, &s->place, "", false);
  page_put(p, "</td></tr>\n");
}

static const char *end_of_race(const Finding *f) {
  return f->unordered ? "In this order of steps nothing orders the two accesses."
                      : "At the end of these steps both accesses are next.";
}

void page_steps(Page *p, const Finding *f) {
  if (!f->step_count) return;
  Lanes lanes;
  lanes_init(&lanes, f);
  page_putf(p, "<div class=\"schedule\" tabindex=\"0\" role=\"region\" "
               "aria-label=\"Schedule of ");
  page_text(p, f->id);
  page_putf(p, "\"%s>\n<table class=\"steps\"><caption>The schedule, step by step. ",
            f->property == PROPERTY_RACE && !f->unordered ? " data-meet" : "");
  if (f->property == PROPERTY_RACE) page_put(p, end_of_race(f));
  page_put(p,
           "</caption>\n<thead><tr><th scope=\"col\">#</th><th scope=\"col\">thread</th>"
           "<th scope=\"col\">does</th><th scope=\"col\">then holds</th>"
           "<th scope=\"col\">after</th><th scope=\"col\">where</th>"
           "<th scope=\"col\">source</th></tr></thead>\n<tbody>\n");
  for (uint32_t i = 0; i < f->step_count; i++) put_step(p, f, &lanes, i);
  page_put(p, "</tbody></table></div>\n");
  lanes_free(&lanes);
}
