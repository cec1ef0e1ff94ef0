/* The result as one page for a browser: a file that needs no other, no network, and no
 * script to be read. docs/report.md describes what is on it and how it is made.
 *
 * The page allows nothing but its own parts: a Content-Security-Policy names the hashes of
 * the style and the scripts, so that not even a mistake in an escape would let the text of a
 * program run. Same result, same bytes, except for the line of statistics. */
#include "report/html/page.h"
#include "report/html/parts.h"
#include "report/registry.h"

static bool is_style(size_t i) {
  return str_ends(html_parts[i].name, ".css");
}

static void put_policy(Page *p) {
  page_put(p,
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "base-uri 'none'; form-action 'none'");
  for (int style = 1; style >= 0; style--) {
    page_put(p, style ? "; style-src" : "; script-src");
    for (size_t i = 0; i < html_parts_count; i++)
      if (is_style(i) == style) page_putf(p, " 'sha256-%s'", html_hashes[i]);
  }
  page_put(p, "\">\n");
}

/* The text must stand between the tags byte for byte: that is what was hashed. */
static void put_parts(Page *p, bool style) {
  for (size_t i = 0; i < html_parts_count; i++) {
    if (is_style(i) != style) continue;
    page_put(p, style ? "<style>" : "<script>");
    page_put(p, html_parts[i].text);
    page_put(p, style ? "</style>\n" : "</script>\n");
  }
}

static void put_title(Page *p) {
  const ReportOrigin *o = p->origin;
  page_wrapped(p, "heddle ", o->command, ":");
  for (size_t i = 0; i < o->input_count; i++) page_wrapped(p, " ", o->inputs[i], "");
}

static void put_head(Page *p) {
  page_put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  put_policy(p);
  page_put(p, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n"
              "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
  page_text(p, verdict_text(result_verdict(p->result)));
  page_put(p, " \xc2\xb7 ");
  put_title(p);
  page_put(p, "</title>\n");
  put_parts(p, true);
  page_put(p, "</head>\n");
}

/* The heads of arrows, for all drawings. */
static void put_tips(Page *p) {
  static const char *const tips[] = {"waits", "held", "after", "race"};
  page_put(p, "<svg class=\"tips\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>");
  for (size_t i = 0; i < sizeof tips / sizeof *tips; i++)
    page_putf(p,
              "<marker id=\"tip-%s\" class=\"tip %s\" viewBox=\"0 0 10 10\" refX=\"9\" "
              "refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" "
              "markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">"
              "<path d=\"M0 0.6L10 5L0 9.4z\"/></marker>",
              tips[i], tips[i]);
  page_put(p, "</defs></svg>\n");
}

static void put_header(Page *p) {
  const ReportOrigin *o = p->origin;
  page_put(p, "<header>\n<div class=\"bar\"><p class=\"brand\"><b>heddle</b> ");
  page_text(p, o->command);
  page_put(p,
           "</p>\n<nav aria-label=\"Parts of the report\"><a href=\"#overview\">Overview"
           "</a><a href=\"#findings\">Findings</a>");
  if (p->result->locations.len) page_put(p, "<a href=\"#locations\">Locations</a>");
  page_put(p, "<a href=\"#sources\">Sources</a></nav>\n"
              "<button type=\"button\" id=\"theme\" hidden>Theme</button></div>\n<h1>");
  for (size_t i = 0; i < o->input_count; i++)
    page_wrapped(p, i ? " <span>" : "<span>", o->inputs[i], "</span>");
  if (!o->input_count) page_put(p, "heddle");
  page_put(p, "</h1>\n</header>\n");
}

static void put_footer(Page *p) {
  const CheckResult *r = p->result;
  page_wrapped(p, "<footer>\n<p>heddle ", p->origin->version, "</p>\n");
  page_putf(p, "<p class=\"stats\">%.2f s", r->seconds);
  if (r->peak_mib > 0) page_putf(p, ", at most %.0f MiB of memory", r->peak_mib);
  page_put(p, "</p>\n<p id=\"keys\" hidden>Keys: <kbd>/</kbd> search, <kbd>n</kbd> "
              "<kbd>p</kbd> next and previous finding, in a timeline <kbd>j</kbd> "
              "<kbd>k</kbd> or arrows step by step, <kbd>Home</kbd> <kbd>End</kbd>."
              "</p>\n</footer>\n");
}

void report_html(const CheckResult *result, const ReportOrigin *origin, JsonSink *sink,
                 void *user) {
  Page page;
  page_init(&page, result, origin, sink, user);
  put_head(&page);
  page_put(&page,
           "<body>\n<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n");
  put_tips(&page);
  put_header(&page);
  page_put(&page, "<main>\n");
  page_overview(&page);
  page_findings(&page);
  page_locations(&page);
  page_premises(&page);
  page_run(&page);
  page_sources(&page);
  page_put(&page, "</main>\n");
  put_footer(&page);
  put_parts(&page, false);
  page_put(&page, "</body>\n</html>\n");
  page_finish(&page);
}
